% Counting keys in a balanced tree of library(assoc).
% scale: 139

bench :- run(250000).
small :- run(1500).

run(N) :-
    empty_assoc(Empty),
    count(N, Empty, Counts),
    assoc_to_keys(Counts, Keys),
    length(Keys, Length),
    get_assoc(7919, Counts, Times),
    write(checksum(Length-Times)), nl.

count(0, Counts, Counts) :- !.
count(N, Counts0, Counts) :-
    Key is N * 7919 mod 20011,
    (   get_assoc(Key, Counts0, C) -> true ; C = 0 ),
    D is C + 1,
    put_assoc(Key, Counts0, D, Counts1),
    M is N - 1,
    count(M, Counts1, Counts).

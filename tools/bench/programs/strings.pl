% Splitting, joining and searching strings.
% scale: 500

bench :- run(300000).
small :- run(600).

run(N) :-
    total(N, 0, Sum),
    write(checksum(Sum)), nl.

total(0, Sum, Sum) :- !.
total(N, Sum0, Sum) :-
    number_string(N, Digits),
    string_concat("alpha,beta,gamma,", Digits, Line),
    split_string(Line, ",", " ", Fields),
    length(Fields, Count),
    atomic_list_concat(Fields, '-', Joined),
    atom_length(Joined, Length),
    string_upper(Line, Upper),
    sub_string(Upper, Before, 1, _, "G"), !,
    Sum1 is Sum0 + Count + Length + Before,
    M is N - 1,
    total(M, Sum1, Sum).

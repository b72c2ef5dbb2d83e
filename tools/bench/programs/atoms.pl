% Making, taking apart and comparing atoms.
% scale: 250

bench :- run(500000).
small :- run(2000).

run(N) :-
    total(N, 0, Sum),
    write(checksum(Sum)), nl.

total(0, Sum, Sum) :- !.
total(N, Sum0, Sum) :-
    K is N mod 5000,
    number_codes(K, Digits),
    atom_codes(Suffix, Digits),
    atom_concat(item_, Suffix, Name),
    atom_length(Name, Length),
    sub_atom(Name, 5, _, 0, Back),
    (   Back == Suffix -> Same = 1 ; Same = 0 ),
    atom_chars(Name, [First|_]),
    char_code(First, Code),
    Sum1 is Sum0 + Length + Same + Code,
    M is N - 1,
    total(M, Sum1, Sum).

% Texts from terms: format/3, with_output_to/2 of writeq/1, print/1, write_term/2 and write_canonical/1, term_to_atom/2.

bench :-
    lines(40000, 0, Sum),
    write(checksum(Sum)), nl.

lines(0, Sum, Sum) :- !.
lines(N, Sum0, Sum) :-
    Term = order(N, [item("bolt", 12), item('wing nut', 7)], a + b * (c - N)),
    format(atom(A), "~w of ~a: ~d, ~q~n", [Term, customer, N, 'Some Name']),
    atom_length(A, L1),
    with_output_to(string(B), ( writeq(Term), nl, print(N - 'x y'), write_term([Term], [quoted(true), max_depth(20)]) )),
    string_length(B, L2),
    term_to_atom(Term, C),
    atom_length(C, L3),
    with_output_to(string(D), write_canonical(f(N, 'A', [1, 2]))),
    string_length(D, L4),
    Sum1 is Sum0 + L1 + L2 + L3 + L4,
    M is N - 1,
    lines(M, Sum1, Sum).

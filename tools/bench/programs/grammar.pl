% A definite clause grammar that reads arithmetic from a long list of codes.
% scale: 751

bench :- run(150000).
small :- run(200).

run(Terms) :-
    text(Terms, Codes),
    phrase_of(Codes, Value),
    length(Codes, Length),
    write(checksum(Value-Length)), nl.

phrase_of(Codes, Value) :-
    sum(Value, Codes, []).

% text(+Terms, -Codes): "(1+2*3)-12*1+..." with so many terms.
text(1, Codes) :- !, atom_codes('7', Codes).
text(N, Codes) :-
    piece(N, Piece),
    atom_codes(Piece, Front),
    joined(Front, Rest, Codes),
    M is N - 1,
    text(M, Rest).

piece(N, '(1+2*3)-') :- N mod 3 =:= 0, !.
piece(N, '12*4 + ') :- N mod 3 =:= 1, !.
piece(_, '((8)) + 100*2 - ').

joined([], Ys, Ys).
joined([X|Xs], Ys, [X|Zs]) :- joined(Xs, Ys, Zs).

sum(V) --> product(V0), sum_rest(V0, V).

sum_rest(V0, V) --> [0'+], !, blanks, product(V1), { V2 is V0 + V1 }, sum_rest(V2, V).
sum_rest(V0, V) --> [0'-], !, blanks, product(V1), { V2 is V0 - V1 }, sum_rest(V2, V).
sum_rest(V, V) --> [].

product(V) --> factor(V0), product_rest(V0, V).

product_rest(V0, V) --> [0'*], !, blanks, factor(V1), { V2 is V0 * V1 }, product_rest(V2, V).
product_rest(V, V) --> [].

factor(V) --> [0'(], !, blanks, sum(V), [0')], blanks.
factor(V) --> digit(D), number(D, V), blanks.

number(V0, V) --> digit(D), !, { V1 is V0 * 10 + D }, number(V1, V).
number(V, V) --> [].

digit(D) --> [C], { C >= 0'0, C =< 0'9, D is C - 0'0 }.

blanks --> [0' ], !, blanks.
blanks --> [].

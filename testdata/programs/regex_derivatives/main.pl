% Regular expressions by the derivatives of Brzozowski: matching, a table of states, and words by enumeration.
:- use_module(library(lists)).
:- table nullable/1.

parse(Text, R) :- atom_chars(Text, Cs), phrase(alt(R), Cs).

alt(R) --> cat(A), alt_rest(A, R).
alt_rest(A, R) --> ['|'], !, cat(B), { mk_or(A, B, C) }, alt_rest(C, R).
alt_rest(R, R) --> [].
cat(R) --> rep(A), !, cat_rest(A, R).
cat(eps) --> [].
cat_rest(A, R) --> rep(B), !, { mk_cat(A, B, C) }, cat_rest(C, R).
cat_rest(R, R) --> [].
rep(R) --> one(A), rep_rest(A, R).
rep_rest(A, R) --> [*], !, { mk_star(A, B) }, rep_rest(B, R).
rep_rest(A, R) --> [?], !, { mk_or(A, eps, B) }, rep_rest(B, R).
rep_rest(A, R) --> [+], !, { mk_star(A, B), mk_cat(A, B, C) }, rep_rest(C, R).
rep_rest(R, R) --> [].
one(R) --> ['('], !, alt(R), [')'].
one(c(C)) --> [C], { \+ memberchk(C, ['|', *, ?, +, '(', ')']) }.

mk_or(A, B, R) :- ( A == none -> R = B ; B == none -> R = A ; A == B -> R = A ; A @< B -> R = or(A, B) ; R = or(B, A) ).
mk_cat(A, B, R) :- ( ( A == none ; B == none ) -> R = none ; A == eps -> R = B ; B == eps -> R = A ; R = cat(A, B) ).
mk_star(A, R) :- ( memberchk(A, [none, eps]) -> R = eps ; A = star(_) -> R = A ; R = star(A) ).

nullable(eps).
nullable(star(_)).
nullable(or(A, _)) :- nullable(A).
nullable(or(_, B)) :- nullable(B).
nullable(cat(A, B)) :- nullable(A), nullable(B).

d(eps, _, none).
d(none, _, none).
d(c(C), D, R) :- ( C == D -> R = eps ; R = none ).
d(or(A, B), C, R) :- d(A, C, X), d(B, C, Y), mk_or(X, Y, R).
d(star(A), C, R) :- d(A, C, X), mk_cat(X, star(A), R).
d(cat(A, B), C, R) :- d(A, C, X), mk_cat(X, B, Y), ( nullable(A) -> d(B, C, Z), mk_or(Y, Z, R) ; R = Y ).

matches(R, Word) :- atom_chars(Word, Cs), foldl([C, X, Y]>>d(X, C, Y), Cs, R, End), nullable(End).

states([], _, Seen, Seen).
states([R|Rs], Alphabet, Seen0, Seen) :-
    findall(S, ( member(C, Alphabet), d(R, C, S), S \== none ), Next0),
    sort(Next0, Next), subtract(Next, Seen0, New),
    append(Seen0, New, Seen1), append(Rs, New, Rs1),
    states(Rs1, Alphabet, Seen1, Seen).

main :-
    forall(member(T-Words, ['(ab)*c?'-[abab, ababc, abba, ''], 'a(b|c)+d'-[abcd, ad, abbbd], '(a|b)*abb'-[abb, babb, abab]]),
           ( parse(T, R), findall(W, ( member(W, Words), matches(R, W) ), Ok),
             states([R], [a, b, c, d], [R], Seen), length(Seen, N), format("~w: ~q, ~d states~n", [T, Ok, N]) )),
    parse('(a|b)*abb', R), findall(W, ( between(0, 4, N), length(L, N), maplist([X]>>member(X, [a, b]), L), atom_chars(W, L), matches(R, W) ), Ws),
    print(Ws), nl,
    ( parse('(a', _) -> true ; writeln('not a pattern') ).

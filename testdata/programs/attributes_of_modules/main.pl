% Attributed variables of two modules: hooks that bind, fail and show, within clauses, in copies and in answers.
:- use_module(domain).
:- use_module(parity).
tried(Goal) :- ( catch(Goal, error(E, _), ( print(E), nl, fail )) -> writeln(yes) ; writeln(no) ).
shown(X) :- copy_term(X, Y, Goals), numbervars(Y-Goals, 0, _), print(Y-Goals), nl.
first(X) :- X = a, !.
first(_).
main :-
    domain(X, [a, b, c]), shown(X),
    domain(X, [c, a, d]), shown(X),
    tried(X = b),
    tried(( X = c, writeln(X) )),
    domain(Y, [1, 2, 3, 4]), odd(Y), shown(f(Y, Y)),
    findall(Y, ( member(Y, [1, 2, 3, 4, 5]) ), Ys), writeln(Ys),
    domain(Z, [3, 4]), Y = Z, shown(Y-Z),
    tried(( Z \= 3, writeln(Z) )),
    domain(V, [only]), writeln(V),
    odd(W), tried(W = 7), tried(W = 8), tried(W = other),
    ( odd(U), domain(U, [a, 1]), catch(first(U), error(_, _), writeln(wrong)) -> shown(U) ; true ),
    put_attr(T, unhooked, 1), tried(T = 3), ( get_attr(T, unhooked, _) -> true ; writeln(gone) ),
    domain(P, [p, q]), del_attr(P, domain), shown(P),
    tried(domain(_, nothing)),
    \+ \+ ( freeze(F, ( write(woken(F)), nl )), domain(F, [x, y]), F = x ),
    copy_term_nat(f(X, Y), Copy), numbervars(Copy, 0, End), print(Copy-End), nl.

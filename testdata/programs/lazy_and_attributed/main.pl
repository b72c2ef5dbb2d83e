% Lazy lists, equations that wait, domains as attributes of the program, and what is told of all that.
shown(T0) :- copy_term_nat(T0, T), numbervars(T, 0, _), print(T).
nats(N, [N|T]) :- freeze(T, ( M is N+1, nats(M, T) )).
take(0, _, []) :- !.
take(N, [H|T], [H|R]) :- M is N-1, take(M, T, R).
adder(X, Y, Z) :- when(( ground(X+Y) ; ground(X+Z) ; ground(Y+Z) ), solve(X, Y, Z)).
solve(X, Y, Z) :- ( var(Z) -> Z is X+Y ; var(Y) -> Y is Z-X ; X is Z-Y ).
alldif([]). alldif([H|T]) :- maplist(dif(H), T), alldif(T).
dom(X, D) :- ( var(D) -> get_attr(X, dom, D) ; list_to_ord_set(D, S), put_attr(Y, dom, S), X = Y ).
dom:attr_unify_hook(D, Y) :- ( get_attr(Y, dom, D2) -> ord_intersection(D, D2, D3), ( D3 == [] -> fail ; D3 = [V] -> Y = V ; put_attr(Y, dom, D3) ) ; var(Y) -> put_attr(Y, dom, D) ; ord_memberchk(Y, D) ).
dom:attribute_goals(X) --> { get_attr(X, dom, L) }, [dom(X, L)].
dom:attr_portray_hook(L, _) :- write(L).
main :-
    nats(1, L), take(5, L, T), print(T), nl, adder(A, B, 10), A = 3, print(B), nl,
    L2 = [X, Y, Z], alldif(L2), ( member(X, [1, 2]), member(Y, [1, 2]), member(Z, [1, 2, 3]) -> print(L2) ; true ), nl,
    dom(P, [a, b]), dom(Q, [b, c]), P = Q, print(P), nl, dom(R, [x, y]), copy_term(R, R1, Gs), shown(R1-Gs), nl, ( R = z -> true ; writeln(not_z) ), R = y, print(R), nl,
    freeze(F, ( write(got(F)), nl )), frozen(F, G), shown(G), nl, F = 1, dif(U, f(W)), copy_term(U-W, C, Gs2), shown(C-Gs2), nl, ( U = f(1), W = 1 -> writeln(bad) ; writeln(ok) ),
    when(?=(S1, S2), writeln(decided)), S1 = g(_), S2 = h, tnot_done, phrase_from_stuff.
tnot_done :- freeze(X, fail), ( X = 1 -> true ; writeln(failed_wake) ), catch(( freeze(Y, throw(oops)), Y = 1 ), E, ( print(E), nl )), term_variables(f(X, Y), Vs), length(Vs, N), print(N), nl, ( attvar(X) -> writeln(attvar) ; true ), \+ \+ ( X = 2 ; true ), copy_term_nat(X, X2), ( attvar(X2) -> true ; writeln(plain) ).
phrase_from_stuff :- freeze(X, writeln(x(X))), freeze(Y, writeln(y(Y))), X = Y, writeln(unified), X = 5, findall(Z, ( freeze(Z, Z > 1), member(Z, [1, 2, 3]) ), Zs), print(Zs), nl.

:- module(shop, [trade/0]).
:- use_module(control).

:- dynamic sold/1.

here(X) :- writeln(shop_here(X)).
price(apple, 3).
price(pear, 2).
up(X, Y) :- Y is X+1.
each_price(G) :- forall(price(N, P), call(G, N, P)).

trade :-
    perform(here(1)),
    perform_here(here(2)),
    context(A), writeln(A),
    context_of_context(B), writeln(B),
    store(sold(1)), sold(F), writeln(F),
    twice(here(3)),
    forall(say_both, true),
    split_module(foo, X), writeln(X),
    split_module(a:foo, Y), writeln(Y),
    count_down(3, M), writeln(M),
    two_contexts(C, D), writeln(C-D),
    declared_late(L), writeln(L),
    map(up, [1, 2], Z), writeln(Z),
    answers(price(_, _), R), writeln(R),
    G = context(K), call(G), writeln(K),
    H = context, call(H, K2), writeln(K2),
    @(context(K3), barn), writeln(K3),
    barn:context(K4), writeln(K4),
    W = say_both, once(W),
    findall(Q, context(Q), Qs), writeln(Qs),
    maplist(context, [J1, J2]), writeln(J1/J2).

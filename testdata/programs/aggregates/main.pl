% Global variables, counters, records, and sums, groups and orders of answers.
inc(K, N) :- ( nb_current(K, V0) -> true ; V0 = 0 ), N is V0+1, nb_setval(K, N).
main :-
    inc(a, X), inc(a, Y), print(X-Y), nl,
    b_setval(v, 1), ( b_setval(v, 2), b_getval(v, V), print(V), nl, fail ; b_getval(v, W), print(W), nl ),
    nb_setval(l, []), forall(member(Z, [p, q, r]), ( nb_getval(l, L0), nb_setval(l, [Z|L0]) )), nb_getval(l, L), print(L), nl,
    T = count(0), ( member(_, [a, b, c]), arg(1, T, N0), N1 is N0+1, nb_setarg(1, T, N1), fail ; arg(1, T, N2), print(N2), nl ),
    ( setarg(1, T, back), print(T), nl, fail ; print(T), nl ),
    flag(f, Old, Old+5), flag(f, New, New), print(Old-New), nl,
    gensym(g, G1), gensym(g, G2), print(G1-G2), nl, reset_gensym(g), gensym(g, G3), print(G3), nl,
    recorda(db, one, _), recordz(db, two), recorda(db, zero), findall(R, recorded(db, R), Rs), print(Rs), nl,
    ( recorded(db, one, Ref), erase(Ref), fail ; true ), findall(R, recorded(db, R), Rs2), print(Rs2), nl,
    succ_or_zero(3), aggregate_all(count, member(_, [a, b]), Cn), aggregate_all(sum(S), member(S, [1, 2.5]), Sm),
    aggregate_all(max(M, K), member(M-K, [1-a, 3-b, 2-c]), Mx), aggregate_all(bag(B), member(B, [c, a, c]), Bg), aggregate_all(set(B2), member(B2, [c, a, c]), St),
    aggregate_all(max(Q, w(Q)), member(Q, [1, 5, 2]), Mw), print([Cn, Sm, Mx, Bg, St, Mw]), nl,
    ( aggregate_all(max(E), member(E, []), Me) -> print(Me) ; print(nomax) ), nl,
    findall(Ct-Name, aggregate(count, A^emp(Name, A), Ct), Cts), print(Cts), nl,
    ( bagof(N9, emp(N9, A9), Bs), print(A9-Bs), nl, fail ; true ),
    ( setof(A8-N8, emp(N8, A8), Ss) -> print(Ss) ; true ), nl,
    forall(aggregate(r(count, max(Sal)), P^pay(P, Dept, Sal), Rr), ( print(Dept-Rr), nl )),
    findnsols(2, F1, member(F1, [1, 2, 3]), Fs), print(Fs), nl, !,
    forall(limit(2, member(Li, [x, y, z])), ( print(Li), nl )),
    findall(O, order_by([desc(O)], member(O, [2, 3, 1])), Os), print(Os), nl,
    findall(Di, distinct(Di, member(Di, [a, b, a])), Ds), print(Ds), nl,
    between(1, inf, I), I*I > 50, !, print(I), nl,
    foldl([X7, A7, B7]>>( B7 is A7+X7 ), [1, 2, 3], 0, Sum), print(Sum), nl,
    tab(2), print(done), nl.
succ_or_zero(_).
emp(ann, 30). emp(bob, 25). emp(cid, 30). emp(ann, 31).
pay(ann, it, 100). pay(bob, it, 80). pay(cid, hr, 70).
:- dynamic foo/1.

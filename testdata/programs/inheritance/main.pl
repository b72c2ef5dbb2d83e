% Frames in a module that inherit properties; library predicates call lambdas and predicates of modules.
:- use_module(kb).
:- use_module(library(apply)).
:- use_module(library(yall)).
:- discontiguous report/1.
report(X) :- findall(P=V, ( member(P, [moves, alive]), inherit(X, P, V) ), L), format("~w: ~w~n", [X, L]).
main :-
    maplist(report, [canary, penguin, animal, stone]),
    add(is_a(tweety, canary)), ( is_a(tweety, Y) -> print(Y) ; print(none) ), nl,
    kb:assertz(is_a(stone, thing)), findall(A, is_a(A, _), As), print(As), nl,
    retract(kb:is_a(stone, thing)), ( is_a(stone, _) -> true ; writeln(gone) ),
    assertz(prop(me, x, y)), ( kb:prop(me, _, _) -> writeln(kb) ; writeln(user) ),
    catch(assertz(inherit(a, b, c)), error(E, _), ( print(E), nl )),
    catch(assertz(kb:inherit(a, b, c)), error(E1, _), ( print(E1), nl )),
    partition([Z]>>( is_a(Z, bird) ), [canary, stone, penguin], In, Out), print(In/Out), nl,
    foldl([K, A0, A1]>>( A1 = [K|A0] ), [a, b], [], R), print(R), nl,
    include([Q]>>inherit(Q, moves, fly), [canary, penguin], F), print(F), nl,
    maplist([X1, Y1, Z1]>>( Z1 is X1*Y1 ), [1, 2], [3, 4], Zs), print(Zs), nl,
    N = 5, maplist({N}/[X2, Y2]>>( Y2 is X2+N ), [1, 2], Ws), print(Ws), nl,
    aggregate_all(count, kb:is_a(_, _), C), print(C), nl,
    forall(clause(kb:inherit(I, P, V), B), portray_clause((inherit(I, P, V) :- B))).

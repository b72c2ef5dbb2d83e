% A planner by tasks: methods take compound tasks apart, operators change the state.
:- use_module(library(lists)).

method(travel(_, X, X), _, []).
method(travel(P, X, Y), State, [walk(P, X, Y)]) :- member(dist(X, Y, D), State), D =< 2.
method(travel(P, X, Y), State, [call_taxi(P, X), ride(P, X, Y), pay(P, X, Y)]) :-
    member(cash(P, C), State), member(dist(X, Y, D), State), Fare is 2+D, C >= Fare.
method(travel(P, X, Y), State, [travel(P, X, Z), travel(P, Z, Y)]) :-
    member(dist(X, Z, _), State), Z \== Y, member(dist(Z, Y, _), State), \+ member(dist(X, Y, _), State).
method(errands(_, []), _, []).
method(errands(P, [Place|Places]), State, [travel(P, X, Place), visit(P, Place), errands(P, Places)]) :-
    member(at(P, X), State).

operator(walk(P, X, Y), S0, [at(P, Y)|S]) :- select(at(P, X), S0, S).
operator(call_taxi(_, X), S, [taxi(X)|S]).
operator(ride(P, X, Y), S0, [at(P, Y), taxi(Y)|S]) :- select(taxi(X), S0, S1), select(at(P, X), S1, S).
operator(pay(P, X, Y), S0, [cash(P, C)|S]) :-
    select(cash(P, C0), S0, S1), select(taxi(Y), S1, S),
    memberchk(dist(X, Y, D), S0), C is C0-2-D.
operator(visit(P, X), S, [done(X)|S]) :- memberchk(at(P, X), S).

plan(S, [], [], S).
plan(S0, [Task|Tasks], [Task|Plan], S) :-
    operator(Task, S0, S1),
    plan(S1, Tasks, Plan, S).
plan(S0, [Task|Tasks], Plan, S) :-
    method(Task, S0, Parts),
    append(Parts, Tasks, All),
    plan(S0, All, Plan, S).

world(Cash, [at(ann, home), cash(ann, Cash), dist(home, park, 2), dist(home, shop, 6), dist(shop, library, 1),
             dist(library, shop, 1), dist(park, zoo, 9), dist(home, mall, 20)]).

main :-
    forall(member(Cash-Places, [20-[park], 20-[shop, library], 10-[zoo], 20-[zoo], 3-[mall], 0-[]]),
           (   world(Cash, S0), plan(S0, [errands(ann, Places)], Plan, S)
           ->  memberchk(cash(ann, Left), S), format("~w with ~w: ~w, ~w left~n", [Places, Cash, Plan, Left])
           ;   format("~w with ~w: no plan~n", [Places, Cash])
           )).

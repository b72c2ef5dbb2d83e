% Journeys by train with times of departure, changes and fares: all of them by backtracking, the best ones by order.
:- use_module(library(solution_sequences)).
:- use_module(library(aggregate)).
:- use_module(library(lists)).

train(101, ulm, 8:05, augsburg, 8:48, 16).
train(102, augsburg, 9:00, munich, 9:35, 14).
train(103, augsburg, 8:50, munich, 9:15, 21).
train(104, ulm, 8:30, munich, 9:50, 25).
train(105, ulm, 9:30, memmingen, 10:00, 9).
train(106, memmingen, 10:10, munich, 11:20, 12).
train(107, munich, 10:00, salzburg, 11:40, 30).
train(108, munich, 11:30, salzburg, 13:05, 22).

minutes(H:M, T) :- T is H*60+M.
clock(T) --> { H is T//60, M is T mod 60 }, [H:M].

leg(No, From, Dep, To, Arr, Fare) :-
    train(No, From, D, To, A, Fare), minutes(D, Dep), minutes(A, Arr).

journey(From, To, Legs) :- journey(From, To, 0, [From], Legs).

journey(To, To, _, _, []).
journey(From, To, Ready, Seen, [leg(No, From, Dep, Next, Arr, Fare)|Legs]) :-
    From \== To,
    leg(No, From, Dep, Next, Arr, Fare),
    Dep >= Ready,
    \+ memberchk(Next, Seen),
    Earliest is Arr+5,
    journey(Next, To, Earliest, [Next|Seen], Legs).

summary(Legs, Dep, Arr, Fare, Changes) :-
    Legs = [leg(_, _, Dep, _, _, _)|_],
    last(Legs, leg(_, _, _, _, Arr, _)),
    aggregate_all(sum(F), member(leg(_, _, _, _, _, F), Legs), Fare),
    length(Legs, N), Changes is N-1.

show(Legs) :-
    summary(Legs, Dep, Arr, Fare, Changes),
    phrase(( clock(Dep), clock(Arr) ), [H1:M1, H2:M2]),
    findall(No, member(leg(No, _, _, _, _, _), Legs), Nos),
    format("~|~`0t~d~2+:~|~`0t~d~2+ - ~|~`0t~d~2+:~|~`0t~d~2+  ~d EUR, ~d changes, trains ~w~n", [H1, M1, H2, M2, Fare, Changes, Nos]).

main :-
    writeln('all, by arrival and fare:'),
    forall(order_by([asc(Arr), asc(Fare)], ( journey(ulm, salzburg, Legs), summary(Legs, _, Arr, Fare, _) )), show(Legs)),
    writeln('cheapest:'),
    aggregate_all(min(F, L), ( journey(ulm, salzburg, L), summary(L, _, _, F, _) ), min(_, Best)), show(Best),
    writeln('fewest changes:'),
    forall(limit(1, order_by([asc(C), asc(A)], ( journey(ulm, salzburg, L2), summary(L2, _, A, _, C) ))), show(L2)),
    ( journey(salzburg, ulm, _) -> true ; writeln('no way back') ).

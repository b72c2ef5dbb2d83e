% A planner in the manner of STRIPS: actions with conditions, what they add and what they delete, breadth first.
:- use_module(library(lists)).
:- use_module(library(ordsets)).

action(drive(T, A, B), [at(T, A), road(A, B)], [at(T, B)], [at(T, A)]).
action(load(P, T, A), [at(T, A), lies(P, A)], [in(P, T)], [lies(P, A)]).
action(unload(P, T, A), [at(T, A), in(P, T)], [lies(P, A)], [in(P, T)]).

static(road(mill, farm)).
static(road(farm, mill)).
static(road(farm, town)).
static(road(town, farm)).

holds(Condition, _) :- static(Condition).
holds(Condition, State) :- member(Condition, State).

all_hold([], _).
all_hold([C|Cs], State) :- holds(C, State), all_hold(Cs, State).

step(State, Action, Next) :-
    action(Action, Conditions, Adds, Deletes),
    all_hold(Conditions, State),
    list_to_ord_set(Deletes, Gone),
    ord_subtract(State, Gone, Left),
    list_to_ord_set(Adds, New),
    ord_union(Left, New, Next).

plan(Start, Goals, Plan) :-
    list_to_ord_set(Start, Set),
    search([node(Set, [])], [Set], Goals, Reversed),
    reverse(Reversed, Plan).

search([node(State, Path)|_], _, Goals, Path) :- ord_subset(Goals, State), !.
search([node(State, Path)|Queue], Seen, Goals, Plan) :-
    findall(Next-Action, step(State, Action, Next), Steps),
    fresh(Steps, Path, Seen, Seen1, Nodes),
    append(Queue, Nodes, Queue1),
    search(Queue1, Seen1, Goals, Plan).

fresh([], _, Seen, Seen, []).
fresh([State-_|Steps], Path, Seen0, Seen, Nodes) :-
    ord_memberchk(State, Seen0), !,
    fresh(Steps, Path, Seen0, Seen, Nodes).
fresh([State-Action|Steps], Path, Seen0, Seen, [node(State, [Action|Path])|Nodes]) :-
    ord_add_element(Seen0, State, Seen1),
    fresh(Steps, Path, Seen1, Seen, Nodes).

main :-
    Start = [at(van, town), lies(flour, mill), lies(eggs, farm)],
    forall(member(Goals, [[lies(eggs, town)], [lies(eggs, town), lies(flour, town)], [lies(flour, sea)]]),
           (   list_to_ord_set(Goals, Set), plan(Start, Set, Plan)
           ->  length(Plan, N), format("~w: ~d steps~n", [Goals, N]), forall(member(A, Plan), format("  ~w~n", [A]))
           ;   format("~w: no plan~n", [Goals])
           )).

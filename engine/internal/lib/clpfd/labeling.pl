% The search of library(clpfd): label/1, labeling/2 and indomain/1.
:- module(clpfd_labeling, [
    label/1,
    labeling/2,
    indomain/1
]).

:- use_module(library(error)).
:- use_module(library(clpfd/domains)).
:- use_module(library(clpfd/store)).

label(Vars) :- labeling([], Vars).

indomain(X) :- label([X]).

% labeling(+Options, +Vars): an option picks the next variable, orders its values, says how to branch, or orders the solutions.
labeling(Options, Vars) :-
    must_be(list, Options),
    must_be(list, Vars),
    finite(Vars),
    settings(Options, set(none, none, none), Settings, Goals, Options),
    (   Goals == []
    ->  search(Vars, Settings)
    ;   best_first(Goals, Vars, Settings)
    ).

finite([]).
finite([X|Xs]) :-
    (   integer(X)
    ->  true
    ;   var(X)
    ->  bounds(X, Min, Max),
        (   integer(Min), integer(Max)
        ->  true
        ;   throw(error(instantiation_error, _))
        )
    ;   throw(error(type_error(integer, X), _))
    ),
    finite(Xs).

% settings(+Options, +Set0, -Set, -Goals, +All): set(Selection, Order, Branching) and the min(E) and max(E).
settings([], set(S0, O0, B0), set(S, O, B), [], _) :-
    default(S0, leftmost, S),
    default(O0, up, O),
    default(B0, step, B).
settings([Option|Options], Set0, Set, Goals, All) :-
    (   var(Option)
    ->  throw(error(instantiation_error, _))
    ;   setting(Option, Set0, Set1, All)
    ->  Goals = Goals1
    ;   ( Option = min(_) ; Option = max(_) )
    ->  Goals = [Option|Goals1],
        Set1 = Set0
    ;   throw(error(domain_error(labeling_option, Option), _))
    ),
    settings(Options, Set1, Set, Goals1, All).

default(none, Default, Default) :- !.
default(Choice, _, Choice).

setting(Option, set(S, O, B), Set, All) :-
    option_kind(Option, Kind),
    (   Kind == selection, S == none -> Set = set(Option, O, B)
    ;   Kind == order, O == none -> Set = set(S, Option, B)
    ;   Kind == branching, B == none -> Set = set(S, O, Option)
    ;   throw(error(domain_error(consistent_labeling_options, All), _))
    ).

option_kind(leftmost, selection).
option_kind(ff, selection).
option_kind(ffc, selection).
option_kind(min, selection).
option_kind(max, selection).
option_kind(up, order).
option_kind(down, order).
option_kind(step, branching).
option_kind(enum, branching).
option_kind(bisect, branching).

% search(+Vars, +Settings)
search(Vars, Settings) :-
    unbound(Vars, Free),
    (   Free == []
    ->  true
    ;   Settings = set(Selection, Order, Branching),
        select_variable(Selection, Free, X, Rest),
        branch(Branching, Order, X, Rest, Free, Settings)
    ).

unbound([], []).
unbound([X|Xs], Free) :-
    ( integer(X) -> Free = Free1 ; Free = [X|Free1] ),
    unbound(Xs, Free1).

branch(enum, Order, X, Rest, _, Settings) :-
    domain(X, Dom),
    ordered_member(Order, Dom, X),
    search(Rest, Settings).
branch(step, Order, X, Rest, Free, Settings) :-
    bounds(X, Min, Max),
    ( Order == up -> V = Min ; V = Max ),
    (   X = V,
        search(Rest, Settings)
    ;   clpfd:(X #\= V),
        search(Free, Settings)
    ).
branch(bisect, Order, X, _, Free, Settings) :-
    bounds(X, Min, Max),
    Mid is (Min+Max) div 2,
    (   Order == up
    ->  ( clpfd:(X #=< Mid) ; clpfd:(X #> Mid) )
    ;   ( clpfd:(X #> Mid) ; clpfd:(X #=< Mid) )
    ),
    search(Free, Settings).

ordered_member(up, Dom, V) :- dom_member(Dom, V).
ordered_member(down, Dom, V) :-
    dom_negate(Dom, Negated),
    dom_member(Negated, N),
    V is -N.

select_variable(leftmost, [X|Xs], X, Xs).
select_variable(ff, Xs, X, Rest) :- select_best(Xs, ff, X, Rest).
select_variable(ffc, Xs, X, Rest) :- select_best(Xs, ffc, X, Rest).
select_variable(min, Xs, X, Rest) :- select_best(Xs, min, X, Rest).
select_variable(max, Xs, X, Rest) :- select_best(Xs, max, X, Rest).

% select_best(+Xs, +Selection, -X, -Rest): X has the least measure, the first of them if there are more.
select_best([X|Xs], Selection, Best, Rest) :-
    measure(Selection, X, M),
    least(Xs, Selection, M, X, Best),
    without([X|Xs], Best, Rest).

least([], _, _, Best, Best).
least([X|Xs], Selection, M0, Best0, Best) :-
    measure(Selection, X, M),
    (   M @< M0
    ->  least(Xs, Selection, M, X, Best)
    ;   least(Xs, Selection, M0, Best0, Best)
    ).

without([X|Xs], Y, Rest) :-
    (   X == Y
    ->  Rest = Xs
    ;   Rest = [X|Rest1],
        without(Xs, Y, Rest1)
    ).

measure(ff, X, Size) :-
    domain(X, Dom),
    dom_size(Dom, Size).
measure(ffc, X, Size-Degree) :-
    domain(X, Dom),
    dom_size(Dom, Size),
    attached(X, D),
    Degree is -D.
measure(min, X, Min) :- bounds(X, Min, _).
measure(max, X, M) :- bounds(X, _, Max), M is -Max.

% attached(+X, -Count): Count is the number of constraints posted on X, including constraints that already hold.
attached(X, Count) :-
    (   get_attr(X, clpfd, fd(_, _, _, Fixed, Bounds, Any))
    ->  length(Fixed, N1),
        length(Bounds, N2),
        length(Any, N3),
        Count is N1+N2+N3
    ;   Count = 0
    ).

% best_first(+Goals, +Vars, +Settings): solutions in the order of the values of the first goal, then of the next.
best_first([], Vars, Settings) :- search(Vars, Settings).
best_first([Goal|Goals], Vars, Settings) :-
    objective(Goal, Cost),
    in_order(Cost, Goals, Vars, Settings).

% objective(+Goal, -Cost): Cost is the expression to minimize.
objective(min(E), Cost) :- clpfd:(Cost #= E).
objective(max(E), Cost) :- clpfd:(Cost #= -(E)).

in_order(Cost, Goals, Vars, Settings) :-
    optimum(Cost, Vars, Settings, Best),
    (   clpfd:(Cost #= Best),
        best_first(Goals, Vars, Settings)
    ;   clpfd:(Cost #> Best),
        in_order(Cost, Goals, Vars, Settings)
    ).

% optimum(+Cost, +Vars, +Settings, -Best): Best is the least Cost of a solution. The Cost of each solution found
% bounds the further search.
optimum(Cost, Vars, Settings, Best) :-
    attempt(Cost, Vars, Settings, First),
    improve(First, Cost, Vars, Settings, Best).

improve(Known, Cost, Vars, Settings, Best) :-
    (   findall(C, attempt_below(Known, Cost, Vars, Settings, C), [Better])
    ->  improve(Better, Cost, Vars, Settings, Best)
    ;   Best = Known
    ).

attempt_below(Known, Cost, Vars, Settings, C) :-
    clpfd:(Cost #< Known),
    attempt(Cost, Vars, Settings, C).

attempt(Cost, Vars, Settings, C) :-
    findall(Low, once(solved(Cost, Vars, Settings, Low)), [C]).

solved(Cost, Vars, Settings, Low) :-
    search(Vars, Settings),
    bounds(Cost, Low, _),
    (   integer(Low)
    ->  clpfd:(Cost #= Low)
    ;   throw(error(instantiation_error, _))
    ).

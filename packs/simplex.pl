% Linear programs over rational numbers, with a state that is passed along.
%
% A state is lp(Constraints), each c(Name, Left, Relation, Right) or integral(Variable), the last first; a solved one is
% lp(Constraints, Objective, Side, Optimum, Values) with Values a list of Variable-Value. Variables are ground terms and
% never negative.
:- module(simplex, [
    gen_state/1,
    constraint/3,
    constraint/4,
    constraint_add/4,
    maximize/3,
    minimize/3,
    variable_value/3,
    objective/2,
    shadow_price/3,
    assignment/2,
    transportation/4
]).

:- use_module(library(clpq), [{}/1]).
:- use_module(library(clpq/solver)).

% gen_state(-State): State has no constraints.
gen_state(lp([])).

% constraint(+Constraint, +State0, -State): Constraint is Left =< Right, Left >= Right or Left = Right, where Left is a
% list of Coefficient*Variable and Variable, and Right is a number, or integral(Variable).
constraint(Constraint, State0, State) :- constraint(none, Constraint, State0, State).

% constraint(+Name, +Constraint, +State0, -State): the constraint has a name.
constraint(Name, Constraint, State0, State) :-
    must_be(nonvar, Constraint),
    constraints_of(State0, Cs),
    (   Constraint = integral(X)
    ->  State = lp([integral(X)|Cs])
    ;   parts_of(Constraint, Left, Relation, Right)
    ->  must_be(list, Left),
        State = lp([c(Name, Left, Relation, Right)|Cs])
    ;   domain_error(constraint, Constraint)
    ).

parts_of(Left =< Right, Left, =<, Right).
parts_of(Left >= Right, Left, >=, Right).
parts_of(Left = Right, Left, =, Right).

constraints_of(lp(Cs), Cs).
constraints_of(lp(Cs, _, _, _, _), Cs).

% constraint_add(+Name, +Left, +State0, -State): adds the list Left to the left side of the constraint of that name.
constraint_add(Name, More, State0, lp(Cs)) :-
    must_be(list, More),
    constraints_of(State0, Cs0),
    extended(Cs0, Name, More, Cs).

extended([C|Cs0], Name, More, Cs) :-
    (   C = c(Name0, Left0, Relation, Right), Name0 == Name
    ->  append(Left0, More, Left),
        Cs = [c(Name, Left, Relation, Right)|Cs0]
    ;   Cs = [C|Cs1],
        extended(Cs0, Name, More, Cs1)
    ).

% maximize(+Objective, +State0, -State): State is solved such that the list Objective has its maximum.
maximize(Objective, State0, State) :- solve(sup, Objective, State0, State).

% minimize(+Objective, +State0, -State): as maximize/3 with the minimum.
minimize(Objective, State0, State) :- solve(inf, Objective, State0, State).

solve(Side, Objective, State0, lp(Cs, Objective, Side, Optimum, Values)) :-
    must_be(list, Objective),
    constraints_of(State0, Cs),
    findall(O-Vs, solution(Side, Objective, Cs, O, Vs), [Optimum-Values]).

solution(Side, Objective, Cs, Optimum, Values) :-
    posted(Cs, Objective, Map),
    expression(Objective, Map, E),
    ( Side == sup -> Cost = -E ; Cost = E ),
    findall(X, member(integral(X), Cs), Names),
    values_of(Names, Map, Integers),
    integer_infimum(clpq, Integers, Cost, Least, Vertex),
    Integers = Vertex,
    constrain(clpq, Cost = Least),
    constrain(clpq, Optimum = E),
    pairs_values(Map, Xs),
    vertex(clpq, Xs, Cost, Numbers),
    pairs_keys(Map, Keys),
    pairs_keys_values(Values, Keys, Numbers),
    !.

% posted(+Cs, +Objective, -Map): Map has a variable of library(clpq) for each name, and Cs hold for them.
posted(Cs, Objective, Map) :-
    findall(X, ( ( member(c(_, Left, _, _), Cs), member(T, Left) ; member(T, Objective) ), named(T, _, X) ), Names0),
    findall(X, member(integral(X), Cs), Names1),
    append(Names0, Names1, Names2),
    sort(Names2, Names),
    variables_for(Names, Map),
    reverse(Cs, Firsts),
    post_all(Firsts, Map).

variables_for([], []).
variables_for([Name|Names], [Name-X|Map]) :-
    {X >= 0},
    variables_for(Names, Map).

post_all([], _).
post_all([C|Cs], Map) :-
    (   C = c(_, Left, Relation, Right)
    ->  expression(Left, Map, E),
        Constraint =.. [Relation,E,Right],
        constrain(clpq, Constraint)
    ;   true
    ),
    post_all(Cs, Map).

named(T, C, X) :- ( nonvar(T), T = C0*X0 -> C = C0, X = X0 ; C = 1, X = T ).

expression([], _, 0).
expression([T|Ts], Map, C*Y+E) :-
    named(T, C, X),
    memberchk(X-Y, Map),
    expression(Ts, Map, E).

values_of([], _, []).
values_of([Name|Names], Map, [X|Xs]) :- memberchk(Name-X, Map), values_of(Names, Map, Xs).

% variable_value(+State, +Variable, -Value): in a solved state.
variable_value(lp(_, _, _, _, Values), Variable, Value) :- memberchk(Variable-Value, Values).

% objective(+State, -Optimum): of a solved state.
objective(lp(_, _, _, Optimum, _), Optimum).

% shadow_price(+State, +Name, -Price): by how much the optimum grows with the right side of the constraint of that name.
shadow_price(lp(Cs, Objective, Side, _, _), Name, Price) :-
    memberchk(c(Name, Left, Relation, Right), Cs),
    findall(P, price(Side, Objective, Cs, Left, Relation, Right, P), [Price]).

price(Side, Objective, Cs0, Left, Relation, Right, Price) :-
    selectchk(c(_, Left, Relation, Right), Cs0, Cs),
    posted(Cs, [0*zero|Objective], Map0),
    findall(X, ( member(T, Left), named(T, _, X), \+ memberchk(X-_, Map0) ), New0),
    sort(New0, New),
    variables_for(New, Map1),
    append(Map0, Map1, Map),
    expression(Left, Map, E),
    expression(Objective, Map, O),
    ( Side == sup -> Cost = -O ; Cost = O ),
    marginal(clpq, Relation, E-Right, Cost, P),
    ( Side == sup -> constrain(clpq, Price = -P) ; Price = P ),
    !.

% assignment(+Costs, -Assignment): Assignment is a matrix with a 1 in each row and column, else 0, and the least costs.
assignment(Costs, Assignment) :-
    must_be(list(list), Costs),
    same_length(Costs, Ones),
    all_one(Ones),
    transportation(Ones, Ones, Costs, Assignment).

all_one([]).
all_one([1|Ones]) :- all_one(Ones).

% transportation(+Supplies, +Demands, +Costs, -Transport): Transport is a matrix with rows that sum to Supplies and
% columns that sum to Demands, and the least costs.
transportation(Supplies, Demands, Costs, Transport) :-
    must_be(list(integer), Supplies),
    must_be(list(integer), Demands),
    must_be(list(list), Costs),
    sum_list(Supplies, Sum),
    sum_list(Demands, Sum),
    findall(C*x(I, J), ( nth1(I, Costs, Row), nth1(J, Row, C) ), Objective),
    length(Supplies, M),
    length(Demands, N),
    findall(c(none, Left, =, S),
            ( nth1(I, Supplies, S), findall(x(I, J), between(1, N, J), Left) ),
            Rows),
    findall(c(none, Left, =, D),
            ( nth1(J, Demands, D), findall(x(I, J), between(1, M, I), Left) ),
            Columns),
    append(Rows, Columns, Cs),
    minimize(Objective, lp(Cs), Solved),
    findall(Row,
            ( between(1, M, I), findall(V, ( between(1, N, J), variable_value(Solved, x(I, J), V) ), Row) ),
            Transport).

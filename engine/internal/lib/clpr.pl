% Linear constraints over floats. A constraint that is not linear and cannot be inverted waits until it is linear.
:- module(clpr, [
    {}/1,
    entailed/1,
    sup/2,
    sup/4,
    inf/2,
    inf/4,
    maximize/1,
    minimize/1,
    bb_inf/3,
    bb_inf/5,
    dump/3,
    ordering/1,
    clp_type/2
]).

:- use_module(library(clpq/solver)).
:- use_module(library(clpq/residual)).

% {}(+Constraints): posts constraints joined by commas: =, =:=, =\=, <, =<, >, >= between linear expressions.
{Constraints} :- constrain(clpr, Constraints).

% entailed(+Constraint): the constraints so far imply it.
entailed(Constraint) :- entailed_in(clpr, Constraint).

% sup(+Expression, -Supremum): fails if there is none.
sup(Expression, Supremum) :- optimum(clpr, sup, Expression, Supremum).

% sup(+Expression, -Supremum, +Variables, -Vertex): Vertex has the values of Variables there.
sup(Expression, Supremum, Variables, Vertex) :- optimum(clpr, sup, Expression, Supremum, Variables, Vertex).

% inf(+Expression, -Infimum): fails if there is none.
inf(Expression, Infimum) :- optimum(clpr, inf, Expression, Infimum).

% inf(+Expression, -Infimum, +Variables, -Vertex): Vertex has the values of Variables there.
inf(Expression, Infimum, Variables, Vertex) :- optimum(clpr, inf, Expression, Infimum, Variables, Vertex).

% maximize(+Expression): Expression has its supremum.
maximize(Expression) :- optimize(clpr, sup, Expression).

% minimize(+Expression): Expression has its infimum.
minimize(Expression) :- optimize(clpr, inf, Expression).

% bb_inf(+Integers, +Expression, -Infimum): the infimum where the variables Integers are integers.
bb_inf(Integers, Expression, Infimum) :- integer_infimum(clpr, Integers, Expression, Infimum, _).

% bb_inf(+Integers, +Expression, -Infimum, -Vertex, +Epsilon): Vertex has the values of Integers there.
bb_inf(Integers, Expression, Infimum, Vertex, _) :- integer_infimum(clpr, Integers, Expression, Infimum, Vertex).

% dump(+Variables, +Names, -Constraints): Constraints are the constraints on Variables, written with Names.
dump(Variables, Names, Constraints) :- dumped(clpr, Variables, Names, Constraints).

% ordering(+Spec): accepted for a list of variables, X < Y and X > Y; constraints are shown in an order of their own.
ordering(Spec) :- ordered(Spec).

% clp_type(?X, -Solver): constraints of Solver, clpq or clpr, are about X; fails if there are none.
clp_type(X, Solver) :- solver_of(X, Solver).

attr_unify_hook(Number, Other) :- bound_hook(clpr, Number, Other).

attribute_goals(X) --> goals_of(clpr, X).

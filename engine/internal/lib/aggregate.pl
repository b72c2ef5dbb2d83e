% Aggregation over the solutions of a goal.
:- module(aggregate, [
    aggregate_all/3,
    aggregate_all/4,
    aggregate/3,
    aggregate/4,
    foreach/2,
    free_variables/4
]).

:- meta_predicate
    aggregate_all(?, 0, -),
    aggregate_all(?, ?, 0, -),
    aggregate(?, ^, -),
    aggregate(?, ?, ^, -),
    foreach(0, 0).

% aggregate_all(+Spec, :Goal, -Result): over all solutions, whatever variables they bind. The single
% aggregates keep one running value in the bag, so that memory does not grow.
aggregate_all(Spec, _, _) :-
    var(Spec),
    !,
    instantiation_error(Spec).
aggregate_all(count, Goal, Count) :-
    !,
    '$findall_start'(Bag),
    (   call(Goal),
        '$findall_note'(Bag),
        fail
    ;   '$findall_count'(Bag, N),
        '$findall_collect'(Bag, _),
        Count = N
    ).
aggregate_all(sum(X), Goal, Sum) :-
    !,
    '$findall_start'(Bag),
    (   call(Goal),
        '$findall_sum'(Bag, X),
        fail
    ;   '$findall_collect'(Bag, Sums),
        the_sum(Sums, Sum)
    ).
aggregate_all(max(X), Goal, Max) :-
    !,
    '$findall_start'(Bag),
    (   call(Goal),
        '$findall_max'(Bag, X),
        fail
    ;   '$findall_collect'(Bag, [Max])
    ).
aggregate_all(min(X), Goal, Min) :-
    !,
    '$findall_start'(Bag),
    (   call(Goal),
        '$findall_min'(Bag, X),
        fail
    ;   '$findall_collect'(Bag, [Min])
    ).
aggregate_all(max(X, Witness), Goal, max(Max, MaxWitness)) :-
    !,
    '$findall_start'(Bag),
    (   call(Goal),
        '$findall_max'(Bag, X, Witness),
        fail
    ;   '$findall_collect'(Bag, [Max-MaxWitness])
    ).
aggregate_all(min(X, Witness), Goal, min(Min, MinWitness)) :-
    !,
    '$findall_start'(Bag),
    (   call(Goal),
        '$findall_min'(Bag, X, Witness),
        fail
    ;   '$findall_collect'(Bag, [Min-MinWitness])
    ).
aggregate_all(bag(X), Goal, Bag) :-
    !,
    findall(X, Goal, Bag).
aggregate_all(set(X), Goal, Set) :-
    !,
    findall(X, Goal, Bag),
    sort(Bag, Sorted),
    Set = Sorted.
aggregate_all(Spec, Goal, Result) :-
    spec_template(Spec, Template),
    findall(Template, Goal, Bag),
    aggregate_bag(Spec, Bag, Result).

the_sum([], 0).
the_sum([Sum0], Sum) :-
    Sum is 0 + Sum0.

% aggregate_all(+Spec, @Discriminator, :Goal, -Result): solutions that agree on the discriminator and
% the template count once.
aggregate_all(Spec, _, _, _) :-
    var(Spec),
    !,
    instantiation_error(Spec).
aggregate_all(Spec, Discriminator, Goal, Result) :-
    spec_template(Spec, Template),
    findall(Discriminator-Template, Goal, Pairs),
    sort(Pairs, Distinct),
    pairs_values(Distinct, Bag),
    aggregate_bag(Spec, Bag, Result).

% aggregate(+Spec, :Goal, -Result): as bagof/3, once for each binding of the free variables of Goal.
aggregate(Spec, Goal, Result) :-
    must_be(nonvar, Spec),
    spec_template(Spec, Template),
    bagof(Template, Goal, Bag),
    aggregate_bag(Spec, Bag, Result).

% aggregate(+Spec, ?Discriminator, :Goal, -Result): aggregate/3 over solutions with different Discriminator.
aggregate(Spec, Discriminator, Goal, Result) :-
    must_be(nonvar, Spec),
    spec_template(Spec, Template),
    setof(Discriminator-Template, Goal, Pairs),
    pairs_values(Pairs, Bag),
    aggregate_bag(Spec, Bag, Result).

% spec_template(+Spec, -Template): Template is the term to collect for each solution. A compound Spec is a record of
% aggregates; its template is the list of their templates.
spec_template(Spec, Template) :-
    (   simple_template(Spec, Template0)
    ->  Template = Template0
    ;   compound(Spec)
    ->  Spec =.. [_|Specs],
        spec_templates(Specs, Template)
    ;   atom(Spec)
    ->  domain_error(aggregate_template, Spec)
    ;   type_error(aggregate_template, Spec)
    ).

spec_templates([], []).
spec_templates([Spec|Specs], [Template|Templates]) :-
    must_be(nonvar, Spec),
    (   simple_template(Spec, Template0)
    ->  Template = Template0
    ;   domain_error(aggregate_template, Spec)
    ),
    spec_templates(Specs, Templates).

simple_template(count, 1).
simple_template(sum(X), X).
simple_template(max(X), X).
simple_template(min(X), X).
simple_template(max(X, Witness), X-Witness).
simple_template(min(X, Witness), X-Witness).
simple_template(bag(X), X).
simple_template(set(X), X).

% aggregate_bag(+Spec, +Bag, -Result): fails for a maximum or minimum of an empty bag.
aggregate_bag(count, Bag, Count) :-
    !,
    length(Bag, Count).
aggregate_bag(sum(_), Bag, Sum) :-
    !,
    sum_list(Bag, Sum).
aggregate_bag(max(_), Bag, Max) :-
    !,
    max_list(Bag, Max).
aggregate_bag(min(_), Bag, Min) :-
    !,
    min_list(Bag, Min).
aggregate_bag(max(_, _), Bag, max(Max, Witness)) :-
    !,
    Bag = [X-W|Pairs],
    V is X,
    best_pair(Pairs, (>), V, W, Max, Witness).
aggregate_bag(min(_, _), Bag, min(Min, Witness)) :-
    !,
    Bag = [X-W|Pairs],
    V is X,
    best_pair(Pairs, (<), V, W, Min, Witness).
aggregate_bag(bag(_), Bag, Bag) :-
    !.
aggregate_bag(set(_), Bag, Set) :-
    !,
    sort(Bag, Sorted),
    Set = Sorted.
aggregate_bag(Spec, Bag, Result) :-
    compound(Spec),
    Spec =.. [Name|Specs],
    aggregate_columns(Specs, Bag, Results),
    Result =.. [Name|Results].

best_pair([], _, Best, Witness, Best, Witness).
best_pair([X-W|Pairs], Better, Best0, Witness0, Best, Witness) :-
    V is X,
    (   call(Better, V, Best0)
    ->  best_pair(Pairs, Better, V, W, Best, Witness)
    ;   best_pair(Pairs, Better, Best0, Witness0, Best, Witness)
    ).

aggregate_columns([], _, []).
aggregate_columns([Spec|Specs], Rows, [Result|Results]) :-
    first_column(Rows, Column, Rest),
    aggregate_bag(Spec, Column, Result),
    aggregate_columns(Specs, Rest, Results).

first_column([], [], []).
first_column([[X|Xs]|Rows], [X|Column], [Xs|Rest]) :-
    first_column(Rows, Column, Rest).

% foreach(:Generator, :Goal): the conjunction of Goal over all solutions of Generator. Variables that occur outside the
% generator are shared between the instances of Goal.
foreach(Generator, Goal) :-
    term_variables(Generator, GeneratorVars),
    term_variables(Goal, GoalVars),
    sort(GeneratorVars, GeneratorSet),
    sort(GoalVars, GoalSet),
    ord_intersection(GeneratorSet, GoalSet, Given),
    Template =.. [v|Given],
    findall(Template, Generator, Solutions),
    prove_each(Solutions, Template, Goal).

prove_each([], _, _).
prove_each([Solution|Solutions], Template, Goal) :-
    copy_term(Template, Goal, Solution, Instance),
    call(Instance),
    prove_each(Solutions, Template, Goal).

% free_variables(:Generator, @Template, +Vars0, -Vars): the variables of Generator that neither Template nor a
% quantifier binds, in front of Vars0.
free_variables(Generator, Template, Vars0, Vars) :-
    strip_quantifiers(Generator, Template, Bound, Goal),
    term_variables(Bound, BoundVars),
    term_variables(Goal, GoalVars),
    free_only(GoalVars, BoundVars, Vars0, Vars).

strip_quantifiers(Goal, Bound, Bound, Goal) :-
    var(Goal),
    !.
strip_quantifiers(Var^Goal0, Bound0, Bound, Goal) :-
    !,
    strip_quantifiers(Goal0, Bound0+Var, Bound, Goal).
strip_quantifiers(_:Goal0, Bound0, Bound, Goal) :-
    !,
    strip_quantifiers(Goal0, Bound0, Bound, Goal).
strip_quantifiers(Goal, Bound, Bound, Goal).

free_only([], _, Vars, Vars).
free_only([Var|Rest], Bound, Vars0, Vars) :-
    (   identical_member(Var, Bound)
    ->  Vars = Vars1
    ;   identical_member(Var, Vars0)
    ->  Vars = Vars1
    ;   Vars = [Var|Vars1]
    ),
    free_only(Rest, Bound, Vars0, Vars1).

identical_member(Var, [X|Xs]) :-
    (   Var == X
    ->  true
    ;   identical_member(Var, Xs)
    ).

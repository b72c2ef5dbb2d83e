% Goals that limit, skip, sort or filter the solutions of a goal.
:- module(solution_sequences, [
    limit/2,
    offset/2,
    call_nth/2,
    order_by/2,
    distinct/1,
    distinct/2,
    reduced/1,
    reduced/3,
    group_by/4
]).

:- meta_predicate
    limit(+, 0),
    offset(+, 0),
    call_nth(0, ?),
    order_by(?, 0),
    distinct(0),
    distinct(?, 0),
    reduced(0),
    reduced(?, 0, +),
    group_by(?, ?, 0, -).

% The counters are terms changed in place: they survive backtracking into the goal.

% limit(+Count, :Goal): the first Count solutions of Goal.
limit(Count, Goal) :-
    Count == infinite,
    !,
    call(Goal).
limit(Count, Goal) :-
    Limit is Count,
    Limit > 0,
    State = count(0),
    call(Goal),
    arg(1, State, N0),
    N is N0 + 1,
    (   N =:= Limit
    ->  !
    ;   nb_setarg(1, State, N)
    ).

% offset(+Count, :Goal): the solutions of Goal but the first Count.
offset(Count, Goal) :-
    Skip is Count,
    (   Skip > 0
    ->  State = count(0),
        call(Goal),
        arg(1, State, N0),
        (   N0 >= Skip
        ->  true
        ;   N is N0 + 1,
            nb_setarg(1, State, N),
            fail
        )
    ;   Skip =:= 0
    ->  call(Goal)
    ;   domain_error(not_less_than_zero, Skip)
    ).

% call_nth(:Goal, ?Nth): the Nth solution, or all of them numbered from 1.
call_nth(Goal, Nth) :-
    integer(Nth),
    !,
    (   Nth > 0
    ->  numbered(Goal, Nth),
        !
    ;   domain_error(not_less_than_one, Nth)
    ).
call_nth(Goal, Nth) :-
    var(Nth),
    !,
    numbered(Goal, Nth).
call_nth(_, Nth) :-
    must_be(integer, Nth).

:- meta_predicate
    numbered(0, ?).

numbered(Goal, Nth) :-
    State = count(0),
    call(Goal),
    arg(1, State, N0),
    N is N0 + 1,
    nb_setarg(1, State, N),
    Nth = N.

% order_by(+Specs, :Goal): Specs are asc(Term) and desc(Term), the first being the most important.
order_by(Specs, Goal) :-
    must_be(list, Specs),
    (   Specs == []
    ->  domain_error(non_empty_list, Specs)
    ;   true
    ),
    order_keys(Specs, Keys),
    term_variables(Goal, Vars),
    findall(Keys-Vars, Goal, Solutions),
    reverse(Specs, FromLast),
    length(Specs, N),
    sort_solutions(FromLast, N, Solutions, Sorted),
    member(_-Vars, Sorted).

order_keys(Specs, Keys) :-
    spec_terms(Specs, Terms),
    Keys =.. [keys|Terms].

spec_terms([], []).
spec_terms([Spec|Specs], [Term|Terms]) :-
    spec_term(Spec, Term),
    spec_terms(Specs, Terms).

spec_term(Spec, _) :-
    var(Spec),
    !,
    instantiation_error(Spec).
spec_term(asc(Term), Term) :-
    !.
spec_term(desc(Term), Term) :-
    !.
spec_term(Spec, _) :-
    domain_error(order_specifier, Spec).

% Stable sorts from the least important key to the first.
sort_solutions([], _, Sorted, Sorted).
sort_solutions([Spec|Specs], N, Solutions, Sorted) :-
    key_solutions(Solutions, N, Keyed),
    spec_order(Spec, Order),
    sort(1, Order, Keyed, Ordered),
    pairs_values(Ordered, Solutions1),
    N1 is N - 1,
    sort_solutions(Specs, N1, Solutions1, Sorted).

spec_order(asc(_), @=<).
spec_order(desc(_), @>=).

key_solutions([], _, []).
key_solutions([Keys-Vars|Solutions], N, [Key-(Keys-Vars)|Keyed]) :-
    arg(N, Keys, Key),
    key_solutions(Solutions, N, Keyed).

% distinct(:Goal), distinct(?Witness, :Goal): the solutions of Goal without those whose witness is a variant of an
% earlier one.
distinct(Goal) :-
    distinct(Goal, Goal).

distinct(Witness, Goal) :-
    term_variables(Witness, Vars),
    empty_nb_set(Seen),
    call(Goal),
    add_nb_set(Vars, Seen, true).

% The set of witnesses here has no bound on its size, so reduced is distinct.
% reduced(:Goal): the solutions of Goal, with few duplicates.
reduced(Goal) :-
    distinct(Goal).

% reduced(?Witness, :Goal, +Options): the solutions of Goal, with few duplicates of Witness.
reduced(Witness, Goal, Options) :-
    must_be(list, Options),
    distinct(Witness, Goal).

% group_by(+By, +Template, :Goal, -Bag): the templates for each binding of By, in the order of their solutions.
group_by(By, Template, Goal, Bag) :-
    term_variables(Goal, GoalVars),
    term_variables(By+Template, Kept),
    exclude(occurs_in(Kept), GoalVars, Others),
    ( Goal = _:_ -> Qualified = Goal ; Qualified = user:Goal ),
    bagof(Template, Others^Qualified, Bag).

occurs_in(Vars, Var) :-
    member(Other, Vars),
    Other == Var,
    !.

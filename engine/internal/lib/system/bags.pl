% bagof/3 and setof/3: collecting solutions grouped by the free variables of the goal; findnsols/4,5: in portions.
:- module(system, [
    bagof/3,
    setof/3,
    findnsols/4,
    findnsols/5
]).

:- meta_predicate
    bagof(?, ^, -),
    setof(?, ^, -),
    findnsols(+, ?, 0, -),
    findnsols(+, ?, 0, -, ?).

% bagof(?Template, :Goal, -Bag): the solutions of Goal, a list for each value of its free variables; fails without any.
bagof(Template, Goal, Bag) :-
    '$must_be_partial_list'(Bag),
    '$bag_witness'(Template, Goal, Plain, Witness),
    '$bag_solve'(Witness, Template, Plain, Bag).

% setof(?Template, :Goal, -Set): as bagof/3, sorted and without duplicates.
setof(Template, Goal, Set) :-
    '$must_be_partial_list'(Set),
    '$bag_witness'(Template, Goal, Plain, Witness),
    '$set_solve'(Witness, Template, Plain, Set).

'$must_be_partial_list'(List) :-
    (   '$skip_list'(_, List, Tail),
        ( var(Tail) ; Tail == [] )
    ->  true
    ;   throw(error(type_error(list, List), _))
    ).

% '$bag_witness'(+Template, +Goal0, -Goal, -Witness): Goal is Goal0 without its quantifiers, Witness
% a term v(...) over the variables of Goal that neither the template nor a quantifier binds.
'$bag_witness'(Template, Goal0, Goal, Witness) :-
    '$strip_quantifiers'(Goal0, Template, Bound, Goal),
    term_variables(Bound, BoundVars),
    length(BoundVars, N),
    term_variables(BoundVars-Goal, Vars),
    length(Prefix, N),
    '$append'(Prefix, Free, Vars),
    Witness =.. [v|Free].

'$strip_quantifiers'(Goal, Bound, Bound, Goal) :-
    var(Goal),
    !.
'$strip_quantifiers'(Var^Goal0, Bound0, Bound, Goal) :-
    !,
    '$strip_quantifiers'(Goal0, Bound0+Var, Bound, Goal).
'$strip_quantifiers'(Module:Goal0, Bound0, Bound, Goal) :-
    !,
    '$strip_quantifiers'(Goal0, Bound0, Bound, Goal1),
    '$quantified_module'(Module, Name),
    '$qualify_goal'(Goal1, Name, Goal).
'$strip_quantifiers'(Goal, Bound, Bound, Goal).

% '$quantified_module'(+Term, -Module): Y^m:g reads as (Y^m):g, where Y does not count as a quantifier.
'$quantified_module'(Term, Module) :-
    nonvar(Term),
    Term = _^Term1,
    !,
    '$quantified_module'(Term1, Module).
'$quantified_module'(Module, Module).

'$qualify_goal'(Goal, _, Goal) :-
    nonvar(Goal),
    Goal = _:_,
    !.
'$qualify_goal'(Goal, Module, Module:Goal).

'$append'([], L, L).
'$append'([X|Xs], L, [X|Ys]) :-
    '$append'(Xs, L, Ys).

'$bag_solve'(v, Template, Goal, Bag) :-
    !,
    findall(Template, Goal, Bag0),
    Bag0 \== [],
    Bag = Bag0.
'$bag_solve'(Witness, Template, Goal, Bag) :-
    findall(Witness-Template, Goal, Answers),
    Answers \== [],
    keysort(Answers, Sorted),
    '$bag_groups'(Sorted, Groups),
    '$bag_member'(Groups, Witness, Bag).

'$set_solve'(v, Template, Goal, Set) :-
    !,
    findall(Template, Goal, Bag),
    Bag \== [],
    sort(Bag, Sorted),
    Set = Sorted.
'$set_solve'(Witness, Template, Goal, Set) :-
    findall(Witness-Template, Goal, Answers),
    Answers \== [],
    sort(Answers, Sorted),
    '$bag_groups'(Sorted, Groups),
    '$set_member'(Groups, Witness, Set).

% '$bag_groups'(+Sorted, -Groups): the answers as Witness-Bag pairs. Answers whose witnesses are variants
% of each other belong together; a ground witness meets its equals as neighbours, so only one
% with variables has to look through the rest.
'$bag_groups'([], []).
'$bag_groups'([W-T|Answers], [W-[T|Bag]|Groups]) :-
    (   ground(W)
    ->  '$bag_run'(Answers, W, Bag, Rest)
    ;   '$bag_variants'(Answers, W, Bag, Rest)
    ),
    '$bag_groups'(Rest, Groups).

'$bag_run'([W1-T|Answers], W, [T|Bag], Rest) :-
    W1 == W,
    !,
    '$bag_run'(Answers, W, Bag, Rest).
'$bag_run'(Rest, _, [], Rest).

'$bag_variants'([], _, [], []).
'$bag_variants'([W1-T|Answers], W, Bag, Rest) :-
    (   W1 =@= W
    ->  W1 = W,
        Bag = [T|Bag1],
        Rest = Rest1
    ;   Bag = Bag1,
        Rest = [W1-T|Rest1]
    ),
    '$bag_variants'(Answers, W, Bag1, Rest1).

% The last group is reached without a choice point.
'$bag_member'([W-Bag|Groups], Witness, Result) :-
    '$bag_member'(Groups, W, Bag, Witness, Result).

'$bag_member'([], Witness, Bag, Witness, Bag) :-
    !.
'$bag_member'(_, Witness, Bag, Witness, Bag).
'$bag_member'([W-Bag|Groups], _, _, Witness, Result) :-
    '$bag_member'(Groups, W, Bag, Witness, Result).

% The bag is sorted again, because gathering variants may have bound variables that decide the order.
'$set_member'(Groups, Witness, Set) :-
    '$bag_member'(Groups, Witness, Bag),
    sort(Bag, Sorted),
    Set = Sorted.

% findnsols(+N, +Template, :Goal, -List), findnsols(+N, +Template, :Goal, -List, ?Tail): as findall/3 and findall/4,
% but N solutions for each answer, with more on backtracking.
findnsols(N, Template, Goal, List) :-
    findnsols(N, Template, Goal, List, []).

findnsols(N, Template, Goal, List, Tail) :-
    '$must_be_count'(N),
    State = found(0, Start, Start),
    Start = [start],
    copy_term(Template/Goal, Copy/CopiedGoal),
    (   N > 0,
        call_cleanup(CopiedGoal, Last = true),
        '$found_one'(State, Copy, Count),
        (   Last == true
        ->  !
        ;   Count =:= N
        ),
        '$take_found'(State, List, Tail)
    ;   '$take_found'(State, List, Tail)
    ).

'$must_be_count'(N) :-
    (   var(N)
    ->  throw(error(instantiation_error, _))
    ;   \+ integer(N)
    ->  throw(error(type_error(integer, N), _))
    ;   N >= 0
    ->  true
    ;   throw(error(domain_error(not_less_than_zero, N), _))
    ).

% '$found_one'(+State, +Solution, -Count): adds a solution to State = found(Count, Start, Last). Start is a list whose
% elements after the first are the solutions. It grows at its last cell, so nb_setarg/3 copies only the new cell.
'$found_one'(State, Solution, Count) :-
    State = found(Count0, _, Last),
    Count is Count0 + 1,
    nb_setarg(3, State, [Solution]),
    arg(3, State, Cell),
    nb_linkarg(2, Last, Cell),
    nb_setarg(1, State, Count).

'$take_found'(State, List, Tail) :-
    arg(2, State, [_|Found]),
    nb_setarg(1, State, 0),
    nb_setarg(2, State, [start]),
    arg(2, State, Start),
    nb_linkarg(3, State, Start),
    '$append'(Found, Tail, List).

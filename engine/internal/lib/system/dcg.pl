% Definite clause grammars: phrase/2,3 and the translation of grammar rules into clauses.
:- module(system, [
    phrase/2,
    phrase/3,
    dcg_translate_rule/2,
    dcg_translate_rule/4,
    expand_term/2,
    expand_goal/2
]).

:- meta_predicate
    phrase(//, ?),
    phrase(//, ?, ?).

% phrase(:Body, ?List): List is what the grammar body describes.
phrase(Body, List) :-
    phrase(Body, List, []).

% phrase(:Body, ?List, ?Rest): Body describes List up to Rest.
phrase(Body, List, Rest) :-
    '$dcg_strip_module'(Body, Plain),
    '$dcg_must_be_body'(Plain),
    '$must_be_partial_list'(List),
    '$must_be_partial_list'(Rest),
    '$dcg_call_body'(Body, List, Rest).

'$dcg_strip_module'(Body, Plain) :-
    (   nonvar(Body), Body = _:Inner
    ->  '$dcg_strip_module'(Inner, Plain)
    ;   Plain = Body
    ).

'$dcg_must_be_body'(Body) :-
    (   var(Body)
    ->  throw(error(instantiation_error, _))
    ;   '$dcg_is_body'(Body)
    ->  true
    ;   throw(error(type_error(callable, Body), _))
    ).

'$dcg_is_body'(Body) :- callable(Body), !.
'$dcg_is_body'(Body) :- string(Body).

'$dcg_call_body'(Body, List, Rest) :-
    '$dcg_body'(Body, S0, S, Goal),
    S0 = List,
    S = Rest,
    call(Goal).

% dcg_translate_rule(+Rule, -Clause): Rule is Head --> Body or Head, Pushback --> Body.
dcg_translate_rule(Rule, Clause) :-
    '$dcg_rule'(Rule, Clause).

% The variant with term positions; translated clauses have none.
% dcg_translate_rule(+Rule, +Layout0, -Clause, -Layout): dcg_translate_rule/2; layouts are passed on.
dcg_translate_rule(Rule, _, Clause, _) :-
    '$dcg_rule'(Rule, Clause).

% expand_term(+Term, -Expanded): Expanded is the result of expanding Term as in a load: by the hooks
% of term expansion, the translation of grammar rules and goal_expansion/2; it may be a list.
expand_term(Term, Expanded) :-
    (   var(Term)
    ->  Expanded = Term
    ;   '$set_source_module'(Module, Module),
        '$expansion_scopes'(Module, Scopes),
        '$expansion_hooks'(Scopes, term_expansion, [], Hooks),
        '$expand_by_hooks'(Hooks, Term, Next),
        '$expand_rules'(Next, Expanded)
    ).

% '$expand_by_hooks'(+Hooks, +Term, -Expanded): the first hook of each module that succeeds counts; those of the next module are
% called for each term that it gives.
'$expand_by_hooks'([], Term, Term).
'$expand_by_hooks'([(Module:Hook)-Arguments|Hooks], Term, Expanded) :-
    (   copy_term(Hook-Arguments, Call-(Term/Next)),
        call(Module:Call)
    ->  '$other_modules'(Hooks, Module, Rest),
        '$expand_each'(Next, Rest, Expanded)
    ;   '$expand_by_hooks'(Hooks, Term, Expanded)
    ).

'$expand_each'(Term, _, Term) :- var(Term), !.
'$expand_each'([], _, []) :- !.
'$expand_each'([Term|Terms], Hooks, Expanded) :- !,
    '$expand_each'(Term, Hooks, First),
    '$expand_each'(Terms, Hooks, More),
    '$expanded_list'(First, More, Expanded).
'$expand_each'(Term, Hooks, Expanded) :- '$expand_by_hooks'(Hooks, Term, Expanded).

'$expanded_list'(First, More, Expanded) :-
    (   is_list(First)
    ->  '$append'(First, More, Expanded)
    ;   Expanded = [First|More]
    ).

'$other_modules'([], _, []).
'$other_modules'([(Module:Hook)-Arguments|Hooks], Done, Others) :-
    ( Module == Done -> Others = More ; Others = [(Module:Hook)-Arguments|More] ),
    '$other_modules'(Hooks, Done, More).

'$expand_rules'(Term, Term) :- var(Term), !.
'$expand_rules'([Term|Terms], Expanded) :- !,
    '$expand_rules'(Term, First),
    '$expand_rules'(Terms, More),
    '$expanded_list'(First, More, Expanded).
'$expand_rules'((Head --> Body), Clause) :- !,
    dcg_translate_rule((Head --> Body), Rule),
    '$expand_bodies'(Rule, Clause).
'$expand_rules'(Term, Expanded) :- '$expand_bodies'(Term, Expanded).

'$expand_bodies'((Head :- Body), (Head :- Expanded)) :- !, expand_goal(Body, Expanded).
'$expand_bodies'((Head => Body), (Head => Expanded)) :- !, expand_goal(Body, Expanded).
'$expand_bodies'((:- Body), (:- Expanded)) :- !, expand_goal(Body, Expanded).
'$expand_bodies'(Term, Term).

% expand_goal(+Goal, -Expanded): Expanded is the result of expanding the body Goal by goal_expansion/2 of the module
% being loaded, of the modules that it inherits from, of user and of system.
expand_goal(Goal, Expanded) :-
    '$set_source_module'(Module, Module),
    '$expansion_scopes'(Module, Scopes),
    '$expansion_hooks'(Scopes, goal_expansion, [], Hooks),
    (   Hooks == []
    ->  Expanded = Goal
    ;   '$expand_goal'(Goal, Module, Hooks-[], Expanded)
    ).

% '$expansion_scopes'(+Module, -Modules): the module and those that it inherits from, then user and system, as loading has them.
'$expansion_scopes'(Module, Scopes) :-
    findall(Scope, ( default_module(Module, Scope), Scope \== user, Scope \== system ), Scopes, [user, system]).

% '$expansion_hooks'(+Modules, +Name, +Seen, -Hooks): the hooks of a name that have clauses, as (Module:Call)-Term/Expanded.
'$expansion_hooks'([], _, _, []).
'$expansion_hooks'([Module|Modules], Name, Seen, Hooks) :-
    (   '$memberchk_pi'(Module, Seen)
    ->  Hooks = Hooks1
    ;   findall((Module:Hook)-Arguments, '$expansion_hook'(Module, Name, Hook, Arguments), Hooks, Hooks1)
    ),
    '$expansion_hooks'(Modules, Name, [Module|Seen], Hooks1).

'$expansion_hook'(Module, Name, Hook, Term/Next) :-
    ( Hook =.. [Name, Term, _, Next, _] ; Hook =.. [Name, Term, Next] ),
    predicate_property(Module:Hook, number_of_clauses(Count)),
    Count > 0,
    \+ predicate_property(Module:Hook, imported_from(_)).

% A goal is not expanded within its own expansion.
'$expand_goal'(Goal, _, _, Goal) :- var(Goal), !.
'$expand_goal'(Goal, Module, State, Expanded) :-
    '$expand_control'(Goal, Parts, Plain, ExpandedParts),
    !,
    '$expand_goals'(Parts, Module, State, ExpandedParts),
    '$keep_disjunction'(Goal, Plain, Expanded).
'$expand_goal'(Goal, Module, Hooks-Active, Expanded) :-
    \+ '$active_goal'(Goal, Active),
    '$member'(Hook-Arguments, Hooks),
    copy_term(Hook-Arguments, Call-(Goal/Next)),
    call(Call),
    Next \== Goal,
    !,
    '$expand_goal'(Next, Module, Hooks-[Goal|Active], Expanded).
'$expand_goal'(Goal, Module, State, Expanded) :-
    compound(Goal),
    predicate_property(Module:Goal, meta_predicate(Spec)),
    !,
    Goal =.. [Name|Arguments],
    Spec =.. [_|Modes],
    '$expand_arguments'(Arguments, Modes, Module, State, ExpandedArguments),
    Expanded =.. [Name|ExpandedArguments].
'$expand_goal'(Goal, _, _, Goal).

% An expansion of the form (Condition -> Then) does not become part of the disjunction around it.
'$keep_disjunction'((Goal ; _), ((If -> Then) ; Else), ((If -> Then), true ; Else)) :-
    \+ ( nonvar(Goal), Goal = ( _ -> _ ) ),
    !.
'$keep_disjunction'(_, Expanded, Expanded).

'$active_goal'(Goal, [Active|More]) :-
    (   Goal == Active
    ->  true
    ;   '$active_goal'(Goal, More)
    ).

'$expand_control'((A, B), [A, B], (C, D), [C, D]).
'$expand_control'((A ; B), [A, B], (C ; D), [C, D]).
'$expand_control'((A -> B), [A, B], (C -> D), [C, D]).
'$expand_control'((A *-> B), [A, B], (C *-> D), [C, D]).
'$expand_control'(\+ A, [A], \+ C, [C]).

'$expand_goals'([], _, _, []).
'$expand_goals'([Goal|Goals], Module, State, [Expanded|More]) :-
    '$expand_goal'(Goal, Module, State, Expanded),
    '$expand_goals'(Goals, Module, State, More).

'$expand_arguments'([], [], _, _, []).
'$expand_arguments'([Argument|Arguments], [Mode|Modes], Module, State, [Expanded|More]) :-
    (   Mode == 0
    ->  '$expand_goal'(Argument, Module, State, Expanded)
    ;   Mode == (^)
    ->  '$expand_quantified'(Argument, Module, State, Expanded)
    ;   Expanded = Argument
    ),
    '$expand_arguments'(Arguments, Modes, Module, State, More).

'$expand_quantified'(Goal, Module, State, Expanded) :-
    (   nonvar(Goal),
        Goal = V^Inner
    ->  Expanded = V^ExpandedInner,
        '$expand_quantified'(Inner, Module, State, ExpandedInner)
    ;   '$expand_goal'(Goal, Module, State, Expanded)
    ).

'$dcg_rule'((Left --> Body), (Head :- Goals)) :-
    '$dcg_left'(Left, Module, NonTerminal, Pushback),
    '$dcg_extend'(NonTerminal, S0, S, Head0),
    '$dcg_qualified'(Module, Head0, Head),
    (   Pushback = pushback(Terminals)
    ->  '$dcg_body'(Body, S0, S1, Goals0),
        '$dcg_body'(Terminals, S, S1, Goals1),
        Goals = (Goals0, Goals1)
    ;   '$dcg_body'(Body, S0, S, Goals)
    ).

'$dcg_left'(Left, _, _, _) :-
    var(Left),
    !,
    throw(error(instantiation_error, _)).
'$dcg_left'((NonTerminal0, Terminals), Module, NonTerminal, pushback(Terminals)) :-
    !,
    '$dcg_split_module'(NonTerminal0, Module, NonTerminal).
'$dcg_left'(NonTerminal0, Module, NonTerminal, none) :-
    '$dcg_split_module'(NonTerminal0, Module, NonTerminal).

'$dcg_split_module'(NonTerminal, none, NonTerminal) :-
    var(NonTerminal),
    !.
'$dcg_split_module'(Module:NonTerminal, module(Module), NonTerminal) :-
    !.
'$dcg_split_module'(NonTerminal, none, NonTerminal).

'$dcg_qualified'(none, Head, Head).
'$dcg_qualified'(module(Module), Head, Module:Head).

% '$dcg_extend'(+NonTerminal, +S0, +S, -Goal): the non-terminal with the two list arguments added.
'$dcg_extend'(NonTerminal, _, _, _) :-
    var(NonTerminal),
    !,
    throw(error(instantiation_error, _)).
'$dcg_extend'(NonTerminal, S0, S, Goal) :-
    callable(NonTerminal),
    !,
    '$add_arguments'(NonTerminal, [S0, S], Goal).
'$dcg_extend'(NonTerminal, _, _, _) :-
    throw(error(type_error(callable, NonTerminal), _)).

% '$dcg_body'(+Body, ?S0, ?S, -Goal)
'$dcg_body'(Body, S0, S, phrase(Body, S0, S)) :-
    var(Body),
    !.
'$dcg_body'(Module:Body, S0, S, Goal) :-
    !,
    '$dcg_qualified_body'(Module, Body, S0, S, Goal).
'$dcg_body'((A, B), S0, S, (GA, GB)) :-
    !,
    '$dcg_body'(A, S0, S1, GA),
    '$dcg_body'(B, S1, S, GB).
'$dcg_body'((A ; B), S0, S, (GA ; GB)) :-
    !,
    '$dcg_body'(A, S0, S, GA),
    '$dcg_body'(B, S0, S, GB).
'$dcg_body'((A | B), S0, S, (GA ; GB)) :-
    !,
    '$dcg_body'(A, S0, S, GA),
    '$dcg_body'(B, S0, S, GB).
'$dcg_body'((A -> B), S0, S, (GA -> GB)) :-
    !,
    '$dcg_body'(A, S0, S1, GA),
    '$dcg_body'(B, S1, S, GB).
'$dcg_body'((A *-> B), S0, S, (GA *-> GB)) :-
    !,
    '$dcg_body'(A, S0, S1, GA),
    '$dcg_body'(B, S1, S, GB).
'$dcg_body'(\+ A, S0, S, (\+ GA, S = S0)) :-
    !,
    '$dcg_body'(A, S0, _, GA).
'$dcg_body'(!, S0, S, (!, S = S0)) :-
    !.
'$dcg_body'({}, S, S, true) :-
    !.
'$dcg_body'({Goal}, S0, S, (Goal, S = S0)) :-
    !.
'$dcg_body'(call(Goal), S0, S, call(Goal, S0, S)) :-
    !.
'$dcg_body'(Call, S0, S, Goal) :-
    compound(Call),
    compound_name_arity(Call, call, _),
    !,
    '$dcg_extend'(Call, S0, S, Goal).
'$dcg_body'(Terminals, S0, S, Goal) :-
    '$dcg_is_terminals'(Terminals),
    !,
    '$dcg_terminals'(Terminals, S0, S, Goal).
'$dcg_body'(NonTerminal, S0, S, Goal) :-
    '$dcg_extend'(NonTerminal, S0, S, Goal).

'$dcg_qualified_body'(Module, Body, S0, S, Module:phrase(Body, S0, S)) :-
    var(Body),
    !.
'$dcg_qualified_body'(Module, Body, S0, S, Module:Goal) :-
    '$dcg_body'(Body, S0, S, Goal).

'$dcg_is_terminals'(Body) :- string(Body), !.
'$dcg_is_terminals'([]) :- !.
'$dcg_is_terminals'([_|_]).

% A proper list is put into the unification at translation; a partial list is appended when the rule runs.
'$dcg_terminals'(Terminals, S0, S, Goal) :-
    (   string(Terminals)
    ->  string_codes(Terminals, Codes)
    ;   Codes = Terminals
    ),
    '$skip_list'(_, Codes, Tail),
    (   Tail == []
    ->  '$append'(Codes, S, List),
        Goal = (S0 = List)
    ;   var(Tail)
    ->  Goal = '$append'(Codes, S, S0)
    ;   throw(error(type_error(list_or_partial_list, Codes), _))
    ).

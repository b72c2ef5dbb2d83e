% A walk over the goals of the clauses of the program.
:- module(prolog_codewalk, [
    prolog_walk_code/1,
    prolog_program_clause/2
]).

:- meta_predicate
    prolog_walk_code(:),
    prolog_program_clause(-, :).

% prolog_walk_code(:Options): calls on_trace(Closure) with Callee, Caller and clause(Reference) for the goals that match
% trace_reference(Goal) or, with undefined(trace), are of unknown predicates; module(Module) and clauses(References) say
% which clauses are walked.
prolog_walk_code(Spec) :-
    meta_options(==(on_trace), Spec, Options),
    option(on_trace(Closure), Options, prolog_codewalk:tell_call),
    forall(( walked_clause(Options, Reference),
             clause(Head, Body, Reference),
             clause_property(Reference, module(Module)),
             strip_module(Head, _, Plain),
             strip_module(Module:Body, Inner, Goal),
             body_term_calls(Inner:Goal, Callee0),
             qualified(Callee0, Inner, Callee),
             is_wanted(Options, Callee) ),
           call(Closure, Callee, Module:Plain, clause(Reference))).

tell_call(Callee, Caller, _) :-
    print_message(informational, format("~p calls ~p", [Caller, Callee])).

qualified(Goal, Module, Inner:Plain) :-
    nonvar(Goal),
    strip_module(Module:Goal, Inner, Plain),
    atom(Inner),
    callable(Plain),
    \+ is_control_goal(Plain).

is_wanted(Options, Module:Goal) :-
    option(trace_reference(Pattern0), Options),
    Pattern0 \== (-),
    strip_module(Pattern0, Of, Pattern),
    subsumes_term(Pattern, Goal),
    ( Of == user -> true ; predicate_property(Module:Goal, imported_from(Of)) -> true ; Of == Module ),
    !.
is_wanted(Options, Callee) :-
    option(undefined(trace), Options),
    Callee \= _:(!), % no predicate: a clause is compiled with it
    \+ predicate_property(Callee, defined).

walked_clause(Options, Reference) :-
    (   option(clauses(References), Options)
    ->  member(Reference, References)
    ;   prolog_program_clause(Reference, Options)
    ).

% prolog_program_clause(-Reference, :Options): Reference is a clause of the program; with module(Module) of that module.
prolog_program_clause(Reference, Spec) :-
    strip_module(Spec, _, Options),
    option(module(Module), Options, _),
    current_module(Module),
    module_property(Module, class(user)),
    predicate_property(Module:Head, number_of_clauses(_)),
    \+ predicate_property(Module:Head, imported_from(_)),
    clause(Module:Head, _, Reference).

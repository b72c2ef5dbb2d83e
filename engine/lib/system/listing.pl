% listing/0,1: the clauses of a program as text that reads back.
:- module(system, [
    listing/0,
    listing/1
]).

listing :-
    '$current_predicates'(user, _, List),
    forall('$member'(PI, List), listing(PI)).

listing(Spec) :-
    '$strip_module'(Spec, Module, Plain),
    (   is_list(Plain)
    ->  forall('$member'(One, Plain), listing(Module:One))
    ;   var(Plain)
    ->  throw(error(instantiation_error, _))
    ;   '$listed'(Plain, Module, Indicators),
        forall('$member'(PI, Indicators), '$list_predicate'(Module, PI))
    ).

'$listed'(Name/Arity, Module, List) :- !,
    '$current_predicates'(Module, Name, All),
    findall(Name/Arity, '$member'(Name/Arity, All), List).
'$listed'(Name//Arity0, Module, List) :- !,
    Arity is Arity0 + 2,
    '$listed'(Name/Arity, Module, List).
'$listed'(Name, Module, List) :-
    '$current_predicates'(Module, Name, List).

'$list_predicate'(Module, Name/Arity) :-
    functor(Head, Name, Arity),
    (   '$pred_info'(Module:Head, Properties), '$memberchk_pi'(dynamic, Properties)
    ->  format(":- dynamic ~q.~n~n", [Name/Arity])
    ;   true
    ),
    forall(clause(Module:Head, Body), '$list_clause'(Head, Body)),
    nl.

'$list_clause'(Head, true) :- !, portray_clause(Head).
'$list_clause'(Head, Body) :- portray_clause((Head :- Body)).

% listing/0,1,2: the clauses of a program as text that reads back.
:- module(system, [
    listing/0,
    listing/1,
    listing/2
]).

:- module_transparent listing/0.

:- meta_predicate
    listing(:),
    listing(:, +).

% listing: lists the predicates of the module that calls it.
listing :-
    context_module(Module),
    '$declared_predicates'(Module, _, List),
    forall(( '$member'(Name/Arity, List), '$has_clauses'(Module, Name, Arity) ),
           '$list_predicate'(Module, Name/Arity, source)).

'$has_clauses'(Module, Name, Arity) :-
    functor(Head, Name, Arity),
    '$pred_info'(Module:Head, Properties),
    \+ '$memberchk_pi'(number_of_clauses(0), Properties).

% listing(:What): lists the clauses of Name, Name/Arity or a list of these. Variables have the names that they have in the text.
listing(Spec) :-
    '$list'(Spec, source).

% listing(:What, +Options): the same; variable_names(generated) names variables A, B and so on; the option
% source(Boolean) is accepted and has no effect.
listing(Spec, Options) :-
    (   \+ is_list(Options)
    ->  throw(error(type_error(list, Options), _))
    ;   '$member'(variable_names(Names), Options)
    ->  '$list'(Spec, Names)
    ;   '$list'(Spec, source)
    ).

% '$list'(:What, +Names): Names is source, or generated.
'$list'(Spec, Names) :-
    '$strip_module'(Spec, Module, Plain),
    (   is_list(Plain)
    ->  forall('$member'(One, Plain), '$list'(Module:One, Names))
    ;   var(Plain)
    ->  throw(error(instantiation_error, _))
    ;   '$listed'(Plain, Module, Indicators),
        forall('$member'(PI, Indicators), '$list_predicate'(Module, PI, Names))
    ).

% '$listed'(+Spec, +Module, -Indicators): an unknown name lists nothing, but an indicator must exist. Predicates that
% the module does not have are looked up in the library and in the system.
'$listed'(Name/Arity, Module, List) :- !,
    findall(Name/Arity, '$listed_one'(Name, Arity, Module), List),
    (   List == [], atom(Name), integer(Arity)
    ->  throw(error(existence_error(procedure, Name/Arity), _))
    ;   true
    ).
'$listed'(Name//Arity0, Module, List) :- !,
    (   integer(Arity0)
    ->  Arity is Arity0 + 2
    ;   true
    ),
    '$listed'(Name/Arity, Module, List).
'$listed'(Name, Module, List) :-
    findall(Name/Arity, '$listed_one'(Name, Arity, Module), List).

'$listed_one'(Name, Arity, Module) :-
    '$declared_predicates'(Module, Name, All),
    (   atom(Name),
        \+ '$member'(Name/Arity, All)
    ->  '$listed_elsewhere'(Name, Arity, Module)
    ;   '$member'(Name/Arity, All)
    ).

% Library predicates have few arguments.
'$listed_elsewhere'(Name, Arity, Module) :-
    ( integer(Arity) -> Arity >= 0, Arity =< 255 ; between(0, 8, Arity) ),
    functor(Head, Name, Arity),
    '$pred_info'(Module:Head, _).

'$list_predicate'(Module, Name/Arity, Names) :-
    functor(Head, Name, Arity),
    '$pred_info'(Module:Head, Properties),
    (   '$memberchk_pi'(system, Properties)
    ->  format("%   Foreign: ~q~n~n", [system:Name/Arity])
    ;   '$member'(imported_from(Source), Properties)
    ->  '$pred_info'(Source:Head, Own),
        '$list_clauses'(Own, Source, Head, Source:Head, Name/Arity, Names)
    ;   '$list_clauses'(Properties, Module, Head, Head, Name/Arity, Names)
    ).

% The declarations come first; a tabled predicate is shown as the program has it.
'$list_clauses'(Properties, Module, Head, Shown, Name/Arity, Names) :-
    '$list_declarations'(Properties, Module, Head, Name/Arity),
    (   '$memberchk_pi'(tabled, Properties)
    ->  Head =.. [_|Args],
        atom_concat(Name, ' tabled', Behind),
        Source =.. [Behind|Args]
    ;   Source = Head
    ),
    forall('$shown_clause'(Module:Source, Body, Neck, Reference),
           '$list_clause'(Names, Reference, Module, Neck, Head, Shown, Body)),
    nl.

'$list_declarations'(Properties, Module, Head, Indicator) :-
    (   '$memberchk_pi'(thread_local, Properties)
    ->  format(":- thread_local ~q.~n~n", [Indicator])
    ;   '$memberchk_pi'(dynamic, Properties)
    ->  format(":- dynamic ~q.~n~n", [Indicator])
    ;   true
    ),
    (   '$memberchk_pi'(multifile, Properties)
    ->  format(":- multifile ~q.~n~n", [Indicator])
    ;   true
    ),
    (   '$memberchk_pi'(transparent, Properties)
    ->  format(":- module_transparent ~q.~n~n", [Indicator])
    ;   true
    ),
    (   '$memberchk_pi'(tabled, Properties)
    ->  '$table_spec'(Module, Head, Indicator, Spec),
        format(":- table ~q.~n~n", [Spec])
    ;   true
    ).

% '$table_spec'(+Module, +Head, +Indicator, -Spec): the indicator, or a head with the modes of its arguments.
'$table_spec'(Module, Head, Indicator, Spec) :-
    copy_term(Head, Shown),
    (   clause(Module:Shown, '$tbl_moded'(_, Tuple, Width, Modes))
    ->  Tuple =.. [_|Args],
        length(Keys, Width),
        '$append'(Keys, Modes, Given),
        '$mark_keys'(Keys),
        '$bind_all'(Args, Given),
        Spec = Shown
    ;   Spec = Indicator
    ).

'$mark_keys'([]).
'$mark_keys'(['$VAR'('_')|Keys]) :- '$mark_keys'(Keys).

'$bind_all'([], []).
'$bind_all'([X|Xs], [X|Ys]) :- '$bind_all'(Xs, Ys).

% '$list_clause'(+Names, +Reference, +Module, +Neck, +Head, +Shown, +Body): Neck is :-, => or, with a guard, =>(Guard). Shown is Head,
% which may have its module.
'$list_clause'(Names, Reference, Module, Neck, Head, Shown, Body) :-
    '$written_clause'(Neck, Head, Body, Clause),
    '$written_clause'(Neck, Shown, Body, Listed),
    (   Names == source,
        '$clause_text'(Reference, Text),
        catch('$names_from_text'(Text, Module, Clause, Bindings), error(_, _), fail)
    ->  portray_clause(current_output, Listed, [variable_names(Bindings)])
    ;   portray_clause(Listed)
    ).

'$written_clause'(:-, Head, true, Clause) :- !, Clause = Head.
'$written_clause'(:-, Head, Body, (Head :- Body)).
'$written_clause'(=>, Head, Body, (Head => Body)).
'$written_clause'(=>(Guard), Head, Body, (Head, Guard => Body)).

% '$names_from_text'(+Text, +Module, ?Clause, -Bindings): the variables of the clause get their names, if the text is still its.
'$names_from_text'(Text, Module, Clause, Bindings) :-
    term_string(Read, Text, [module(Module), variable_names(Bindings)]),
    (   Read = (_ --> _)
    ->  dcg_translate_rule(Read, Rule)
    ;   Rule = Read
    ),
    '$fact_or_rule'(Rule, Plain),
    Plain =@= Clause,
    Plain = Clause.

'$fact_or_rule'((Head :- Body), Clause) :- Body == true, !, Clause = Head.
'$fact_or_rule'(Clause, Clause).

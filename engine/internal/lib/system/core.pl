% Predicates of module system that look at the program, load files and wake attributed variables.
:- module(system, [
    current_predicate/1,
    current_predicate/2,
    predicate_property/2,
    current_module/1,
    consult/1,
    load_files/2,
    ensure_loaded/1,
    use_module/1,
    use_module/2,
    help/1,
    (@)/2,
    prolog_load_context/2,
    source_location/2,
    copy_term/3
]).

% current_predicate(:Indicator): there is a predicate Name/Arity with clauses.
current_predicate(Spec) :-
    '$strip_module'(Spec, Module, PI),
    (   var(PI)
    ->  Name = _, Arity = _, PI = Name/Arity
    ;   PI = Name/Arity
    ->  (   '$valid_name'(Name), '$valid_arity'(Arity)
        ->  true
        ;   throw(error(type_error(predicate_indicator, PI), _))
        )
    ;   throw(error(type_error(predicate_indicator, PI), _))
    ),
    '$current_predicates'(Module, Name, List),
    (   nonvar(Name), nonvar(Arity)
    ->  '$memberchk_pi'(Name/Arity, List)
    ;   '$member'(Name/Arity, List)
    ).

'$valid_name'(Name) :- ( var(Name) ; atom(Name) ), !.
'$valid_arity'(Arity) :- var(Arity), !.
'$valid_arity'(Arity) :-
    integer(Arity),
    (   Arity >= 0
    ->  true
    ;   throw(error(domain_error(not_less_than_zero, Arity), _))
    ).

'$member'(X, [X|_]).
'$member'(X, [_|Xs]) :- '$member'(X, Xs).

'$memberchk_pi'(X, [Y|Ys]) :- ( X == Y -> true ; '$memberchk_pi'(X, Ys) ).

% current_predicate(?Name, :Head): there is a predicate Name with clauses for Head.
current_predicate(Name, Spec) :-
    '$strip_module'(Spec, Module, Head),
    (   nonvar(Head)
    ->  functor(Head, Name, Arity),
        '$current_predicates'(Module, Name, List),
        '$memberchk_pi'(Name/Arity, List)
    ;   '$current_predicates'(Module, Name, List),
        '$member'(Name/Arity, List),
        functor(Head, Name, Arity)
    ).

% predicate_property(:Head, ?Property): a property, such as dynamic or number_of_clauses(N), of a predicate.
predicate_property(Spec, Property) :-
    '$strip_module'(Spec, Module, Head),
    (   nonvar(Head)
    ->  true
    ;   '$current_predicates'(Module, _, List),
        '$member'(Name/Arity, List),
        functor(Head, Name, Arity)
    ),
    '$pred_info'(Module:Head, Properties),
    (   ground(Property)
    ->  '$memberchk_pi'(Property, Properties)
    ;   '$member'(Property, Properties)
    ).

% current_module(?Module): Module is a module.
current_module(Module) :-
    '$modules'(List),
    (   nonvar(Module)
    ->  '$memberchk_pi'(Module, List)
    ;   '$member'(Module, List)
    ).

% consult(:Files): loads a file, library or list of them.
consult(Spec) :- '$strip_module'(Spec, Module, Plain), '$load'(Plain, Module).
% load_files(:Files, +Options): loads files; the options have no effect.
load_files(Spec, _) :- consult(Spec).
% ensure_loaded(:File): loads a file or library unless it is loaded.
ensure_loaded(Spec) :- consult(Spec).
% use_module(:File): loads a module and imports its predicates.
use_module(Spec) :- consult(Spec).
% use_module(:File, +Imports): loads a module and imports the predicates listed.
use_module(Spec, Imports) :- '$strip_module'(Spec, Module, Plain), '$load'(Plain, Module, Imports).

% @(:Goal, +Module): calls Goal in Module.
@(Goal, Module) :- call(Module:Goal).

% prolog_load_context(?Key, ?Value): what is known of the file being loaded: directory, file, module, term, variable_names ...
prolog_load_context(Key, Value) :-
    (   var(Key)
    ->  '$member'(Key, [directory, dialect, file, module, script, source, term, term_position, variable_names])
    ;   atom(Key)
    ->  true
    ;   throw(error(type_error(atom, Key), _))
    ),
    Key \== line,
    '$load_context'(Key, Value).

% source_location(-File, -Line): where the directive or clause stands that is being loaded.
source_location(File, Line) :-
    '$load_context'(file, File),
    '$load_context'(line, Line).

% What a predicate with rules Head => Body does when none of them applies.
'$no_matching_rule'(Goal) :- throw(error(existence_error(matching_rule, Goal), _)).

% help(+What): prints what is known of a predicate, given as name, name/arity or name//arity.
help(What) :-
    '$help_key'(What, Name, Arity),
    '$help'(Name, Arity, Docs),
    (   Docs \== []
    ->  forall('$member'(doc(Head, Text, Chapter), Docs), format("~w  [~w]~n    ~w~n", [Head, Chapter, Text]))
    ;   '$help_near'(Name, Near)
    ->  format("No help for ~q; did you mean ~q?~n", [What, Near]),
        fail
    ;   format("No help for ~q.~n", [What]),
        fail
    ).

'$help_key'(What, _, _) :- var(What), !, throw(error(instantiation_error, _)).
'$help_key'(Name/Arity, Name, Arity) :- !.
'$help_key'(Name//Arity0, Name, Arity) :- !, ( integer(Arity0) -> Arity is Arity0 + 2 ; true ).
'$help_key'(Name, Name, _) :- atom(Name), !.
'$help_key'(What, _, _) :- throw(error(type_error(predicate_indicator, What), _)).

% Attributed variables. '$wakeup'(+Attributes, +Value) calls the hooks of a variable that was bound.
'$wakeup'([], _).
'$wakeup'(att(Module, Attribute, Rest), Value) :-
    '$wakeup'(Module, Attribute, Value),
    '$wakeup'(Rest, Value).

'$wakeup'(freeze, Goal, Value) :- !, '$wake_frozen'(Goal, Value).
'$wakeup'(dif, List, Value) :- !, '$wake_dif'(List, Value).
'$wakeup'(when, List, Value) :- !, '$wake_when'(List, Value).
'$wakeup'(Module, Attribute, Value) :- Module:attr_unify_hook(Attribute, Value).

'$wake_frozen'(Goal, Value) :-
    (   attvar(Value)
    ->  (   get_attr(Value, freeze, Other)
        ->  put_attr(Value, freeze, '$and'(Goal, Other))
        ;   put_attr(Value, freeze, Goal)
        )
    ;   '$call_frozen'(Goal)
    ).

'$call_frozen'('$and'(A, B)) :- !, '$call_frozen'(A), '$call_frozen'(B).
'$call_frozen'(Goal) :- call(Goal).

% copy_term(+Term, -Copy, -Goals): Copy has plain variables, Goals say what their attributes were.
copy_term(Term, Copy, Goals) :-
    term_attvars(Term, Variables),
    (   Variables == []
    ->  copy_term(Term, Copy),
        Goals = []
    ;   findall(Term-List, ( '$residual_goals'(Variables, List, []), '$drop_attributes'(Variables) ), [Copy-Goals])
    ).

'$drop_attributes'([]).
'$drop_attributes'([V|Vs]) :- put_attrs(V, []), '$drop_attributes'(Vs).

'$own_goals'(freeze, Value, V, Goals, Rest) :- '$freeze_goals'(Value, V, Goals, Rest).
'$own_goals'(dif, Value, _, Goals, Rest) :- '$dif_goals'(Value, Goals, Rest).
'$own_goals'(when, Value, _, Goals, Rest) :- '$when_goals'(Value, Goals, Rest).

'$residual_goals'([], Goals, Goals).
'$residual_goals'([V|Vs], Goals, Rest) :-
    get_attrs(V, Attributes),
    '$attribute_goals'(Attributes, V, Goals, Goals1),
    '$residual_goals'(Vs, Goals1, Rest).

'$attribute_goals'([], _, Goals, Goals).
'$attribute_goals'(att(Module, Value, More), V, Goals, Rest) :-
    (   '$own_goals'(Module, Value, V, Goals, Goals1)
    ->  true
    ;   catch(Module:attribute_goals(V, Goals, Goals1), error(existence_error(procedure, _), _), fail)
    ->  true
    ;   Goals = [put_attr(V, Module, Value)|Goals1]
    ),
    '$attribute_goals'(More, V, Goals1, Rest).

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
    load_files/1,
    reconsult/1,
    exists_source/1,
    exists_source/2,
    style_check/1,
    require/1,
    license/1,
    license/2,
    license/3,
    lock_predicate/1,
    '$hide'/1,
    '$set_predicate_attribute'/3,
    set_prolog_stack/2,
    main/0,
    make/0,
    '.'/2,
    help/0,
    help/1,
    apropos/1,
    prolog_load_context/2,
    source_location/2,
    copy_term/3,
    memberchk/2,
    call_residue_vars/2
]).

:- meta_predicate
    current_predicate(:),
    current_predicate(?, :),
    predicate_property(:, ?),
    consult(:),
    load_files(:, ?),
    load_files(:),
    reconsult(:),
    '.'(:, ?),
    ensure_loaded(:),
    use_module(:),
    use_module(:, ?),
    '$restrictedly'(0),
    call_residue_vars(0, -).

:- module_transparent
    main/0.

% current_predicate(:Indicator): there is a predicate Name/Arity of the program. If the module is a variable, it
% becomes each module that defines or imports the predicate.
current_predicate(Spec) :-
    '$strip_some_module'(Spec, Module, PI, How),
    (   var(PI)
    ->  Name = _, Arity = _, PI = Name/Arity
    ;   ( PI = Name/Arity ; PI = Name//Less )
    ->  (   '$valid_name'(Name), '$valid_arity'(Arity), '$valid_arity'(Less)
        ->  true
        ;   throw(error(type_error(predicate_indicator, PI), _))
        )
    ;   throw(error(type_error(predicate_indicator, PI), _))
    ),
    (   integer(Less)
    ->  Arity is Less + 2
    ;   true
    ),
    (   nonvar(Name), nonvar(Arity), How == given
    ->  '$visible_predicate'(Module, Name, Arity)
    ;   '$each_module'(How, Module),
        '$current_predicates'(Module, Name, List),
        '$member'(Name/Arity, List),
        '$grammar_arity'(PI, Arity)
    ).

% '$grammar_arity'(?Indicator, +Arity): a grammar rule Name//Less is a predicate of two arguments more.
'$grammar_arity'(_/_, _).
'$grammar_arity'(_//Less, Arity) :-
    Less is Arity - 2,
    Less >= 0.

% '$strip_some_module'(+Spec, -Module, -Plain, -How): as strip_module/3; How is given, or any if Module is a variable, as it is
% in Spec.
'$strip_some_module'(Spec, Module, Plain, How) :-
    '$strip_module'(Spec, Module0, Plain0),
    (   nonvar(Plain0),
        Plain0 = M:Plain1,
        var(M)
    ->  Module = M, Plain = Plain1, How = any
    ;   Module = Module0, Plain = Plain0, How = given
    ).

% '$each_module'(+How, ?Module): Module is the module that was given, or any, user before the others.
'$each_module'(given, _).
'$each_module'(any, Module) :-
    '$modules'(List),
    (   Module = user
    ;   '$member'(Module, List),
        Module \== user
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

% '$add_arguments'(+Goal, +Arguments, -Extended): Goal with further arguments. Goal is callable.
'$add_arguments'(Goal, More, Extended) :-
    (   atom(Goal)
    ->  Extended =.. [Goal|More]
    ;   compound_name_arguments(Goal, Name, Arguments0),
        '$append'(Arguments0, More, Arguments),
        compound_name_arguments(Extended, Name, Arguments)
    ).

% '$plain_goal'(+Goal, -Plain): Plain is Goal; for p() it is p.
'$plain_goal'(Goal, Plain) :-
    (   compound(Goal),
        compound_name_arity(Goal, Name, 0)
    ->  Plain = Name
    ;   Plain = Goal
    ).

% '$restrictedly'(:Goal): calls a goal that a restricted rule has left for later.
'$restrictedly'(Goal) :-
    (   '$restricted'
    ->  call(Goal)
    ;   '$restrict',
        call(Goal),
        '$unrestrict'
    ).

% current_predicate(?Name, :Head): there is a predicate Name for Head.
current_predicate(Name, Spec) :-
    '$strip_some_module'(Spec, Module, Head, How),
    (   nonvar(Head)
    ->  functor(Head, Name, Arity, _)
    ;   true
    ),
    (   nonvar(Head), How == given
    ->  '$visible_predicate'(Module, Name, Arity)
    ;   '$each_module'(How, Module),
        '$current_predicates'(Module, Name, List),
        '$member'(Name/Arity, List),
        functor(Head, Name, Arity)
    ).

% predicate_property(:Head, ?Property): a property, such as dynamic or number_of_clauses(N), of a predicate.
predicate_property(Spec, Property) :-
    '$strip_some_module'(Spec, Module, Head, How),
    '$each_predicate'(How, Module, Head),
    '$pred_info'(Module:Head, Property, Properties),
    (   ground(Property)
    ->  '$memberchk_pi'(Property, Properties)
    ;   '$member'(Property, Properties)
    ).

'$each_predicate'(given, Module, Head) :-
    (   nonvar(Head)
    ->  true
    ;   '$known_predicates'(Module, _, List),
        '$member'(Name/Arity, List),
        functor(Head, Name, Arity)
    ).
'$each_predicate'(any, Module, Head) :-
    (   nonvar(Head),
        '$pred_info'(system:Head, Properties),
        '$memberchk_pi'(system, Properties)
    ->  Module = system
    ;   ( nonvar(Head) -> functor(Head, Name, Arity, _) ; true ),
        '$each_module'(any, Module),
        '$known_predicates'(Module, Name, List),
        '$member'(Name/Arity, List),
        functor(Head, Name, Arity)
    ).

% current_module(?Module): Module is a module.
current_module(Module) :-
    '$modules'(List),
    (   nonvar(Module)
    ->  '$memberchk_pi'(Module, List)
    ;   '$member'(Module, List)
    ).

% consult(:Files): loads a file, a library or a list of these; a file that was loaded before is loaded again, if the
% program allows it.
consult(Spec) :- '$strip_module'(Spec, Module, Plain), '$load_files'(Plain, Module, [again]).
% make: loads all files again that have changed since they were loaded.
make :- '$make'.
% '$ensure'(:Files): loads files unless they are loaded.
'$ensure'(Spec) :- '$strip_module'(Spec, Module, Plain), '$load'(Plain, Module).
% reconsult(:Files): consult/1, as old programs call it.
reconsult(Spec) :- consult(Spec).
% '.'(:File, +Files): the goal [File|Files], which loads files.
'.'(File, Files) :-
    '$skip_list'(_, Files, Tail),
    (   Tail == []
    ->  true
    ;   var(Tail)
    ->  true
    ;   throw(error(type_error(list, Tail), _))
    ),
    '$strip_module'(File, Module, _),
    consult(File),
    (   Files == []
    ->  true
    ;   consult(Module:Files)
    ).
% load_files(:Files): loads files.
load_files(Spec) :- consult(Spec).
% load_files(:Files, +Options): loads files, with options.
% Those that have an effect are expand(Boolean), if(Condition), imports(Imports), module(Name), which replaces the name in
% the module header, must_be_module(Boolean), reexport(Boolean) and stream(Stream), from which the text is read. Other
% options of SWI-Prolog are accepted and have no effect.
load_files(Spec, Options) :-
    '$strip_module'(Spec, Module, Plain),
    (   is_list(Options)
    ->  true
    ;   var(Options)
    ->  throw(error(instantiation_error, _))
    ;   throw(error(type_error(list, Options), _))
    ),
    '$check_load_options'(Options),
    '$load_options'([imports(_), module(_), must_be_module(_), reexport(_), stream(_)], Options, Known),
    (   '$memberchk_option'(if(Condition), Options)
    ->  ( '$load_condition'(Condition, Known, Known1) -> true ; Known1 = Known )
    ;   Known1 = [again|Known]
    ),
    (   '$memberchk_option'(expand(true), Options),
        ( atom(Plain) ; string(Plain) )
    ->  expand_file_name(Plain, Files)
    ;   Files = Plain
    ),
    '$load_files'(Files, Module, Known1).

'$check_load_options'([]).
'$check_load_options'([Option|Options]) :-
    (   var(Option)
    ->  throw(error(instantiation_error, _))
    ;   functor(Option, Name, 1),
        '$load_option_values'(Name, Values),
        arg(1, Option, Value),
        (   Values == any
        ->  true
        ;   Values == atom
        ->  atom(Value)
        ;   nonvar(Value), memberchk(Value, Values)
        )
    ->  true
    ;   throw(error(domain_error(load_option, Option), _))
    ),
    '$check_load_options'(Options).

'$load_option_values'(module, atom).
'$load_option_values'(if, [true, changed, not_loaded, exists]).
'$load_option_values'(Name, [true, false]) :-
    memberchk(Name, [autoload, check_script, expand, must_be_module, optimise, redefine_module, register, reexport,
                     sandboxed, scope_settings, silent]).
'$load_option_values'(Name, any) :-
    memberchk(Name, [derived_from, dialect, encoding, format, imports, modified, qcompile, stream, verbose]).

'$load_condition'(true, Known, [again|Known]).
'$load_condition'(exists, Known, [again, if_exists|Known]).

'$load_options'([], _, []).
'$load_options'([Option|Options], Given, Known) :-
    (   '$memberchk_option'(Option, Given),
        '$load_option'(Option, Effect)
    ->  Known = [Effect|Known1]
    ;   Known = Known1
    ),
    '$load_options'(Options, Given, Known1).

% The first option of the name counts.
'$memberchk_option'(Option, [Given|Rest]) :-
    (   nonvar(Given),
        Given = Option
    ->  true
    ;   '$memberchk_option'(Option, Rest)
    ).

'$load_option'(imports(Imports), imports(Imports)).
'$load_option'(module(Name), module(Name)).
'$load_option'(must_be_module(true), must_be_module).
'$load_option'(reexport(true), reexport).
'$load_option'(stream(Stream), text(Text)) :- read_string(Stream, _, Text).
% exists_source(+Spec): Spec names a file or library that can be loaded.
exists_source(Spec) :-
    (   \+ ground(Spec)
    ->  throw(error(instantiation_error, _))
    ;   number(Spec)
    ->  throw(error(type_error(text, Spec), _))
    ;   '$exists_source'(Spec)
    ).
% exists_source(+Spec, -Path): the same; Path is the name of the source.
exists_source(Spec, Path) :-
    exists_source(Spec),
    (   atomic(Spec)
    ->  atom_string(Path, Spec)
    ;   Spec = library(Library)
    ->  term_to_atom(library(Library), Path)
    ;   Path = Spec
    ).
% style_check(+Style): turns style warnings on and off while a text is loaded; a goal at run time has no effect.
style_check(_).
% require(+Predicates): does nothing: predicates of libraries are found without a declaration.
require(_).
% lock_predicate(+Indicators): does nothing; it is a note for SWI-Prolog's debugger.
lock_predicate(_).

'$hide'(_).

'$set_predicate_attribute'(_, _, _).

% license(+License): states the license of a file.
license(_).
% license(+License, +Component): states the license of a component.
license(_, _).
% license(+Module, +License, +Component): states the license of a component.
license(_, _, _).
% set_prolog_stack(+Stack, +Property): does nothing: single stacks have no limits.
set_prolog_stack(_, _).
% main: calls main/1 of the calling module with the arguments of the program.
main :-
    context_module(Module),
    current_prolog_flag(argv, Arguments),
    Module:main(Arguments).
% ensure_loaded(:File): loads a file or library unless it is loaded.
ensure_loaded(Spec) :- '$ensure'(Spec).
% use_module(:File): loads a module and imports its predicates.
use_module(Spec) :- '$ensure'(Spec).
% use_module(:File, +Imports): loads a module and imports the predicates listed.
use_module(Spec, Imports) :- '$strip_module'(Spec, Module, Plain), '$load'(Plain, Module, Imports).

% '$undefined_call'(+Goal, +Module): calls an unknown procedure once more if user:exception/3 says that it has defined it. The hook
% is not asked for what it calls itself.
'$undefined_call'(Goal, Module) :-
    functor(Goal, Name, Arity),
    (   Module == user
    ->  Indicator = Name/Arity
    ;   Indicator = Module:Name/Arity
    ),
    (   \+ nb_current('$undefined_call', true),
        b_setval('$undefined_call', true),
        user:exception(undefined_predicate, Indicator, Action),
        Action == retry,
        '$visible_predicate'(Module, Name, Arity)
    ->  b_setval('$undefined_call', false),
        call(Module:Goal)
    ;   '$unknown_call'(Module, Indicator)
    ).

% '$missing_global'(+Name, ?Value): Value is the value of a global variable that user:exception/3 sets.
'$missing_global'(Name, Value) :-
    (   user:exception(undefined_global_variable, Name, Action),
        Action == retry,
        nb_current(Name, Now)
    ->  Value = Now
    ;   throw(error(existence_error(variable, Name), context(system:nb_getval/2, _)))
    ).

% prolog_load_context(?Key, ?Value): a property of the file being loaded: directory, file, module, term,
% variable_names ...
prolog_load_context(Key, Value) :-
    (   var(Key)
    ->  '$member'(Key, [directory, dialect, file, module, script, source, term, term_position, variable_names])
    ;   atom(Key)
    ->  true
    ;   throw(error(type_error(atom, Key), _))
    ),
    Key \== line,
    (   Key == variable_names,
        nb_current('$variable_names', Names)
    ->  Value = Names
    ;   '$load_context'(Key, Value)
    ).

% source_location(-File, -Line): the place of the directive or clause that is being loaded.
source_location(File, Line) :-
    '$load_context'(file, File),
    '$load_context'(line, Line).

% The error if no rule Head => Body of a predicate applies.
'$no_matching_rule'(Goal) :- throw(error(existence_error(matching_rule, Goal), _)).

% help: prints how to get help at the prompt.
help :-
    forall(
        '$member'(Goal-Says, [
            'help(append/3).'-'what a predicate does',
            'apropos(list).'-'the predicates that have to do with a word',
            'listing(p/2).'-'the clauses of a predicate',
            'make.'-'loads again the files that have changed',
            'trace.'-'shows the calls of the goals that follow; notrace. ends it',
            'halt.'-'ends the prompt'
        ]),
        format("~w~t~20|~w~n", [Goal, Says])
    ).

% help(+What): prints the description of a predicate, given as name, name/arity or name//arity.
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

% '$length'(?List, +Before, -Length): List has Length elements with the Before ones in front of it. It is made longer by one element
% at a time, since goals that wait on its tail may say where it ends.
'$length'(List, Before, Length) :-
    '$skip_list'(Count, List, Tail),
    Known is Before + Count,
    (   Tail == []
    ->  Length = Known
    ;   Tail = [],
        Length = Known
    ;   Tail = [_|Rest],
        Next is Known + 1,
        '$length'(Rest, Next, Length)
    ).

% apropos(+Text): prints the predicates whose names or descriptions contain Text.
apropos(Text) :-
    '$apropos'(Text, Docs),
    (   Docs \== []
    ->  forall('$member'(doc(Head, Says, Chapter), Docs), format("~w  [~w]~n    ~w~n", [Head, Chapter, Says]))
    ;   format("Nothing about ~q.~n", [Text])
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
        ->  put_attr(Value, freeze, '$and'(Other, Goal))
        ;   put_attr(Value, freeze, Goal)
        )
    ;   '$call_frozen'(Goal)
    ).

'$call_frozen'('$and'(A, B)) :- !, '$call_frozen'(A), '$call_frozen'(B).
'$call_frozen'(Goal) :- call(Goal).

% copy_term(+Term, -Copy, -Goals): Copy has plain variables; Goals express the attributes that they had.
copy_term(Term, Copy, Goals) :-
    term_attvars(Term, Variables),
    (   Variables == []
    ->  copy_term(Term, Copy),
        Goals = []
    ;   findall(Term-List, ( '$residual_goals'(Variables, List, []), '$drop_attributes'(Variables) ), [Copy-Goals])
    ).

% '$answer_goals'(+Values, -Copies, -Goals): as copy_term/3, with the constraints that rules of library(chr) have stored, as
% '$stored'(Constraint), and without the module user of goals that wait. An undefined answer has
% '$undefined'(Program).
'$answer_goals'(Values, Copies, Goals) :-
    (   '$tbl_taint'(0)
    ->  Goals = Goals0
    ;   '$residual_program'(Program),
        Goals = ['$undefined'(Program)|Goals0]
    ),
    '$waiting_goals'(Values, Copies, Goals0).

% '$residual_program'(-Program): the clauses that leave the answer undefined, [] if they are too many to be found soon.
'$residual_program'(Program) :-
    '$tbl_delays'(Delays),
    '$tbl_condition'(Delays, user, Condition),
    Limited = call_with_inference_limit(delays_residual_program(user:Condition, Found), 20000, Result),
    (   call(Limited), % libraries, which only this needs
        Result \== inference_limit_exceeded
    ->  Program = Found
    ;   Program = []
    ).

'$waiting_goals'(Values, Copies, Goals) :-
    (   nb_current('$chr', [_|_]),
        current_prolog_flag(chr_toplevel_show_store, true)
    ->  Stored = chr:residual_constraints(Constraints),
        call(Stored),
        copy_term(Values-Constraints, Copies-Copied, Goals1),
        '$stored_goals'(Copied, Goals, Goals2)
    ;   copy_term(Values, Copies, Goals1),
        Goals = Goals2
    ),
    '$shown_goals'(Goals1, Goals2).

'$shown_goals'([], []).
'$shown_goals'([G0|Gs0], [G|Gs]) :-
    (   G0 = freeze(V, user:Goal)
    ->  G = freeze(V, Goal)
    ;   G0 = when(Condition, user:Goal)
    ->  G = when(Condition, Goal)
    ;   G = G0
    ),
    '$shown_goals'(Gs0, Gs).

'$stored_goals'([], Goals, Goals).
'$stored_goals'([C|Cs], ['$stored'(C)|Goals0], Goals) :- '$stored_goals'(Cs, Goals0, Goals).

'$drop_attributes'([]).
'$drop_attributes'([V|Vs]) :- put_attrs(V, []), '$drop_attributes'(Vs).

'$own_goals'(freeze, Value, V, Goals, Rest) :- '$freeze_goals'(Value, V, Goals, Rest).
'$own_goals'(dif, Value, V, Goals, Rest) :- '$dif_goals'(Value, V, Goals, Rest).
'$own_goals'(when, Value, V, Goals, Rest) :- '$when_goals'(Value, V, Goals, Rest).

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

% memberchk(?X, +List): X is the first member of List that unifies with it. Goals that the unification wakes can
% reject it.
memberchk(X, List) :-
    '$memberchk'(X, List, Rest),
    '$memberchk_rest'(Rest, X).

'$memberchk_rest'([], _).
'$memberchk_rest'([Y|Ys], X) :- ( X = Y -> true ; memberchk(X, Ys) ).

% call_residue_vars(:Goal, -Variables): Variables are the attributed variables that Goal has made and not bound, also
% variables that do not occur elsewhere.
call_residue_vars(Goal, Variables) :-
    functor(Mark, '$mark', 1),
    call(Goal),
    '$attvars_since'(Mark, Variables).

% The machine calls '$signals'/1 with the goals of alarms. One that fails has no effect.
'$signals'([]).
'$signals'([G|Gs]) :- ( call(G) -> true ; true ), '$signals'(Gs).

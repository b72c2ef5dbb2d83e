% Cross references: what a text of a program defines and calls, without loading it.
%
% Nothing of the text is run but the operators that it declares, in a module of their own.
:- module(prolog_xref, [
    xref_source/1,
    xref_source/2,
    xref_done/2,
    xref_clean/1,
    xref_current_source/1,
    xref_defined/3,
    xref_definition_line/2,
    xref_called/3,
    xref_called/4,
    xref_called/5,
    xref_module/2,
    xref_exported/2,
    xref_op/2,
    xref_option/2,
    xref_meta/2,
    xref_meta/3,
    xref_uses_file/3,
    xref_prolog_flag/4,
    xref_built_in/1,
    xref_source_file/3,
    xref_source_file/4,
    xref_public_list/3,
    xref_public_list/4,
    xref_public_list/6,
    xref_public_list/7
]).

:- dynamic
    source/2,          % Source, time of the file
    defined/3,         % Source, Head, How
    called/5,          % Source, Callee, Caller, Condition, Line
    module_of/2,
    exported/2,
    operator/2,
    option_of/2,
    meta/2,
    uses_file/3,
    flag/4.

% xref_source(+Source): reads the text of a file and notes what it defines and calls.
xref_source(Source) :-
    xref_source(Source, []).

% xref_source(+Source, +Options): as xref_source/1. Options are kept for xref_option/2. register_called(Which) says which calls xref_called/3 and kin show: all, non_iso or, unless it is given, non_built_in.
xref_source(Source, Options) :-
    must_be(list, Options),
    prolog_canonical_source(Source, Path),
    exists_file(Path),
    file_time(Path, Time),
    (   source(Path, Time)
    ->  true
    ;   xref_clean(Path),
        assertz(source(Path, Time)),
        forall(member(Option, Options), assertz(option_of(Path, Option))),
        collect(Path)
    ).

file_time(Path, Time) :-
    (   catch(time_file(Path, Time0), error(_, _), fail)
    ->  Time = Time0
    ;   Time = unknown
    ).

% xref_done(+Source, -Time): Source has been read, as it was at Time.
xref_done(Source, Time) :-
    prolog_canonical_source(Source, Path),
    source(Path, Time).

% xref_clean(+Source): forgets what was noted of a text. Fails if there is no such text.
xref_clean(Source) :-
    absolute_file_name(Source, Path, [file_type(prolog), access(read), file_errors(fail)]),
    retractall(source(Path, _)),
    retractall(defined(Path, _, _)),
    retractall(called(Path, _, _, _, _)),
    retractall(module_of(Path, _)),
    retractall(exported(Path, _)),
    retractall(operator(Path, _)),
    retractall(option_of(Path, _)),
    retractall(meta(Path, _)),
    retractall(uses_file(Path, _, _)),
    retractall(flag(Path, _, _, _)).

% xref_current_source(?Source): Source has been read.
xref_current_source(Source) :-
    source(Source, _).

% xref_defined(?Source, ?Head, ?How): a text defines a predicate: local(Line), dynamic(Line), thread_local(Line), multifile(Line), public(Line) or imported(From).
xref_defined(Source, Head, How) :-
    known_source(Source, Path),
    defined(Path, Head, How).

% xref_definition_line(+How, -Line): Line is that of a definition.
xref_definition_line(How, Line) :-
    How =.. [Kind, Line],
    Kind \== imported,
    integer(Line).

% xref_called(?Source, ?Callee, ?Caller): a goal of a text; Caller is the head of its clause or <directive>(Line).
xref_called(Source, Callee, Caller) :-
    xref_called(Source, Callee, Caller, _, _).

% xref_called(?Source, ?Callee, ?Caller, ?Condition): as xref_called/3; Condition is that of an if around the clause, or true.
xref_called(Source, Callee, Caller, Condition) :-
    xref_called(Source, Callee, Caller, Condition, _).

% xref_called(?Source, ?Callee, ?Caller, ?Condition, ?Line): as xref_called/4; Line is that of the clause.
xref_called(Source, Callee, Caller, Condition, Line) :-
    known_source(Source, Path),
    ( option_of(Path, register_called(Which)) -> true ; Which = non_built_in ),
    called(Path, Callee, Caller, Condition, Line),
    ( left_out(Which, Callee) -> defined(Path, Callee, _) ; true ).

left_out(non_built_in, Goal) :- xref_built_in(Goal).
left_out(non_iso, Goal) :- predicate_property(system:Goal, iso).

% xref_module(?Source, ?Module): a text is that of a module.
xref_module(Source, Module) :-
    known_source(Source, Path),
    module_of(Path, Module).

% xref_exported(?Source, ?Head): the module of a text exports a predicate.
xref_exported(Source, Head) :-
    known_source(Source, Path),
    exported(Path, Head).

% xref_op(?Source, ?Operator): a text declares op(Priority, Type, Name).
xref_op(Source, Operator) :-
    known_source(Source, Path),
    operator(Path, Operator).

% xref_option(?Source, ?Option): Option was given to xref_source/2.
xref_option(Source, Option) :-
    known_source(Source, Path),
    option_of(Path, Option).

% xref_meta(+Head, -Called): Called are the arguments of a goal of the system that are goals, Goal or Goal+N.
xref_meta(Head, Called) :-
    callable(Head),
    predicate_property(system:Head, meta_predicate(Modes)),
    goal_arguments(Head, Modes, Called).

% xref_meta(+Source, +Head, -Called): of a meta-predicate that a text declares; Called are the arguments of Head that are goals, Goal or Goal+N.
xref_meta(Source, Head, Called) :-
    known_source(Source, Path),
    (   var(Head)
    ->  meta(Path, Modes),
        most_general_goal(Modes, Head)
    ;   most_general_goal(Head, Modes),
        once(meta(Path, Modes))
    ),
    goal_arguments(Head, Modes, Called).

goal_arguments(Head, Modes, Called) :-
    findall(N-Mode, ( arg(N, Modes, Mode), is_goal_mode(Mode) ), Places),
    maplist(called_argument(Head), Places, Called).

is_goal_mode(^).
is_goal_mode(//).
is_goal_mode(Mode) :- integer(Mode).

called_argument(Head, N-Mode, Called) :-
    arg(N, Head, Argument),
    called_as(Mode, Argument, Called).

called_as(^, Argument, Argument) :- !.
called_as(//, Argument, //(Argument)) :- !.
called_as(0, Argument, Argument) :- !.
called_as(More, Argument, Argument+More).

% xref_uses_file(?Source, ?Spec, ?Path): a text loads the file or library Spec, whose path is Path.
xref_uses_file(Source, Spec, File) :-
    known_source(Source, Path),
    uses_file(Path, Spec, File).

% xref_prolog_flag(?Source, ?Flag, ?Value, ?Line): a text sets a flag.
xref_prolog_flag(Source, Flag, Value, Line) :-
    known_source(Source, Path),
    flag(Path, Flag, Value, Line).

% xref_built_in(+Head): Head is that of a predicate of the system.
xref_built_in(Head) :-
    callable(Head),
    predicate_property(system:Head, built_in).

% xref_source_file(+Spec, -Path, +Source): Path is that of a file that Source names by Spec.
xref_source_file(Spec, Path, Source) :-
    xref_source_file(Spec, Path, Source, []).

% xref_source_file(+Spec, -Path, +Source, +Options): as xref_source_file/3; options are those of absolute_file_name/3.
xref_source_file(Spec0, Path, Source, Options) :-
    strip_module(Spec0, _, Spec),
    nonvar(Spec),
    (   atom(Source),
        file_directory_name(Source, Folder)
    ->  Relative = [relative_to(Folder)]
    ;   Relative = []
    ),
    append(Relative, Options, All),
    catch(absolute_file_name(Spec, Path, [file_type(prolog), access(read), file_errors(fail)|All]), error(_, _), fail),
    ( exists_file(Path) -> true ; exists_source(Spec) ),
    !.

% xref_public_list(+Spec, +Source, +Options): Options are unified with what a module file offers: path(Path), module(Module), exports(Indicators), public(Indicators) and meta(Heads).
xref_public_list(Spec, Source, Options) :-
    (   xref_source_file(Spec, Path, Source),
        exists_file(Path)
    ->  setup_call_cleanup(prolog_open_source(Path, Stream),
                           file_header(Stream, Module, Exports, Public, Meta),
                           prolog_close_source(Stream))
    ;   nonvar(Spec),
        Spec = library(Name),
        library_header(Name, Path, Module, Exports),
        Public = [],
        Meta = []
    ),
    option(path(Path), Options, _),
    option(module(Module), Options, _),
    option(exports(Exports), Options, _),
    option(public(Public), Options, _),
    option(meta(Meta), Options, _).

file_header(Stream, Module, Exports, Public, Meta) :-
    read_term(Stream, First, []),
    nonvar(First),
    First = (:- module(Module, Exports)),
    declared(Stream, Public, Meta).

% declared(+Stream, -Public, -Meta): what public/1 and meta_predicate/1 declare in the directives that stand before the first clause.
declared(Stream, Public, Meta) :-
    (   catch(read_term(Stream, Term, []), error(syntax_error(_), _), fail),
        nonvar(Term),
        Term = (:- Directive)
    ->  findall(P, ( nonvar(Directive), Directive = public(Ps), listed(Ps, P) ), Public, Public1),
        findall(M, ( nonvar(Directive), Directive = meta_predicate(Ms), listed(Ms, M) ), Meta, Meta1),
        declared(Stream, Public1, Meta1)
    ;   Public = [],
        Meta = []
    ).

% library_header(+Name, -Path, -Module, -Exports): the libraries of the system have no files; what they export is asked of their modules.
library_header(Name0, Path, Module, Exports) :-
    catch(prolog_xref:use_module(library(Name0), []), error(_, _), fail),
    path_segments_atom(Name0, Name),
    format(atom(Path), "library(~w)", [Name]),
    current_module(Module),
    module_property(Module, file(Path)),
    !,
    module_property(Module, exports(Exports)).

known_source(Source, Path) :-
    (   nonvar(Source)
    ->  prolog_canonical_source(Source, Path)
    ;   source(Path, _),
        Source = Path
    ).

% Reading. The state of a text is state(Path, Scratch, Conditions): Scratch is the module of its operators.

collect(Path) :-
    gensym('$xref operators ', Scratch),
    State = state(Path, Scratch, []),
    setup_call_cleanup(prolog_open_source(Path, Stream),
                       collect_terms(Stream, State),
                       prolog_close_source(Stream)).

collect_terms(Stream, State) :-
    repeat,
    arg(2, State, Scratch),
    catch(read_term(Stream, Term, [module(Scratch), term_position(Position)]), error(syntax_error(_), _), fail),
    (   Term == end_of_file
    ->  true
    ;   stream_position_data(line_count, Position, Line),
        ignore(catch(note(Term, Line, State), error(_, _), true)),
        fail
    ),
    !.

note(Term, _, _) :-
    var(Term),
    !.
note((:- Directive), Line, State) :-
    !,
    directive(Directive, Line, State).
note((?- Directive), Line, State) :-
    !,
    directive(Directive, Line, State).
note((Head --> Body), Line, State) :-
    !,
    dcg_translate_rule((Head --> Body), Clause),
    note(Clause, Line, State).
note((Head :- Body), Line, State) :-
    !,
    clause_of(Head, Line, State, Caller),
    body(Body, Caller, Line, State).
note((Head0 => Body), Line, State) :-
    !,
    ( nonvar(Head0), Head0 = (Head, Guard) -> true ; Head = Head0, Guard = true ),
    clause_of(Head, Line, State, Caller),
    body((Guard, Body), Caller, Line, State).
note(Head, Line, State) :-
    clause_of(Head, Line, State, _).

clause_of(Head0, Line, State, Caller) :-
    own(Head0, State, Head),
    callable(Head),
    Caller = Head,
    define(State, Head, local(Line)).

% The module of the text itself is left out.
own(Term, state(Path, _, _), Plain) :-
    (   nonvar(Term),
        Term = Module:Inner,
        module_of(Path, Module)
    ->  Plain = Inner
    ;   Plain = Term
    ).

define(state(Path, _, _), Head0, How) :-
    most_general_goal(Head0, Head),
    functor(How, Kind, 1),
    functor(Known, Kind, 1),
    (   defined(Path, Head, Known)
    ->  true
    ;   assertz(defined(Path, Head, How))
    ).

body(Body, Caller, Line, State) :-
    State = state(Path, _, Conditions),
    open_condition(Conditions, Condition),
    general_caller(Caller, By),
    forall(( called_goal(Body, State, Callee0),
             own(Callee0, State, Callee1),
             noted_callee(Callee1),
             most_general_goal(Callee1, Callee) ),
           (   \+ \+ ( called(Path, Known, By, Condition, Line), Known =@= Callee )
           ->  true
           ;   assertz(called(Path, Callee, By, Condition, Line))
           )).

% A goal of a body, also in arguments of the meta-predicates that the text declares.
called_goal(Body, State, Callee) :-
    body_term_calls(user:Body, Goal),
    nonvar(Goal),
    (   Callee = Goal
    ;   State = state(Path, _, _),
        callable(Goal),
        xref_meta(Path, Goal, Called),
        member(Argument, Called),
        extended(Argument, Inner),
        called_goal(Inner, State, Callee)
    ).

extended(Argument, _) :- var(Argument), !, fail.
extended(Goal0+N, Goal) :-
    !,
    callable(Goal0),
    length(More, N),
    extend_goal(Goal0, More, Goal).
extended(//(Body0), Goal) :- !, extended(Body0+2, Goal).
extended(_^Goal0, Goal) :- !, extended(Goal0, Goal).
extended(Goal, Goal).

noted_callee(_:Goal) :- !, callable(Goal).
noted_callee(Goal) :- callable(Goal), \+ is_control_goal(Goal), Goal \== !.

general_caller(Caller, By) :-
    (   Caller = '<directive>'(_)
    ->  By = Caller
    ;   most_general_goal(Caller, By)
    ).

open_condition([], true).
open_condition([Condition|_], Condition).

directive(Directive, _, _) :-
    var(Directive),
    !.
directive((A, B), Line, State) :-
    !,
    directive(A, Line, State),
    directive(B, Line, State).
directive(if(Condition), _, State) :- !,
    arg(3, State, Outer),
    nb_setarg(3, State, [Condition|Outer]).
directive(else, _, State) :- !,
    arg(3, State, [Condition|Outer]),
    nb_setarg(3, State, [\+ Condition|Outer]).
directive(elif(Condition), _, State) :- !,
    arg(3, State, [_|Outer]),
    nb_setarg(3, State, [Condition|Outer]).
directive(endif, _, State) :- !,
    arg(3, State, [_|Outer]),
    nb_setarg(3, State, Outer).
directive(Directive, Line, State) :-
    (   declaration(Directive, Line, State)
    ->  true
    ;   body(Directive, '<directive>'(Line), Line, State)
    ).

declaration(module(Module, Exports), _, state(Path, Scratch, _)) :-
    ( atom(Module) -> assertz(module_of(Path, Module)) ; true ),
    forall(member(Export, Exports), export(Export, Path, Scratch)).
declaration(op(Priority, Type, Names), _, state(Path, Scratch, _)) :-
    declare_op(op(Priority, Type, Names), Path, Scratch).
declaration(use_module(Spec), _, State) :- load(Spec, all, State).
declaration(use_module(Spec, Imports), _, State) :- load(Spec, Imports, State).
declaration(autoload(Spec), _, State) :- load(Spec, all, State).
declaration(autoload(Spec, Imports), _, State) :- load(Spec, Imports, State).
declaration(reexport(Spec), _, State) :- load(Spec, all, State).
declaration(reexport(Spec, Imports), _, State) :- load(Spec, Imports, State).
declaration(ensure_loaded(Spec), _, State) :- load(Spec, all, State).
declaration(consult(Spec), _, State) :- load(Spec, all, State).
declaration([Spec|Specs], _, State) :- load([Spec|Specs], all, State).
declaration(include(Spec), _, State) :- load(Spec, none, State).
declaration(dynamic(Specs), Line, State) :- declare(Specs, dynamic(Line), State).
declaration(table(_), _, _).
declaration(thread_local(Specs), Line, State) :- declare(Specs, thread_local(Line), State).
declaration(multifile(Specs), Line, State) :- declare(Specs, multifile(Line), State).
declaration(public(Specs), Line, State) :- declare(Specs, public(Line), State).
declaration(discontiguous(_), _, _).
declaration(meta_predicate(Heads), _, state(Path, _, _)) :-
    forall(listed(Heads, Head), assertz(meta(Path, Head))).
declaration(set_prolog_flag(Flag, Value), Line, state(Path, _, _)) :-
    assertz(flag(Path, Flag, Value, Line)).
declaration(initialization(Goal), Line, State) :- body(Goal, '<directive>'(Line), Line, State).
declaration(initialization(Goal, _), Line, State) :- body(Goal, '<directive>'(Line), Line, State).

export(op(Priority, Type, Names), Path, Scratch) :-
    !,
    declare_op(op(Priority, Type, Names), Path, Scratch).
export(Indicator, Path, _) :-
    pi_head(Indicator, Head),
    assertz(exported(Path, Head)).

declare_op(op(Priority, Type, Names), Path, Scratch) :-
    forall(listed(Names, Name0),
           ( strip_module(Name0, _, Name),
             op(Priority, Type, Scratch:Name),
             assertz(operator(Path, op(Priority, Type, Name))) )).

declare(Specs0, How, State) :-
    ( Specs0 = (Specs as _) -> true ; Specs = Specs0 ),
    forall(listed(Specs, Spec0),
           ( own(Spec0, State, Spec),
             ( pi_head(Spec, Head) -> define(State, Head, How) ; true ) )).

% The parts of a conjunction or a list.
listed(Terms, _) :- var(Terms), !, fail.
listed((A, B), Term) :- !, ( listed(A, Term) ; listed(B, Term) ).
listed([], _) :- !, fail.
listed([A|B], Term) :- !, ( listed(A, Term) ; listed(B, Term) ).
listed(Term, Term).

load(Specs, Imports, State) :-
    State = state(Path, _, _),
    forall(listed(Specs, Spec),
           ( ( xref_source_file(Spec, File, Path) -> true ; File = '<not_found>' ),
             assertz(uses_file(Path, Spec, File)),
             ignore(import(Imports, Spec, File, State)) )).

import(none, _, _, _) :- !.
import(Imports, Spec, File, State) :-
    ( File == '<not_found>' -> From = Spec ; From = File ),
    forall(imported(Imports, Spec, State, Indicator),
           ( pi_head(Indicator, Head), define(State, Head, imported(From)) )).

imported(Imports, _, _, Indicator) :-
    is_list(Imports),
    !,
    member(Import, Imports),
    import_name(Import, Indicator).
imported(all, Spec, State, Indicator) :-
    exports_of(Spec, State, Exports),
    member(Indicator, Exports).
imported(except(Except), Spec, State, Indicator) :-
    exports_of(Spec, State, Exports),
    member(Indicator, Exports),
    \+ memberchk(Indicator, Except).

import_name(Name0/Arity as Name, Name/Arity) :- !, atom(Name0).
import_name(Name/Arity, Name/Arity).
import_name(Name//Arity, Name//Arity).

exports_of(Spec, state(Path, Scratch, _), Exports) :-
    xref_public_list(Spec, Path, [path(File), exports(Exports0)]),
    ( exists_file(File) -> true ; Scratch:use_module(Spec) ), % for its operators
    exclude([Export]>>( nonvar(Export), Export = op(_, _, _) ), Exports0, Exports).

% xref_public_list(+Spec, -Path, -Exports, +Source): the older form of xref_public_list/3.
xref_public_list(Spec, Path, Exports, Source) :-
    xref_public_list(Spec, Source, [path(Path), exports(Exports)]).

% xref_public_list(+Spec, -Path, -Module, -Exports, -Meta, +Source): the older form of xref_public_list/3.
xref_public_list(Spec, Path, Module, Exports, Meta, Source) :-
    xref_public_list(Spec, Source, [path(Path), module(Module), exports(Exports), meta(Meta)]).

% xref_public_list(+Spec, -Path, -Module, -Exports, -Public, -Meta, +Source): the older form of xref_public_list/3.
xref_public_list(Spec, Path, Module, Exports, Public, Meta, Source) :-
    xref_public_list(Spec, Source, [path(Path), module(Module), exports(Exports), public(Public), meta(Meta)]).

% Predicates of module system on modules, source files, and how often goals may succeed.
:- module(system, [
    (@)/2,
    set_module/1,
    import/1,
    module/1,
    import_module/2,
    default_module/2,
    add_import_module/3,
    delete_import_module/2,
    in_temporary_module/3,
    module_property/2,
    source_file/1,
    source_file/2,
    source_file_property/2,
    current_functor/2,
    current_atom/1,
    ($)/0,
    ($)/1,
    prolog_file_type/2
]).

:- meta_predicate
    @(0, +),
    set_module(:),
    in_temporary_module(?, 0, 0),
    source_file(:, ?),
    $(0).

:- module_transparent import/1.

% import(+Indicators): makes predicates of other modules, as in lists:append/3, visible in the module.
import(Specs) :- context_module(Module), '$import'(Specs, Module).

% @(:Goal, +Module): calls Goal with Module as the module of its meta-arguments.
@(Goal, Module) :-
    (   atom(Module)
    ->  true
    ;   nonvar(Module)
    ->  throw(error(type_error(module, Module), _))
    ;   throw(error(instantiation_error, _))
    ),
    '$strip_module'(Goal, Definition, Plain),
    '$at'(Plain, Definition, Module).

'$at'(Goal, _, _) :- var(Goal), !, throw(error(instantiation_error, _)).
'$at'((A, B), Definition, Module) :- !, @(Definition:A, Module), @(Definition:B, Module).
'$at'((A ; B), Definition, Module) :-
    !,
    (   A = (If -> Then)
    ->  (   @(Definition:If, Module)
        ->  @(Definition:Then, Module)
        ;   @(Definition:B, Module)
        )
    ;   A = (If *-> Then)
    ->  (   @(Definition:If, Module)
        *-> @(Definition:Then, Module)
        ;   @(Definition:B, Module)
        )
    ;   (   @(Definition:A, Module)
        ;   @(Definition:B, Module)
        )
    ).
'$at'((A *-> B), Definition, Module) :- !, @(Definition:A, Module), @(Definition:B, Module).
'$at'(@(Goal, Inner), Definition, _) :- !, @(Definition:Goal, Inner).
'$at'(\+ A, Definition, Module) :- !, \+ @(Definition:A, Module).
'$at'((A -> B), Definition, Module) :- !, ( @(Definition:A, Module) -> @(Definition:B, Module) ).
'$at'(Goal, Definition, Module) :-
    '$context_goal'(Definition:Goal, Module, Out),
    call(Out).

'$must_be_module'(Module) :-
    (   var(Module)
    ->  throw(error(instantiation_error, _))
    ;   atom(Module)
    ->  true
    ;   throw(error(type_error(atom, Module), _))
    ).

% set_module(:Property): changes a module: base(Base) makes Base the one module whose predicates it sees; class(Class)
% has no effect.
set_module(Spec) :-
    '$strip_module'(Spec, Module, Property),
    (   var(Property)
    ->  throw(error(instantiation_error, _))
    ;   Property = base(Base)
    ->  '$must_be_module'(Base),
        '$set_import_modules'(Module, [Base])
    ;   Property = class(Class)
    ->  (   '$memberchk_pi'(Class, [user, system, library, test, development, temporary])
        ->  true
        ;   throw(error(domain_error(module_class, Class), _))
        )
    ;   Property = program_space(Size)
    ->  (   integer(Size)
        ->  true
        ;   throw(error(type_error(integer, Size), _))
        )
    ;   throw(error(domain_error(module_property, Property), _))
    ).

% module(+Module): makes Module the module in which text is read and clauses are added.
module(Module) :-
    '$must_be_module'(Module),
    '$set_source_module'(_, Module).

% import_module(+Module, ?Import): the predicates of Import are visible in Module.
import_module(Module, Import) :-
    (   var(Module)
    ->  current_module(Module)
    ;   '$must_be_module'(Module)
    ),
    '$import_modules'(Module, Imports),
    '$member'(Import, Imports).

% add_import_module(+Module, +Import, +Where): makes the predicates of Import visible in Module, before those of others (start) or
% after them (end).
add_import_module(Module, Import, Where) :-
    '$must_be_module'(Module),
    '$must_be_module'(Import),
    '$import_modules'(Module, Imports0),
    (   '$memberchk_pi'(Import, Imports0)
    ->  true
    ;   Where == start
    ->  '$set_import_modules'(Module, [Import|Imports0])
    ;   var(Where)
    ->  throw(error(instantiation_error, _))
    ;   atom(Where)
    ->  '$with_last'(Imports0, Import, Imports),
        '$set_import_modules'(Module, Imports)
    ;   throw(error(type_error(atom, Where), _))
    ).

'$with_last'([], Last, [Last]).
'$with_last'([X|Xs], Last, [X|Ys]) :- '$with_last'(Xs, Last, Ys).

% delete_import_module(+Module, +Import): the predicates of Import are no longer visible in Module.
delete_import_module(Module, Import) :-
    '$must_be_module'(Module),
    '$must_be_module'(Import),
    '$import_modules'(Module, Imports0),
    '$without'(Imports0, Import, Imports),
    '$set_import_modules'(Module, Imports).

'$without'([X|Xs], Y, Rest) :-
    (   X == Y
    ->  Rest = Xs
    ;   Rest = [X|Rest1],
        '$without'(Xs, Y, Rest1)
    ).

% in_temporary_module(?Module, :Setup, :Goal): calls Setup and Goal, once each, with Module as the module into which
% text is loaded and as that of their meta-arguments; without a name Module is a new module.
in_temporary_module(Module, Setup, Goal) :-
    (   var(Module)
    ->  '$unique_number'(Number),
        atom_concat('$temporary ', Number, Module)
    ;   '$must_be_module'(Module)
    ),
    '$set_source_module'(Old, Old),
    setup_call_cleanup('$set_source_module'(_, Module),
                       ( @(Setup, Module) -> true ; fail ),
                       '$set_source_module'(_, Old)),
    setup_call_cleanup('$set_source_module'(_, Module),
                       ( @(Goal, Module) -> true ; fail ),
                       '$set_source_module'(_, Old)).

% module_property(?Module, ?Property): Property is class(Class), file(File), exports(Indicators) or exported_operators(Operators).
module_property(Module, Property) :-
    (   var(Module)
    ->  current_module(Module)
    ;   atom(Module)
    ),
    '$module_info'(Module, Properties),
    '$member'(Property, Properties).

% source_file(?File): File is a loaded file of the program.
source_file(File) :-
    '$sources'(Sources),
    (   atom(File)
    ->  '$memberchk_source'(File, Sources)
    ;   '$member'(source(File, _, _, _), Sources)
    ).

'$memberchk_source'(File, [source(File0, _, _, _)|Sources]) :-
    (   File == File0
    ->  true
    ;   '$memberchk_source'(File, Sources)
    ).

% source_file(:Head, ?File): the predicate of Head was loaded from File.
source_file(Spec, File) :-
    '$strip_module'(Spec, Module, Head),
    (   var(Head)
    ->  '$sources'(Sources),
        '$member'(source(File, In, _, _), Sources),
        ( In == user -> Module = user ; true ),
        predicate_property(In:Head, file(File)),
        \+ predicate_property(In:Head, imported_from(_))
    ;   predicate_property(Module:Head, file(File))
    ).

% source_file_property(?File, ?Property): Property is module(Module), source(file), load_context(Module, From, Options) or
% number_of_clauses(Count).
source_file_property(File, Property) :-
    '$sources'(Sources),
    '$member'(source(File, Module, From, Line), Sources),
    '$source_property'(Property, File, Module, From, Line).

'$source_property'(module(Module), _, Module, _, _) :- Module \== user.
'$source_property'(source(file), _, _, _, _).
'$source_property'(load_context(user, user, []), _, _, [], _).
'$source_property'(load_context(user, From:Line, []), _, _, From, Line) :- From \== [].
'$source_property'(number_of_clauses(Count), File, Module, _, _) :-
    findall(N, ( predicate_property(Module:Head, file(File)),
                 \+ predicate_property(Module:Head, imported_from(_)),
                 predicate_property(Module:Head, number_of_clauses(N)) ), Ns),
    '$sum'(Ns, 0, Count).

'$sum'([], Sum, Sum).
'$sum'([N|Ns], Sum0, Sum) :- Sum1 is Sum0 + N, '$sum'(Ns, Sum1, Sum).

% current_functor(?Name, ?Arity): there is a functor Name/Arity; enumeration gives only functors of predicates.
current_functor(Name, Arity) :-
    (   atom(Name),
        integer(Arity)
    ->  Arity >= 0
    ;   '$functors'(List),
        '$member'(Name/Arity, List)
    ).

% current_atom(?Atom): Atom is an atom; enumeration gives only names of predicates.
current_atom(Atom) :-
    (   atom(Atom)
    ->  true
    ;   var(Atom),
        '$functors'(List),
        findall(Name, '$member'(Name/_, List), Names0),
        sort(Names0, Names),
        '$member'(Atom, Names)
    ).

% $: commits to the clause; the following goals must succeed and leave no choice point.
$ .

% $(:Goal): calls Goal, which must succeed and leave no choice point; otherwise it is a determinism_error. A goal that
% is known when the clause is compiled is compiled in the same way.
$(Goal) :-
    (   '$choice_point'(Before),
        call(Goal),
        '$choice_point'(After),
        (   Before == After
        ->  true
        ;   '$not_det'(Before, Goal, nondet)
        )
    ->  true
    ;   '$not_det'(0, Goal, fail)
    ).

% '$det_goal'(:Goal, +Watched): calls Goal. The machine watches the call, as it watches those of predicates declared det. A second
% answer, or none, is an error of Watched, guard(Indicator).
:- det('$det_goal'/2).
'$det_goal'(Goal, _) :- call(Goal).

% default_module(+Module, -Default): Default is Module or a module from which it inherits, in the order of the search.
default_module(Module, Default) :-
    (   Default = Module
    ;   import_module(Module, Parent),
        default_module(Parent, Default)
    ).

% Hooks that a program may define. They exist in advance, so a program may call them, or add clauses to them, without
% a declaration.
:- multifile
    user:term_expansion/2,
    user:term_expansion/4,
    user:goal_expansion/2,
    user:goal_expansion/4,
    user:exception/3,
    user:expand_answer/2,
    user:expand_query/4,
    user:file_search_path/2,
    user:library_directory/1,
    user:portray/1,
    user:prolog_list_goal/1,
    user:prolog_load_file/2,
    user:resource/2,
    user:resource/3,
    user:thread_message_hook/3,
    system:term_expansion/2,
    system:term_expansion/4,
    system:goal_expansion/2,
    system:goal_expansion/4,
    prolog:comment_hook/3,
    prolog:deprecated//1,
    prolog:called_by/2,
    prolog:called_by/4.

:- dynamic
    user:term_expansion/2,
    user:term_expansion/4,
    user:goal_expansion/2,
    user:goal_expansion/4,
    user:exception/3,
    user:expand_answer/2,
    user:expand_query/4,
    user:file_search_path/2,
    user:library_directory/1,
    user:portray/1,
    user:prolog_list_goal/1,
    user:prolog_load_file/2,
    user:resource/2,
    user:resource/3,
    user:thread_message_hook/3,
    system:term_expansion/2,
    system:term_expansion/4,
    system:goal_expansion/2,
    system:goal_expansion/4,
    prolog:comment_hook/3,
    prolog:deprecated//1,
    prolog:called_by/2,
    prolog:called_by/4.

% prolog_file_type(?Extension, ?Type): files with this extension are of a type; a program may define its own.
prolog_file_type(pl, prolog).
prolog_file_type(prolog, prolog).
prolog_file_type(qlf, prolog).
prolog_file_type(qlf, qlf).
prolog_file_type(so, executable).

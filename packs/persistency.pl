% Facts that are kept in a file of changes. Of a served knowledge base the directive persistent p/1 keeps them in its store instead.
:- module(persistency, [
    persistent/1,
    current_persistent_predicate/1,
    db_attach/2,
    db_detach/0,
    db_attached/1,
    db_sync/1,
    db_sync_all/1,
    op(1150, fx, persistent)
]).

:- meta_predicate
    persistent(:),
    current_persistent_predicate(:),
    db_attach(:, +),
    db_sync(:).

:- multifile
    declared/3.

:- dynamic
    declared/3,
    attached/2.

% persistent(:Declarations): a directive: heads Name(Argument:Type, ...), for which assert_Name, asserta_Name, retract_Name and retractall_Name are defined.
persistent(Spec) :-
    throw(error(context_error(nodirective, persistent(Spec)), _)).

expanded(Specs, Clauses) :-
    nonvar(Specs),
    comma_list(Specs, List),
    \+ ( member(Spec, List), ( var(Spec) ; Spec = _/_ ) ),
    prolog_load_context(module, Module),
    maplist(declaration(Module), List, Lists),
    append(Lists, Clauses).

declaration(Module, Spec, [(:- dynamic(Name/Arity)), persistency:declared(Module, General, Types)|Clauses]) :-
    must_be(callable, Spec),
    functor(Spec, Name, Arity),
    functor(General, Name, Arity),
    Spec =.. [_|Fields],
    maplist(field_type, Fields, Types),
    findall(Clause, change_clause(Name, Arity, Module, Clause), Clauses).

field_type(Field, Type) :-
    ( nonvar(Field), Field = _:Type0 -> Type = Type0 ; Type = any ).

change_clause(Name, Arity, Module, (Head :- persistency:change(Kind, Module, Fact))) :-
    member(Kind-Prefix, [assert-assert_, asserta-asserta_, retract-retract_, retractall-retractall_]),
    functor(Fact, Name, Arity),
    Fact =.. [_|Arguments],
    atom_concat(Prefix, Name, Functor),
    Head =.. [Functor|Arguments].

% change(+Kind, +Module, +Fact): changes the facts, and notes in the file what was changed.
change(assert, Module, Fact) :-
    checked(Module, Fact),
    assertz(Module:Fact),
    noted(Module, assert(Fact)).
change(asserta, Module, Fact) :-
    checked(Module, Fact),
    asserta(Module:Fact),
    noted(Module, asserta(Fact)).
change(retract, Module, Fact) :-
    retract(Module:Fact),
    noted(Module, retract(Fact, 1)).
change(retractall, Module, Fact) :-
    aggregate_all(count, ( catch(clause(Module:Fact, true), _, fail) ), Count),
    retractall(Module:Fact),
    (   Count > 0
    ->  noted(Module, retractall(Fact, Count))
    ;   true
    ).

checked(Module, Fact) :-
    declared(Module, Fact, Types),
    !,
    Fact =.. [_|Arguments],
    maplist(checked_argument, Types, Arguments).

checked_argument(any, Argument) :-
    !,
    must_be(nonvar, Argument).
checked_argument(Type, Argument) :-
    must_be(Type, Argument).

noted(Module, Change) :-
    (   attached(Module, File)
    ->  setup_call_cleanup(
            open(File, append, Stream),
            format(Stream, '~q.~n', [Change]),
            close(Stream))
    ;   true
    ).

% current_persistent_predicate(:Indicator): Indicator is that of a predicate declared by persistent/1.
current_persistent_predicate(Spec) :-
    '$strip_module'(Spec, Module, Name/Arity),
    declared(Module, General, _),
    functor(General, Name, Arity).

% db_attach(:File, +Options): takes the facts from a file of changes, if it exists, and notes further changes there; sync(When) is passed over, as each change is written at once.
db_attach(File0, Options) :-
    '$strip_module'(File0, Module, File),
    must_be(atom, File),
    must_be(list, Options),
    (   attached(Module, Other),
        Other \== File
    ->  permission_error(attach, db, File)
    ;   true
    ),
    retractall(attached(Module, _)),
    forall(declared(Module, General, _), retractall(Module:General)),
    (   exists_file(File)
    ->  read_file_to_terms(File, Changes, []),
        maplist(replayed(Module), Changes)
    ;   get_time(Now),
        setup_call_cleanup(
            open(File, write, Stream),
            format(Stream, '~q.~n', [created(Now)]),
            close(Stream))
    ),
    assertz(attached(Module, File)).

replayed(Module, Change) :-
    (   Change = created(_)
    ->  true
    ;   Change =.. [Kind, Fact|_],
        memberchk(Kind, [assert, asserta, retract, retractall]),
        declared(Module, Fact, _)
    ->  replay(Kind, Module, Fact)
    ;   domain_error(change_of_persistent_predicate, Change)
    ).

replay(assert, Module, Fact) :- assertz(Module:Fact).
replay(asserta, Module, Fact) :- asserta(Module:Fact).
replay(retract, Module, Fact) :- ignore(retract(Module:Fact)).
replay(retractall, Module, Fact) :- retractall(Module:Fact).

% db_detach: notes no further changes.
db_detach :-
    (   attached(user, _)
    ->  retractall(attached(user, _))
    ;   retractall(attached(_, _))
    ).

% db_attached(?File): File is the one in which changes are noted.
db_attached(File) :-
    attached(_, File).

% db_sync(:What): with gc(_) or gc writes the file anew, with the facts that there are; with reload takes the facts from the file; else does nothing.
db_sync(What0) :-
    '$strip_module'(What0, Module, What),
    must_be(nonvar, What),
    (   attached(Module, File)
    ->  synchronized(What, Module, File)
    ;   true
    ).

synchronized(What, Module, File) :-
    (   ( What == gc ; What = gc(_) )
    ->  get_time(Now),
        setup_call_cleanup(
            open(File, write, Stream),
            ( format(Stream, '~q.~n', [created(Now)]),
              forall(( declared(Module, Fact, _), Module:Fact ), format(Stream, '~q.~n', [assert(Fact)]))
            ),
            close(Stream))
    ;   ( What == reload ; What == update )
    ->  db_attach(Module:File, [])
    ;   true
    ).

% db_sync_all(+What): db_sync/1 for all modules.
db_sync_all(What) :-
    forall(attached(Module, _), db_sync(Module:What)).

% Goals that others may send to a program. Goals here see no more of the machine than the run was given; these also do not end it,
% open its files or change the program.
:- module(sandbox, [
    safe_goal/1,
    safe_call/1
]).

:- meta_predicate
    safe_goal(:),
    safe_call(0).

:- multifile
    safe_primitive/1,
    safe_meta/2.

:- dynamic
    safe_primitive/1,
    safe_meta/2.

% safe_call(:Goal): calls Goal once safe_goal/1 has found nothing wrong with it.
safe_call(Goal) :-
    safe_goal(Goal),
    call(Goal).

% safe_goal(:Goal): throws permission_error(call, sandboxed, Goal) if Goal or what it calls may open files, end the run or change the program or what others see of it.
safe_goal(Goal0) :-
    '$strip_module'(Goal0, Module, Goal),
    empty_nb_set(Seen),
    safe(Goal, Module, Seen).

safe(Goal, _, _) :-
    var(Goal),
    !,
    instantiation_error(Goal).
safe(Module:Goal, _, Seen) :-
    !,
    must_be(atom, Module),
    safe(Goal, Module, Seen).
safe(Called, Module, Seen) :-
    must_be(callable, Called),
    '$plain_goal'(Called, Goal),
    (   safe_primitive(Goal)
    ->  true
    ;   safe_primitive(Module:Goal)
    ->  true
    ;   ( control(Goal, Goals) ; safe_meta(Goal, Goals) )
    ->  safe_list(Goals, Module, Seen)
    ;   unsafe(Goal)
    ->  functor(Goal, Name, Arity),
        functor(General, Name, Arity),
        permission_error(call, sandboxed, General)
    ;   changes_database(Goal, Clause)
    ->  own_clause(Clause, Goal, Module)
    ;   predicate_property(Module:Goal, meta_predicate(Spec))
    ->  Spec =.. [_|Marks],
        Goal =.. [_|Arguments],
        safe_arguments(Marks, Arguments, Module, Seen)
    ;   predicate_property(Module:Goal, built_in)
    ->  true
    ;   predicate_property(Module:Goal, imported_from(Library)),
        module_property(Library, class(library))
    ->  true
    ;   predicate_property(Module:Goal, defined)
    ->  safe_clauses(Goal, Module, Seen)
    ;   functor(Goal, Name, Arity),
        existence_error(procedure, Module:Name/Arity)
    ).

control((A, B), [A, B]).
control((A ; B), [A, B]).
control((A -> B), [A, B]).
control((A *-> B), [A, B]).
control(\+ A, [A]).
control(!, []).
control(@(A, Module), [Module:A]).
control(apply(A, Extra), [Goal]) :-
    callable(A),
    is_list(Extra),
    '$add_arguments'(A, Extra, Goal).

safe_list([], _, _).
safe_list([Goal|Goals], Module, Seen) :-
    safe(Goal, Module, Seen),
    safe_list(Goals, Module, Seen).

safe_arguments([], [], _, _).
safe_arguments([Mark|Marks], [Argument|Arguments], Module, Seen) :-
    (   integer(Mark)
    ->  extended(Mark, Argument, Goal),
        safe(Goal, Module, Seen)
    ;   Mark == (^)
    ->  without_quantifiers(Argument, Goal),
        safe(Goal, Module, Seen)
    ;   Mark == (//)
    ->  (   ( is_list(Argument) ; string(Argument) )
        ->  true
        ;   extended(2, Argument, Goal),
            safe(Goal, Module, Seen)
        )
    ;   true
    ),
    safe_arguments(Marks, Arguments, Module, Seen).

extended(Count, Closure, Goal) :-
    (   var(Closure)
    ->  instantiation_error(Closure)
    ;   Closure = Module:Plain
    ->  Goal = Module:Goal1,
        extended(Count, Plain, Goal1)
    ;   must_be(callable, Closure),
        length(Extra, Count),
        '$add_arguments'(Closure, Extra, Goal)
    ).

without_quantifiers(Goal, Goal) :-
    var(Goal),
    !.
without_quantifiers(_^Goal0, Goal) :-
    !,
    without_quantifiers(Goal0, Goal).
without_quantifiers(Goal, Goal).

% The clauses of a predicate are looked at once, whatever its arguments.
safe_clauses(Goal, Module, Seen) :-
    functor(Goal, Name, Arity),
    (   add_nb_set(Module:Name/Arity, Seen, true)
    ->  functor(Head, Name, Arity),
        forall(catch(clause(Module:Head, Body), _, fail), safe_body(Body, Module, Seen))
    ;   true
    ).

% The value that a variable in a clause will have is not known.
safe_body(Body, Module, Seen) :-
    (   catch(safe(Body, Module, Seen), error(instantiation_error, _), fail)
    ->  true
    ;   permission_error(call, sandboxed, Body)
    ).

changes_database(assert(Clause), Clause).
changes_database(asserta(Clause), Clause).
changes_database(assertz(Clause), Clause).
changes_database(retract(Clause), Clause).
changes_database(retractall(Clause), Clause).
changes_database(abolish(Clause), Clause).

own_clause(Clause, Goal, Module) :-
    (   nonvar(Clause),
        Clause = Other:_,
        Other \== Module
    ->  permission_error(call, sandboxed, Goal)
    ;   true
    ).

unsafe(Goal) :-
    functor(Goal, Name, Arity),
    unsafe_name(Name, Arities),
    ( Arities == any -> true ; memberchk(Arity, Arities) ).

unsafe_name(Name, any) :-
    memberchk(Name,
              [open, see, tell, consult, load_files, ensure_loaded, use_module, reexport, make, include, halt, shell,
               setenv, unsetenv, set_prolog_flag, create_prolog_flag, set_stream, close, set_input, set_output,
               delete_file, rename_file, make_directory, delete_directory, tmp_file, tmp_file_stream, copy_file,
               make_directory_path, delete_directory_and_contents, working_directory, chdir, cd,
               thread_send_message, add_import_module, delete_import_module, set_module,
               module, dynamic, abolish_all_tables, read_file_to_terms, read_file_to_string, read_file_to_codes,
               csv_read_file, csv_write_file, phrase_from_file, save_settings, load_settings, prolog_load_context,
               directory_files, db_attach, initialization]).
unsafe_name(append, [1]).
unsafe_name(assert, [2]).
unsafe_name(asserta, [2]).
unsafe_name(assertz, [2]).
unsafe_name(erase, [1]).

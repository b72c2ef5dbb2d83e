% Adapter of Logtalk (https://logtalk.org) for mcplogic: what the compiler and run-time of Logtalk ask of the Prolog
% below them. README.md beside this file says how to start it.

% The whole file is one module with the core of Logtalk: user. Which of these predicates are called depends on the
% version of Logtalk, so nobody calls some of them.

:- set_prolog_flag(double_quotes, codes).

:- multifile
    '$lgt_default_flag'/2,
    '$logtalk#0.print_message_token#4'/5.

:- dynamic
    '$logtalk#0.print_message_token#4'/5.

% Features and flags

'$lgt_prolog_feature'(prolog_dialect, mcplogic).
'$lgt_prolog_feature'(prolog_version, v(Major, Minor, Patch)) :-
    current_prolog_flag(mcplogic, mcplogic(Major, Minor, Patch, _)).
'$lgt_prolog_feature'(prolog_compatible_version, '@>='(v(0, 1, 0))).
'$lgt_prolog_feature'(prolog_conformance, lax).
'$lgt_prolog_feature'(encoding_directive, source).
'$lgt_prolog_feature'(tabling, supported).
'$lgt_prolog_feature'(engines, supported).
'$lgt_prolog_feature'(threads, supported).
'$lgt_prolog_feature'(modules, supported).
'$lgt_prolog_feature'(coinduction, supported).
'$lgt_prolog_feature'(unicode, full).

'$lgt_default_flag'(settings_file, allow).
% checks of the compiler
'$lgt_default_flag'(linter, default).
'$lgt_default_flag'(general, warning).
'$lgt_default_flag'(encodings, warning).
'$lgt_default_flag'(unknown_entities, warning).
'$lgt_default_flag'(unknown_predicates, warning).
'$lgt_default_flag'(undefined_predicates, warning).
'$lgt_default_flag'(singleton_variables, warning).
'$lgt_default_flag'(portability, silent).
'$lgt_default_flag'(redefined_built_ins, silent).
'$lgt_default_flag'(redefined_operators, warning).
'$lgt_default_flag'(deprecated, warning).
'$lgt_default_flag'(missing_directives, warning).
'$lgt_default_flag'(duplicated_directives, warning).
'$lgt_default_flag'(trivial_goal_fails, warning).
'$lgt_default_flag'(always_true_or_false_goals, warning).
'$lgt_default_flag'(lambda_variables, warning).
'$lgt_default_flag'(grammar_rules, warning).
'$lgt_default_flag'(arithmetic_expressions, warning).
'$lgt_default_flag'(suspicious_calls, warning).
'$lgt_default_flag'(underscore_variables, singletons).
'$lgt_default_flag'(steadfastness, silent).
'$lgt_default_flag'(naming, silent).
'$lgt_default_flag'(duplicated_clauses, silent).
'$lgt_default_flag'(left_recursion, warning).
'$lgt_default_flag'(tail_recursive, silent).
'$lgt_default_flag'(disjunctions, warning).
'$lgt_default_flag'(conditionals, warning).
'$lgt_default_flag'(catchall_catch, silent).
% optional features
'$lgt_default_flag'(complements, deny).
'$lgt_default_flag'(dynamic_declarations, deny).
'$lgt_default_flag'(events, deny).
'$lgt_default_flag'(context_switching_calls, allow).
% the rest
'$lgt_default_flag'(scratch_directory, './lgt_tmp/').
'$lgt_default_flag'(report, on).
'$lgt_default_flag'(clean, on).
'$lgt_default_flag'(code_prefix, '$').
'$lgt_default_flag'(optimize, off).
'$lgt_default_flag'(source_data, on).
'$lgt_default_flag'(reload, changed).
'$lgt_default_flag'(debug, off).
'$lgt_default_flag'(prolog_compiler, []).
'$lgt_default_flag'(prolog_loader, []).

% Predicates of Prolog

% All of the standard is built in.
'$lgt_iso_predicate'(_) :-
    fail.

'$lgt_predicate_property'(Predicate, Property) :-
    predicate_property(user:Predicate, Property).

'$lgt_prolog_predicate_property'(Property) :-
    callable(Property),
    functor(Property, Name, Arity),
    memberchk(Name/Arity,
              [defined/0, system/0, visible/0, exported/0, imported_from/1, file/1, line_count/1,
               number_of_clauses/1, number_of_rules/1, tabled/0, transparent/0]).

% The declarations of built-in predicates say which of their arguments are goals.
'$lgt_prolog_meta_predicate'('*->'(_, _), '*->'(0, 0), control_construct) :- !.
'$lgt_prolog_meta_predicate'(Predicate, Meta, predicate) :-
    nonvar(Predicate),
    predicate_property(user:Predicate, built_in),
    predicate_property(user:Predicate, meta_predicate(Spec)),
    Spec =.. [Name|Marks0],
    '$lgt_meta_marks'(Marks0, Marks, Goals),
    Goals == true,
    Meta =.. [Name|Marks].

'$lgt_meta_marks'([], [], _).
'$lgt_meta_marks'([Mark0|Marks0], [Mark|Marks], Goals) :-
    (   ( integer(Mark0) ; Mark0 == (^) )
    ->  Mark = Mark0,
        Goals = true
    ;   Mark0 == (//)
    ->  Mark = 2,
        Goals = true
    ;   Mark = (*)
    ),
    '$lgt_meta_marks'(Marks0, Marks, Goals).

'$lgt_prolog_meta_directive'(_, _) :-
    fail.

'$lgt_prolog_to_logtalk_meta_argument_specifier_hook'(//, 2).
'$lgt_prolog_to_logtalk_meta_argument_specifier_hook'(:, ::).
'$lgt_prolog_to_logtalk_meta_argument_specifier_hook'(?, *).
'$lgt_prolog_to_logtalk_meta_argument_specifier_hook'(+, *).
'$lgt_prolog_to_logtalk_meta_argument_specifier_hook'(-, *).

% Goals without effects, which the compiler may try when they are ground.
'$lgt_candidate_tautology_or_falsehood_goal_hook'(Goal) :-
    callable(Goal),
    functor(Goal, Name, Arity),
    memberchk(Name/Arity, [atom_number/2, is_list/1, is_assoc/1, string/1, succ/2, plus/3, (=@=)/2, (\=@=)/2, (?=)/2,
                           term_hash/2, variant_sha1/2]).

'$lgt_prolog_database_predicate'(assert(_)).
'$lgt_prolog_database_predicate'(assert(_, _)).
'$lgt_prolog_database_predicate'(asserta(_, _)).
'$lgt_prolog_database_predicate'(assertz(_, _)).
'$lgt_prolog_database_predicate'(clause(_, _, _)).

'$lgt_prolog_deprecated_built_in_predicate_hook'(_, _) :-
    fail.

'$lgt_prolog_deprecated_built_in_predicate_hook'(_) :-
    fail.

'$lgt_prolog_term_expansion'(_, _) :-
    fail.

'$lgt_prolog_goal_expansion'(_, _) :-
    fail.

'$lgt_user_module_qualification'(Goal, user:Goal).

'$lgt_copy_term_without_constraints'(Term, Copy) :-
    copy_term(Term, Copy, _).

% An unknown procedure is named without its module.
'$lgt_normalize_error_term'(error(existence_error(procedure, _:Indicator), Context),
                            error(existence_error(procedure, Indicator), Context)) :-
    !.
'$lgt_normalize_error_term'(Error, Error).

'$lgt_string'(Term) :-
    string(Term).

'$lgt_string_codes'(String, Codes) :-
    string_codes(String, Codes).

'$lgt_format'(Stream, Format, Arguments) :-
    format(Stream, Format, Arguments).

'$lgt_format'(Format, Arguments) :-
    format(Format, Arguments).

% Files and folders

'$lgt_file_extension'(logtalk, '.lgt').
'$lgt_file_extension'(logtalk, '.logtalk').
'$lgt_file_extension'(object, '.pl').
'$lgt_file_extension'(prolog, '.pl').
'$lgt_file_extension'(prolog, '.prolog').

'$lgt_prolog_os_file_name'(Path, Path).

% $NAME at the beginning of a segment is a variable of the environment, and ~ the home folder.
'$lgt_expand_path'(Path, Expanded) :-
    atomic_list_concat(Segments0, /, Path),
    '$lgt_expand_segments'(Segments0, Segments),
    atomic_list_concat(Segments, /, Plain),
    absolute_file_name(Plain, Expanded).

'$lgt_expand_segments'([], []).
'$lgt_expand_segments'([Segment0|Segments0], [Segment|Segments]) :-
    (   ( sub_atom(Segment0, 0, 1, _, $) -> sub_atom(Segment0, 1, _, 0, Name) ; Segment0 == (~), Name = 'HOME' ),
        getenv(Name, Value)
    ->  '$lgt_without_slash'(Value, Segment)
    ;   Segment = Segment0
    ),
    '$lgt_expand_segments'(Segments0, Segments).

'$lgt_without_slash'(Path0, Path) :-
    (   atom_concat(Path1, /, Path0)
    ->  Path = Path1
    ;   Path = Path0
    ).

'$lgt_file_exists'(File) :-
    exists_file(File).

'$lgt_delete_file'(File) :-
    delete_file(File).

'$lgt_directory_exists'(Directory) :-
    exists_directory(Directory).

'$lgt_current_directory'(Directory) :-
    working_directory(Directory, Directory).

'$lgt_change_directory'(Directory) :-
    working_directory(_, Directory).

'$lgt_make_directory'(Directory) :-
    (   exists_directory(Directory)
    ->  true
    ;   make_directory(Directory)
    ).

'$lgt_directory_hash_as_atom'(Directory, Hash) :-
    term_hash(Directory, Number),
    format(atom(Hash), '_~16r', [Number]).

'$lgt_directory_hashes'(Directory, Hash, Hash) :-
    '$lgt_directory_hash_as_atom'(Directory, Hash).

% The directory ends in a slash; the extension begins with its dot.
'$lgt_decompose_file_name'(File, Directory, Name, Extension) :-
    '$lgt_decompose_file_name'(File, Directory, Base),
    file_name_extension(Name, Extension0, Base),
    (   Extension0 == ''
    ->  Extension = ''
    ;   atom_concat('.', Extension0, Extension)
    ).

'$lgt_decompose_file_name'(File, Directory, Base) :-
    (   sub_atom(File, Before, 1, After, /),
        \+ ( sub_atom(File, _, After, 0, Rest), sub_atom(Rest, _, 1, _, /) )
    ->  Length is Before + 1,
        sub_atom(File, 0, Length, _, Directory),
        sub_atom(File, _, After, 0, Base)
    ;   Directory = './',
        Base = File
    ).

'$lgt_file_modification_time'(File, Time) :-
    time_file(File, Time).

'$lgt_environment_variable'(Variable, Value) :-
    getenv(Variable, Value).

'$lgt_startup_directory'(Directory) :-
    (   getenv('LOGTALK_STARTUP_DIRECTORY', Directory)
    ->  true
    ;   working_directory(Directory, Directory)
    ).

'$lgt_user_directory'(Directory) :-
    getenv('LOGTALKUSER', Directory).

'$lgt_home_directory'(Directory) :-
    getenv('LOGTALKHOME', Directory).

% Compiled files are loaded from their text; there is no other form.
'$lgt_compile_prolog_code'(_, _, _).

'$lgt_load_prolog_code'(File, _, Options) :-
    load_files(user:File, [if(true)|Options]).

% Streams

'$lgt_open'(File, Mode, Stream, Options) :-
    open(File, Mode, Stream, Options).

'$lgt_close'(Stream) :-
    close(Stream).

'$lgt_stream_current_line_number'(Stream, Line) :-
    line_count(Stream, Line).

'$lgt_read_term'(Stream, Term, Options, First-Last, Variables) :-
    read_term(Stream, Term, [term_position(Position), variable_names(Variables)|Options]),
    stream_position_data(line_count, Position, First),
    line_count(Stream, Last).

% Texts are UTF-8 throughout.
'$lgt_logtalk_prolog_encoding'('UTF-8', utf8).

'$lgt_logtalk_prolog_encoding'('UTF-8', utf8, _).

'$lgt_write_compiled_term'(Stream, Term, _, _, _) :-
    write_canonical(Stream, Term),
    write(Stream, '.\n').

'$lgt_assertz_entity_clause'(Clause, _) :-
    assertz(Clause).

% Short forms for the prompt: {File}, {File1, File2}, and {*} and kin for logtalk_make/1.

{Spec} :-
    '$lgt_short_form'(Spec).

'$lgt_short_form'(Spec) :-
    var(Spec),
    !,
    throw(error(instantiation_error, '$lgt_short_form'/1)).
'$lgt_short_form'(Spec) :-
    '$lgt_make_target'(Spec, Target),
    !,
    logtalk_make(Target).
'$lgt_short_form'((File, Files)) :-
    !,
    logtalk_load(File),
    '$lgt_short_form'(Files).
'$lgt_short_form'(File) :-
    logtalk_load(File).

'$lgt_make_target'(*, all).
'$lgt_make_target'(+d, debug).
'$lgt_make_target'(+n, normal).
'$lgt_make_target'(+o, optimal).
'$lgt_make_target'(!, clean).
'$lgt_make_target'(?, check).
'$lgt_make_target'(@, circular).
'$lgt_make_target'(#, documentation).
'$lgt_make_target'($, caches).

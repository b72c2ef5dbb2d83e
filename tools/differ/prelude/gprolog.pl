% Answers cases on GNU Prolog: a program made of this text by gplc, run with arguments FILE FIRST.
% It works as swipl.pl beside it does; setup texts are read clause by clause and asserted.

:- initialization(op(1150, fx, [dynamic, discontiguous, initialization])).

differ_main :-
    argument_value(1, File),
    argument_value(2, FirstText),
    number_atom(First, FirstText),
    open(File, read, In),
    differ_read_all(In, Cases),
    close(In),
    differ_cases(Cases, First),
    halt.

differ_isolated(Number, Max, Setup, Goal) :-
    format("\1\\2\\1\case ~d~n", [Number]),
    flush_output,
    fork_prolog(Child),
    (   Child =:= 0
    ->  prolog_pid(Pid),
        format("\1\\2\\1\child ~d~n", [Pid]),
        flush_output,
        differ_answer(Max, Setup, Goal),
        flush_output,
        halt
    ;   wait(Child, Status),
        format("\1\\2\\1\done ~w~n", [Status]),
        flush_output
    ).

differ_answer(Max, Setup, Text) :-
    catch(( differ_load(Setup),
            differ_read(Text, Goal, Names),
            differ_solutions(Goal, Names, Max) ),
          Ball,
          differ_error(Ball)).

differ_read(Text, Goal, Names) :-
    atom_concat(Text, ' .', Full),
    open_input_atom_stream(Full, Stream),
    read_term(Stream, Goal, [variable_names(Names)]),
    close_input_atom_stream(Stream).

differ_load('') :- !.
differ_load(Setup) :-
    open_input_atom_stream(Setup, Stream),
    repeat,
    read(Stream, Term),
    (   Term == end_of_file
    ->  !,
        close_input_atom_stream(Stream)
    ;   expand_term(Term, Clause),
        differ_clause(Clause),
        fail
    ).

differ_clause((:- initialization(Goal))) :- !, call(Goal).
differ_clause((:- dynamic(Indicators))) :- !, differ_dynamic(Indicators).
differ_clause((:- discontiguous(_))) :- !.
differ_clause((:- Directive)) :- !, call(Directive).
differ_clause(Clause) :- assertz(Clause).

% dynamic/1 is a directive of the compiler only.
differ_dynamic((A, B)) :- !, differ_dynamic(A), differ_dynamic(B).
differ_dynamic([]) :- !.
differ_dynamic([A|B]) :- !, differ_dynamic(A), differ_dynamic(B).
differ_dynamic(Name/Arity) :-
    functor(Head, Name, Arity),
    assertz(Head),
    retract((Head :- true)).

differ_solutions(Goal, Names, Max) :-
    g_assign(differ_found, 0),
    (   call(Goal),
        differ_print(Names),
        g_read(differ_found, N0),
        N is N0 + 1,
        g_assign(differ_found, N),
        N >= Max
    ->  true
    ;   true
    ),
    g_read(differ_found, Found),
    (   Found =:= 0
    ->  Status = false
    ;   Status = true
    ),
    format(user_output, "\1\\2\\1\~w~n", [Status]).

differ_print(Names) :-
    format(user_output, "\1\\2\\1\answer~n", []),
    (   member(Name=Value, Names),
        \+ sub_atom(Name, 0, _, _, '_'),
        write(user_output, Name),
        write(user_output, ' = '),
        differ_write(Value),
        nl(user_output),
        fail
    ;   true
    ),
    format(user_output, "\1\\2\\1\go~n", []).

% It would not come to the end of a cyclic term.
differ_write(Value) :-
    \+ acyclic_term(Value),
    !,
    write(user_output, '<cyclic>').
differ_write(Value) :-
    write_term(user_output, Value, [quoted(true), ignore_ops(true)]).

:- initialization(differ_main).

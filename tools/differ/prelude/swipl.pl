% Answers cases on SWI-Prolog: swipl -g differ:main swipl.pl -- FILE FIRST.
%
% FILE holds terms case(Number, Max, Setup, Goal), texts being quoted atoms. Each is run in a
% process of its own, forked from this one, so that none sees what another has left. What a
% goal prints goes through; what we say about it stands on lines that begin with the characters 1, 2, 1:
% case N, child PROCESS, answer, go, true, false, error TERM, done STATUS.

:- module(differ, []).
:- set_prolog_flag(gc_thread, false).
:- use_module(library(unix)).
:- use_module(library(lists)).
:- use_module(library(apply)).

% Libraries are loaded before the forks, without making anything of them visible.
:- maplist([Name]>>load_files(library(Name), [imports([]), silent(true)]),
           [ aggregate, assoc, clpfd, date, debug, error, gensym, heaps, http/json, nb_set, occurs, option,
             ordsets, pairs, prolog_code, random, rbtrees, readutil, solution_sequences, sort, strings,
             terms, time, ugraphs, varnumbers, yall, listing, dcg/basics, dcg/high_order,
             prolog_stack, backcomp, when ]).

main :-
    current_prolog_flag(argv, Arguments),
    append(_, [File, FirstText], Arguments),
    atom_number(FirstText, First),
    set_stream(user_output, encoding(utf8)),
    set_stream(user_output, tty(false)),
    set_stream(user_input, tty(false)),
    style_check(-singleton),
    open(File, read, In, [encoding(utf8)]),
    differ_read_all(In, Cases),
    close(In),
    differ_cases(Cases, First),
    halt.

differ_isolated(Number, Max, Setup, Goal) :-
    format(user_output, "\1\\2\\1\case ~d~n", [Number]),
    flush_output(user_output),
    fork(Child),
    (   Child == child
    ->  current_prolog_flag(pid, Pid),
        format(user_output, "\1\\2\\1\child ~d~n", [Pid]),
        flush_output(user_output),
        differ_answer(Max, Setup, Goal),
        flush_output(user_output),
        halt(0)
    ;   wait(Child, Status),
        format(user_output, "\1\\2\\1\done ~w~n", [Status]),
        flush_output(user_output)
    ).

differ_answer(Max, Setup, Text) :-
    catch(( differ_load(Setup),
            term_string(Goal, Text, [variable_names(Names)]),
            differ_solutions(Goal, Names, Max) ),
          Ball,
          differ_error(Ball)).

differ_load('') :- !.
differ_load(Setup) :-
    setup_call_cleanup(open_string(Setup, Stream),
                       load_files(user:setup, [stream(Stream), silent(true)]),
                       close(Stream)).

differ_solutions(Goal, Names, Max) :-
    State = found(0),
    (   call(user:Goal),
        differ_print(Names),
        arg(1, State, N0),
        N is N0 + 1,
        nb_setarg(1, State, N),
        N >= Max
    ->  true
    ;   true
    ),
    (   State = found(0)
    ->  Status = false
    ;   Status = true
    ),
    format(user_output, "\1\\2\\1\~w~n", [Status]).

differ_print(Names) :-
    format(user_output, "\1\\2\\1\answer~n", []),
    forall(( member(Name=Value, Names), \+ sub_atom(Name, 0, _, _, '_') ),
           ( write(user_output, Name),
             write(user_output, ' = '),
             differ_write(Value),
             nl(user_output) )),
    format(user_output, "\1\\2\\1\go~n", []).

differ_write(Value) :-
    copy_term_nat(Value, Copy),
    write_term(user_output, Copy, [quoted(true), ignore_ops(true), cycles(true)]).

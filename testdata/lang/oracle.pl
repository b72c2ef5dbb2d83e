% Runs the language tests of this folder on SWI-Prolog and reports where it disagrees with what they expect.
%
%   swipl oracle.pl FILE...          prints each disagreement; exit status 1 when there is one
%   swipl oracle.pl --fill FILE...   prints the cases, those without status with the results SWI-Prolog gives
%
% A case runs in a module of its own, named case_N, so that no case sees the clauses or operators of another.
% README.md says what a case consists of.

:- use_module(library(http/json)).
:- use_module(library(time)).
:- use_module(library(solution_sequences)).
:- use_module(library(readutil)).
:- use_module(library(lists)).
:- use_module(library(apply)).

:- initialization(main, main).

main(Arguments) :-
    setenv('TZ', 'UTC'),
    set_prolog_flag(autoload, true),
    style_check(-singleton),
    (   Arguments = ['--fill'|Files]
    ->  Mode = fill
    ;   Files = Arguments,
        Mode = check
    ),
    nb_setval(disagreements, 0),
    forall(member(File, Files), run_file(Mode, File)),
    nb_getval(disagreements, Count),
    (   Mode == check
    ->  format("~d disagreements~n", [Count])
    ;   true
    ),
    (   Count =:= 0
    ->  halt(0)
    ;   halt(1)
    ).

run_file(Mode, File) :-
    read_file_to_string(File, Text, [encoding(utf8)]),
    split_string(Text, "\n", "\r", Lines),
    forall(( nth1(Number, Lines, Line), Line \== "" ),
           run_line(Mode, File, Number, Line)).

run_line(Mode, File, Number, Line) :-
    atom_json_dict(Line, Case, []),
    (   Mode == fill,
        get_dict(status, Case, _)
    ->  writeln(Line)
    ;   run_new(Mode, File, Number, Case)
    ).

run_new(Mode, File, Number, Case) :-
    (   catch(run_case(Number, Case, Got), Error, true)
    ->  true
    ;   Error = failed
    ),
    (   nonvar(Error)
    ->  complain(File, Number, Case, Error)
    ;   Mode == fill
    ->  put_dict(Case, Got, Full),
        print_case(Full)
    ;   get_dict(differs, Case, _)
    ->  true
    ;   disagreement(Case, Got, Key, Value)
    ->  complain(File, Number, Case, Key-Value)
    ;   true
    ).

complain(File, Number, Case, What) :-
    format(user_error, "~w:~d: ~w~n    swipl: ~q~n", [File, Number, Case.goal, What]),
    nb_getval(disagreements, Count0),
    Count is Count0 + 1,
    nb_setval(disagreements, Count).

disagreement(Case, Got, Key, Actual) :-
    member(Key-Default, [status-"true", error-"", output-"", solutions-[]]),
    (   get_dict(Key, Case, Expected) -> true ; Expected = Default ),
    (   get_dict(Key, Got, Actual) -> true ; Actual = Default ),
    Expected \=@= Actual,
    !.

print_case(Case) :-
    findall(Key-Value,
            (   member(Key, [id, setup, goal, max, status, solutions, error, output, differs]),
                get_dict(Key, Case, Value),
                Value \== ""
            ),
            Pairs),
    write('{'),
    print_members(Pairs, ''),
    write('}'),
    nl.

print_members([], _).
print_members([Key-Value|Pairs], Comma) :-
    format('~w"~w": ', [Comma, Key]),
    print_value(Value),
    print_members(Pairs, ', ').

print_value(Solutions) :-
    is_list(Solutions),
    !,
    write('['),
    print_solutions(Solutions, ''),
    write(']').
print_value(Value) :-
    json_write(current_output, Value, [width(0)]).

print_solutions([], _).
print_solutions([Solution|Solutions], Comma) :-
    dict_pairs(Solution, _, Pairs),
    format('~w{', [Comma]),
    print_members(Pairs, ''),
    write('}'),
    print_solutions(Solutions, ', ').

% run_case(+Number, +Case, -Got): Got has the keys of a case that tell its result.
run_case(Number, Case, Got) :-
    atom_concat(case_, Number, Module),
    ( get_dict(setup, Case, Setup) -> true ; Setup = "" ),
    ( get_dict(max, Case, Max) -> true ; Max = 10 ),
    '$set_source_module'(Old, Module),
    call_cleanup(run_in(Module, Setup, Case.goal, Max, Got), '$set_source_module'(Old)).

run_in(Module, Setup, GoalText, Max, Got) :-
    with_output_to(string(Output), outcome(Module, Setup, GoalText, Max, Solutions, Status, Error)),
    Got = _{status: Status, solutions: Solutions, error: Error, output: Output}.

outcome(Module, Setup, GoalText, Max, Solutions, Status, Error) :-
    State = found([]),
    catch(( load_setup(Module, Setup),
            term_string(Goal, GoalText, [module(Module), variable_names(Names)]),
            call_with_time_limit(10, collect(Module, Goal, Names, Max, State)),
            Ball = none ),
          Caught,
          Ball = ball(Caught)),
    arg(1, State, Reversed),
    reverse(Reversed, Solutions),
    (   Ball = ball(Thrown)
    ->  Status = "error",
        formal(Thrown, Formal),
        value_text(Module, Formal, Error)
    ;   Solutions == []
    ->  Status = "false",
        Error = ""
    ;   Status = "true",
        Error = ""
    ).

formal(error(Formal0, _), Formal) :- !, Formal = Formal0.
formal(Ball, Ball).

load_setup(_, "") :-
    !.
load_setup(Module, Setup) :-
    setup_call_cleanup(open_string(Setup, Stream),
                       load_files(Module:Module, [stream(Stream), silent(true)]),
                       close(Stream)).

collect(Module, Goal, Names, Max, State) :-
    forall(limit(Max, Module:Goal),
           ( solution(Module, Names, Solution),
             arg(1, State, Found),
             nb_setarg(1, State, [Solution|Found]) )).

solution(Module, Names, Solution) :-
    findall(Name-Text,
            ( member(Name=Value, Names),
              \+ sub_atom(Name, 0, _, _, '_'),
              value_text(Module, Value, Text) ),
            Pairs),
    dict_pairs(Solution, _, Pairs).

value_text(Module, Value, Text) :-
    copy_term_nat(Value, Copy),
    term_variables(Copy, Vars),
    name_variables(Vars, 1, Names),
    format(string(Qualified), '~W',
           [Copy, [quoted(true), numbervars(true), module(Module), variable_names(Names)]]),
    strip_module_name(Qualified, Module, Text).

name_variables([], _, []).
name_variables([Var|Vars], N, [Name=Var|Names]) :-
    atom_concat('_', N, Name),
    N1 is N + 1,
    name_variables(Vars, N1, Names).

strip_module_name(Text, Module, Plain) :-
    atom_concat(Module, ':', Prefix),
    atomic_list_concat(Parts, Prefix, Text),
    atomic_list_concat(Parts, Plain0),
    atom_string(Plain0, Plain).

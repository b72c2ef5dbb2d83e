% Unit tests. The loader puts the tests between begin_tests/1,2 and end_tests/1 into a module of the unit, as clauses
% of 'unit test'/5 and 'unit body'/2. This file runs and judges them.
:- module(plunit, [
    run_tests/0,
    run_tests/1,
    test_result/2,
    set_test_options/1,
    current_unit/4,
    current_test/5,
    begin_tests/1,
    begin_tests/2,
    end_tests/1
]).

:- dynamic
    unit/6,
    running/0,
    failed_assertion/3,
    global_options/1.

% begin_tests(+Unit): the directive that begins a unit of tests.
begin_tests(Unit) :- only_directive(begin_tests(Unit)).

% begin_tests(+Unit, +Options): the same with options setup(Goal), cleanup(Goal), condition(Goal), blocked(Why).
begin_tests(Unit, Options) :- only_directive(begin_tests(Unit, Options)).

% end_tests(+Unit): the directive that ends a unit of tests.
end_tests(Unit) :- only_directive(end_tests(Unit)).

only_directive(Directive) :-
    throw(error(context_error(nodirective, Directive), _)).

% begin_unit(+Unit, +Module, +Context, +Options, +File, +Line): the loader calls it for begin_tests/1,2.
begin_unit(Unit, Module, Context, Options, File, Line) :-
    must_be(list, Options),
    forall(member(Option, Options), check_option(unit, Option)),
    retractall(unit(Unit, _, _, _, _, _)),
    assertz(unit(Unit, Module, Context, Options, File, Line)).

% check_test(+Name, +Options): the loader calls it for each test.
check_test(Name, Options) :-
    must_be(nonvar, Name),
    maplist(normal_option, Options, Normal),
    forall(member(Option, Normal), check_option(test, Option)),
    findall(Option, ( member(Option, Normal), verdict_option(Option) ), Verdicts),
    (   Verdicts = [_, _|_]
    ->  throw(error(plunit(incompatible_options, Verdicts), _))
    ;   true
    ).

check_option(Where, Option) :-
    (   nonvar(Option),
        option_of(Where, Option)
    ->  true
    ;   throw(error(domain_error(test_option, Option), _))
    ).

option_of(_, Option) :- unit_option(Option).
option_of(test, Option) :- verdict_option(Option).
option_of(test, nondet).
option_of(test, det).
option_of(test, fixme(_)).
option_of(test, forall(_)).

unit_option(blocked(_)).
unit_option(condition(_)).
unit_option(setup(_)).
unit_option(cleanup(_)).
unit_option(sto(_)).
unit_option(occurs_check(_)).
unit_option(timeout(_)).
unit_option(concurrent(_)).

verdict_option(true(_)).
verdict_option(all(_)).
verdict_option(set(_)).
verdict_option(bag(_)).
verdict_option(fail).
verdict_option(throws(_)).

normal_option(Option, _) :- var(Option), !, throw(error(instantiation_error, _)).
normal_option(Option, Normal) :- other_name(Option, Normal), !.
normal_option(Option, Option).

other_name(A == B, true(A == B)).
other_name(A = B, true(A = B)).
other_name(A =@= B, true(A =@= B)).
other_name(A =:= B, true(A =:= B)).
other_name(error(Formal), throws(error(Formal, _))).
other_name(error(Formal, Context), throws(error(Formal, Context))).
other_name(exception(Ball), throws(Ball)).
other_name(true, true(true)).
other_name(false, fail).

% normal_options(+Options0, -Options): Options has exactly one option that judges the test.
normal_options(Options0, Options) :-
    maplist(normal_option, Options0, Options1),
    (   member(Option, Options1),
        verdict_option(Option)
    ->  Options = Options1
    ;   Options = [true(true)|Options1]
    ).

% set_test_options(+Options): options for all tests: timeout(Seconds), silent(Bool), and begin(true), by which
% test_result/2 also has an answer begin(Unit, Name) before a test; options of SWI-Prolog without a meaning here are
% ignored.
set_test_options(Options) :-
    must_be(list, Options),
    retractall(global_options(_)),
    assertz(global_options(Options)).

global_option(Option) :-
    global_options(Options),
    memberchk(Option, Options).

% current_unit(?Unit, ?Module, ?Context, ?Options): a unit of tests that has been loaded.
current_unit(Unit, Module, Context, Options) :-
    unit(Unit, Module, Context, Options, _, _).

% current_test(?Unit, ?Name, ?Line, ?Body, ?Options): a test that has been loaded.
current_test(Unit, Name, Line, Body, Options) :-
    unit(Unit, Module, _, _, _, _),
    Module:'unit test'(Name, _, Line, Options, Body).

% run_tests: runs all tests, prints those that fail and a summary on user_error; fails if one fails.
run_tests :-
    run_tests(all).

% run_tests(+Spec): the same for a unit, Unit:Test, Unit:Tests or a list of these.
run_tests(Spec) :-
    Counts = counts(0, 0, 0, 0),
    forall(test_result(Spec, Result), ( count_result(Result, Counts), print_result(Result) )),
    print_summary(Counts),
    arg(2, Counts, 0).

count_result(result(_, _, _, _, _, Outcome), Counts) :-
    outcome_column(Outcome, Column),
    arg(Column, Counts, N0),
    N is N0 + 1,
    nb_setarg(Column, Counts, N).

outcome_column(passed, 1).
outcome_column(choice_point, 1).
outcome_column(failed(_, _, _), 2).
outcome_column(blocked(_), 3).
outcome_column(fixme(_, _), 4).

print_result(result(_, _, _, _, _, passed)) :- !.
print_result(result(Unit, Name, Bindings, File, Line, Outcome)) :-
    outcome_kind(Outcome, Kind),
    (   Bindings == []
    ->  format(user_error, "~N~w: ~w:~w:~n\ttest ~q:~q: ", [Kind, File, Line, Unit, Name])
    ;   format(user_error, "~N~w: ~w:~w:~n\ttest ~q:~q (forall bindings = ~p): ", [Kind, File, Line, Unit, Name, Bindings])
    ),
    print_outcome(Outcome).

outcome_kind(failed(_, _, _), 'ERROR') :- !.
outcome_kind(_, 'Warning').

print_outcome(choice_point) :-
    format(user_error, "succeeded with a choice point~n", []).
print_outcome(blocked(Why)) :-
    format(user_error, "blocked: ~w~n", [Why]).
print_outcome(fixme(Why, Outcome)) :-
    format(user_error, "to be fixed: ~w (~w)~n", [Why, Outcome]).
print_outcome(failed(Message, Expected, Got)) :-
    format(user_error, "~w~n", [Message]),
    ( Expected == "" -> true ; format(user_error, "\t    expected: ~w~n\t    got:      ~w~n", [Expected, Got]) ).

print_summary(counts(Passed, 0, 0, 0)) :-
    !,
    format(user_error, "~N% All ~d tests passed~n", [Passed]).
print_summary(counts(Passed, Failed, Blocked, Fixme)) :-
    format(user_error, "~N% ~d tests failed, ~d passed", [Failed, Passed]),
    ( Blocked =:= 0 -> true ; format(user_error, ", ~d blocked", [Blocked]) ),
    ( Fixme =:= 0 -> true ; format(user_error, ", ~d to be fixed", [Fixme]) ),
    nl(user_error).

% test_result(+Spec, -Result): runs the tests of Spec, one for each answer. Result is result(Unit, Name, Bindings, File, Line,
% Outcome), Bindings being the values of the variables of forall(Generator), Outcome one of passed, choice_point,
% failed(Message, Expected, Got), blocked(Why) and fixme(Why, passed or failed).
test_result(Spec, Result) :-
    selected(Spec, Unit, Wanted),
    unit(Unit, Module, _, Options, File, Line),
    unit_result(Unit, Module, Options, Wanted, File, Line, Result).

selected(Spec, _, _) :- var(Spec), !, throw(error(instantiation_error, _)).
selected(all, _, all) :- !.
selected([], _, _) :- !, fail.
selected([Spec|Specs], Unit, Wanted) :- !, member(One, [Spec|Specs]), selected(One, Unit, Wanted).
selected(matching(Units, Tests), Unit, matching(Tests)) :- !,
    unit(Unit, _, _, _, _, _),
    matches(Units, Unit).
selected(Unit:Tests, Unit, Tests) :- !, known_unit(Unit).
selected(Unit, Unit, all) :- known_unit(Unit).

known_unit(Unit) :-
    (   unit(Unit, _, _, _, _, _)
    ->  true
    ;   throw(error(existence_error(unit_test, Unit), _))
    ).

unit_result(Unit, _, Options, _, File, Line, result(Unit, unit, [], File, Line, blocked(Why))) :-
    memberchk(blocked(Why), Options),
    !.
unit_result(Unit, Module, Options, Wanted, File, Line, Result) :-
    prepared(Module, Options, Ready),
    (   Ready = failed(_, _, _)
    ->  Result = result(Unit, unit, [], File, Line, Ready)
    ;   Ready == true,
        (   one_result(Unit, Module, Options, Wanted, Result)
        ;   clean_up(Module, Options, Outcome),
            Outcome \== true,
            Result = result(Unit, unit, [], File, Line, Outcome)
        )
    ).

one_result(Unit, Module, UnitOptions, Wanted, Result) :-
    Module:'unit test'(Name, File, Line, Options0, Body),
    is_wanted(Wanted, Name),
    normal_options(Options0, Options1),
    append(Options1, UnitOptions, Options),
    (   memberchk(forall(Generator), Options1)
    ->  term_variables(Generator, Values),
        call(Module:Generator)
    ;   Values = []
    ),
    (   global_option(begin(true)),
        Result = begin(Unit, Name)
    ;   run_test(Module, Options1, Options, Body, Outcome),
        Outcome \== skipped,
        Result = result(Unit, Name, Values, File, Line, Outcome)
    ).

is_wanted(all, _) :- !.
is_wanted(Name, Name) :- !.
is_wanted(Names, Name) :- is_list(Names), memberchk(Name, Names).
is_wanted(matching(Pattern), Name) :- matches(Pattern, Name).
is_wanted(Text, Name) :- atom(Text), compound(Name), format(atom(Text), '~q', [Name]).

% matches(+Pattern, +Name): * and ? stand for any text and any character.
matches(Pattern, Name) :-
    format(atom(Text), '~w', [Name]),
    wildcard_match(Pattern, Text).

% run_test(+Module, +Own, +All, :Body, -Outcome): Own are the options of the test, All those of its unit too.
run_test(_, Own, _, _, blocked(Why)) :-
    memberchk(blocked(Why), Own),
    !.
run_test(Module, Own, All, Body, Outcome) :-
    prepared(Module, Own, Ready),
    (   Ready == true
    ->  retractall(failed_assertion(_, _, _)),
        setup_call_cleanup(
            assertz(running),
            with_flags(All, plunit:timed(All, Module, Body, Outcome0)),
            retractall(running)),
        with_assertions(Outcome0, Outcome1),
        clean_up(Module, Own, Cleaned),
        with_cleanup(Outcome1, Cleaned, Outcome2),
        fixme_outcome(Own, Outcome2, Outcome)
    ;   Ready == false
    ->  Outcome = skipped
    ;   Outcome = Ready
    ).

% prepared(+Module, +Options, -Ready): checks the condition and runs the setup; Ready is true, false when the
% condition does not hold, or failed/3. Bindings of the condition and the setup also hold in the test, in the option
% that judges it, and in its cleanup.
prepared(Module, Options, Ready) :-
    option_outcome(condition(Condition), Module, Options, Held),
    (   Held == true
    ->  option_outcome(setup(Setup), Module, Options, Done),
        (   Done == true
        ->  Ready = true
        ;   problem('the setup', Setup, Done, Ready)
        )
    ;   Held == false
    ->  Ready = false
    ;   problem('the condition', Condition, Held, Ready)
    ).

clean_up(Module, Options, Outcome) :-
    option_outcome(cleanup(Cleanup), Module, Options, Done),
    (   Done == true
    ->  Outcome = true
    ;   problem('the cleanup', Cleanup, Done, Outcome)
    ).

% option_outcome(+Option, +Module, +Options, -Outcome): calls the goal of an option, if it is given; see attempt/2.
option_outcome(Option, Module, Options, Outcome) :-
    (   memberchk(Option, Options)
    ->  arg(1, Option, Goal),
        attempt(Module:Goal, Outcome)
    ;   Outcome = true
    ).

% attempt(:Goal, -Outcome): Outcome is true, false, undefined, or raised(Ball).
attempt(Goal, Outcome) :-
    '$tbl_taint'(Taint),
    (   catch(Goal, Ball, true)
    ->  (   Ball == time_limit_exceeded(plunit)
        ->  throw(Ball)
        ;   nonvar(Ball)
        ->  Outcome = raised(Ball)
        ;   '$tbl_taint'(Taint)
        ->  Outcome = true
        ;   Outcome = undefined
        )
    ;   \+ '$tbl_taint'(Taint)
    ->  Outcome = undefined
    ;   Outcome = false
    ).

problem(What, Goal, false, failed(Message, "", "")) :-
    format(string(Message), "~w failed: ~p", [What, Goal]).
problem(What, Goal, undefined, failed(Message, "", "")) :-
    format(string(Message), "~w is undefined: ~p", [What, Goal]).
problem(What, Goal, raised(Ball), failed(Message, "", "")) :-
    ball_text(Ball, Text),
    format(string(Message), "~w ~p raised: ~w", [What, Goal, Text]).

with_assertions(Outcome, failed(Message, "", "")) :-
    Outcome \= failed(_, _, _),
    findall(Text, assertion_text(Text), Texts),
    Texts \== [],
    !,
    atomics_to_string(Texts, Message).
with_assertions(Outcome, Outcome).

atomics_to_string(Texts, Text) :-
    atomic_list_concat(Texts, '; ', Atom),
    atom_string(Atom, Text).

assertion_text(Text) :-
    failed_assertion(Goal, Reason, Place),
    assertion_place(Place, Where),
    (   Reason == fail
    ->  format(string(Text), "assertion failed~w: ~p", [Where, Goal])
    ;   ball_text(Reason, Raised),
        format(string(Text), "assertion~w: ~p raised: ~w", [Where, Goal, Raised])
    ).

assertion_place(unknown, "").
assertion_place(File:Line, Text) :- format(string(Text), " at ~w:~w", [File, Line]).

with_cleanup(Outcome, Cleaned, Cleaned) :-
    Outcome \= failed(_, _, _),
    Cleaned \== true,
    !.
with_cleanup(Outcome, _, Outcome).

fixme_outcome(Options, Outcome, fixme(Why, State)) :-
    memberchk(fixme(Why), Options),
    !,
    ( Outcome = failed(_, _, _) -> State = failed ; State = passed ).
fixme_outcome(Options, choice_point, passed) :-
    memberchk(nondet, Options),
    !.
fixme_outcome(_, Outcome, Outcome).

% with_flags(+Options, :Goal): calls Goal with the occurs check that the options want.
with_flags(Options, Goal) :-
    (   occurs_check_option(Options, Mode)
    ->  current_prolog_flag(occurs_check, Old),
        setup_call_cleanup(set_prolog_flag(occurs_check, Mode), Goal, set_prolog_flag(occurs_check, Old))
    ;   call(Goal)
    ).

occurs_check_option(Options, Mode) :- memberchk(occurs_check(Mode), Options), !.
occurs_check_option(Options, true) :- memberchk(sto(finite_trees), Options), !.
occurs_check_option(Options, false) :- memberchk(sto(rational_trees), Options).

timed(Options, Module, Body, Outcome) :-
    (   ( memberchk(timeout(Seconds), Options) ; global_option(timeout(Seconds)) )
    ->  catch(call_with_time_limit(Seconds, plunit:judged(Options, Module, Body, Outcome), plunit), time_limit_exceeded(plunit),
              timed_out(Seconds, Outcome))
    ;   judged(Options, Module, Body, Outcome)
    ).

timed_out(Seconds, failed(Message, "", "")) :-
    effort_text(Effort),
    format(string(Message), "took longer than ~w s~w", [Seconds, Effort]).

% effort_text(-Text): Text says, after a sentence, what a goal had done when it reached a limit.
effort_text(Text) :- '$effort'(Effort), !, format(string(Text), ". ~w", [Effort]).
effort_text("").

judged(Options, Module, Body, Outcome) :-
    verdict(Options, Verdict),
    judge(Verdict, Module, Body, Outcome).

% verdict(+Options, -Verdict): Verdict is the option that judges the test.
verdict([Option|Options], Verdict) :-
    (   verdict_option(Option)
    ->  Verdict = Option
    ;   verdict(Options, Verdict)
    ).

% judge(+Verdict, +Module, +Body, -Outcome)
judge(true(Condition), Module, Body, Outcome) :-
    attempt(plunit:call_det(Module:Body, Last), Done),
    (   Done == true
    ->  attempt(Module:Condition, Held),
        judge_condition(Held, Condition, Last, Outcome)
    ;   judge_trouble(Done, Outcome)
    ).
judge(fail, Module, Body, Outcome) :-
    attempt(Module:Body, Done),
    (   Done == false
    ->  Outcome = passed
    ;   Done == true
    ->  Outcome = failed("succeeded, but must fail", "", "")
    ;   judge_trouble(Done, Outcome)
    ).
judge(throws(Expected), Module, Body, Outcome) :-
    attempt(Module:Body, Done),
    judge_ball(Done, Expected, Outcome).
judge(all(Comparison), Module, Body, Outcome) :-
    judge_answers(Comparison, Module, Body, all, Outcome).
judge(set(Comparison), Module, Body, Outcome) :-
    judge_answers(Comparison, Module, Body, set, Outcome).
judge(bag(Comparison), Module, Body, Outcome) :-
    judge_answers(Comparison, Module, Body, bag, Outcome).

call_det(Goal, Last) :-
    call_cleanup(Goal, Cleaned = true),
    ( Cleaned == true -> Last = true ; Last = false ).

judge_trouble(false, failed("failed", "", "")).
judge_trouble(undefined, failed("undefined: neither true nor false", "", "")).
judge_trouble(raised(Ball), failed(Message, "", "")) :-
    ball_text(Ball, Text),
    format(string(Message), "raised: ~w", [Text]).

ball_text(Ball, Text) :-
    (   nonvar(Ball),
        Ball = error(Formal, _)
    ->  '$message_text'(Ball, Text0),
        (   Formal = resource_error(_)
        ->  effort_text(Effort),
            string_concat(Text0, Effort, Text)
        ;   Text = Text0
        )
    ;   shown(Ball, Text)
    ).

judge_condition(true, _, true, passed) :- !.
judge_condition(true, _, false, choice_point) :- !.
judge_condition(raised(Ball), Condition, _, failed(Message, "", "")) :-
    !,
    ball_text(Ball, Text),
    format(string(Message), "the condition ~p raised: ~w", [Condition, Text]).
judge_condition(undefined, Condition, _, failed(Message, "", "")) :-
    format(string(Message), "the condition is undefined: ~p", [Condition]).
judge_condition(false, Condition, _, failed(Message, Expected, Got)) :-
    comparison(Condition, Left, Operator, Right),
    !,
    format(string(Message), "wrong answer (compared using ~w)", [Operator]),
    shown(Right, Expected),
    shown(Left, Got).
judge_condition(false, Condition, _, failed(Message, "", "")) :-
    format(string(Message), "the condition is false: ~p", [Condition]).

judge_ball(raised(Ball), Expected, Outcome) :-
    !,
    (   subsumes_term(Expected, Ball)
    ->  Outcome = passed
    ;   shown(Expected, Wanted),
        shown(Ball, Got),
        Outcome = failed("wrong exception", Wanted, Got)
    ).
judge_ball(undefined, _, Outcome) :-
    !,
    judge_trouble(undefined, Outcome).
judge_ball(Done, Expected, failed("no exception", Wanted, Got)) :-
    shown(Expected, Wanted),
    ( Done == true -> Got = "the test succeeded" ; Got = "the test failed" ).

judge_answers(Comparison, Module, Body, Kind, Outcome) :-
    (   comparison(Comparison, Template, Operator, Expected0)
    ->  true
    ;   throw(error(domain_error(test_comparison, Comparison), _))
    ),
    attempt(findall(Template, Module:Body, Found0), Done),
    (   Done == true
    ->  arranged(Kind, Expected0, Expected),
        arranged(Kind, Found0, Found),
        (   compared(Expected, Found, Operator)
        ->  Outcome = passed
        ;   format(string(Message), "wrong answers (\"~w\", compared using ~w)", [Kind, Operator]),
            shown(Expected, Wanted),
            shown(Found, Got),
            Outcome = failed(Message, Wanted, Got)
        )
    ;   judge_trouble(Done, Outcome)
    ).

comparison(A == B, A, ==, B).
comparison(A = B, A, =, B).
comparison(A =@= B, A, =@=, B).
comparison(A =:= B, A, =:=, B).

arranged(all, List, List).
arranged(set, List, Sorted) :- sort(List, Sorted).
arranged(bag, List, Sorted) :- msort(List, Sorted).

compared([], [], _).
compared([E|Es], [F|Fs], Operator) :-
    call(Operator, F, E),
    compared(Es, Fs, Operator).

shown(Term, Text) :-
    copy_term(Term, Copy, _),
    ( acyclic_term(Copy) -> numbervars(Copy, 0, _) ; true ),
    format(string(Text), "~W", [Copy, [quoted(true), numbervars(true), portray(true), max_depth(100)]]).

% portable_test(+Unit, +Name, +Line, ?Values, -Text): Text is a goal that succeeds if a test passes. Values are the
% values of the variables of its generator. Apart from the goals of the test, Text is ISO Prolog, so that another
% system can run it.
portable_test(Unit, Name, Line, Values, Text) :-
    unit(Unit, Module, _, UnitOptions, _, _),
    Module:'unit test'(Name, _, Line, Options0, Body),
    normal_options(Options0, Options1),
    append(Options1, UnitOptions, Options),
    clause(Module:Body, Plain),
    (   memberchk(forall(Generator), Options)
    ->  term_variables(Generator, Values)
    ;   true
    ),
    verdict(Options, Verdict),
    portable_verdict(Verdict, Plain, Judged),
    portable_around(Options, Judged, Goal),
    !,
    portable_text(Goal, Text).

portable_verdict(true(Condition), Body, ( Body -> Condition )).
portable_verdict(fail, Body, \+ Body).
portable_verdict(throws(Ball), Body, ( catch(( Body, fail ), Caught, true), subsumes_term(Ball, Caught) )).
portable_verdict(all(Comparison), Body, ( findall(Template, Body, Found), Compare )) :-
    comparison(Comparison, Template, Operator, Expected),
    portable_operator(Operator),
    Compare =.. [Operator, Found, Expected].
portable_verdict(set(Comparison), Body, ( findall(Template, Body, Found), sort(Found, A), sort(Expected, B), Compare )) :-
    comparison(Comparison, Template, Operator, Expected),
    portable_operator(Operator),
    Compare =.. [Operator, A, B].

portable_operator(==).
portable_operator(=).

portable_around(Options, Goal0, Goal) :-
    (   memberchk(cleanup(Cleanup), Options)
    ->  Goal1 = ( Goal0 -> Cleanup ; Cleanup, fail )
    ;   Goal1 = Goal0
    ),
    (   memberchk(setup(Setup), Options)
    ->  Goal2 = ( Setup -> Goal1 )
    ;   Goal2 = Goal1
    ),
    (   memberchk(condition(Condition), Options)
    ->  Goal = ( Condition -> Goal2 ; true )
    ;   Goal = Goal2
    ).

% portable_clause(-Text): Text is a clause of the program that is not a test, or a declaration that its predicates
% need.
portable_clause(Text) :-
    '$modules'(Modules),
    member(Module, Modules),
    Module \== prolog,
    '$declared_predicates'(Module, _, Indicators),
    member(Name/Arity, Indicators),
    \+ memberchk(Name, ['unit test', 'unit body']),
    functor(Head, Name, Arity),
    '$pred_info'(Module:Head, Properties),
    \+ memberchk(nodebug, Properties),
    \+ memberchk(tabled, Properties),
    (   memberchk(dynamic, Properties),
        Clause = (:- dynamic(Name/Arity))
    ;   Clause = (:- discontiguous(Name/Arity))
    ;   clause(Module:Head, Body),
        Clause = (Head :- Body)
    ),
    portable_text(Clause, Text).

portable_text(Term, Text) :-
    \+ \+ ( numbervars(Term, 0, _),
            format(string(Text0), "~W", [Term, [quoted(true), ignore_ops(true), numbervars(true)]]),
            nb_setval('$portable_text', Text0) ),
    nb_getval('$portable_text', Text).

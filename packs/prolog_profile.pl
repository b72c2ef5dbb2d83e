% Where goals spend their time.
:- module(prolog_profile, [
    profile/1,
    profile/2
]).

:- meta_predicate
    profile(0),
    profile(0, +).

% profile(:Goal): calls Goal once and prints how much time its predicates and lines took.
profile(Goal) :-
    profile(Goal, []).

% profile(:Goal, +Options): calls Goal once and prints the predicates and lines that took most time; top(N) says how many,
% 25 if it is not given.
profile(Goal, Options) :-
    must_be(callable, Goal),
    option(top(Most), Options, 25),
    must_be(nonneg, Most),
    setup_call_cleanup('$profile', once(Goal), profiled(Most)).

profiled(Most) :-
    '$profile'(Most, Text),
    write(user_error, Text).

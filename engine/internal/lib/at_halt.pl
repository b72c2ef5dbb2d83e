% Goals for the end of the command.
:- module(at_halt, [
    at_halt/1
]).

:- meta_predicate
    at_halt(0).

:- dynamic
    goal/1.

% at_halt(:Goal): Goal is called when mcplogic query, test or repl ends, before the goals that were registered
% earlier; a server does not call it.
at_halt(Goal) :-
    must_be(callable, Goal),
    '$kept_goal'(Goal, Kept),
    asserta(goal(Kept)).

call_goals :-
    forall(retract(goal(Goal)), call_goal(Goal)).

call_goal(Goal) :-
    (   catch(Goal, Error, print_message(error, Error))
    ->  true
    ;   print_message(warning, format("Goal (at_halt) failed: ~p", [Goal]))
    ).

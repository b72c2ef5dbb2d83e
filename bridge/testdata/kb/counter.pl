% Facts that calls change.

:- dynamic(counter/1).

counter(0).

tools([
    tool(increment, increment, 1),
    tool(increment_slowly, increment_slowly, 0),
    tool(increment_late, increment_late, 1),
    tool(register, register, 1),
    tool(value, counter, 1, [read_only(true)]),
    tool(increment_and_fail, increment_and_fail, 0),
    tool(increment_and_throw, increment_and_throw, 0),
    tool(increment_and_err, increment_and_err, 1),
    tool(loop, loop, 0)
]).

capabilities([elicitation]).

:- mode(increment(-integer), one).
:- info(increment/1, [comment is 'Adds one.', argnames is [n]]).
increment(N) :- retract(counter(N0)), N is N0 + 1, assertz(counter(N)).

% Adds one before it asks, so that calls in between conflict with it.
:- mode(increment_slowly, one).
:- info(increment_slowly/0, [comment is 'Adds one and asks whether that is right.']).
increment_slowly.
tool_call(increment_slowly, _, Elicit, text(Text)) :-
    increment(N),
    call(Elicit, 'Sure?', {type-object, properties-{answer-{type-string}}}, Answer),
    term_to_atom(N/Answer, Text).

:- mode(counter(-integer), one).
:- info(counter/1, [comment is 'Tells the value.', argnames is [n]]).

:- mode(increment_and_fail, one).
:- info(increment_and_fail/0, [comment is 'Adds one in vain.']).
increment_and_fail :- increment(_), fail.

:- mode(increment_and_throw, one).
:- info(increment_and_throw/0, [comment is 'Adds one in vain.']).
increment_and_throw :- increment(_), throw(oops).

:- mode(increment_and_err(-integer), one).
:- info(increment_and_err/1, [comment is 'Adds one and returns what does not fit.', argnames is [n]]).
increment_and_err(oops) :- increment(_).

:- mode(loop, one).
:- info(loop/0, [comment is 'Loops for ever.']).
loop :- loop.

:- mode(increment_late(-integer), one).
:- info(increment_late/1, [comment is 'Adds one and takes its time.', argnames is [n]]).
increment_late(N) :- increment(N), sleep(0.1).

% Checks and adds, as docs/declaring.md advises.
:- dynamic person/1, token/1.

token(people).

:- mode(register(+string), zero_or_one).
:- info(register/1, [comment is 'Adds a person, unless there is one of this name.', argnames is [name]]).
register(Name) :-
    retract(token(people)),
    assertz(token(people)),
    \+ person(Name),
    assertz(person(Name)).

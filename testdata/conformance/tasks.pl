% Tools whose calls become tasks.

tools([
    tool(greet, greet, 2),
    tool(slow_compute, slow_compute, 3, [task(after(0)), timeout(120)]),
    tool(failing_job, failing_job, 0, [task(required)]),
    tool(protocol_error_job, protocol_error_job, 0, [task(required)]),
    tool(confirm_delete, confirm_delete, 2, [task(after(0))]),
    tool(multi_input, multi_input, 1, [task(after(0))]),
    tool(test_tool_with_task, test_tool_with_task, 1, [task(after(0.2))])
]).

:- info(greet/2, [comment is 'Greets somebody at once.', argnames is [name, greeting]]).
tool_call(greet, [name-Name], text(Greeting)) :-
    format(atom(Greeting), 'Hello, ~w!', [Name]).
:- mode(greet(+atom, -atom), one).
greet(Name, Name).

:- info(slow_compute/3, [comment is 'Takes its time.', argnames is [seconds, label, result]]).
:- mode(slow_compute(+number, +atom, -atom), one).
slow_compute(Seconds, Label, Result) :-
    mcp_progress(0, Seconds, 'Computing'),
    sleep(Seconds),
    format(atom(Result), '~w is done', [Label]).

:- info(failing_job/0, [comment is 'Fails after a while.']).
tool_call(failing_job, _, error('The job went wrong.')) :-
    sleep(0.5).

:- info(protocol_error_job/0, [comment is 'Ends with an error of the protocol.']).
:- mode(protocol_error_job, one).
protocol_error_job :-
    sleep(0.2),
    throw(error(mcp_error(-32603, 'The job broke down', _), _)).

:- info(confirm_delete/2, [comment is 'Asks before it deletes.', argnames is [filename, result]]).
:- mode(confirm_delete(+atom, -atom), one).
confirm_delete(File, Result) :-
    format(atom(Message), 'Delete ~w?', [File]),
    mcp_elicit(Message, {type-object, properties-{confirm-{type-boolean}}, required-[confirm]}, Answer),
    (   Answer = accept({confirm- @(true)})
    ->  Result = deleted
    ;   Result = kept
    ).

:- info(multi_input/1, [comment is 'Asks two things at a time.', argnames is [answers]]).
:- mode(multi_input(-term), one).
multi_input(Answers) :-
    Schema = {type-object, properties-{name-{type-string}}, required-[name]},
    mcp_elicit_all([ask(first, 'The first name?', Schema), ask(second, 'The second name?', Schema)], Answers).

:- info(test_tool_with_task/1, [comment is 'Asks for a name, and then takes its time.', argnames is [greeting]]).
:- mode(test_tool_with_task(-atom), one).
test_tool_with_task(Greeting) :-
    mcp_elicit_all([ask(user_name, 'What is your name?', {type-object, properties-{name-{type-string}}, required-[name]})],
                   [_-accept({name-Name})]),
    sleep(1),
    format(atom(Greeting), 'Hello, ~w!', [Name]).

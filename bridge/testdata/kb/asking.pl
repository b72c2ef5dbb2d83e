% Tools that ask the user.

capabilities([elicitation, prompts, resources]).

:- dynamic(greeted/1).

tools([
    tool(ask_name, ask_name, 0),
    tool(ask_twice, ask_twice, 0),
    tool(insist, insist, 0),
    tool(ask_both, ask_both, 1),
    tool(by_library, by_library, 1),
    tool(count_greeted, count_greeted, 1),
    tool(bad_schema, bad_schema, 0),
    tool(catches, catches, 0),
    tool(with_defaults, with_defaults, 1)
]).

schema({type-object, properties-{answer-{type-string, enum-[yes, no]}}, required-[answer]}).

% As in the documentation of Logtalk's server.
:- info(ask_name/0, [comment is 'Asks the user for their name and greets them.']).
:- mode(ask_name, one).
ask_name.
tool_call(ask_name, _Arguments, Elicit, Result) :-
    Schema = {
        type-object,
        properties-{name-{type-string}},
        required-[name]
    },
    call(Elicit, 'What is your name?', Schema, Answer),
    (   Answer = accept(Content),
        has_pair(Content, name, Name) ->
        atom_concat('Hello, ', Name, Greeting),
        atom_concat(Greeting, '!', Text),
        assertz(greeted(Name)),
        Result = text(Text)
    ;   Result = text('No name provided.')
    ).

has_pair({Pairs}, Key, Value) :-
    curly_member(Key-Value, Pairs).

curly_member(Pair, (Pair, _)) :- !.
curly_member(Pair, (_, Rest)) :-
    !, curly_member(Pair, Rest).
curly_member(Pair, Pair).

% Asserts before it asks, so that a run that is repeated shows.
:- info(ask_twice/0, [comment is 'Asks two questions.']).
:- mode(ask_twice, one).
ask_twice.
tool_call(ask_twice, _, Elicit, text(Text)) :-
    schema(Schema),
    assertz(greeted(somebody)),
    call(Elicit, 'First?', Schema, A),
    call(Elicit, 'Second?', Schema, B),
    term_to_atom(A/B, Text).

:- info(insist/0, [comment is 'Asks the same question until it is answered.']).
:- mode(insist, one).
insist.
tool_call(insist, _, Elicit, text(Text)) :-
    schema(Schema),
    between(1, 5, N),
    call(Elicit, 'Please?', Schema, Answer),
    ( Answer = accept(_) ; N =:= 5 ),
    !,
    term_to_atom(N/Answer, Text).

:- info(ask_both/1, [comment is 'Asks two questions at once.', argnames is [answers]]).
:- mode(ask_both(-term), one).
ask_both(Answers) :-
    schema(Schema),
    mcp_elicit_all([ask(left, 'Left?', Schema), ask(right, 'Right?', Schema)], Answers).

:- info(by_library/1, [comment is 'Asks without a closure.', argnames is [answer]]).
:- mode(by_library(-term), one).
by_library(Answer) :-
    schema(Schema),
    mcp_elicit('Really?', Schema, Answer).

:- info(count_greeted/1, [comment is 'Counts who was greeted.', argnames is [count]]).
:- mode(count_greeted(-integer), one).
count_greeted(Count) :- aggregate_all(count, greeted(_), Count).

:- info(bad_schema/0, [comment is 'Asks with a schema that is none.']).
:- mode(bad_schema, one).
bad_schema.
tool_call(bad_schema, _, Elicit, text(ok)) :-
    call(Elicit, 'What?', {type-nothing}, _).

:- info(catches/0, [comment is 'Catches what goes wrong with asking.']).
:- mode(catches, one).
catches.
tool_call(catches, _, Elicit, text(Text)) :-
    schema(Schema),
    catch(call(Elicit, 'Hm?', Schema, Answer), error(mcp_error(Kind, _), _), Answer = caught(Kind)),
    term_to_atom(Answer, Text).

:- info(with_defaults/1, [comment is 'Asks for what has a default.', argnames is [answer]]).
:- mode(with_defaults(-term), one).
with_defaults(Answer) :-
    mcp_elicit('How many?', {type-object, properties-{count-{type-integer, default-3}, unit-{type-string}}, required-[count]}, Answer).

prompts([prompt(asking, 'Asks before it is written', [])]).
prompt_get(asking, _, messages([message(user, text(Text))])) :-
    by_library(Answer),
    term_to_atom(Answer, Text).

resources([resource('x://asking', asking, 'Asks before it is read', 'text/plain')]).
resource_read(URI, _, contents([text_content(URI, 'text/plain', Text)])) :-
    by_library(Answer),
    term_to_atom(Answer, Text).

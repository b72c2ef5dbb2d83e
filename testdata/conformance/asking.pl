% Tools and a prompt that ask the client: its user, its model, its roots.

tools([
    tool(test_elicitation, test_elicitation, 2),
    tool(test_elicitation_sep1034_defaults, test_elicitation_defaults, 1),
    tool(test_elicitation_sep1330_enums, test_elicitation_enums, 1),
    tool(test_sampling, test_sampling, 2),
    tool(test_missing_capability, test_missing_capability, 1),
    tool(test_streaming_elicitation, test_streaming_elicitation, 0),
    tool(test_input_required_result_elicitation, ask_for_name, 1),
    tool(test_input_required_result_sampling, ask_for_capital, 1),
    tool(test_input_required_result_list_roots, ask_for_roots, 1),
    tool(test_input_required_result_request_state, ask_for_confirmation, 1),
    tool(test_input_required_result_tampered_state, ask_for_confirmation, 1),
    tool(test_input_required_result_multiple_inputs, ask_for_all, 1),
    tool(test_input_required_result_multi_round, ask_in_two_rounds, 1),
    tool(test_input_required_result_capabilities, ask_what_can_be_asked, 1)
]).

:- info(test_elicitation/2, [comment is 'Asks the user for a name.', argnames is [message, answer]]).
:- mode(test_elicitation(+atom, -term), one).
test_elicitation(Message, Answer) :-
    Username = {type-string, description-'The name you want to be called by'},
    mcp_elicit(Message, {type-object, properties-{username-Username}, required-[username]}, Answer).

:- info(test_elicitation_defaults/1, [comment is 'Asks with a default for each type.', argnames is [answer]]).
:- mode(test_elicitation_defaults(-term), one).
test_elicitation_defaults(Answer) :-
    mcp_elicit('Is this right?', {
        type-object,
        properties-{
            name-{type-string, description-'Name', default-'John Doe'},
            age-{type-integer, description-'Age', default-30},
            score-{type-number, description-'Score', default-95.5},
            status-{type-string, description-'Status', enum-[active, inactive, pending], default-active},
            verified-{type-boolean, description-'Verified', default-true}
        },
        required-[]
    }, Answer).

:- info(test_elicitation_enums/1, [comment is 'Asks to choose in five ways.', argnames is [answer]]).
:- mode(test_elicitation_enums(-term), one).
test_elicitation_enums(Answer) :-
    Titled = [{const-value1, title-'First Option'}, {const-value2, title-'Second Option'}, {const-value3, title-'Third Option'}],
    mcp_elicit('Please choose.', {
        type-object,
        properties-{
            untitledSingle-{type-string, enum-[option1, option2, option3]},
            titledSingle-{type-string, oneOf-Titled},
            legacyEnum-{type-string, enum-[opt1, opt2, opt3], enumNames-['Option One', 'Option Two', 'Option Three']},
            untitledMulti-{type-array, minItems-1, maxItems-3, items-{type-string, enum-[option1, option2, option3]}},
            titledMulti-{type-array, minItems-1, maxItems-3, items-{anyOf-Titled}}
        }
    }, Answer).

:- info(test_sampling/2, [comment is 'Asks the model of the client.', argnames is [prompt, answer]]).
:- mode(test_sampling(+atom, -atom), one).
test_sampling(Prompt, Answer) :-
    mcp_sample(Prompt, [max_tokens(100)], message(_, text(Answer), _)).

:- info(test_missing_capability/1, [comment is 'Needs a client with a model.', argnames is [answer]]).
:- mode(test_missing_capability(-atom), one).
test_missing_capability(Answer) :-
    test_sampling('Hello', Answer).

:- info(test_streaming_elicitation/0, [comment is 'Reports progress, and asks nothing.']).
:- mode(test_streaming_elicitation, one).
test_streaming_elicitation :-
    mcp_progress(1, 1, 'Nothing but notifications come before the result.').

name_schema({type-object, properties-{name-{type-string}}, required-[name]}).

:- info(ask_for_name/1, [comment is 'Greets the user by name.', argnames is [greeting]]).
:- mode(ask_for_name(-atom), one).
ask_for_name(Greeting) :-
    name_schema(Schema),
    mcp_elicit_all([ask(user_name, 'What is your name?', Schema)], [_-Answer]),
    (   Answer = accept(Content)
    ->  mcp_value(Content, name, Name),
        format(atom(Greeting), 'Hello, ~w!', [Name])
    ;   Greeting = 'Hello, whoever you are!'
    ).

:- info(ask_for_capital/1, [comment is 'Asks the model a question.', argnames is [answer]]).
:- mode(ask_for_capital(-atom), one).
ask_for_capital(Answer) :-
    mcp_elicit_all([sample(capital_question, 'What is the capital of France?', [max_tokens(100)])],
                   [_-message(_, text(Answer), _)]).

:- info(ask_for_roots/1, [comment is 'Lists the folders of the client.', argnames is [roots]]).
:- mode(ask_for_roots(-list(atom)), one).
ask_for_roots(URIs) :-
    mcp_elicit_all([roots(client_roots)], [_-Roots]),
    findall(URI, member(root(URI, _), Roots), URIs).

% The state of a call that waits is sealed; nothing needs to be done for it here.
:- info(ask_for_confirmation/1, [comment is 'Asks for a confirmation.', argnames is [result]]).
:- mode(ask_for_confirmation(-atom), one).
ask_for_confirmation(Result) :-
    Schema = {type-object, properties-{ok-{type-boolean}}, required-[ok]},
    mcp_elicit_all([ask(confirm, 'Please confirm.', Schema)], [_-Answer]),
    (   Answer = accept({ok- @(true)})
    ->  Result = 'state-ok: confirmed'
    ;   Result = 'not confirmed'
    ).

:- info(ask_for_all/1, [comment is 'Asks the user, the model and the client in one round.', argnames is [text]]).
:- mode(ask_for_all(-atom), one).
ask_for_all(Text) :-
    questions([elicitation, sampling, roots], Questions),
    mcp_elicit_all(Questions, Answers),
    memberchk(user_name-Answer, Answers),
    memberchk(greeting-message(_, text(Greeting), _), Answers),
    memberchk(client_roots-Roots, Answers),
    length(Roots, Count),
    format(atom(Text), '~w ~q, ~d root(s) visible', [Greeting, Answer, Count]).

:- info(ask_in_two_rounds/1, [comment is 'Asks two questions, one after the other.', argnames is [text]]).
:- mode(ask_in_two_rounds(-atom), one).
ask_in_two_rounds(Text) :-
    name_schema(Schema),
    Colour = {type-object, properties-{color-{type-string}}, required-[color]},
    mcp_elicit_all([ask(step1, 'Step 1: What is your name?', Schema)], [_-Name]),
    mcp_elicit_all([ask(step2, 'Step 2: What is your favorite color?', Colour)], [_-Liked]),
    format(atom(Text), '~q likes ~q', [Name, Liked]).

:- info(ask_what_can_be_asked/1, [comment is 'Asks only what the client can answer.', argnames is [answers]]).
:- mode(ask_what_can_be_asked(-term), one).
ask_what_can_be_asked(Answers) :-
    findall(Kind, mcp_client_can(Kind), Kinds),
    questions(Kinds, Questions),
    mcp_elicit_all(Questions, Answers).

% questions(+Kinds, -Questions): a question of each kind that there is one of.
questions(Kinds, Questions) :-
    findall(Question, ( member(Kind, Kinds), question(Kind, Question) ), Questions).

question(elicitation, ask(user_name, 'What is your name?', Schema)) :-
    name_schema(Schema).
question(sampling, sample(greeting, 'Generate a greeting', [max_tokens(50)])).
question(roots, roots(client_roots)).

prompts([
    prompt(test_input_required_result_prompt, 'Asks for a context before it is written', [])
]).

prompt_get(test_input_required_result_prompt, _, messages([message(user, text(Text))])) :-
    Schema = {type-object, properties-{context-{type-string}}, required-[context]},
    mcp_elicit_all([ask(user_context, 'What context should the prompt use?', Schema)], [_-Answer]),
    format(atom(Text), 'The context: ~q', [Answer]).

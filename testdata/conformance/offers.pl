% Prompts, resources, completions, and tools that change what is on offer.

prompts([
    prompt(test_simple_prompt, 'A prompt without arguments', []),
    prompt(test_prompt_with_arguments, 'A prompt with two arguments', [
        argument(arg1, 'The first argument', true),
        argument(arg2, 'The second argument', true)
    ]),
    prompt(test_prompt_with_embedded_resource, 'A prompt that holds a resource', [
        argument(resourceUri, 'The URI of the resource', true)
    ]),
    prompt(test_prompt_with_image, 'A prompt that holds an image', [])
]).

prompt_get(test_simple_prompt, _, messages([message(user, text('This is a simple prompt for testing.'))])).
prompt_get(test_prompt_with_arguments, Arguments, messages([message(user, text(Text))])) :-
    memberchk(arg1-One, Arguments),
    memberchk(arg2-Two, Arguments),
    format(atom(Text), 'Prompt with arguments: arg1=\'~w\', arg2=\'~w\'', [One, Two]).
prompt_get(test_prompt_with_embedded_resource, [_-URI], messages([
        message(user, resource(URI, 'text/plain', 'Embedded resource content for testing.')),
        message(user, text('Please process the embedded resource above.'))
    ])).
prompt_get(test_prompt_with_image, _, messages([
        message(user, image(Data, 'image/png')),
        message(user, text('Please analyze the image above.'))
    ])) :-
    red_pixel(Data).
prompt_get(test_transient_prompt, _, messages([message(user, text('I come and go.'))])).

completion(prompt(test_prompt_with_arguments), Name-Partial, _, completion(Values)) :-
    findall(Value, ( proposal(Name, Value), atom_concat(Partial, _, Value) ), Values).

proposal(arg1, paris).
proposal(arg1, park).
proposal(arg1, party).
proposal(arg2, test).

resources([
    resource('test://static-text', 'static-text', 'A text', 'text/plain'),
    resource('test://static-binary', 'static-binary', 'An image', 'image/png'),
    resource('test://watched-resource', 'watched-resource', 'A text that clients may watch', 'text/plain')
]).

resource_templates([
    resource_template('test://template/{id}/data', 'template', 'Data by its number', 'application/json')
]).

resource_read('test://static-text', _, contents([
        text_content('test://static-text', 'text/plain', 'This is the content of the static text resource.')
    ])).
resource_read('test://static-binary', _, contents([blob_content('test://static-binary', 'image/png', Data)])) :-
    red_pixel(Data).
resource_read('test://watched-resource', _, contents([text_content('test://watched-resource', 'text/plain', Text)])) :-
    watched(Count),
    format(atom(Text), 'It has changed ~d times.', [Count]).
resource_read(URI, [id-ID], contents([text_content(URI, 'application/json', Text)])) :-
    format(atom(Text), '{"id": "~w", "templateTest": true, "data": "Data for ID: ~w"}', [ID, ID]).

:- dynamic(watched/1).
watched(0).

tools([
    tool(test_trigger_tool_change, test_trigger_tool_change, 0),
    tool(test_trigger_prompt_change, test_trigger_prompt_change, 0),
    tool(test_trigger_resource_update, test_trigger_resource_update, 0)
]).

:- info(test_trigger_tool_change/0, [comment is 'Adds a tool, or removes it.']).
:- mode(test_trigger_tool_change, one).
test_trigger_tool_change :-
    catch(mcp_remove_tool(test_transient_tool), error(existence_error(_, _), _),
          mcp_add_tool(tool(test_transient_tool, test_transient_tool, 0))).

:- info(test_transient_tool/0, [comment is 'Comes and goes.']).
:- mode(test_transient_tool, one).
test_transient_tool.

:- info(test_trigger_prompt_change/0, [comment is 'Adds a prompt, or removes it.']).
:- mode(test_trigger_prompt_change, one).
test_trigger_prompt_change :-
    catch(mcp_remove_prompt(test_transient_prompt), error(existence_error(_, _), _),
          mcp_add_prompt(prompt(test_transient_prompt, 'Comes and goes', []))).

:- info(test_trigger_resource_update/0, [comment is 'Changes the resource that clients may watch.']).
:- mode(test_trigger_resource_update, one).
test_trigger_resource_update :-
    retract(watched(Count)),
    Next is Count + 1,
    assertz(watched(Next)),
    mcp_notify_resource('test://watched-resource').

% Prompts and resources that go wrong, templates, and what goals tell the client.

capabilities([tools, prompts, resources]).

tools([tool(report, report, 0)]).

:- mode(report, one).
:- info(report/0, [comment is 'Reports progress and logs.']).
report :-
    mcp_progress(1, 2, "half"),
    mcp_log(info, {step-1}),
    mcp_log(error, "something"),
    mcp_progress(2, 2, "done"),
    catch(mcp_log(loud, x), error(domain_error(log_level, loud), _), true).

prompts([
    prompt(fails, 'Fails', []),
    prompt(throws, 'Throws', []),
    prompt(odd, 'Returns something odd', []),
    prompt(rich, 'Rich', 'Has other content than text', [argument(topic, 'What about', true), argument(tone, 'How', false)])
]).

prompt_get(throws, _, _) :- atom_length(1, a).
prompt_get(odd, _, messages([message(god, text(x))])).
prompt_get(rich, Arguments, messages('A rich prompt', [
    message(user, text(Text)),
    message(user, image('aGk=', 'image/png')),
    message(assistant, resource('x://y', 'text/plain', "hello"))
])) :- term_to_atom(Arguments, Text).

resources([
    resource('x://fails', fails, 'Fails', 'text/plain'),
    resource('x://throws', throws, 'Throws', 'text/plain'),
    resource('x://odd', odd, 'Returns something odd', 'text/plain'),
    resource('x://picture', picture, 'Picture', 'A picture', 'image/png')
]).

resource_templates([
    resource_template('x://city/{name}/{year}', city, 'A city in some year', 'text/plain')
]).

resource_read('x://throws', _, _) :- throw(oops).
resource_read('x://odd', _, soup).
resource_read('x://picture', _, contents([blob_content('x://picture', 'image/png', 'aGk=')])).
resource_read(URI, [name-Name, year-Year], contents([text_content(URI, 'text/plain', Text)])) :-
    Name \== atlantis,
    atomic_list_concat([Name, Year], ' in ', Text).

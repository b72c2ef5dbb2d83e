% Tools that ask the client's model, its roots and its user, and look at who it is.

tools([
    tool(sample, sample, 1),
    tool(sample_all, sample_all, 1),
    tool(sample_with_tools, sample_with_tools, 1),
    tool(sample_badly, sample_badly, 2),
    tool(roots, roots, 1),
    tool(visit, visit, 2),
    tool(everything, everything, 1),
    tool(try, try, 2),
    tool(who, who, 1),
    tool(can, can, 1),
    tool(meta, meta, 2),
    tool(signed_in, signed_in, 1),
    tool(fail_with, fail_with, 2),
    tool(fail_with_data, fail_with_data, 0),
    tool(fail_with_nonsense, fail_with_nonsense, 0)
]).

:- info(sample/1, [comment is 'Asks the model.', argnames is [answer]]).
:- mode(sample(-term), one).
sample(Answer) :- mcp_sample('What is the capital of France?', [], Answer).

:- info(sample_all/1, [comment is 'Asks with all options.', argnames is [answer]]).
:- mode(sample_all(-term), one).
sample_all(Answer) :-
    mcp_sample([message(user, text("Look:")), message(assistant, text(yes)), message(user, image('aGk=', 'image/png'))],
        [max_tokens(7), system_prompt('Be brief.'), temperature(0.5), stop_sequences([stop, "end"]),
         include_context(none), metadata({trace-1}), models([small]), cost_priority(1), speed_priority(0.5),
         intelligence_priority(0.25)], Answer).

:- info(sample_with_tools/1, [comment is 'Lets the model call a tool.', argnames is [answer]]).
:- mode(sample_with_tools(-term), one).
sample_with_tools(Answer) :-
    Tools = [tools([tool(add, 'Adds.', {type-object, properties-{a-{type-integer}}})]), tool_choice(required)],
    mcp_sample([message(user, text('Add 1.'))], Tools, message(_, tool_use(ID, add, Input), _)),
    mcp_value(Input, a, A),
    Sum is A + 1,
    mcp_sample([message(user, text('Add 1.')), message(assistant, tool_use(ID, add, Input)),
                message(user, [tool_result(ID, [text(Sum)])])], Tools, Answer).

:- info(sample_badly/2, [comment is 'Asks with wrong options.', argnames is [option, answer]]).
:- mode(sample_badly(+term, -term), one).
sample_badly(Option, Answer) :- mcp_sample(hello, [Option], Answer).

:- info(roots/1, [comment is 'Lists the roots.', argnames is [roots]]).
:- mode(roots(-term), one).
roots(Roots) :- mcp_roots(Roots).

:- info(visit/2, [comment is 'Sends the user somewhere.', argnames is [address, answer]]).
:- mode(visit(+atom, -term), one).
visit(Address, Answer) :- mcp_elicit_url('Please sign in.', Address, Answer).

:- info(everything/1, [comment is 'Asks all at once.', argnames is [answers]]).
:- mode(everything(-term), one).
everything(Answers) :-
    mcp_elicit_all([
        ask(name, 'Your name?', {type-object, properties-{name-{type-string}}}),
        ask_url(login, 'Please sign in.', 'https://example.com/in'),
        sample(hello, 'Say hello.', [max_tokens(5)]),
        roots(folders)
    ], Answers).

:- info(try/2, [comment is 'Catches what goes wrong.', argnames is [kind, error]]).
:- mode(try(+atom, -term), one).
try(sampling, E) :- catch(mcp_sample(hi, [], _), error(E, _), true).
try(roots, E) :- catch(mcp_roots(_), error(E, _), true).
try(url, E) :- catch(mcp_elicit_url(hi, 'https://example.com', _), error(E, _), true).
try(nothing, E) :- catch(mcp_elicit_all([nothing(1)], _), error(E, _), true).
try(variable, E) :- catch(mcp_elicit_all(_, _), error(E, _), true).
try(none, Answers) :- mcp_elicit_all([], Answers).

:- info(who/1, [comment is 'Tells who the client is.', argnames is [text]]).
:- mode(who(-atom), one).
who(Text) :-
    mcp_client(Info),
    mcp_value(Info, name, Name),
    mcp_value(Info, protocolVersion, Version),
    ( mcp_value(Info, [capabilities, sampling], _) -> Can = samples ; Can = 'does not sample' ),
    ( mcp_value(Info, [capabilities, roots, listChanged], Roots) -> true ; Roots = none ),
    format(atom(Text), '~w ~w ~w ~w', [Name, Version, Can, Roots]).

:- info(can/1, [comment is 'Tells what the client can do.', argnames is [list]]).
:- mode(can(-list(atom)), one).
can(List) :- findall(C, mcp_client_can(C), List).

:- info(meta/2, [comment is 'Reads the metadata of the request.', argnames is [key, value]]).
:- mode(meta(+atom, -term), zero_or_one).
meta(Key, Value) :- mcp_request_meta(Meta), mcp_value(Meta, Key, Value).

:- info(signed_in/1, [comment is 'Tells whether somebody has signed in.', argnames is [known]]).
:- mode(signed_in(-boolean), one).
signed_in(Known) :-
    mcp_client(Info),
    ( mcp_value(Info, user, User), atom_length(User, L), L > 0 -> Known = true ; Known = false ).

:- info(fail_with/2, [comment is 'Ends with a protocol error.', argnames is [code, message]]).
:- mode(fail_with(+integer, +atom), one).
fail_with(Code, Message) :- mcp_error(Code, Message).

:- info(fail_with_data/0, [comment is 'Ends with a protocol error that has data.']).
:- mode(fail_with_data, one).
fail_with_data :- mcp_error(-32042, 'Sign in first.', {elicitations-[{mode-url, ok- @(true)}]}).

:- info(fail_with_nonsense/0, [comment is 'Ends with a protocol error that is none.']).
:- mode(fail_with_nonsense, one).
fail_with_nonsense :- mcp_error(1, oops, {a-_}).

prompts([prompt(poem, 'A poem by the model', []), prompt(broken, 'Ends with a protocol error', [])]).
prompt_get(poem, _, messages([message(user, Content)])) :-
    mcp_sample('A poem, please.', [], message(_, Content, _)).
prompt_get(broken, _, _) :- mcp_error(-32099, 'No prompt today.').

resources([resource('x://folders', folders, 'The folders of the client', 'text/plain')]).
resource_templates([resource_template('x://broken/{code}', broken, 'Ends with a protocol error', 'text/plain')]).
resource_read('x://folders', _, contents([text_content('x://folders', 'text/plain', Text)])) :-
    mcp_roots(Roots),
    term_to_atom(Roots, Text).
resource_read(_, [code-Code], _) :-
    atom_number(Code, Number),
    mcp_error(Number, 'No resource today.').

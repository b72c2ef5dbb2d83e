% Talking to the MCP client that a goal is run for.
%
% Served goals ask the user and the client's model, send log messages, report progress, and add or remove tools,
% prompts and resources. Goals that are not served can log, report and announce too, but this has no effect, and they
% cannot ask.
:- module(mcp, [
    mcp_ask/3,
    mcp_undecided/0,
    mcp_elicit/3,
    mcp_elicit_url/3,
    mcp_elicit_all/2,
    mcp_sample/3,
    mcp_roots/1,
    mcp_log/2,
    mcp_progress/3,
    mcp_client/1,
    mcp_client_can/1,
    mcp_request_meta/1,
    mcp_error/2,
    mcp_error/3,
    mcp_close_stream/1,
    mcp_notify_resource/1,
    mcp_add_tool/1,
    mcp_remove_tool/1,
    mcp_add_prompt/1,
    mcp_remove_prompt/1,
    mcp_add_resource/1,
    mcp_remove_resource/1,
    mcp_add_resource_template/1,
    mcp_remove_resource_template/1,
    mcp_value/3
]).

% mcp_ask(+Message, +Type, -Value): asks the user for one value of a type, as in mode/2. It fails if
% the user declines to answer. If nobody answers, the call ends as undecided.
mcp_ask(Message, Type, Value) :-
    '$mcp_ask'(ask_value('', Message, Type), accept(Value)).

% mcp_undecided: ends the call as undecided, with the questions that its user has not answered or has declined. The
% model can ask these questions and continue the call.
mcp_undecided :-
    '$leave_undecided',
    throw(error(mcp_error(undecided, 'not decided: the answer depends on what nobody has answered'), _)).

% mcp_elicit(+Message, +Schema, -Answer): asks the user for an object that fits the JSON Schema,
% given as a curly term. Answer is accept(Content), decline or cancel.
mcp_elicit(Message, Schema, Answer) :-
    '$mcp_elicit'(Message, Schema, Answer).

% mcp_elicit_url(+Message, +URL, -Answer): asks the user to visit an address. Answer is accept({}), decline or cancel.
% accept means that the user agreed, not that the visit is over.
mcp_elicit_url(Message, URL, Answer) :-
    '$mcp_ask'(ask_url('', Message, URL), Answer).

% mcp_elicit_all(+Questions, -Answers): puts several questions at once: a
% list of ask(Key, Message, Schema), ask_url(Key, Message, URL), sample(Key, Messages, Options) and
% roots(Key). Answers are Key-Answer in the same order.
mcp_elicit_all(Questions, Answers) :-
    '$mcp_ask_all'(Questions, Answers).

% mcp_sample(+Messages, +Options, -Result): asks the client's model. Messages is a text or a list of
% message(Role, Content); Result is message(Role, Content, Info), Info a list that may have
% model(Name) and stop_reason(Reason).
mcp_sample(Messages, Options, Result) :-
    '$mcp_ask'(sample('', Messages, Options), Result).

% mcp_roots(-Roots): Roots are the folders that the client works in, a list of root(URI, Name).
mcp_roots(Roots) :-
    '$mcp_ask'(roots(''), Roots).

% mcp_log(+Level, +Term): Level is one of debug, info, notice, warning, error, critical, alert and
% emergency. A curly term is sent as an object, anything else as text.
mcp_log(Level, Term) :-
    '$mcp_log'(Level, Term).

% mcp_progress(+Done, +Total, +Message): reports the progress of the call to the client.
mcp_progress(Done, Total, Message) :-
    '$mcp_progress'(Done, Total, Message).

% mcp_client(-Info): Info is {name-N, title-T, version-V, protocolVersion-P, capabilities-C}
% of the client, and user-U when it has signed in; it fails when there is no client.
mcp_client(Info) :-
    '$mcp_client'(Info).

% mcp_client_can(?Capability): the client itself has the capability elicitation, elicitation_url, sampling,
% sampling_tools or roots.
mcp_client_can(Capability) :-
    nonvar(Capability),
    !,
    '$mcp_client_can'(Capability).
mcp_client_can(Capability) :-
    member(Capability, [elicitation, elicitation_url, sampling, sampling_tools, roots]),
    '$mcp_client_can'(Capability).

% mcp_request_meta(-Meta): Meta is the member _meta of the client's request, {} when it has none.
mcp_request_meta(Meta) :-
    '$mcp_request_meta'(Meta).

% mcp_error(+Code, +Message): ends the request with a JSON-RPC error in place of a result.
mcp_error(Code, Message) :-
    mcp_error(Code, Message, _).

% mcp_error(+Code, +Message, ?Data): the same with data for programs, JSON as a curly term.
mcp_error(Code, Message, Data) :-
    must_be(integer, Code),
    must_be(nonvar, Message),
    throw(error(mcp_error(Code, Message, Data), _)).

% mcp_close_stream(+Seconds): closes the connection of the client, which fetches the reply after so many seconds. It
% has no effect for clients that cannot come back.
mcp_close_stream(Seconds) :-
    '$mcp_close_stream'(Seconds).

% mcp_notify_resource(+URI): when the call has succeeded, clients that have subscribed to the
% resource are told that it has changed.
mcp_notify_resource(URI) :-
    '$mcp_notify_resource'(URI).

% mcp_add_tool(+Tool): when the call has succeeded, Tool is offered: a term as in tools/1, of the
% module of the running tool unless it is Module:Tool. An earlier added tool of the same name is replaced.
mcp_add_tool(Tool) :-
    '$mcp_added'(Tool, tool).

% mcp_remove_tool(+Name): when the call has succeeded, the tool is no longer offered. It is an error
% while a call of the tool runs.
mcp_remove_tool(Name) :-
    '$mcp_remove'(tool, Name).

% mcp_add_prompt(+Prompt): the same for a term as in prompts/1.
mcp_add_prompt(Prompt) :-
    '$mcp_added'(Prompt, prompt).

% mcp_remove_prompt(+Name): removes a prompt.
mcp_remove_prompt(Name) :-
    '$mcp_remove'(prompt, Name).

% mcp_add_resource(+Resource): the same for a term as in resources/1.
mcp_add_resource(Resource) :-
    '$mcp_added'(Resource, resource).

% mcp_remove_resource(+URI): removes a resource.
mcp_remove_resource(URI) :-
    '$mcp_remove'(resource, URI).

% mcp_add_resource_template(+Template): the same for a term as in resource_templates/1.
mcp_add_resource_template(Template) :-
    '$mcp_added'(Template, resource_template).

% mcp_remove_resource_template(+Template): removes a template of resources.
mcp_remove_resource_template(URITemplate) :-
    '$mcp_remove'(resource_template, URITemplate).

'$mcp_added'(Item, Kind) :-
    must_be(nonvar, Item),
    (   Item = _:Plain -> true ; Plain = Item ),
    must_be(callable, Plain),
    (   functor(Plain, Kind, _) -> true ; type_error(Kind, Plain) ),
    '$mcp_add'(Item).

% mcp_value(+JSON, ?Path, ?Value): Value is a member of an object or an element of an array, in the
% notation of curly terms and lists. Path is a name, a number from 0, or a list of them.
mcp_value(JSON, Path, Value) :-
    (   Path == [] -> Value = JSON
    ;   nonvar(Path), Path = [Step|Steps] -> mcp_member(Step, JSON, Inner), mcp_value(Inner, Steps, Value)
    ;   mcp_member(Path, JSON, Value)
    ).

mcp_member(Index, Array, Value) :-
    is_list(Array),
    !,
    nth0(Index, Array, Value).
mcp_member(Name, {Pairs}, Value) :-
    (   var(Name)
    ->  mcp_pair(Pairs, Name, Value)
    ;   once(mcp_pair(Pairs, Name, Found)),
        Value = Found
    ).

mcp_pair((Pair, Pairs), Name, Value) :-
    !,
    (   mcp_pair(Pair, Name, Value)
    ;   mcp_pair(Pairs, Name, Value)
    ).
mcp_pair(Name-Value, Name, Value).
mcp_pair(Name:Value, Name, Value).
mcp_pair(Name=Value, Name, Value).

% Tools for programs that call them over plain HTTP.
:- use_module(library(mcp)).
capabilities([tools, elicitation]).
tools([
    tool(square, square, 2),
    tool(route, route, 2, [input_schema({
        type-object,
        properties-{
            region-{type-string, 'x-mcp-header'-'Region'},
            from-{'$ref'-'#/$defs/place'}},
        required-[region],
        '$defs'-{place-{type-object, properties-{name-{type-string}}}}})]),
    tool(picture, picture, 1),
    tool(earns, earns, 1),
    tool(names, names, 2),
    tool(endless, endless, 1, [timeout(0.2)]),
    tool(broken, broken, 1),
    tool(chosen, chosen, 1)
]).
:- mode(square(+integer, -integer), one).
:- info(square/2, [comment is 'Multiplies a number by itself.', argnames is [number, square]]).
square(X, Y) :- Y is X * X.

route(_, _).
tool_call(route, Args, text(Text)) :- memberchk(region-Region, Args), format(string(Text), "in ~w", [Region]).
tool_call(picture, _, results([image('aGk=', 'image/png')])).

:- mode(picture(-any), one).
:- info(picture/1, [comment is 'Draws.', argnames is [picture]]).
picture(_).

:- mode(earns(+atom), zero_or_one).
:- info(earns/1, [comment is 'Depends on an answer.', argnames is [who]]).
earns(P) :-
    mcp_elicit(P, {type-object, properties-{income-{type-integer}}, required-[income]}, accept({income-I})),
    I > 9000.

:- mode(names(+integer, -atom), zero_or_more).
:- info(names/2, [comment is 'Counts.', argnames is [most, name]]).
names(N, A) :- between(1, N, I), atom_concat(n, I, A).

:- mode(endless(-integer), one).
:- info(endless/1, [comment is 'Never ends.', argnames is [n]]).
endless(N) :- repeat, N = 1, fail.

:- mode(broken(-integer), one).
:- info(broken/1, [comment is 'Throws.', argnames is [n]]).
broken(N) :- N is foo + 1.

:- mode(chosen(-integer), one).
:- info(chosen/1, [comment is 'Answers with an error of JSON-RPC.', argnames is [n]]).
chosen(_) :- mcp_error(-32042, 'closed on Sundays', {day-sunday}).

% Interviews of any length.

capabilities([elicitation]).

tools([
    tool(ask, ask, 2, [description('Asks N questions.')]),
    tool(ask_in_detail, ask_in_detail, 2, [description('Asks N questions and has a structured result.')])
]).

:- mode(ask(+integer, -list(integer)), one).
:- info(ask/2, [argnames is ['N', 'Answers']]).
ask(N, Answers) :-
    numlist(1, N, Is),
    maplist(ask_one, Is, Answers).

ask_one(I, A) :-
    format(atom(Message), "Question ~w?", [I]),
    mcp_elicit(Message, {type-object, properties-{n-{type-integer}}, required-[n]}, accept({n-A})).

:- mode(ask_in_detail(+integer, -list(integer)), one).
:- info(ask_in_detail/2, [argnames is ['N', 'Answers']]).
ask_in_detail(N, Answers) :- ask(N, Answers).
tool_call(ask, Arguments, _, text(Text)) :-
    memberchk('N'-N, Arguments),
    ask(N, Answers),
    term_string(Answers, Text).

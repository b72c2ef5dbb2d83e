% Elicitation: a tool that asks the user a question while it runs.
:- module(interactive_tools, []).

capabilities([elicitation]).

tools([
    tool(ask_name, ask_name, 0)
]).

:- info(ask_name/0, [
    comment is 'Asks the user for their name and greets them.'
]).

% Only tool_call/4 has someone to ask; the predicate stands for the tool.
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
        Result = text(Text)
    ;   Result = text('No name provided.')
    ).

has_pair({Pairs}, Key, Value) :-
    curly_member(Key-Value, Pairs).

curly_member(Pair, (Pair, _)) :- !.
curly_member(Pair, (_, Rest)) :-
    !, curly_member(Pair, Rest).
curly_member(Pair, Pair).

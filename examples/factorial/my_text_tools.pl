% Custom handling: the same predicate, with tool_call/3 wording the result.
:- module(my_text_tools, []).

:- mode(factorial(+non_negative_integer, -integer), one).
:- info(factorial/2, [
    comment is 'Computes the factorial of a non-negative integer and says so in a sentence.',
    argnames is ['N', 'F']
]).

% The name differs from the one in my_tools.pl: a server has one tool of a name.
tools([
    tool(factorial_text, factorial, 2)
]).

tool_call(factorial_text, Arguments, Result) :-
    member('N'-N, Arguments),
    factorial(N, F),
    number_codes(F, Codes),
    atom_codes(FAtom, Codes),
    atom_concat('The factorial is: ', FAtom, Text),
    Result = text(Text).

factorial(0, 1) :- !.
factorial(N, F) :-
    N > 0,
    N1 is N - 1,
    factorial(N1, F1),
    F is N * F1.

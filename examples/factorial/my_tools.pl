% Automatic dispatch: declaring the predicate is enough to make it a tool.
:- module(my_tools, [factorial/2]).

:- mode(factorial(+non_negative_integer, -integer), one).
:- info(factorial/2, [
    comment is 'Computes the factorial of a non-negative integer.',
    argnames is ['N', 'F']
]).

tools([
    tool(factorial, factorial, 2)
]).

factorial(0, 1) :- !.
factorial(N, F) :-
    N > 0,
    N1 is N - 1,
    factorial(N1, F1),
    F is N * F1.

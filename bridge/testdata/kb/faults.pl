% Tools that go wrong, each in its own way.

tools([
    tool(recurse, recurse, 0),
    tool(loop, loop, 0, [timeout(0.2)]),
    tool(stubborn, stubborn, 0, [timeout(0.2)]),
    tool(print_only, print_only, 0),
    tool(print_and_answer, print_and_answer, 1),
    tool(halts, halts, 0),
    tool(halts_with, halts_with, 0),
    tool(throws, throws, 0),
    tool(bad_arithmetic, bad_arithmetic, 1),
    tool(unknown_predicate, unknown_predicate, 0),
    tool(fails, fails, 0),
    tool(unbound, unbound, 1),
    tool(unbound_any, unbound_any, 1),
    tool(cyclic, cyclic, 1),
    tool(cyclic_any, cyclic_any, 1),
    tool(cyclic_ball, cyclic_ball, 0),
    tool(shared, shared, 1),
    tool(wrong_type, wrong_type, 1),
    tool(many, many, 1),
    tool(few, few, 1, [limit(3)]),
    tool(none, none, 1),
    tool(huge_text, huge_text, 1),
    tool(huge_output, huge_output, 0),
    tool(deep, deep, 1),
    tool(odd_result, odd_result, 0),
    tool(odd_item, odd_item, 0),
    tool(not_base64, not_base64, 0)
]).

:- mode(recurse, one).
:- info(recurse/0, [comment is 'Recurses for ever.']).
recurse :- recurse, foo.
foo.

:- mode(loop, one).
:- info(loop/0, [comment is 'Loops for ever.']).
loop :- loop.

:- mode(stubborn, one).
:- info(stubborn/0, [comment is 'Loops for ever, whatever happens.']).
stubborn :- repeat, catch(loop, _, true), fail.

:- mode(print_only, one).
:- info(print_only/0, [comment is 'Prints.']).
print_only :- write('{"jsonrpc":"2.0"}'), nl.

:- mode(print_and_answer(-integer), one).
:- info(print_and_answer/1, [comment is 'Prints and answers.', argnames is [n]]).
print_and_answer(1) :- format("working~n").

:- mode(halts, one).
:- info(halts/0, [comment is 'Halts.']).
halts :- halt.

:- mode(halts_with, one).
:- info(halts_with/0, [comment is 'Halts with a code.']).
halts_with :- catch(halt(3), _, true).

:- mode(throws, one).
:- info(throws/0, [comment is 'Throws a term that is no error.']).
throws :- throw(my_ball(1, "two")).

:- mode(bad_arithmetic(-integer), one).
:- info(bad_arithmetic/1, [comment is 'Computes with an atom.', argnames is [n]]).
bad_arithmetic(N) :-
    N is foo + 1.

:- mode(unknown_predicate, one).
:- info(unknown_predicate/0, [comment is 'Calls what is not there.']).
unknown_predicate :- call(no_such_predicate, 1).

:- mode(fails, one).
:- info(fails/0, [comment is 'Fails.']).
fails :- fail.

:- mode(unbound(-integer), one).
:- info(unbound/1, [comment is 'Leaves its output unbound.', argnames is [n]]).
unbound(_).

:- mode(unbound_any(-any), one).
:- info(unbound_any/1, [comment is 'Leaves an output of any type unbound.', argnames is [x]]).
unbound_any(_).

:- mode(cyclic(-list(integer)), one).
:- info(cyclic/1, [comment is 'Returns a cyclic list.', argnames is [l]]).
cyclic(L) :- L = [1|L].

:- mode(cyclic_any(-any), one).
:- info(cyclic_any/1, [comment is 'Returns a cyclic term.', argnames is [x]]).
cyclic_any(X) :- X = f(X).

:- mode(cyclic_ball, one).
:- info(cyclic_ball/0, [comment is 'Throws a cyclic term.']).
cyclic_ball :- X = f(X), throw(X).

:- mode(shared(-any), one).
:- info(shared/1, [comment is 'Returns a term that is small in memory and huge as text.', argnames is [x]]).
shared(X) :- double(60, a, X).
double(0, X, X) :- !.
double(N, X, Y) :- N1 is N - 1, double(N1, f(X, X), Y).

:- mode(wrong_type(-integer), one).
:- info(wrong_type/1, [comment is 'Returns an atom for an integer.', argnames is [n]]).
wrong_type(seven).

:- mode(many(-integer), zero_or_more).
:- info(many/1, [comment is 'Has ten million solutions.', argnames is [n]]).
many(N) :- between(1, 10000000, N).

:- mode(few(-integer), zero_or_more).
:- info(few/1, [comment is 'Has three solutions, as many as its limit.', argnames is [n]]).
few(N) :- member(N, [1, 2, 3]).

:- mode(none(-integer), zero_or_more).
:- info(none/1, [comment is 'Has no solutions.', argnames is [n]]).
none(_) :- fail.

:- mode(huge_text(-string), one).
:- info(huge_text/1, [comment is 'Returns a long string.', argnames is [s]]).
huge_text(S) :- format(string(S), "~`xt~1200000|", []).

:- mode(huge_output, one).
:- info(huge_output/0, [comment is 'Prints without end.']).
huge_output :- between(1, 300000, N), write(N), nl, fail.
huge_output.

:- mode(deep(-any), one).
:- info(deep/1, [comment is 'Returns a term that nests 400,000 deep.', argnames is [x]]).
deep(X) :- nest(400000, a, X).
nest(0, X, X) :- !.
nest(N, X, Y) :- N1 is N - 1, nest(N1, f(X), Y).

:- mode(odd_result, one).
:- info(odd_result/0, [comment is 'Returns a result term that does not exist.']).
odd_result.
tool_call(odd_result, _, picture(1)).

:- mode(odd_item, one).
:- info(odd_item/0, [comment is 'Returns a content item that does not exist.']).
odd_item.
tool_call(odd_item, _, results([text(a), smell(b)])).

:- mode(not_base64, one).
:- info(not_base64/0, [comment is 'Returns an image that is not base64.']).
not_base64.
tool_call(not_base64, _, results([image('?!', 'image/png')])).

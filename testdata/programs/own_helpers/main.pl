% A program may use names that begin with $, as systems do for their own helpers.
:- use_module(helpers).
'$append'(x, y).
'$my'(1).
'$strip_module'(1, 2, 3).
:- dynamic '$count'/1.
'$count'(0).
'$next'(N) :- retract('$count'(N)), M is N + 1, assertz('$count'(M)).
main :-
    forall('$append'(X, Y), writeln(X-Y)),
    '$my'(A), writeln(A),
    '$strip_module'(_, B, _), writeln(B),
    '$next'(_), '$next'(N), writeln(N),
    helped(L), writeln(L),
    append([1], [2], L2), writeln(L2),
    strip_module(m:g, M, G), writeln(M-G),
    with_output_to(string(S), print('A'-"b")), writeln(S),
    format("~w ~q~n", [a, 'B']),
    writeq('$my'(x)), nl,
    ( current_predicate('$my'/1) -> writeln(yes) ; writeln(no) ).

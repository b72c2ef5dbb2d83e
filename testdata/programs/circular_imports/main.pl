% Modules that import each other, whichever is loaded first.
:- use_module(even, [even/1]).
:- use_module(odd).
main :-
    forall(member(N, [0, 1, 6, 7]), ( even(N) -> writeln(N-even) ; writeln(N-odd) )),
    ( odd(3) -> writeln(yes) ; writeln(no) ).

% A module adds clauses to hooks of user and of another module; their bodies run where they are written.
:- use_module(greeter).
:- use_module(counter).

main :-
    forall(greeting(X), writeln(X)),
    forall(counter:event(E, N), writeln(E-N)),
    count(2), count(3), total(T), writeln(total(T)),
    forall(clause(greeting(_), B), ( B = M:_ -> writeln(M) ; writeln(B) )).

% Goals that wait are told with their module, and a disequality wakes none of them.
:- use_module(waiting).

told(Term) :-
    copy_term(Term, Copy, Goals),
    numbervars(Copy-Goals, 0, _),
    print(Copy-Goals),
    nl.

conjunct((A, B), C) :- !, ( conjunct(A, C) ; conjunct(B, C) ).
conjunct(C, C).

main :-
    waiting(X),
    told(X),
    dif(X, b),
    frozen(X, Goal),
    ( conjunct(Goal, freeze(_, M:_)) -> print(M) ; print(none) ),
    nl,
    when(( nonvar(Y) ; ground(Z) ), writeln(y_or_z)),
    told(Y-Z),
    Z = 3,
    X = 1,
    freeze(A, throw(woken)),
    dif(A, b),
    told(A),
    dif(f(A, B), f(1, 2)),
    B = 2,
    catch(( A = 1 -> writeln(wrong) ; writeln(differs) ), Ball, ( print(Ball), nl )).

% Clauses that carry a module as a whole, or before their head.
lib:(double(X, Y) :- factor(F), Y is X * F).
lib:factor(2).
other:from_user(X) :- here(X).
here(user).
other:here(other).
other:(from_other(X) :- here(X)).
shape:area(square(S), A) :- square(S, A).
square(S, A) :- A is S * S.

main :-
    lib:double(4, X), writeln(X),
    other:from_user(A), writeln(A),
    other:from_other(B), writeln(B),
    shape:area(square(3), C), writeln(C),
    catch(lib:cube(3, _), error(E, _), (print(E), nl)),
    ( other:from_user(D), ! ; D = none ), writeln(D).

% Global variables that directives and initialization goals set, and the hook for those that nobody has set.
:- nb_setval(counter, 10).
:- nb_setval(tree, t(X, [1, "two", X], 2.5)).
:- b_setval(gone, 1).
:- initialization(nb_setval(late, yes)).
:- use_module(keeper).
:- multifile user:exception/3.
:- dynamic user:exception/3.
user:exception(undefined_global_variable, lazy, retry) :- nb_setval(lazy, made).
user:exception(undefined_global_variable, liar, retry).

main :-
    nb_getval(counter, C), writeln(C), C1 is C + 1, nb_setval(counter, C1), b_getval(counter, D), writeln(D),
    nb_getval(tree, t(A, [N, S, B], F)), ( A == B -> writeln(N-S-F) ; writeln(different) ),
    ( nb_current(gone, G) -> writeln(G) ; writeln(no_gone) ),
    nb_getval(late, L), writeln(L),
    nb_getval(kept, K), writeln(K),
    nb_getval(lazy, Z), writeln(Z),
    catch(nb_getval(liar, _), error(E, _), (print(E), nl)),
    catch(b_getval(nobody, _), error(E2, _), (print(E2), nl)).

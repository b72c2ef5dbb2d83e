% Two interpreters of the clauses of another module, one with proofs and cuts, one that counts, and a program that asserts.
:- use_module(solver).
:- use_module(counter, [steps/3]).
:- use_module(rules, []).
main :-
    forall(solved(rules:path(a, X), Proof), ( depth(Proof, D), writeln(X-D) )),
    solved(rules:max(3, 2, M), P1), writeln(M-P1),
    ( solved(rules:max(1, 2, 1), _) -> writeln(yes) ; writeln(no) ),
    findall(X2, solved(rules:kind(X2), _), Kinds), writeln(Kinds),
    steps(rules:len([a, b, c], N), 100, Steps), writeln(N-Steps),
    ( steps(rules:path(a, z), 20, S2) -> writeln(S2) ; writeln(none) ),
    catch(steps(rules:loop, 50, _), out_of_steps(Left), ( writeln(out(Left)) )),
    catch(solved(rules:broken(_), _), error(E, _), ( print(E), nl )),
    solved(rules:learn(5), _), findall(F, solved(rules:fact(F), _), Fs), writeln(Fs),
    catch(solved(rules:sure(_), _), thrown(Ball), writeln(caught(Ball))).
depth(true, 0).
depth(called(_), 1).
depth((A, B), D) :- depth(A, DA), depth(B, DB), D is max(DA, DB).
depth(_ :- Proof, D) :- depth(Proof, D0), D is D0 + 1.

% Headers of modules: a name that is left to the file, operators of exports, and exports made later.
:- use_module(anon).
:- use_module(ops).
:- use_module(later).
:- discontiguous _:spread/1.
rule(a ===> b).
rule(c =>> d).
spread(1).
main :- anon(X), writeln(X), forall(rule(R), (R =.. [O|_], writeln(O))), later(Y), writeln(Y), spread(Z), writeln(Z),
    ( current_op(P, T, ===>) -> writeln(P-T) ; writeln(none) ).

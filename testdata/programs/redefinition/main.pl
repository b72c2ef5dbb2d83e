% A later file replaces a predicate of an earlier one; the rest of both stays.
:- consult(first).
:- consult(second).
main :- forall(p(X), writeln(X)), forall(q(X), writeln(X)), forall(r(X), writeln(X)), forall(m(X), writeln(X)), s.

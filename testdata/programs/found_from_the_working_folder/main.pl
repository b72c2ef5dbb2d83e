% A module is looked for beside the file that names it, then in the working folder; .prolog may be left out; files in a circle
% import what is not exported.
:- use_module(sub/a).
:- use_module(util).
:- [sub/loads].
:- use_module(q, []).
main :- a(X), u(Y), b(B), m:z(Z), loaded(L), writeln([X, Y, B, Z, L]).

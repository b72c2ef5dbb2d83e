:- initialization(part_init).
:- writeln(part_directive).
part_init :- value(X), writeln(part(X)).
:- include(inc).
value(1).

:- multifile m/1.
p(1).
p(2).
q(first).
m(1).
s :- p(X), writeln(s(X)).

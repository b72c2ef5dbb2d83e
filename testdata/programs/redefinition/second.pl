:- multifile m/1.
p(3).
r(second).
m(2).
p(4).

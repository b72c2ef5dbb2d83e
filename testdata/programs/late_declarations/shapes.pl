:- module(shapes, [run/0, twice/1]).
run :- show(hello), twice(say), told(x, loud), maplist(show, [a,b]), reveal(c), local.
local :- ( show(d) -> true ; true ), \+ \+ show(e), findall(x, show(f), _).
:- use_module(tell).
say :- writeln(saying).
loud(X) :- writeln(loud(X)).
early :- writeln(early), keep(mine).
keep(M:X) :- !, writeln(kept(M, X)).
keep(X) :- writeln(kept(X)).
:- meta_predicate show(:), twice(0), inner(:), keep(:).
:- early.
show(M:X) :- writeln(M-X).
twice(G) :- writeln(G), call(G), call(G), inner(G).
inner(G) :- writeln(G).

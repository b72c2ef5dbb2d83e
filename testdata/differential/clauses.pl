% ISO 13211-1, 8.8 and 8.9 clauses.

:- dynamic(cat/0). :- dynamic(dog/1). :- dynamic(elk/2). :- dynamic(legs/2). :- dynamic(insect/1). :- dynamic(foo/1).
cat.
dog(fido). dog(rex).
elk(X, Y) :- moose(X, Y).
legs(A, 6) :- insect(A).
legs(spider, 8).
legs(B, 2) :- bird(B).
insect(bee). insect(ant).
moose(a, b).
bird(tit).
foo(X) :- call(X), call(X).
foo(X) :- call(X) -> call(X) ; true.

?- clause(cat,true).
?- clause(dog(X),B).
?- clause(dog(fido),B).
?- clause(legs(I,6),Body).
?- clause(legs(C,7),Body).
?- clause(insect(I),T).
?- clause(x,Body).
?- clause(_,B).
?- clause(4,X).
?- clause(elk(N),Body).
?- clause(atom(_),Body).
?- clause(f(_),5).
?- clause(legs(A,6),insect(f(A))).
?- clause(elk(A,B),moose(A,C)).
?- clause(cat,1).
?- clause(cat,[]).
?- clause(1.5,true).
?- clause(foo(X),B).
?- asserta(legs(octopus,8)), legs(A,8).
?- assertz(legs(spider,9)), findall(A-N,legs(A,N),L).
?- asserta((bar(X) :- X)), clause(bar(X),B).
?- assertz((bar(X) :- X,true)), clause(bar(X),B).
?- asserta(_).
?- asserta(4).
?- asserta((bar :- 4)).
?- asserta((atom(_) :- true)).
?- assertz(_).
?- assertz(4).
?- assertz((foo :- 4)).
?- assertz((atom(_) :- true)).
?- assertz((foo :- fail,4)).
?- assertz((foo,bar)).
?- assertz((foo;bar)).
?- assertz((foo->bar)).
?- assertz(!).
?- assertz((call(_) :- true)).
?- assertz((X :- true)).
?- assertz((4 :- true)).
?- assertz((a :- (b,1))).
?- assertz((a :- (b;1))).
?- assertz((a :- (b->1))).
?- assertz((a :- \+ 1)), clause(a,B).
?- asserta((a :- call(1))), clause(a,B).
?- assertz('x'), x.
?- assertz(f(X,Y,X)), f(A,B,C).
?- assertz([a]).
?- assertz([]).
?- assertz({a}).
?- assertz((:- a)).
?- assertz((a:-b:-c)).
?- retract(cat), cat.
?- retract(dog(X)), dog(Y).
?- retract((legs(A,6) :- B)).
?- retract(legs(spider,N)), findall(A,legs(A,_),L).
?- retract(_).
?- retract(4).
?- retract((4 :- X)).
?- retract((x :- in_win95)).
?- retract((atom(_) :- X == '[]')).
?- retract((moose(a,b) :- true)).
?- retract((foo(A) :- A,call(A))).
?- retract((foo(C) :- A -> B)).
?- retract(nosuch).
?- retract((X :- true)).
?- retract((legs(A,N) :- 4)).
?- retract((cat :- 1)).
?- retract(insect(I)), write(I), nl, retract(insect(bee)).
?- dog(X), assertz(dog(new)), write(X), nl, fail.
?- insect(X), retract(insect(ant)), write(X), nl, fail.
?- insect(X), asserta(insect(wasp)), write(X), nl, fail.
?- retract(dog(X)), write(X), assertz(dog(z)), nl, fail.
?- dog(X), abolish(dog/1), write(X), fail.
?- dog(X), retract(dog(Y)), write(X-Y), nl, fail.
?- abolish(foo/2).
?- abolish(dog/1), catch(dog(_),error(E,_),true).
?- abolish(foo/_).
?- abolish(foo).
?- abolish(foo(_)).
?- abolish(abolish/1).
?- abolish(foo/a).
?- abolish(foo/(-1)).
?- abolish(_).
?- abolish(_/1).
?- abolish(1/1).
?- abolish(f(x)/1).
?- abolish(foo/1.5).
?- abolish(foo/3000000000).
?- current_predicate(dog/1).
?- current_predicate(dog/N).
?- current_predicate(nosuch/N).
?- current_predicate(current_predicate/1).
?- current_predicate(X/a).
?- current_predicate(1/A).
?- current_predicate(4).
?- current_predicate(dog).
?- current_predicate(dog:_).
?- current_predicate(f(x)/1).
?- current_predicate(dog/(-1)).
?- current_predicate(cat/0).
?- retractall(dog(_)), findall(X,dog(X),L).
?- retractall(insect(bee)), findall(X,insect(X),L).
?- retractall(nosuch2(_)), catch(nosuch2(_),error(E,_),true).
?- retractall(_).
?- retractall(3).
?- retractall(atom(_)).
?- retractall(moose(_,_)).
?- retractall((a:-b)).
?- retractall(legs(spider,_)), findall(A,legs(A,_),L).

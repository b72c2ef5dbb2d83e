% ISO 13211-1, 8.2 unification, 8.3 type tests.

?- X = a.
?- X \= a.
?- unify_with_occurs_check(X,a).
?- subsumes_term(X,a).
?- f(X,b) = f(a,Y).
?- f(X,b) \= f(a,Y).
?- unify_with_occurs_check(f(X,b),f(a,Y)).
?- subsumes_term(f(X,b),f(a,Y)).
?- f(X,X) = f(a,b).
?- f(X,X) \= f(a,b).
?- unify_with_occurs_check(f(X,X),f(a,b)).
?- subsumes_term(f(X,X),f(a,b)).
?- f(X,1) = f(a(X2),1).
?- f(X,1) \= f(a(X2),1).
?- unify_with_occurs_check(f(X,1),f(a(X2),1)).
?- subsumes_term(f(X,1),f(a(X2),1)).
?- 1 = 1.0.
?- 1 \= 1.0.
?- unify_with_occurs_check(1,1.0).
?- subsumes_term(1,1.0).
?- [] = [].
?- [] \= [].
?- unify_with_occurs_check([],[]).
?- subsumes_term([],[]).
?- [a|T] = [a,b].
?- [a|T] \= [a,b].
?- unify_with_occurs_check([a|T],[a,b]).
?- subsumes_term([a|T],[a,b]).
?- 'a' = a.
?- 'a' \= a.
?- unify_with_occurs_check('a',a).
?- subsumes_term('a',a).
?- f(A,B,C) = f(B,C,1).
?- f(A,B,C) \= f(B,C,1).
?- unify_with_occurs_check(f(A,B,C),f(B,C,1)).
?- subsumes_term(f(A,B,C),f(B,C,1)).
?- g(X) = f(X).
?- g(X) \= f(X).
?- unify_with_occurs_check(g(X),f(X)).
?- subsumes_term(g(X),f(X)).
?- f(x) = f(x,y).
?- f(x) \= f(x,y).
?- unify_with_occurs_check(f(x),f(x,y)).
?- subsumes_term(f(x),f(x,y)).
?- - 1 = -1.
?- - 1 \= -1.
?- unify_with_occurs_check(- 1,-1).
?- subsumes_term(- 1,-1).
?- 1+2 = +(1,2).
?- 1+2 \= +(1,2).
?- unify_with_occurs_check(1+2,+(1,2)).
?- subsumes_term(1+2,+(1,2)).
?- {a} = '{}'(a).
?- {a} \= '{}'(a).
?- unify_with_occurs_check({a},'{}'(a)).
?- subsumes_term({a},'{}'(a)).
?- [a] = '.'(a,[]).
?- [a] \= '.'(a,[]).
?- unify_with_occurs_check([a],'.'(a,[])).
?- subsumes_term([a],'.'(a,[])).
?- f(_) = f(_).
?- f(_) \= f(_).
?- unify_with_occurs_check(f(_),f(_)).
?- subsumes_term(f(_),f(_)).
?- f(A,A) = f(B,g(C)).
?- f(A,A) \= f(B,g(C)).
?- unify_with_occurs_check(f(A,A),f(B,g(C))).
?- subsumes_term(f(A,A),f(B,g(C))).
?- unify_with_occurs_check(X,f(X)).
?- unify_with_occurs_check(f(X,Y),f(Y,g(X))).
?- unify_with_occurs_check(f(X,1),f(a(X),1)).
?- var(X).
?- var(_).
?- var(a).
?- var('A b').
?- var(1).
?- var(-1).
?- var(1.0).
?- var(f(x)).
?- var(f(X)).
?- var([]).
?- var([a]).
?- var([a|_]).
?- var({}).
?- var({a}).
?- var(- 1).
?- var(-(1)).
?- var(a:b).
?- var((a,b)).
?- var('').
?- atom(X).
?- atom(_).
?- atom(a).
?- atom('A b').
?- atom(1).
?- atom(-1).
?- atom(1.0).
?- atom(f(x)).
?- atom(f(X)).
?- atom([]).
?- atom([a]).
?- atom([a|_]).
?- atom({}).
?- atom({a}).
?- atom(- 1).
?- atom(-(1)).
?- atom(a:b).
?- atom((a,b)).
?- atom('').
?- integer(X).
?- integer(_).
?- integer(a).
?- integer('A b').
?- integer(1).
?- integer(-1).
?- integer(1.0).
?- integer(f(x)).
?- integer(f(X)).
?- integer([]).
?- integer([a]).
?- integer([a|_]).
?- integer({}).
?- integer({a}).
?- integer(- 1).
?- integer(-(1)).
?- integer(a:b).
?- integer((a,b)).
?- integer('').
?- float(X).
?- float(_).
?- float(a).
?- float('A b').
?- float(1).
?- float(-1).
?- float(1.0).
?- float(f(x)).
?- float(f(X)).
?- float([]).
?- float([a]).
?- float([a|_]).
?- float({}).
?- float({a}).
?- float(- 1).
?- float(-(1)).
?- float(a:b).
?- float((a,b)).
?- float('').
?- number(X).
?- number(_).
?- number(a).
?- number('A b').
?- number(1).
?- number(-1).
?- number(1.0).
?- number(f(x)).
?- number(f(X)).
?- number([]).
?- number([a]).
?- number([a|_]).
?- number({}).
?- number({a}).
?- number(- 1).
?- number(-(1)).
?- number(a:b).
?- number((a,b)).
?- number('').
?- atomic(X).
?- atomic(_).
?- atomic(a).
?- atomic('A b').
?- atomic(1).
?- atomic(-1).
?- atomic(1.0).
?- atomic(f(x)).
?- atomic(f(X)).
?- atomic([]).
?- atomic([a]).
?- atomic([a|_]).
?- atomic({}).
?- atomic({a}).
?- atomic(- 1).
?- atomic(-(1)).
?- atomic(a:b).
?- atomic((a,b)).
?- atomic('').
?- compound(X).
?- compound(_).
?- compound(a).
?- compound('A b').
?- compound(1).
?- compound(-1).
?- compound(1.0).
?- compound(f(x)).
?- compound(f(X)).
?- compound([]).
?- compound([a]).
?- compound([a|_]).
?- compound({}).
?- compound({a}).
?- compound(- 1).
?- compound(-(1)).
?- compound(a:b).
?- compound((a,b)).
?- compound('').
?- nonvar(X).
?- nonvar(_).
?- nonvar(a).
?- nonvar('A b').
?- nonvar(1).
?- nonvar(-1).
?- nonvar(1.0).
?- nonvar(f(x)).
?- nonvar(f(X)).
?- nonvar([]).
?- nonvar([a]).
?- nonvar([a|_]).
?- nonvar({}).
?- nonvar({a}).
?- nonvar(- 1).
?- nonvar(-(1)).
?- nonvar(a:b).
?- nonvar((a,b)).
?- nonvar('').
?- callable(X).
?- callable(_).
?- callable(a).
?- callable('A b').
?- callable(1).
?- callable(-1).
?- callable(1.0).
?- callable(f(x)).
?- callable(f(X)).
?- callable([]).
?- callable([a]).
?- callable([a|_]).
?- callable({}).
?- callable({a}).
?- callable(- 1).
?- callable(-(1)).
?- callable(a:b).
?- callable((a,b)).
?- callable('').
?- ground(X).
?- ground(_).
?- ground(a).
?- ground('A b').
?- ground(1).
?- ground(-1).
?- ground(1.0).
?- ground(f(x)).
?- ground(f(X)).
?- ground([]).
?- ground([a]).
?- ground([a|_]).
?- ground({}).
?- ground({a}).
?- ground(- 1).
?- ground(-(1)).
?- ground(a:b).
?- ground((a,b)).
?- ground('').
?- is_list(X).
?- is_list(_).
?- is_list(a).
?- is_list('A b').
?- is_list(1).
?- is_list(-1).
?- is_list(1.0).
?- is_list(f(x)).
?- is_list(f(X)).
?- is_list([]).
?- is_list([a]).
?- is_list([a|_]).
?- is_list({}).
?- is_list({a}).
?- is_list(- 1).
?- is_list(-(1)).
?- is_list(a:b).
?- is_list((a,b)).
?- is_list('').

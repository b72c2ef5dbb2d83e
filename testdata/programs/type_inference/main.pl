% Types of Hindley and Milner for a small functional language: let with schemes, occurs check, and readable types.
:- use_module(library(lists)).
:- op(200, xfy, ->).

type(Env, var(X), T) :- !, ( memberchk(X-S, Env) -> instance(S, T) ; throw(unbound(X)) ).
type(_, num(_), int) :- !.
type(_, bool(_), bool) :- !.
type(Env, fn(X, B), (A->T)) :- !, type([X-mono(A)|Env], B, T).
type(Env, app(F, X), T) :- !, type(Env, F, TF), type(Env, X, TX), unify(TF, (TX->T)).
type(Env, let(X, E, B), T) :- !, type(Env, E, TE), generalize(Env, TE, S), type([X-S|Env], B, T).
type(Env, rec(F, E, B), T) :- !, type([F-mono(TE)|Env], E, TE1), unify(TE, TE1), generalize(Env, TE, S), type([F-S|Env], B, T).
type(Env, if(C, A, B), T) :- !, type(Env, C, TC), unify(TC, bool), type(Env, A, T), type(Env, B, T1), unify(T, T1).

unify(A, B) :- ( unify_with_occurs_check(A, B) -> true ; throw(mismatch(A, B)) ).

instance(mono(T), T).
instance(poly(_, T), T1) :- copy_term(T, T1).

generalize(Env, T, poly(Fixed-Free, T)) :- term_variables(T, Vs), term_variables(Env, Es), partition([V]>>( member(E, Es), E == V ), Vs, Fixed, Free), Fixed == [], !.
generalize(_, T, mono(T)).

prelude([plus-mono((int->int->int)), less-mono((int->int->bool)), nil-poly(x, list(_)), cons-poly(x, (A->list(A)->list(A)))]).

term(id, fn(x, var(x))).
term(const, fn(x, fn(y, var(x)))).
term(compose, fn(f, fn(g, fn(x, app(var(f), app(var(g), var(x))))))).
term(twice, let(t, fn(f, fn(x, app(var(f), app(var(f), var(x))))), app(app(var(t), app(var(plus), num(1))), num(2)))).
term(poly, let(i, fn(x, var(x)), if(app(var(i), bool(true)), app(var(i), num(1)), num(2)))).
term(omega, fn(x, app(var(x), var(x)))).
term(sum, rec(s, fn(n, if(app(app(var(less), var(n)), num(1)), num(0), app(app(var(plus), var(n)), app(var(s), var(n))))), var(s))).
term(list, app(app(var(cons), num(1)), var(nil))).
term(bad, app(num(1), num(2))).
term(free, fn(x, var(y))).
term(mixed, app(app(var(cons), bool(true)), app(app(var(cons), num(1)), var(nil)))).

show(T) :- \+ \+ ( numbervars(T, 0, _), print(T) ).

main :-
    prelude(Env),
    forall(term(Name, E),
           ( format("~w~t~10|", [Name]), catch(( type(Env, E, T), show(T) ), Ball, ( write('no: '), show(Ball) )), nl )).

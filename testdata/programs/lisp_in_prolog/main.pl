% A Lisp: reader on characters, closures with environments as association lists, errors, and a prelude in itself.
:- use_module(library(lists)).
:- use_module(library(apply)).
:- dynamic global/2.

read_all(Text, Forms) :- string_chars(Text, Cs), phrase(forms(Forms), Cs).

forms([F|Fs]) --> ws, form(F), !, forms(Fs).
forms([]) --> ws.

form([quote, F]) --> ['\''], !, form(F).
form(L) --> ['('], !, forms(L), [')'].
form(A) --> symbol(Cs), { Cs = [_|_], atom_chars(A0, Cs), ( catch(atom_number(A0, N), _, fail) -> A = N ; A = A0 ) }.

symbol([C|Cs]) --> [C], { \+ memberchk(C, ['(', ')', '\'']), \+ char_type(C, space) }, !, symbol(Cs).
symbol([]) --> [].
ws --> [C], { char_type(C, space) }, !, ws.
ws --> [].

eval(X, _, X) :- number(X), !.
eval([], _, []) :- !.
eval(t, _, t) :- !.
eval(S, Env, V) :- atom(S), !, ( memberchk(S-V0, Env) -> V = V0 ; global(S, V0) -> V = V0 ; throw(unbound(S)) ).
eval([quote, X], _, X) :- !.
eval([if, C, A, B], Env, V) :- !, eval(C, Env, T), ( T == [] -> eval(B, Env, V) ; eval(A, Env, V) ).
eval([lambda, Ps, Body], Env, closure(Ps, Body, Env)) :- !.
eval([define, [F|Ps], Body], Env, F) :- !, eval([define, F, [lambda, Ps, Body]], Env, F).
eval([define, S, X], Env, S) :- !, eval(X, Env, V), retractall(global(S, _)), assertz(global(S, V)).
eval([let, Bs, Body], Env, V) :- !,
    foldl([[S, X], E, [S-W|E]]>>eval(X, Env, W), Bs, Env, Env1), eval(Body, Env1, V).
eval([F|Xs], Env, V) :- eval_fun(F, Env, G), maplist([X, W]>>eval(X, Env, W), Xs, Ws), apply_to(G, Ws, V).

eval_fun(F, Env, G) :- atom(F), \+ memberchk(F-_, Env), primitive(F), !, G = prim(F).
eval_fun(F, Env, G) :- eval(F, Env, G).

primitive(F) :- memberchk(F, [+, -, *, <, =, car, cdr, cons, list, null]).

apply_to(prim(F), Ws, V) :- !, ( prim(F, Ws, V0) -> V = V0 ; throw(bad_call(F, Ws)) ).
apply_to(closure(Ps, Body, Env), Ws, V) :- !,
    ( maplist([P, W, P-W]>>true, Ps, Ws, Bs) -> append(Bs, Env, E), eval(Body, E, V) ; throw(arguments(Ps, Ws)) ).
apply_to(X, _, _) :- throw(no_function(X)).

prim(+, Ws, V) :- sum_list(Ws, V).
prim(-, [A, B], V) :- V is A-B.
prim(*, Ws, V) :- foldl([X, Y, Z]>>( Z is X*Y ), Ws, 1, V).
prim(<, [A, B], V) :- ( A < B -> V = t ; V = [] ).
prim(=, [A, B], V) :- ( A == B -> V = t ; V = [] ).
prim(car, [[X|_]], X).
prim(cdr, [[_|X]], X).
prim(cons, [A, B], [A|B]).
prim(list, Ws, Ws).
prim(null, [X], V) :- ( X == [] -> V = t ; V = [] ).

program("(define (fact n) (if (< n 2) 1 (* n (fact (- n 1))))) (fact 25)
(define (map f l) (if (null l) '() (cons (f (car l)) (map f (cdr l)))))
(map (lambda (x) (* x x)) '(1 2 3 4))
(define (adder n) (lambda (x) (+ x n))) ((adder 10) 5)
(define (fold f a l) (if (null l) a (fold f (f a (car l)) (cdr l))))
(fold (lambda (a x) (cons x a)) '() '(a b c)) (let ((x 2) (y 3)) (list x y (+ x y))) (car '()) (foo 1) ((adder 1)) (1 2)").

main :-
    program(T), read_all(T, Forms),
    forall(member(F, Forms), catch(( eval(F, [], V), print(V) ; print(failed) ), E, print(error(E))) -> nl ; true), !.

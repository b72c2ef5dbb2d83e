% A compiler of expressions to stack code, peephole rules as data, and a proof by running that nothing changed.
:- use_module(library(lists)).

compile(N) --> { number(N) }, !, [push(N)].
compile(V) --> { atom(V) }, !, [load(V)].
compile(A+B) --> compile(A), compile(B), [add].
compile(A-B) --> compile(A), compile(B), [sub].
compile(A*B) --> compile(A), compile(B), [mul].
compile(-A) --> compile(A), [neg].
compile(let(V, E, B)) --> compile(E), [store(V)], compile(B).

rule([push(A), push(B), add], [push(C)]) :- C is A+B.
rule([push(A), push(B), sub], [push(C)]) :- C is A-B.
rule([push(A), push(B), mul], [push(C)]) :- C is A*B.
rule([push(A), neg], [push(B)]) :- B is -A.
rule([push(0), add], []).
rule([push(1), mul], []).
rule([push(2), mul], [dup, add]).
rule([neg, neg], []).
rule([neg, add], [sub]).
rule([store(V), load(V)], [dup, store(V)]).
rule([load(V), load(V)], [load(V), dup]).

improve(Code, Best, N) :- ( once_(Code, Code1) -> improve(Code1, Best, M), N is M+1 ; Best = Code, N = 0 ).

once_(Code, New) :-
    append(Before, Rest, Code),
    rule(Left, Right0), Left = [L|_], Rest = [R|_], functor(L, F, A), functor(R, F, A),
    match(Left, Rest, After), call_rule(Left, Right0, Right),
    append(Right, After, Tail), append(Before, Tail, New), !.

match([], Rest, Rest).
match([X|Xs], [X|Ys], Rest) :- match(Xs, Ys, Rest).
call_rule(Left, _, Right) :- rule(Left, Right), !.

run([], [V|_], _, V).
run([I|Is], S, E, V) :- exec(I, S, E, S1, E1), run(Is, S1, E1, V).
exec(push(N), S, E, [N|S], E).
exec(load(V), S, E, [X|S], E) :- memberchk(V=X, E).
exec(store(V), [X|S], E, S, [V=X|E]).
exec(dup, [X|S], E, [X, X|S], E).
exec(neg, [X|S], E, [Y|S], E) :- Y is -X.
exec(add, [B, A|S], E, [C|S], E) :- C is A+B.
exec(sub, [B, A|S], E, [C|S], E) :- C is A-B.
exec(mul, [B, A|S], E, [C|S], E) :- C is A*B.

main :-
    forall(member(E, [x+0, x*1+y*2, -(-(x)), x+(-(y)), let(z, x*x, z+1), 3-(1+2)*x, let(a, x+1, let(b, a*a, b-a))]),
           ( phrase(compile(E), Code), catch(improve(Code, Best, N), _, ( Best = Code, N = 0 )), run(Code, [], [x=7, y=3], V), run(Best, [], [x=7, y=3], W),
             length(Code, L), length(Best, M), format("~w~n  ~d -> ~d by ~d rules: ~w~n  ~w ~w~n", [E, L, M, N, Best, V, W]) )).

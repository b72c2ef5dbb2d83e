:- module(codegen, [code/2, run/2]).
code(Tree, Code) :- phrase(gen(Tree), Code).
gen(N) --> { number(N) }, !, [push(N)].
gen(id(X)) --> !, [load(X)].
gen(let(X, A, B)) --> !, gen(A), [bind(X)], gen(B), [unbind].
gen(T) --> { T =.. [Op, A, B] }, gen(A), gen(B), [op(Op)].
run(Code, Value) :- foldl(exec, Code, []-[], [Value]-[]).
exec(push(N), S-E, [N|S]-E).
exec(load(X), S-E, [V|S]-E) :- ( memberchk(X=V, E) -> true ; existence_error(variable, X) ).
exec(bind(X), [V|S]-E, S-[X=V|E]).
exec(unbind, S-[_|E], S-E).
exec(op(Op), [B,A|S]-E, [V|S]-E) :- G =.. [Op, A, B], V is G.

% A machine whose program is its memory, with modes of operands, input, output and a search for the right start.
:- use_module(library(lists)).
:- use_module(library(aggregate)).

run(Program, In, Out) :- Mem =.. [m|Program], cycle(0, Mem, In, Out).

get(Mem, A, V) :- I is A+1, arg(I, Mem, V).
put(Mem, A, V) :- I is A+1, setarg(I, Mem, V).

operand(Mem, PC, K, V) :-
    get(Mem, PC, Op), Mode is Op // 10**(K+1) mod 10,
    A is PC+K, get(Mem, A, X),
    ( Mode =:= 1 -> V = X ; Mode =:= 0 -> get(Mem, X, V) ; throw(bad_mode(Mode)) ).
target(Mem, PC, K, A) :- I is PC+K, get(Mem, I, A).

cycle(PC, Mem, In, Out) :- get(Mem, PC, Op), Code is Op mod 100, exec(Code, PC, Mem, In, Out).

exec(99, _, _, _, []) :- !.
exec(1, PC, M, In, Out) :- !, operand(M, PC, 1, A), operand(M, PC, 2, B), target(M, PC, 3, T), V is A+B, put(M, T, V), N is PC+4, cycle(N, M, In, Out).
exec(2, PC, M, In, Out) :- !, operand(M, PC, 1, A), operand(M, PC, 2, B), target(M, PC, 3, T), V is A*B, put(M, T, V), N is PC+4, cycle(N, M, In, Out).
exec(3, PC, M, In, Out) :- !, ( In = [V|Rest] -> true ; throw(no_input(PC)) ), target(M, PC, 1, T), put(M, T, V), N is PC+2, cycle(N, M, Rest, Out).
exec(4, PC, M, In, [V|Out]) :- !, operand(M, PC, 1, V), N is PC+2, cycle(N, M, In, Out).
exec(5, PC, M, In, Out) :- !, operand(M, PC, 1, A), ( A =\= 0 -> operand(M, PC, 2, N) ; N is PC+3 ), cycle(N, M, In, Out).
exec(6, PC, M, In, Out) :- !, operand(M, PC, 1, A), ( A =:= 0 -> operand(M, PC, 2, N) ; N is PC+3 ), cycle(N, M, In, Out).
exec(7, PC, M, In, Out) :- !, compare_to(<, PC, M, In, Out).
exec(8, PC, M, In, Out) :- !, compare_to(=:=, PC, M, In, Out).
exec(Code, PC, _, _, _) :- throw(bad_code(Code, PC)).

compare_to(Op, PC, M, In, Out) :-
    operand(M, PC, 1, A), operand(M, PC, 2, B), target(M, PC, 3, T),
    ( call(Op, A, B) -> V = 1 ; V = 0 ), put(M, T, V), N is PC+4, cycle(N, M, In, Out).

program(eight, [3, 9, 8, 9, 10, 9, 4, 9, 99, -1, 8]).
program(less, [3, 3, 1107, -1, 8, 3, 4, 3, 99]).
program(sign, [3, 21, 1008, 21, 8, 20, 1005, 20, 22, 107, 8, 21, 20, 1006, 20, 31, 1106, 0, 36, 98, 0, 0, 1002, 21, 125, 20, 4, 20, 1105, 1, 46,
               104, 999, 1105, 1, 46, 1101, 1000, 1, 20, 4, 20, 1105, 1, 46, 98, 99]).
amplifier([3, 15, 3, 16, 1002, 16, 10, 16, 1, 16, 15, 15, 4, 15, 99, 0, 0]).

chain([], V, V).
chain([P|Ps], V0, V) :- amplifier(Code), run(Code, [P, V0], [V1]), chain(Ps, V1, V).

main :-
    forall(( program(Name, P), member(I, [7, 8, 9]) ), ( run(P, [I], Out), format("~w(~d) = ~w~n", [Name, I, Out]) )),
    aggregate_all(max(V, Ps), ( permutation([0, 1, 2, 3, 4], Ps), chain(Ps, 0, V) ), Best), print(Best), nl,
    findall(N-V, ( between(0, 3, N), between(0, 3, V), run([1, N, V, 0, 4, 0, 99], [], [R]), R > 100 ), Found), print(Found), nl,
    forall(member(P, [[3, 0, 99], [77], [204, 1, 99]]), catch(run(P, [], _), E, ( print(E), nl ))).

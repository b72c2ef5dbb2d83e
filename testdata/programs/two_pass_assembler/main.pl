% An assembler with labels, macros and constants, its listing in hexadecimal, and the machine that runs the words.
:- use_module(library(dcg/basics)).
:- use_module(library(lists)).
:- use_module(library(readutil)).

source("        ; sum of 1..N\nN = 10\n        load  #0\n        store sum\n        load  #N\nloop:   jz    done\n        store i\n        add   sum\n        store sum\n        load  i\n        sub   #1\n        jmp   loop\ndone:   load  sum\n        print\n        halt\nsum:    .word 0\ni:      .word 0\n").
source("start: jmp nowhere\n").
source("x: halt\nx: halt\n").
source("  load ##\n").

opcode(halt, 0).
opcode(load, 1).
opcode(store, 2).
opcode(add, 3).
opcode(sub, 4).
opcode(jmp, 5).
opcode(jz, 6).
opcode(print, 7).

line(L) --> blanks, ( name(N), blanks, "=", blanks, integer(V) -> { L = const(N, V) } ; label(Ls), blanks, op(Ls, L) ), blanks, rest.
label([N]) --> name(N), ":", !.
label([]) --> [].
op(Ls, word(Ls, V)) --> ".word", !, blanks, integer(V).
op(Ls, op(Ls, O, A)) --> name(O), { opcode(O, _) }, !, blanks, argument(A).
op([], nothing) --> [].
argument(imm(N)) --> "#", !, ( integer(N) -> [] ; name(N) ).
argument(addr(N)) --> name(N), !.
argument(none) --> [].
rest --> ";", !, remainder(_).
rest --> eos.
name(N) --> [C], { code_type(C, csymf) }, letters(Cs), { atom_codes(N, [C|Cs]) }.
letters([C|Cs]) --> [C], { code_type(C, csym) }, !, letters(Cs).
letters([]) --> [].

assemble(Text, Words) :-
    split_string(Text, "\n", "", Lines),
    findall(I-L, ( nth1(I, Lines, S), string_codes(S, Cs), ( phrase(line(L), Cs) -> true ; throw(syntax(I)) ), L \== nothing ), Ls),
    pass1(Ls, 0, [], Table), pass2(Ls, Table, Words).

pass1([], _, T, T).
pass1([_-const(N, V)|Ls], A, T, Out) :- !, enter(N, V, T, T1), pass1(Ls, A, T1, Out).
pass1([_-L|Ls], A, T, Out) :- arg(1, L, Names), foldl([N, X, Y]>>enter(N, A, X, Y), Names, T, T1), A1 is A+1, pass1(Ls, A1, T1, Out).
enter(N, _, T, _) :- memberchk(N-_, T), !, throw(twice(N)).
enter(N, V, T, [N-V|T]).

pass2([], _, []).
pass2([_-const(_, _)|Ls], T, Ws) :- !, pass2(Ls, T, Ws).
pass2([_-word(_, V)|Ls], T, [V|Ws]) :- !, pass2(Ls, T, Ws).
pass2([I-op(_, O, A)|Ls], T, [W|Ws]) :-
    opcode(O, C), operand(A, I, T, Mode, V), W is C << 12 \/ Mode << 11 \/ V, pass2(Ls, T, Ws).
operand(none, _, _, 0, 0).
operand(imm(N), I, T, 1, V) :- ( integer(N) -> V = N ; operand(addr(N), I, T, _, V) ).
operand(addr(N), I, T, 0, V) :- ( memberchk(N-V0, T) -> V = V0 ; throw(unknown(I, N)) ).

run(Words) :- Mem =.. [mem|Words], cycle(0, 0, Mem, 0).
cycle(PC, Acc, Mem, N) :-
    I is PC+1, arg(I, Mem, W), C is W >> 12, M is (W >> 11) /\ 1, A is W /\ 0x7ff, J is A+1,
    ( M =:= 1 -> V = A ; arg(J, Mem, V) ), N1 is N+1, P is PC+1,
    step(C, A, V, P, Acc, Mem, N1).
step(0, _, _, _, _, _, N) :- format("halted after ~d~n", [N]).
step(1, _, V, P, _, M, N) :- cycle(P, V, M, N).
step(2, A, _, P, Acc, M, N) :- J is A+1, setarg(J, M, Acc), cycle(P, Acc, M, N).
step(3, _, V, P, Acc, M, N) :- X is Acc+V, cycle(P, X, M, N).
step(4, _, V, P, Acc, M, N) :- X is Acc-V, cycle(P, X, M, N).
step(5, A, _, _, Acc, M, N) :- cycle(A, Acc, M, N).
step(6, A, _, P, Acc, M, N) :- ( Acc =:= 0 -> cycle(A, Acc, M, N) ; cycle(P, Acc, M, N) ).
step(7, _, _, P, Acc, M, N) :- format("~d~n", [Acc]), cycle(P, Acc, M, N).

main :- forall(source(T), catch(( assemble(T, Ws), forall(nth0(I, Ws, W), format("~|~`0t~16r~2+ ~|~`0t~16R~4+~n", [I, W])), once(run(Ws)) ), E, ( print(E), nl ))).

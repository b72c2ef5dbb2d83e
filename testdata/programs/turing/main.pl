% Machines of a course on computability: Turing machines as tables, a busy beaver, an adder, a two-counter machine compiled
% from a program with loops, and a checker of tables that finds what is missing.
:- use_module(library(lists)).
:- use_module(library(assoc)).
:- discontiguous rule/6.

% rule(Machine, State, Read, Write, Move, Next)
rule(beaver, a, 0, 1, r, b). rule(beaver, a, 1, 1, l, c).
rule(beaver, b, 0, 1, l, a). rule(beaver, b, 1, 1, r, b).
rule(beaver, c, 0, 1, l, b). rule(beaver, c, 1, 1, n, halt).
rule(add, right, 1, 1, r, right). rule(add, right, +, 1, r, end).
rule(add, end, 1, 1, r, end). rule(add, end, 0, 0, l, erase).
rule(add, erase, 1, 0, n, halt).
rule(palindrome, start, 0, 0, n, halt). rule(palindrome, start, a, 0, r, find(a)). rule(palindrome, start, b, 0, r, find(b)).
rule(palindrome, find(X), Y, Y, r, find(X)) :- member(X, [a, b]), member(Y, [a, b]).
rule(palindrome, find(X), 0, 0, l, check(X)) :- member(X, [a, b]).
rule(palindrome, check(X), X, 0, l, back) :- member(X, [a, b]).
rule(palindrome, check(_), 0, 0, n, halt).
rule(palindrome, back, Y, Y, l, back) :- member(Y, [a, b]).
rule(palindrome, back, 0, 0, r, start).

run(Machine, State, Tape, Steps, End) :- run(Machine, State, Tape, 0, Steps, End).
run(_, halt, Tape, N, N, halted(Tape)) :- !.
run(_, State, _, 1000, 1000, still(State)) :- !.
run(M, State, tape(L, C, R), N0, N, End) :-
    (   once(rule(M, State, C, W, Move, Next))
    ->  move(Move, tape(L, W, R), Tape), N1 is N0+1, run(M, Next, Tape, N1, N, End)
    ;   N = N0, End = stuck(State, C)
    ).
move(n, T, T).
move(r, tape(L, C, R), tape([C|L], X, R1)) :- ( R = [X|R1] -> true ; X = 0, R1 = [] ).
move(l, tape(L, C, R), tape(L1, X, [C|R])) :- ( L = [X|L1] -> true ; X = 0, L1 = [] ).

tape([C|R], tape([], C, R)) :- !.
tape([], tape([], 0, [])).
cells(tape(L, C, R), Cells) :- reverse(L, B), append(B, [C|R], Cells).

missing(M, State, Symbol) :-
    setof(S, A^B^C^D^rule(M, S, A, B, C, D), States), member(State, States),
    setof(A, S^B^C^D^( rule(M, S, A, B, C, D), ground(A) ), Symbols), member(Symbol, Symbols), \+ rule(M, State, Symbol, _, _, _).

% A counter machine: inc(R), dec(R, Label) which jumps when R is zero, jump(Label), labels.
compile(Ps, Code) :- compile(Ps, 0, _, Labels, Code0), list_to_assoc(Labels, A), maplist([N-I, N-J]>>resolve(I, A, J), Code0, Code).
compile([], N, N, [], []).
compile([label(L)|Ps], N0, N, [L-N0|Ls], Code) :- !, compile(Ps, N0, N, Ls, Code).
compile([while(R, Body)|Ps], N0, N, Ls, Code) :- !, gensym(w, Top), gensym(w, Out),
    append([label(Top), dec(R, Out)|Body], [jump(Top), label(Out)|Ps], All), compile(All, N0, N, Ls, Code).
compile([I|Ps], N0, N, Ls, [N0-I|Code]) :- N1 is N0+1, compile(Ps, N1, N, Ls, Code).
resolve(dec(R, L), A, dec(R, N)) :- !, get_assoc(L, A, N).
resolve(jump(L), A, jump(N)) :- !, get_assoc(L, A, N).
resolve(I, _, I).

exec(Code, Regs, Out) :- list_to_assoc(Code, A), list_to_assoc(Regs, R), exec(0, A, R, R1), assoc_to_list(R1, Out).
exec(P, A, R0, R) :-
    (   get_assoc(P, A, I) -> P1 is P+1, one(I, P1, Q, R0, R1), exec(Q, A, R1, R) ; R = R0 ).
one(inc(X), P, P, R0, R) :- value(X, R0, V), V1 is V+1, put_assoc(X, R0, V1, R).
one(dec(X, L), P, Q, R0, R) :- value(X, R0, V), ( V =:= 0 -> Q = L, R = R0 ; V1 is V-1, put_assoc(X, R0, V1, R), Q = P ).
one(jump(L), _, L, R, R).
value(X, R, V) :- ( get_assoc(X, R, V) -> true ; V = 0 ).

main :-
    tape([], T0), run(beaver, a, T0, N, halted(T)), cells(T, Cs), sum_list(Cs, Ones), format("~d steps, ~w, ~d ones~n", [N, Cs, Ones]),
    tape([1, 1, 1, +, 1, 1], T1), run(add, right, T1, N1, halted(E1)), cells(E1, C1), format("~d steps, ~w~n", [N1, C1]),
    forall(member(W, [[], [a], [a, b, b, a], [a, b], [b, a, b, a, b]]), ( tape(W, Tw), run(palindrome, start, Tw, K, End), End =.. [How|_], format("~w ~w after ~d~n", [W, How, K]) )),
    forall(missing(add, S, X), ( print(S-X), nl )),
    compile([while(x, [while(y, [inc(z), inc(t)]), while(t, [inc(y)])])], Code), length(Code, L), format("~d instructions~n", [L]), maplist([I]>>( print(I), nl ), Code),
    exec(Code, [x-6, y-7], Out), print(Out), nl.

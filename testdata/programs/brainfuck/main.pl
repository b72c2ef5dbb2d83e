% A compiler of a small machine language: text to a tree, an optimizer that folds runs and loops that clear, code with jumps,
% and a machine whose tape is two lists. The interpreter of the tree checks the compiled code.
:- use_module(library(lists)).
:- use_module(library(assoc)).

parse(Text, Tree) :- string_chars(Text, Cs), block(Tree, Cs, []).

block([I|Is]) --> [C], { op(C, I) }, !, block(Is).
block([loop(B)|Is]) --> ['['], !, block(B), [']'], block(Is).
block(Is) --> [C], { \+ memberchk(C, ['[', ']']) }, !, block(Is).
block([]) --> [].

op(+, add(1)). op(-, add(-1)). op(>, move(1)). op(<, move(-1)). op('.', out). op(',', in).

fold([], []).
fold([loop([add(-1)])|Is], [clear|Os]) :- !, fold(Is, Os).
fold([loop(B)|Is], [loop(O)|Os]) :- !, fold(B, O), fold(Is, Os).
fold([A, B|Is], Os) :- A =.. [F, M], B =.. [F, N], memberchk(F, [add, move]), !,
    S is M + N, C =.. [F, S], ( S =:= 0 -> fold(Is, Os) ; fold([C|Is], Os) ).
fold([I|Is], [I|Os]) :- fold(Is, Os).

% code(Tree, From, To, Instructions): addresses are known once the block is compiled.
code([], A, A, []).
code([loop(B)|Is], A0, A, Code) :- !,
    A1 is A0 + 1, code(B, A1, A2, Inner), A3 is A2 + 1,
    append([A0-jz(A3)|Inner], [A2-jnz(A1)|Rest], Code),
    code(Is, A3, A, Rest).
code([I|Is], A0, A, [A0-I|Code]) :- A1 is A0 + 1, code(Is, A1, A, Code).

run(Text, Input, Output, Length) :-
    parse(Text, T), fold(T, F), code(F, 0, Length, Code), list_to_assoc(Code, Program),
    step(0, Program, tape([], 0, []), Input, Out), string_codes(Output, Out).

step(P, Program, Tape, In, Out) :-
    (   get_assoc(P, Program, I)
    ->  P1 is P + 1, exec(I, P1, Program, Tape, In, Out)
    ;   Out = []
    ).

exec(jz(To), P, G, tape(L, C, R), In, Out) :- ( C =:= 0 -> N = To ; N = P ), step(N, G, tape(L, C, R), In, Out).
exec(jnz(To), P, G, tape(L, C, R), In, Out) :- ( C =\= 0 -> N = To ; N = P ), step(N, G, tape(L, C, R), In, Out).
exec(out, P, G, T, In, [C|Out]) :- T = tape(_, C, _), step(P, G, T, In, Out).
exec(in, P, G, tape(L, _, R), In, Out) :- ( In = [C|Rest] -> true ; C = 0, Rest = [] ), step(P, G, tape(L, C, R), Rest, Out).
exec(clear, P, G, tape(L, _, R), In, Out) :- step(P, G, tape(L, 0, R), In, Out).
exec(add(N), P, G, tape(L, C, R), In, Out) :- C1 is (C + N) mod 256, step(P, G, tape(L, C1, R), In, Out).
exec(move(N), P, G, T0, In, Out) :- shift(N, T0, T), step(P, G, T, In, Out).

shift(0, T, T) :- !.
shift(N, tape(L, C, R), T) :- N > 0, !, ( R = [X|R1] -> true ; X = 0, R1 = [] ), N1 is N-1, shift(N1, tape([C|L], X, R1), T).
shift(N, tape([X|L], C, R), T) :- !, N1 is N+1, shift(N1, tape(L, X, [C|R]), T).
shift(_, _, _) :- throw(left_of_the_tape).

hello("++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+.>++.").

main :-
    hello(H), run(H, [], Out, N), string_length(H, L), format("~w of ~d characters is ~d instructions: ~w", [hello, L, N, Out]),
    run(",[.,]", `echo`, E, _), print(E), nl,
    run(",>,<[->+<]>.", [40, 25], S, K), format("~p in ~d~n", [S, K]),
    parse("+[->++[>]-]#+-", T), print(T), nl, fold(T, F), print(F), nl, code(F, 0, A, C), print(A), nl, forall(member(X, C), (print(X), nl)),
    catch(run("<", [], _, _), B, (print(B), nl)),
    ( parse("[[]", _) -> true ; writeln('a bracket is open') ).

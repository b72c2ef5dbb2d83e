% An interpreter of a BASIC: lines by number, GOTO and GOSUB, FOR, IF, PRINT with zones, and errors with the line.
:- use_module(library(dcg/basics)).
:- use_module(library(assoc)).

program(primes, "10 LET N = 2\n20 LET D = 2\n30 IF D * D > N THEN 70\n40 IF N - N / D * D = 0 THEN 90\n50 LET D = D + 1\n60 GOTO 30\n70 PRINT N;\n80 LET C = C + 1\n90 LET N = N + 1\n100 IF C < 10 THEN 20\n110 PRINT\n").
program(table, "10 FOR I = 1 TO 3\n20 FOR J = 1 TO 3\n30 PRINT I * J,\n40 NEXT J\n50 PRINT\n60 NEXT I\n70 GOSUB 100\n80 END\n100 PRINT \"DONE\"; I\n110 RETURN\n").
program(wrong, "10 LET X = (1 + 2) * 3\n20 PRINT X - 10\n30 GOTO 99\n").
program(zero, "10 PRINT 1 / (2 - 2)\n").
program(syntax, "10 LET = 3\n").

load(Text, Lines) :- string_codes(Text, Cs), phrase(lines(Ls), Cs), !, list_to_assoc(Ls, Lines).
lines([N-S|Ls]) --> integer(N), " ", !, ( stmt(S), "\n" -> [] ; string_without(`\n`, Cs), "\n", { atom_codes(A, Cs), throw(syntax(N, A)) } ), lines(Ls).
lines([]) --> [].

stmt(let(V, E)) --> "LET ", var(V), " = ", expr(E).
stmt(print(Is)) --> "PRINT", items(Is).
stmt(if(C, N)) --> "IF ", expr(A), " ", rel(O), " ", expr(B), " THEN ", integer(N), { C =.. [O, A, B] }.
stmt(goto(N)) --> "GOTO ", integer(N).
stmt(gosub(N)) --> "GOSUB ", integer(N).
stmt(return) --> "RETURN".
stmt(for(V, A, B)) --> "FOR ", var(V), " = ", expr(A), " TO ", expr(B).
stmt(next(V)) --> "NEXT ", var(V).
stmt(end) --> "END".

items([text(T)|Is]) --> " \"", !, string_without(`"`, Cs), "\"", { string_codes(T, Cs) }, sep(Is).
items([E|Is]) --> " ", expr(E), !, sep(Is).
items([nl]) --> [].
sep([zone|Is]) --> ",", !, more(Is).
sep([gap|Is]) --> ";", !, more(Is).
sep([nl]) --> [].
more(Is) --> items(Is0), { Is0 == [nl] -> Is = [] ; Is = Is0 }.

rel(=:=) --> "=".
rel(<) --> "<".
rel(>) --> ">".
expr(E) --> prod(A), sum(A, E).
sum(A, E) --> " + ", !, prod(B), sum(A+B, E).
sum(A, E) --> " - ", !, prod(B), sum(A-B, E).
sum(E, E) --> [].
prod(E) --> prim(A), times(A, E).
times(A, E) --> " * ", !, prim(B), times(A*B, E).
times(A, E) --> " / ", !, prim(B), times(A//B, E).
times(E, E) --> [].
prim(N) --> integer(N), !.
prim(E) --> "(", !, expr(E), ")".
prim(v(V)) --> var(V).
var(V) --> [C], { code_type(C, upper), char_code(V, C) }.

eval(v(V), E, X) :- !, ( get_assoc(V, E, X0) -> X = X0 ; X = 0 ).
eval(N, _, N) :- integer(N), !.
eval(T, E, X) :- T =.. [O, A, B], eval(A, E, U), eval(B, E, W), G =.. [O, U, W], X is G.

run(Lines) :- empty_assoc(E), min_assoc(Lines, N, _), go(N, Lines, E, []).
go(N, Ls, E, St) :-
    (   get_assoc(N, Ls, S) -> true ; throw(no_line(N)) ),
    catch(exec(S, E, E1, St, St1, Jump), error(Err, _), throw(at(N, Err))),
    (   Jump == end -> true
    ;   Jump = to(M) -> go(M, Ls, E1, St1)
    ;   Jump = after(M) -> ( after(M, Ls, K) -> go(K, Ls, E1, St1) ; true )
    ;   after(N, Ls, M) -> (   St1 = [here(X)|St2] -> go(M, Ls, E1, [X-N|St2]) ; go(M, Ls, E1, St1) )
    ;   true ).
after(N, Ls, M) :- assoc_to_keys(Ls, Ks), once(( member(M, Ks), M > N )).

exec(let(V, X), E, E1, S, S, next) :- eval(X, E, Y), put_assoc(V, E, Y, E1).
exec(print(Is), E, E, S, S, next) :- forall(member(I, Is), out(I, E)).
exec(if(C, N), E, E, S, S, J) :- C =.. [O, A, B], eval(A, E, X), eval(B, E, Y), G =.. [O, X, Y], ( call(G) -> J = to(N) ; J = next ).
exec(goto(N), E, E, S, S, to(N)).
exec(gosub(N), E, E, S, [here(sub)|S], to_sub(N)) :- fail.
exec(gosub(N), E, E, S, [sub(N)|S], to(N)).
exec(return, E, E, [sub(_)|S], S, end).
exec(for(V, A, B), E, E1, S, [here(for(V, Y))|S], next) :- eval(A, E, X), eval(B, E, Y), put_assoc(V, E, X, E1).
exec(next(V), E, E1, [for(V, Y)-N|S], S1, J) :-
    eval(v(V), E, X), X1 is X+1, put_assoc(V, E, X1, E1), ( X1 =< Y -> S1 = [for(V, Y)-N|S], J = after(N) ; S1 = S, J = next ).
exec(end, E, E, S, S, end).

out(nl, _) :- !, nl.
out(zone, _) :- !, write('\t').
out(gap, _) :- !, write(' ').
out(text(T), _) :- !, write(T).
out(X, E) :- eval(X, E, V), write(V).

main :- forall(program(N, T), ( format("[~w]~n", [N]), catch(( load(T, L), run(L) ), B, ( print(B), nl )) -> true ; writeln(failed) )).

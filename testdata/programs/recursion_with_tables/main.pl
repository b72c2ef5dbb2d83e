% Left recursion, numbers, least costs and games by tables.
:- table path/2, fib/2, conn(_, min), lcs/3.
path(X, Y) :- path(X, Z), e(Z, Y).
path(X, Y) :- e(X, Y).
e(1, 2). e(2, 3). e(3, 1). e(3, 4).
fib(0, 0). fib(1, 1).
fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, X), fib(B, Y), F is X+Y.
w(a, b, 5). w(a, c, 1). w(c, b, 1). w(b, a, 1). w(b, d, 2).
conn(a, 0).
conn(Y, C) :- conn(X, C0), w(X, Y, W), C is C0+W.
lcs([], _, 0) :- !.
lcs(_, [], 0) :- !.
lcs([H|T], [H|U], N) :- !, lcs(T, U, M), N is M+1.
lcs([A|T], [B|U], N) :- lcs(T, [B|U], X), lcs([A|T], U, Y), N is max(X, Y).
:- table win/1.
win(X) :- mv(X, Y), tnot(win(Y)).
mv(a, b). mv(b, a). mv(b, c). mv(c, d).
:- table expr//1, trm//1.
expr(A+B) --> expr(A), "+", trm(B).
expr(A) --> trm(A).
trm(A*B) --> trm(A), "*", fct(B).
trm(A) --> fct(A).
fct(N) --> [C], { code_type(C, digit(N)) }.
main :-
    findall(Y, path(1, Y), L), sort(L, S), print(S), nl,
    fib(100, F), print(F), nl,
    findall(X-C, conn(X, C), Cs), sort(Cs, Cs1), print(Cs1), nl,
    atom_chars(abcbdab, A), atom_chars(bdcaba, B), lcs(A, B, N), print(N), nl,
    forall(member(X, [a, b, c, d]), ( call_delays(win(X), D) -> writeln(X-D) ; writeln(X-no) )),
    atom_codes('1+2*3+4', Codes), phrase(expr(T), Codes), print(T), nl,
    abolish_all_tables, fib(10, F10), print(F10), nl.

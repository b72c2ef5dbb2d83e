% A parser and an interpreter of a small language of assignments and loops.
:- use_module(library(dcg/basics)).
:- set_prolog_flag(double_quotes, codes).
program([S|Ss]) --> blanks, stmt(S), blanks, !, program(Ss).
program([]) --> blanks, eos.
stmt(let(V, E)) --> "let", blank, blanks, ident(V), blanks, "=", blanks, expr(E), blanks, ";".
stmt(print(E)) --> "print", blank, blanks, expr(E), blanks, ";".
stmt(while(C, B)) --> "while", blanks, "(", cond(C), ")", blanks, "{", program0(B), blanks, "}".
program0([S|Ss]) --> blanks, stmt(S), !, program0(Ss).
program0([]) --> [].
cond(op(O, A, B)) --> blanks, expr(A), blanks, rel(O), blanks, expr(B), blanks.
rel(=<) --> "<=", !.
rel(<) --> "<".
rel(=:=) --> "==".
expr(E) --> term(T), expr1(T, E).
expr1(L, E) --> blanks, "+", !, blanks, term(T), expr1(L+T, E).
expr1(L, E) --> blanks, "-", !, blanks, term(T), expr1(L-T, E).
expr1(E, E) --> [].
term(T) --> fac(F), term1(F, T).
term1(L, T) --> blanks, "*", !, blanks, fac(F), term1(L*F, T).
term1(T, T) --> [].
fac(n(N)) --> number(N), !.
fac(v(V)) --> ident(V), !.
fac(E) --> "(", blanks, expr(E), blanks, ")".
ident(A) --> [C], { code_type(C, csymf) }, csyms_(Cs), { atom_codes(A, [C|Cs]) }.
csyms_([C|Cs]) --> [C], { code_type(C, csym) }, !, csyms_(Cs).
csyms_([]) --> [].
exec([], E, E).
exec([S|Ss], E0, E) :- step(S, E0, E1), exec(Ss, E1, E).
step(let(V, X), E0, [V=N|E1]) :- val(X, E0, N), ( selectchk(V=_, E0, E1) -> true ; E1 = E0 ).
step(print(X), E, E) :- val(X, E, N), format("~w~n", [N]).
step(while(op(O, A, B), Body), E0, E) :-
    val(A, E0, X), val(B, E0, Y), G =.. [O, X, Y],
    (   call(G) -> exec(Body, E0, E1), step(while(op(O, A, B), Body), E1, E) ; E = E0 ).
val(n(N), _, N).
val(v(V), E, N) :- ( memberchk(V=N0, E) -> N = N0 ; throw(error(existence_error(variable, V), val/3)) ).
val(A+B, E, N) :- val(A, E, X), val(B, E, Y), N is X+Y.
val(A-B, E, N) :- val(A, E, X), val(B, E, Y), N is X-Y.
val(A*B, E, N) :- val(A, E, X), val(B, E, Y), N is X*Y.
src("let x = 1; let s = 0; while (x <= 10) { let s = s + x*x; let x = x + 1; } print s; print (s-5)*2.5;").
main :-
    src(Cs), phrase(program(P), Cs), print(P), nl, exec(P, [], E), print(E), nl,
    catch(( phrase(program(Q), "print y;"), exec(Q, [], _) ), Err, ( print_message_lines(user_output, '', []), print(Err), nl )),
    ( phrase(program(_), "let = 3;") -> true ; writeln(no_parse) ),
    portray_clause(src0("abc")), writeq("abc"), nl, format("~s~n", ["abc"]).

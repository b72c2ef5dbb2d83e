% Zippers over lists and trees, editing scripts, and longest common subsequences by tables.
:- use_module(library(yall)).
:- use_module(library(dcg/high_order)).
:- table lcs/3.

% z(Before, Here, After): Before is reversed.
zipper([X|Xs], z([], X, Xs)).
right(z(L, X, [Y|R]), z([X|L], Y, R)).
left(z([Y|L], X, R), z(L, Y, [X|R])).
put(Y, z(L, _, R), z(L, Y, R)).
insert(Y, z(L, X, R), z([Y|L], X, R)).
delete_here(z(L, _, [Y|R]), z(L, Y, R)).
rezip(z(L, X, R), Xs) :- foldl([A, As, [A|As]]>>true, L, [X|R], Xs).

edit(Steps, Xs, Ys) :-
    zipper(Xs, Z0),
    foldl([Step, A, B]>>( call(Step, A, B) -> true ; throw(cannot(Step, A)) ), Steps, Z0, Z),
    rezip(Z, Ys).

% t(Label, Children) with a path of crumbs.
down(I, t(L, Cs)-Path, C-[crumb(L, Before, After)|Path]) :-
    nth0(I, Cs, C), length(Before, I), append(Before, [C|After], Cs).
up(C-[crumb(L, Before, After)|Path], t(L, Cs)-Path) :- append(Before, [C|After], Cs).
top(T-[], T) :- !.
top(Z0, T) :- up(Z0, Z), top(Z, T).
relabel(New, t(_, Cs)-P, t(New, Cs)-P).

tree(t(L, Cs)) --> label(L), ( "(" -> sequence(tree, ",", Cs), ")" ; { Cs = [] } ).
label(L) --> [C], { code_type(C, alpha) }, rest(Cs), { atom_codes(L, [C|Cs]) }.
rest([C|Cs]) --> [C], { code_type(C, csym) }, !, rest(Cs).
rest([]) --> [].


labels(t(L, Cs)) --> [L], foreach_child(Cs).
foreach_child([]) --> [].
foreach_child([C|Cs]) --> labels(C), foreach_child(Cs).

lcs([], _, []) :- !.
lcs(_, [], []) :- !.
lcs([X|Xs], [X|Ys], [X|Zs]) :- !, lcs(Xs, Ys, Zs).
lcs([X|Xs], [Y|Ys], Zs) :-
    lcs(Xs, [Y|Ys], As), lcs([X|Xs], Ys, Bs),
    length(As, NA), length(Bs, NB),
    ( NA >= NB -> Zs = As ; Zs = Bs ).

diff([], [], []) --> !.
diff([X|Xs], [Y|Ys], [Z|Zs]) --> { X == Z, Y == Z }, !, [keep(Z)], diff(Xs, Ys, Zs).
diff([X|Xs], Ys, Zs) --> { Zs \= [X|_] }, !, [remove(X)], diff(Xs, Ys, Zs).
diff(Xs, [Y|Ys], Zs) --> [add(Y)], diff(Xs, Ys, Zs).

main :-
    edit([right, put(x), right, insert(y), left, left, delete_here], [a, b, c, d], Ys), print(Ys), nl,
    catch(edit([left], [a], _), Ball, ( print(Ball), nl )),
    atom_codes('root(a(b,c(d,e)),f,g(h))', Codes),
    phrase(tree(T), Codes), print(T), nl,
    down(0, T-[], Z1), down(1, Z1, Z2), relabel(new, Z2, Z3), down(1, Z3, Z4), relabel(last, Z4, Z5),
    Z5 = Here-Crumbs, print(Here), nl, length(Crumbs, Depth), writeln(Depth),
    top(Z5, T2), phrase(labels(T2), Ls), print(Ls), nl,
    ( down(5, T-[], _) -> true ; writeln('no such child') ),
    findall(I, down(I, T-[], _), Is), print(Is), nl,
    ( phrase(tree(_), `a(b`) -> true ; writeln('no tree') ),
    atom_chars(kitten_sitting, As), atom_chars(sitting_kitten, Bs),
    lcs(As, Bs, Common), atom_chars(Word, Common), print(Word), nl,
    phrase(diff(As, Bs, Common), Script),
    foldl([Step, N0, N]>>( Step = keep(_) -> N = N0 ; N is N0+1 ), Script, 0, Changes), print(Changes), nl,
    include([remove(_)]>>true, Script, Removed), print(Removed), nl.

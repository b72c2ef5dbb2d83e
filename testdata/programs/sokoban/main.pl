% Sokoban: a warehouse from text, pushes, breadth first with the boxes as a sorted list, squares from which no box gets out.
:- use_module(library(lists)).
:- use_module(library(ordsets)).
:- dynamic wall/2, goal/2.

level(one, ["#######", "#.    #", "# $@  #", "#  $ .#", "#######"]).
level(corner, ["#####", "#@$.#", "#####"]).
level(stuck, ["######", "#$ .@#", "#    #", "######"]).

load(Name, X/Y, Boxes) :-
    retractall(wall(_, _)), retractall(goal(_, _)), level(Name, Rows),
    forall(char_at(Rows, A, B, #), assertz(wall(A, B))),
    forall(char_at(Rows, A, B, .), assertz(goal(A, B))),
    char_at(Rows, X, Y, @), findall(A/B, char_at(Rows, A, B, $), Boxes0), list_to_ord_set(Boxes0, Boxes), !.

char_at(Rows, X, Y, C) :- nth1(Y, Rows, Row), sub_string(Row, Before, 1, _, S), string_chars(S, [C]), X is Before+1.

dir(u, 0, -1).
dir(d, 0, 1).
dir(l, -1, 0).
dir(r, 1, 0).

move(X/Y-Boxes, D, U/V-New) :-
    dir(D, DX, DY), U is X+DX, V is Y+DY, \+ wall(U, V),
    (   ord_memberchk(U/V, Boxes)
    ->  P is U+DX, Q is V+DY, \+ wall(P, Q), \+ ord_memberchk(P/Q, Boxes), \+ corner(P, Q),
        ord_del_element(Boxes, U/V, Rest), ord_add_element(Rest, P/Q, New)
    ;   New = Boxes
    ).

corner(X, Y) :- \+ goal(X, Y), side(X, Y, -1, 0, 1, 0), side(X, Y, 0, -1, 0, 1).
side(X, Y, A, B, C, D) :- ( U is X+A, V is Y+B, wall(U, V) ; U is X+C, V is Y+D, wall(U, V) ), !.

done(_-Boxes) :- forall(member(X/Y, Boxes), goal(X, Y)).

solve(Start, Path, Seen) :- wave([Start-[]], [Start], Path, 0, Seen).

wave(Nodes, Seen, Path, _, N) :- member(S-P, Nodes), done(S), !, reverse(P, Path), length(Seen, N).
wave([N|Ns], Seen0, Path, K, Count) :-
    foldl(grow, [N|Ns], Seen0-[], Seen-Next), reverse(Next, Nodes), K1 is K+1, wave(Nodes, Seen, Path, K1, Count).

grow(S-P, Seen0-Next0, Seen-Next) :-
    findall(T-[D|P], move(S, D, T), All), foldl(keep, All, Seen0-Next0, Seen-Next).
keep(T-P, Seen-Next, Seen1-Next1) :-
    ( ord_memberchk(T, Seen) -> Seen1 = Seen, Next1 = Next ; ord_add_element(Seen, T, Seen1), Next1 = [T-P|Next] ).

main :-
    forall(member(L, [one, corner, stuck]),
           ( load(L, P, Bs), ( solve(P-Bs, Path, N) -> atomic_list_concat(Path, T), format("~w: ~w, ~d states~n", [L, T, N]) ; format("~w: no way~n", [L]) ) )).

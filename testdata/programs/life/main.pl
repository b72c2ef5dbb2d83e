% Cellular automata: Conway's life on an unbounded plane as sets, its periods, and elementary rules in rows.
:- use_module(library(lists)).
:- use_module(library(pairs)).
:- use_module(library(ordsets)).
:- use_module(library(apply)).

next(Cells, Next) :-
    findall(N-1, ( member(X/Y, Cells), member(DX, [-1, 0, 1]), member(DY, [-1, 0, 1]), \+ ( DX =:= 0, DY =:= 0 ), U is X+DX, V is Y+DY, N = U/V ), Ns),
    keysort(Ns, Sorted), group_pairs_by_key(Sorted, Groups),
    findall(C, ( member(C-L, Groups), length(L, K), alive(K, C, Cells) ), Next0), list_to_ord_set(Next0, Next).

alive(3, _, _).
alive(2, C, Cells) :- ord_memberchk(C, Cells).

read_picture(Rows, Cells) :-
    findall(X/Y, ( nth1(Y, Rows, Row), sub_atom(Row, B, 1, _, #), X is B+1 ), Cs), list_to_ord_set(Cs, Cells).

show(Cells) :-
    pairs(Cells, Xs, Ys), min_list(Xs, X0), max_list(Xs, X1), min_list(Ys, Y0), max_list(Ys, Y1),
    forall(between(Y0, Y1, Y), ( forall(between(X0, X1, X), ( ord_memberchk(X/Y, Cells) -> put_char(#) ; put_char('.') )), nl )).
pairs(Cells, Xs, Ys) :- findall(X, member(X/_, Cells), Xs), findall(Y, member(_/Y, Cells), Ys).

normal(Cells, Normal) :- pairs(Cells, Xs, Ys), min_list(Xs, X0), min_list(Ys, Y0), findall(A/B, ( member(X/Y, Cells), A is X-X0, B is Y-Y0 ), L), list_to_ord_set(L, Normal).

% period(Cells, Limit, Kind)
period(Cells, Limit, Kind) :- normal(Cells, N), period(Cells, Cells, N, 1, Limit, Kind).
period(_, _, _, K, Limit, unknown) :- K > Limit, !.
period(First, Cells, N, K, Limit, Kind) :-
    next(Cells, Next),
    (   Next == [] -> Kind = dies(K)
    ;   Next == First -> Kind = repeats(K)
    ;   normal(Next, N) -> Kind = moves(K)
    ;   K1 is K+1, period(First, Next, N, K1, Limit, Kind)
    ).

pattern(block, ['##', '##']).
pattern(blinker, ['###']).
pattern(glider, ['.#.', '..#', '###']).
pattern(toad, ['.###', '###.']).
pattern(diehard_part, ['##', '.#..']).
pattern(spaceship, ['.#..#', '#....', '#...#', '####.']).
pattern(two, ['##']).
pattern(r_pentomino, ['.##', '##.', '.#.']).

rule(N, Row, Next) :- append([[0|Row], [0]], Ext), triples(N, [0|Ext], Next).
triples(_, [_, _], []) :- !.
triples(N, [A, B, C|T], [D|Ds]) :- I is A*4 + B*2 + C, D is (N >> I) /\ 1, triples(N, [B, C|T], Ds).

rows(0, _, _, _) :- !.
rows(K, N, Row, Indent) :- tab(Indent), maplist([0, ' ']>>true, [], _), forall(member(B, Row), ( B =:= 1 -> put_char('*') ; put_char(' ') )), nl,
    rule(N, Row, Next), K1 is K-1, I is Indent-1, rows(K1, N, Next, I).

main :-
    forall(pattern(Name, Rows), ( read_picture(Rows, Cells), length(Cells, L), period(Cells, 12, Kind), format("~w~t~16|~d cells, ~w~n", [Name, L, Kind]) )),
    pattern(glider, R), read_picture(R, G), foldl([_, A, B]>>next(A, B), [1, 2, 3, 4], G, G4), print(G4), nl, show(G4),
    pattern(r_pentomino, P), read_picture(P, P0), numlist(1, 20, Gs), foldl([_, A, B]>>next(A, B), Gs, P0, P20), length(P20, N), format("~d cells after 20~n", [N]), show(P20),
    rows(8, 90, [1], 9), rows(5, 110, [1], 5).

% Reports of numbers: rises, windows, reports that are safe with one level left out, and the most common bits.
:- use_module(library(lists)).
:- use_module(library(aggregate)).

depths([199, 200, 208, 210, 200, 207, 240, 269, 260, 263]).
report([7, 6, 4, 2, 1]).
report([1, 2, 7, 8, 9]).
report([9, 7, 6, 2, 1]).
report([1, 3, 2, 4, 5]).
report([8, 6, 4, 4, 1]).
report([1, 3, 6, 7, 9]).
bits(["00100", "11110", "10110", "10111", "10101", "01111", "00111", "11100", "10000", "11001", "00010", "01010"]).

rises(Xs, N) :- aggregate_all(count, ( nextto(A, B, Xs), A < B ), N).

windows([A, B, C|Xs], [S|Ss]) :- !, S is A+B+C, windows([B, C|Xs], Ss).
windows(_, []).

safe(Levels) :- ( ascending(Levels) ; reverse(Levels, Up), ascending(Up) ), !.
ascending([_]).
ascending([A, B|Ls]) :- D is B-A, between(1, 3, D), ascending([B|Ls]).
nearly(Levels) :- ( safe(Levels) ; select(_, Levels, Rest), safe(Rest) ), !.

column(Rows, I, Cs) :- maplist([R, C]>>sub_string(R, I, 1, _, C), Rows, Cs).
common(Cs, Bit) :- aggregate_all(count, member("1", Cs), Ones), length(Cs, N), ( 2*Ones >= N -> Bit = "1" ; Bit = "0" ).
flip("1", "0").
flip("0", "1").

rating([Row], _, _, Row) :- !.
rating(Rows, I, Kind, Row) :-
    column(Rows, I, Cs), common(Cs, B0), ( Kind == most -> B = B0 ; flip(B0, B) ),
    include([R]>>sub_string(R, I, 1, _, B), Rows, Left), J is I+1, rating(Left, J, Kind, Row).

value(Row, N) :- string_concat("0b", Row, T), number_string(N, T).

main :-
    depths(Ds), rises(Ds, R), windows(Ds, Ws), rises(Ws, W), print(R/W), nl,
    findall(L, ( report(L), safe(L) ), Safe), findall(L, ( report(L), nearly(L) ), Nearly), print(Safe), nl, print(Nearly), nl,
    bits(Bs), findall(C, ( between(0, 4, I), column(Bs, I, Cs), common(Cs, C) ), Gs), atomics_to_text(Gs, G), value(G, GN), E is 31-GN,
    P is GN*E, print([GN, E, P]), nl,
    rating(Bs, 0, most, O), rating(Bs, 0, least, C2), value(O, ON), value(C2, CN), Q is ON*CN, print([O, C2, Q]), nl, !.

atomics_to_text(Ps, T) :- atomic_list_concat(Ps, A), atom_string(A, T).

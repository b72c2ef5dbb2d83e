% Puzzles in the manner of advent calendars: input as text, parsed by grammars; totals, paths in a grid, intervals, a tree of
% equations that is solved backwards, and a race of rounds.
:- use_module(library(dcg/basics)).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(assoc)).
:- use_module(library(heaps)).
:- use_module(library(aggregate)).

% Day 1: groups of numbers.
groups([G|Gs]) --> group(G), ( "\n" -> groups(Gs) ; { Gs = [] } ).
group([N|Ns]) --> integer(N), "\n", !, group(Ns).
group([]) --> [].
day1 :- phrase(groups(Gs), `1000\n2000\n\n4000\n\n5000\n6000\n`), maplist(sum_list, Gs, Ss), max_list(Ss, M), sort(0, @>=, Ss, [A, B|_]), T is A+B, format("day 1: ~w ~w ~w~n", [Ss, M, T]).

% Day 2: a cheapest path through a grid, with a heap.
grid(['1163751742', '1381373672', '2136511328', '3694931569', '7463417111']).
cost(X/Y, C) :- grid(Rows), nth0(Y, Rows, R), sub_atom(R, X, 1, _, A), atom_number(A, C).
day2 :- grid(Rows), length(Rows, H), Rows = [R|_], atom_length(R, W), EX is W-1, EY is H-1, list_to_heap([0-(0/0)], Heap), empty_assoc(Seen), shortest(Heap, Seen, EX/EY, D), format("day 2: ~d~n", [D]).
shortest(Heap, Seen, Goal, D) :-
    get_from_heap(Heap, D0, P, Heap1),
    (   P == Goal -> D = D0
    ;   get_assoc(P, Seen, _) -> shortest(Heap1, Seen, Goal, D)
    ;   put_assoc(P, Seen, D0, Seen1), P = X/Y,
        findall(E-(U/V), ( member(DX/DY, [1/0, 0/1, -1/0, 0/ -1]), U is X+DX, V is Y+DY, U >= 0, V >= 0, cost(U/V, C), E is D0+C ), Next),
        foldl([E-Q, H0, H1]>>add_to_heap(H0, E, Q, H1), Next, Heap1, Heap2), shortest(Heap2, Seen1, Goal, D)
    ).

% Day 3: intervals that overlap.
merge([], []).
merge([I], [I]) :- !.
merge([A-B, C-D|Is], Ms) :- ( C =< B+1 -> E is max(B, D), merge([A-E|Is], Ms) ; Ms = [A-B|Rest], merge([C-D|Is], Rest) ).
day3 :- msort([10-14, 3-5, 16-20, 12-18, 4-4, 6-7], S), merge(S, M), aggregate_all(sum(B-A+1), member(A-B, M), T), format("day 3: ~w ~d~n", [M, T]).

% Day 4: monkeys that shout; one of them is you.
monkey(root, pppw + sjmn). monkey(dbpl, 5). monkey(cczh, sllz + lgvd). monkey(zczc, 2). monkey(ptdq, humn - dvpt). monkey(dvpt, 3). monkey(lfqf, 4). monkey(humn, 5).
monkey(ljgn, 2). monkey(sjmn, drzm * dbpl). monkey(sllz, 4). monkey(pppw, cczh / lfqf). monkey(lgvd, ljgn * ptdq). monkey(drzm, hmdt - zczc). monkey(hmdt, 32).
value(M, V) :- monkey(M, E), ( integer(E) -> V = E ; E =.. [Op, A, B], value(A, X), value(B, Y), F =.. [Op, X, Y], V is F ).
has_humn(humn) :- !.
has_humn(M) :- monkey(M, E), compound(E), arg(_, E, A), has_humn(A), !.
solve(humn, V, V) :- !.
solve(M, V, X) :- monkey(M, E), E =.. [Op, A, B], ( has_humn(A) -> value(B, K), left(Op, V, K, W), solve(A, W, X) ; value(A, K), right(Op, V, K, W), solve(B, W, X) ).
left(+, V, K, W) :- W is V-K. left(-, V, K, W) :- W is V+K. left(*, V, K, W) :- W is V//K. left(/, V, K, W) :- W is V*K.
right(+, V, K, W) :- W is V-K. right(-, V, K, W) :- W is K-V. right(*, V, K, W) :- W is V//K. right(/, V, K, W) :- W is K//V.
day4 :- value(root, R), monkey(root, A + B), ( has_humn(A) -> value(B, V), solve(A, V, X) ; value(A, V), solve(B, V, X) ), format("day 4: ~w ~w~n", [R, X]).

% Day 5: keep away, in rounds.
thrower(0, [79, 98], 19, 0, 23, 2, 3). thrower(1, [54, 65, 75, 74], 0, 6, 19, 2, 0). thrower(2, [79, 60, 97], sq, 0, 13, 1, 3). thrower(3, [74], 0, 3, 17, 0, 1).
day5 :- findall(N-m(Is, 0), thrower(N, Is, _, _, _, _, _), L), list_to_assoc(L, A0), numlist(1, 20, Rs), foldl([_, A, B]>>round(A, B), Rs, A0, A1),
    findall(C, gen_assoc(_, A1, m(_, C)), Cs), sort(0, @>=, Cs, [X, Y|_]), P is X*Y, format("day 5: ~w ~d~n", [Cs, P]).
round(A0, A) :- foldl(turn, [0, 1, 2, 3], A0, A).
turn(N, A0, A) :- get_assoc(N, A0, m(Is, C0)), length(Is, K), C is C0+K, put_assoc(N, A0, m([], C), A1), foldl(throw_item(N), Is, A1, A).
throw_item(N, I, A0, A) :- thrower(N, _, Mul, Add, Div, Yes, No), ( Mul == sq -> W0 is I*I ; Mul =:= 0 -> W0 is I+Add ; W0 is I*Mul ), W is W0 // 3,
    ( W mod Div =:= 0 -> To = Yes ; To = No ), get_assoc(To, A0, m(Js, C)), append(Js, [W], Ks), put_assoc(To, A0, m(Ks, C), A).

main :- day1, day2, day3, day4, day5.

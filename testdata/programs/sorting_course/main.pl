% Eight ways to sort, counted in comparisons, with proofs by checking that they agree on permutations.
:- use_module(library(lists)).

:- nb_setval(compared, 0).
less(A, B) :- nb_getval(compared, N), N1 is N+1, nb_setval(compared, N1), A =< B.

sorted(permutation, L, S) :- permutation(L, S), ordered(S), !.
sorted(insertion, L, S) :- foldl([X, A, B]>>insert(X, A, B), L, [], S).
sorted(selection, L, S) :- selection(L, S).
sorted(bubble, L, S) :- bubble(L, S).
sorted(quick, L, S) :- quick(L, S, []).
sorted(merge, L, S) :- length(L, N), merge_sort(N, L, S, []).
sorted(tree, L, S) :- foldl([X, A, B]>>put(A, X, B), L, nil, T), phrase(walk(T), S).
sorted(natural, L, S) :- runs(L, Rs), merge_all(Rs, S).

ordered([]).
ordered([_]).
ordered([A, B|L]) :- less(A, B), ordered([B|L]).

insert(X, [], [X]).
insert(X, [Y|Ys], Zs) :- ( less(X, Y) -> Zs = [X, Y|Ys] ; Zs = [Y|Rest], insert(X, Ys, Rest) ).

selection([], []) :- !.
selection(L, [M|S]) :- least(L, M), selectchk(M, L, R), selection(R, S).
least([X|Xs], M) :- foldl([A, B, C]>>( less(A, B) -> C = A ; C = B ), Xs, X, M).

bubble(L, S) :- swap(L, L1, Swapped), ( Swapped == true -> bubble(L1, S) ; S = L1 ).
swap([A, B|L], [X|R], S) :- !, ( less(A, B) -> X = A, Y = B ; X = B, Y = A, S = true ), swap([Y|L], R, S).
swap(L, L, _).

quick([], S, S).
quick([X|Xs], S, T) :- partition([Y]>>less(Y, X), Xs, Low, High), quick(Low, S, [X|M]), quick(High, M, T).

merge_sort(0, L, [], L) :- !.
merge_sort(1, [X|L], [X], L) :- !.
merge_sort(N, L0, S, L) :- A is N//2, B is N-A, merge_sort(A, L0, S1, L1), merge_sort(B, L1, S2, L), merge(S1, S2, S).
merge([], L, L) :- !.
merge(L, [], L) :- !.
merge([A|As], [B|Bs], [X|L]) :- ( less(A, B) -> X = A, merge(As, [B|Bs], L) ; X = B, merge([A|As], Bs, L) ).

put(nil, X, t(nil, X, nil)).
put(t(L, Y, R), X, T) :- ( less(X, Y) -> put(L, X, L1), T = t(L1, Y, R) ; put(R, X, R1), T = t(L, Y, R1) ).
walk(nil) --> [].
walk(t(L, X, R)) --> walk(L), [X], walk(R).

runs([], []).
runs([X|Xs], [[X|R]|Rs]) :- run(X, Xs, R, Rest), runs(Rest, Rs).
run(X, [Y|Ys], [Y|R], Rest) :- less(X, Y), !, run(Y, Ys, R, Rest).
run(_, Rest, [], Rest).
merge_all([], []).
merge_all([L], L) :- !.
merge_all([A, B|Ls], S) :- merge(A, B, C), append(Ls, [C], Ls1), merge_all(Ls1, S).

main :-
    Lists = [mixed-[5, 2, 7, 1, 6, 3, 4], up-[1, 2, 3, 4, 5, 6, 7], down-[7, 6, 5, 4, 3, 2, 1], same-[2, 2, 2, 1, 1, 1]],
    forall(clause(sorted(How, _, _), _),
           ( format("~w~t~14|", [How]),
             forall(member(Name-L, Lists),
                    ( nb_setval(compared, 0), once(sorted(How, L, S)), msort(L, T), ( S == T -> true ; write(wrong) ),
                      nb_getval(compared, N), format("~w ~d~t~14+", [Name, N]) )), nl )),
    forall(( member(How, [insertion, quick, merge, natural]), permutation([1, 2, 3, 4], P), \+ sorted(How, P, [1, 2, 3, 4]) ), print(How-P)).

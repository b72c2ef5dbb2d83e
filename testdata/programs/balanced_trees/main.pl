% AVL trees from a lecture: insertion with rotations, deletion, a check of the invariant, and the shape in text.
:- use_module(library(lists)).
:- use_module(library(random)).

insert(t, K, t(t, K, t, 1), grown).
insert(t(L, K0, R, _), K, T, Note) :-
    compare(O, K, K0),
    (   O = (=) -> T0 = t(L, K0, R), Note = there
    ;   O = (<) -> insert(L, K, L1, Note), T0 = t(L1, K0, R)
    ;   insert(R, K, R1, Note), T0 = t(L, K0, R1)
    ),
    balance(T0, T).

height(t, 0).
height(t(_, _, _, H), H).
node(L, K, R, t(L, K, R, H)) :- height(L, A), height(R, B), H is max(A, B)+1.

balance(t(L, K, R), T) :-
    height(L, A), height(R, B), D is A-B,
    (   D > 1 -> L = t(LL, LK, LR, _), height(LL, C), height(LR, E),
        (   C >= E -> node(LR, K, R, X), node(LL, LK, X, T)
        ;   LR = t(M, MK, N, _), node(LL, LK, M, X), node(N, K, R, Y), node(X, MK, Y, T) )
    ;   D < -1 -> R = t(RL, RK, RR, _), height(RL, C), height(RR, E),
        (   E >= C -> node(L, K, RL, X), node(X, RK, RR, T)
        ;   RL = t(M, MK, N, _), node(L, K, M, X), node(N, RK, RR, Y), node(X, MK, Y, T) )
    ;   node(L, K, R, T) ).

delete(t(L, K0, R, _), K, T) :-
    compare(O, K, K0),
    (   O = (<) -> delete(L, K, L1), balance(t(L1, K0, R), T)
    ;   O = (>) -> delete(R, K, R1), balance(t(L, K0, R1), T)
    ;   R == t -> T = L
    ;   least(R, M), delete(R, M, R1), balance(t(L, M, R1), T) ).
least(t(t, K, _, _), K) :- !.
least(t(L, _, _, _), K) :- least(L, K).

valid(t).
valid(t(L, K, R, H)) :-
    valid(L), valid(R), height(L, A), height(R, B), abs(A-B) =< 1, H =:= max(A, B)+1,
    forall(in(L, X), X @< K), forall(in(R, Y), Y @> K).
in(t(L, K, R, _), X) :- in(L, X) ; X = K ; in(R, X).

show(T) :- show(T, 0).
show(t, _).
show(t(L, K, R, _), D) :- D1 is D+1, show(R, D1), forall(between(1, D, _), write('    ')), writeln(K), show(L, D1).

build(Ks, T) :- foldl([K, A, B]>>insert(A, K, B, _), Ks, t, T).

main :-
    numlist(1, 10, Up), build(Up, T), show(T), height(T, H), print(H), nl,
    build([m, c, x, a, d, z, y, b], U), show(U), insert(U, c, _, Note), print(Note), nl,
    foldl([K, A, B]>>delete(A, K, B), [4, 8, 9, 10], T, V), show(V), ( valid(V) -> writeln(valid) ; writeln(invalid) ),
    numlist(1, 300, L), findall(K, ( member(X, L), K is X*137 mod 301 ), Ks), build(Ks, Big), height(Big, BH),
    aggregate_all(count, in(Big, _), N), ( valid(Big) -> print(N/BH) ; print(no) ), nl,
    ( delete(V, 99, _) -> true ; writeln('99 is not there') ).

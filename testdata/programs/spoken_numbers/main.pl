% A memory game of numbers, look-and-say, and Kaprekar's chains: sequences with state in different stores.
:- use_module(library(lists)).
:- use_module(library(rbtrees)).
:- use_module(library(gensym)).

% Each turn says how long ago the last number was said before.
memory(Start, Turns, Last) :-
    append(Said, [L], Start),
    rb_empty(T0), foldl([N, I-T, J-T1]>>( rb_insert(T, N, I, T1), J is I+1 ), Said, 1-T0, _-Tree),
    length(Start, K), turns(K, Turns, L, Tree, Last).

turns(N, N, L, _, L) :- !.
turns(I, N, L, T0, Last) :-
    ( rb_lookup(L, J, T0) -> Next is I-J ; Next = 0 ),
    rb_update_or_insert(T0, L, I, T), I1 is I+1, turns(I1, N, Next, T, Last).

rb_update_or_insert(T0, K, V, T) :- ( rb_update(T0, K, V, T) -> true ; rb_insert_new(T0, K, V, T) ).

% The same with the last turns in an array.
memory_array(Start, Turns, Last) :-
    functor(A, last, 300), forall(between(1, 300, I), nb_setarg(I, A, 0)),
    append(Said, [L], Start),
    forall(nth1(I, Said, N), ( P is N+1, nb_setarg(P, A, I) )),
    length(Start, K), nb_setval(said, L), Upto is Turns-1,
    forall(between(K, Upto, I),
           ( nb_getval(said, X), P is X+1, arg(P, A, J), ( J =:= 0 -> Y = 0 ; Y is I-J ), nb_setarg(P, A, I), nb_setval(said, Y) )),
    nb_getval(said, Last).

look_and_say([], []).
look_and_say([D|Ds], [N, D|Rest]) :- same(Ds, D, 1, N, Others), look_and_say(Others, Rest).
same([D|Ds], E, N0, N, Rest) :- D == E, !, N1 is N0+1, same(Ds, E, N1, N, Rest).
same(Ds, _, N, N, Ds).

kaprekar(N, [N]) :- memberchk(N, [6174, 0]), !.
kaprekar(N, [N|Ns]) :-
    format(codes(Cs), "~`0t~d~4|", [N]), msort(Cs, Up), reverse(Up, Down), number_codes(A, Down), number_codes(B, Up),
    M is A-B, kaprekar(M, Ns).

main :-
    forall(member(S, [[0, 3, 6], [1, 3, 2], [2, 1, 3], [3, 1, 2]]), ( memory(S, 200, L), memory_array(S, 200, L1), print(S-L-L1), nl )),
    findall(L, ( between(4, 12, T), memory([0, 3, 6], T, L) ), Ls), print(Ls), nl,
    foldl([_, X, Y]>>( atomic_list_concat(X, T), writeln(T), look_and_say(X, Y) ), [a, b, c, d, e, f, g], [1], End),
    length(End, N), print(N), nl,
    forall(member(K, [3524, 1000, 1111, 9998]), ( kaprekar(K, Ks), print(Ks), nl )).

% The puzzle of five houses, by domains and differences, 20 times.
:- use_module(library(chr)).
:- chr_constraint house(?any,+int), diff(?any,?any), in(?any,?any).
in(_,[]) <=> fail.
in(X,[V]) <=> X = V.
in(X,L) <=> integer(X) | memberchk(X,L).
in(X,L1), in(X,L2) <=> inter(L1,L2,L), in(X,L).
diff(X,X) <=> fail.
diff(X,Y) <=> integer(X), integer(Y) | X =\= Y.
diff(X,Y) \ in(Y,L) <=> integer(X), select(X,L,L1) | in(Y,L1).
diff(Y,X) \ in(Y,L) <=> integer(X), select(X,L,L1) | in(Y,L1).
inter([],_,[]).
inter([X|Xs],L,R) :- ( memberchk(X,L) -> R = [X|R1] ; R = R1 ), inter(Xs,L,R1).
alldiff([]).
alldiff([X|Xs]) :- diffs(Xs,X), alldiff(Xs).
diffs([],_).
diffs([Y|Ys],X) :- diff(X,Y), diffs(Ys,X).
dom([]).
dom([X|Xs]) :- in(X,[1,2,3,4,5]), dom(Xs).
:- chr_constraint right(?any,?any), near(?any,?any).
right(X,Y) <=> integer(X) | Y is X-1.
right(X,Y) <=> integer(Y) | X is Y+1.
near(X,Y) <=> integer(X), integer(Y) | 1 =:= abs(X-Y).
near(X,Y) <=> integer(X) | A is X-1, B is X+1, in(Y,[A,B]).
near(Y,X) <=> integer(X) | A is X-1, B is X+1, in(Y,[A,B]).
lab([]).
lab([X|Xs]) :- ( var(X) -> member(X,[1,2,3,4,5]) ; true ), lab(Xs).
zebra(Z,W) :-
    C = [R,G,I,Ye,B], N = [E,S,J,U,No], P = [D,Sn,F,Z,H], Dr = [Co,T,M,O,W], Sm = [OG,K,Ch,L,Pa],
    dom(C), dom(N), dom(P), dom(Dr), dom(Sm),
    alldiff(C), alldiff(N), alldiff(P), alldiff(Dr), alldiff(Sm),
    E = R, S = D, Co = G, U = T, right(G,I), OG = Sn, K = Ye, M = 3, No = 1,
    near(Ch,F), near(K,H), L = O, J = Pa, near(No,B),
    lab(C), lab(N), lab(P), lab(Dr), lab(Sm), !.

bench :-
    findall(Z-W, ( between(1, 20, _), zebra(Z, W) ), Answers), last(Answers, Z-W), write(checksum(Z-W)), nl.

% Boolean circuits: sums of numbers of 12 bits, run backwards.
:- use_module(library(chr)).
:- chr_constraint and(?any,?any,?any), or(?any,?any,?any), xor(?any,?any,?any), neg(?any,?any).
and(0,_,Z) <=> Z = 0.
and(_,0,Z) <=> Z = 0.
and(1,Y,Z) <=> Z = Y.
and(X,1,Z) <=> Z = X.
and(X,Y,1) <=> X = 1, Y = 1.
and(X,X,Z) <=> Z = X.
and(X,Y,A) \ and(X,Y,B) <=> A = B.
or(1,_,Z) <=> Z = 1.
or(_,1,Z) <=> Z = 1.
or(0,Y,Z) <=> Z = Y.
or(X,0,Z) <=> Z = X.
or(X,Y,0) <=> X = 0, Y = 0.
or(X,X,Z) <=> Z = X.
xor(0,Y,Z) <=> Z = Y.
xor(X,0,Z) <=> Z = X.
xor(1,Y,Z) <=> neg(Y,Z).
xor(X,1,Z) <=> neg(X,Z).
xor(X,X,Z) <=> Z = 0.
neg(0,Y) <=> Y = 1.
neg(1,Y) <=> Y = 0.
neg(X,0) <=> X = 1.
neg(X,1) <=> X = 0.
neg(X,X) <=> fail.
neg(X,Y) \ neg(X,Z) <=> Y = Z.
half(A,B,S,C) :- xor(A,B,S), and(A,B,C).
full(A,B,C,S,D) :- half(A,B,S1,C1), half(S1,C,S,C2), or(C1,C2,D).
adder([],[],C,[C]).
adder([A|As],[B|Bs],C,[S|Ss]) :- full(A,B,C,S,D), adder(As,Bs,D,Ss).
bits(0,_,[]) :- !.
bits(N,X,[B|Bs]) :- B is X mod 2, Y is X//2, N1 is N-1, bits(N1,Y,Bs).
lab([]).
lab([X|Xs]) :- ( X = 0 ; X = 1 ), lab(Xs).

bench :-
    aggregate_all(sum(B), ( between(1, 200, I), A is I * 7919 mod 2000, difference(A, 3456, B) ), Sum),
    write(checksum(Sum)), nl.

difference(A, C, B) :-
    bits(12, A, As), bits(13, C, Cs), length(Bs, 12),
    adder(As, Bs, 0, Cs), lab(Bs),
    foldl([Bit,W0-V0,W-V]>>( V is V0 + W0 * Bit, W is 2 * W0 ), Bs, 1-0, _-B).

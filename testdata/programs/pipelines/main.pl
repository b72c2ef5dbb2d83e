% Lambdas and higher-order predicates across modules.
:- use_module(library(yall)).
:- use_module(library(apply)).
:- use_module(stages).
main :-
    numlist(1, 10, L),
    pipe([keep([X]>>(X mod 2 =:= 0)), map([X,Y]>>(Y is X*X)), take(3)], L, R), print(R), nl,
    foldl([X,A-B,A1-B1]>>( A1 is A+X, B1 is B*X ), [1,2,3,4], 0-1, S), print(S), nl,
    maplist([K-V,V-K]>>true, [a-1,b-2], Sw), print(Sw), nl,
    scale(3, [1,2,3], T), print(T), nl,
    partition([C]>>( C == x ; C == y ), [x,a,y,b], In, Out), print(In-Out), nl,
    aggregate_all(count, ( member(Q, L), call([Z]>>( Z > 7 ), Q) ), Count), print(Count), nl,
    table_of([add-[X1,Y1,Z1]>>( Z1 is X1+Y1 ), mul-[X2,Y2,Z2]>>( Z2 is X2*Y2 )], 6, 7).
table_of(Ops, A, B) :- forall(member(N-F, Ops), ( call(F, A, B, C), write(N=C), nl )).

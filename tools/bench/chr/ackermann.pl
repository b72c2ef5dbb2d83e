% Ackermann's function, each value kept when it is known.
:- use_module(library(chr)).
:- chr_constraint ack(+int,+int,?int).
ack(M,N,A) \ ack(M,N,B) <=> A = B.
ack(0,N,A) ==> A is N+1.
ack(M,0,A) ==> M > 0 | M1 is M-1, ack(M1,1,A).
ack(M,N,A) ==> M > 0, N > 0 | M1 is M-1, N1 is N-1, ack(M,N1,B), ack(M1,B,A).

bench :-
    ack(2, 1500, A), write(checksum(A)), nl.

% Sets that are united: 2,000 elements, by rank and with shorter paths.
:- use_module(library(chr)).
:- op(700, xfx, ~>).
:- chr_constraint make(+int), union(+int,+int), find(+int,?any), link(+int,+int), ~>(+int,+int), root(+int,+int).
make     @ make(A) <=> root(A, 0).
union    @ union(A,B) <=> find(A,X), find(B,Y), link(X,Y).
findnode @ A ~> B , find(A,X) <=> find(B,X), A ~> X.
findroot @ root(B,_) \ find(B,X) <=> X = B.
linkeq   @ link(A,A) <=> true.
linkleft @ link(A,B), root(A,N), root(B,M) <=> N >= M | B ~> A, N1 is max(N,M+1), root(A,N1).
linkright @ link(B,A), root(A,N), root(B,M) <=> N > M | B ~> A, N1 is max(N,M+1), root(A,N1).
makes(I, N) :- ( I > N -> true ; make(I), I1 is I+1, makes(I1, N) ).
unions(I, N) :- ( I > N -> true ; J is (I*7919) mod N + 1, union(I, J), I1 is I+1, unions(I1, N) ).

bench :-
    makes(1, 2000), unions(1, 2000),
    findall(A-B, find_chr_constraint(A ~> B), Links), length(Links, N),
    write(checksum(N)), nl.

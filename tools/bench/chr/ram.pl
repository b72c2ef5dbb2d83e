% A machine with memory, a program and a counter as constraints.
:- use_module(library(chr)).
:- chr_constraint mem(+int,+int), prog(+int,+any,+int,+int), pc(+int).
prog(L,add,B,A), mem(B,Y) \ mem(A,X), pc(L) <=> Z is X+Y, mem(A,Z), L1 is L+1, pc(L1).
prog(L,sub,B,A), mem(B,Y) \ mem(A,X), pc(L) <=> Z is X-Y, mem(A,Z), L1 is L+1, pc(L1).
prog(L,mult,B,A), mem(B,Y) \ mem(A,X), pc(L) <=> Z is X*Y, mem(A,Z), L1 is L+1, pc(L1).
prog(L,move,B,A), mem(B,X) \ mem(A,_), pc(L) <=> mem(A,X), L1 is L+1, pc(L1).
prog(L,const,B,A) \ mem(A,_), pc(L) <=> mem(A,B), L1 is L+1, pc(L1).
prog(L,jump,_,A) \ pc(L) <=> pc(A).
prog(L,cjump,R,A), mem(R,X) \ pc(L) <=> X =:= 0 | pc(A).
prog(L,cjump,R,_), mem(R,X) \ pc(L) <=> X =\= 0 | L1 is L+1, pc(L1).
prog(L,halt,_,_) \ pc(L) <=> true.
run(N, X) :-
    mem(1,1), mem(2,N), mem(3,0),
    prog(1,add,2,3), prog(2,sub,1,2), prog(3,cjump,2,5), prog(4,jump,0,1), prog(5,halt,0,0),
    pc(1), find_chr_constraint(mem(3,X)), !.

bench :-
    run(60000, X), write(checksum(X)), nl.

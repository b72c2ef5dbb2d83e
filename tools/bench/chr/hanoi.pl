% The towers of Hanoi, each move a constraint that is counted.
:- use_module(library(chr)).
:- chr_constraint hanoi(+int,+any,+any,+any), move(+any,+any), count(+int).
hanoi(0,_,_,_) <=> true.
hanoi(N,A,B,C) <=> M is N-1, hanoi(M,A,C,B), move(A,B), hanoi(M,C,B,A).
count(N), move(_,_) <=> M is N+1, count(M).

bench :-
    count(0), hanoi(16, a, b, c), find_chr_constraint(count(X)), write(checksum(X)), nl.

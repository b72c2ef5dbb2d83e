% Fibonacci numbers downwards, each kept when it is known.
:- use_module(library(chr)).
:- chr_constraint fib(+int,?int).
memo @ fib(N,A) \ fib(N,B) <=> A = B.
fib(0,F) ==> F = 0.
fib(1,F) ==> F = 1.
fib(N,F) ==> N > 1 | N1 is N-1, N2 is N-2, fib(N1,F1), fib(N2,F2), F is F1+F2.

bench :-
    fib(1500, F), X is F mod 1000003, write(checksum(X)), nl.

% Fibonacci numbers upwards, with large integers.
:- use_module(library(chr)).
:- chr_constraint fib(+int,?int), upto(+int).
fib(N,M1) \ fib(N,M2) <=> M1 = M2.
upto(_) ==> fib(0,1), fib(1,1).
upto(Max), fib(N1,M1), fib(N2,M2) ==> Max > N2, N2 =:= N1+1 | N is N2+1, M is M1+M2, fib(N,M).

bench :-
    upto(1500), find_chr_constraint(fib(1500, F)), X is F mod 1000003,
    write(checksum(X)), nl.

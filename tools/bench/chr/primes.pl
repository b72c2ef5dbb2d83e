% The sieve of Eratosthenes, each candidate against each prime.
:- use_module(library(chr)).
:- chr_constraint candidate(+int), prime(+int).
candidate(1) <=> true.
candidate(N) <=> prime(N), M is N-1, candidate(M).
absorb @ prime(Y) \ prime(X) <=> 0 =:= X mod Y | true.

bench :-
    candidate(3000), aggregate_all(sum(P), find_chr_constraint(prime(P)), Sum),
    write(checksum(Sum)), nl.

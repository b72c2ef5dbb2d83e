% Greatest common divisors: a rule that simplifies and one that propagates into it.
:- use_module(library(chr)).
:- chr_constraint gcd(+natural).
gcd(0) <=> true.
gcd(N) \ gcd(M) <=> N =< M | L is M mod N, gcd(L).

bench :-
    aggregate_all(sum(X), ( between(1, 30000, I), A is I * 7919, B is I * 104729 + 30030,
                            gcd(A), gcd(B), find_chr_constraint(gcd(X)) ), Sum),
    write(checksum(Sum)), nl.

:- module(checks, [check/1, probe/1]).
check(N-A) :- must_be(atom, N), must_be(integer, A), ( A > 150 -> throw(bad(bad_age(N, A))) ; true ).
probe(X) :- ( X mod 2 =:= 1 -> throw(odd(X)) ; write(even(X)), nl ).

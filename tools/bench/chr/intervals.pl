% Intervals of a chain of variables, made narrower by each other.
:- use_module(library(chr)).
:- op(600, xfx, ..).
:- chr_constraint in(?any,+any), le(?any,?any), plus(?any,?any,?any).
in(_, L..H) <=> L > H | fail.
in(X, L..H) <=> integer(X) | L =< X, X =< H.
in(X, L..H) <=> L =:= H | X = L.
in(X, L1..H1), in(X, L2..H2) <=> L is max(L1,L2), H is min(H1,H2), in(X, L..H).
le(X,Y), in(X, L1..H1), in(Y, _..H2) ==> H1 > H2 | in(X, L1..H2).
le(X,Y), in(X, L1.._), in(Y, L2..H2) ==> L1 > L2 | in(Y, L1..H2).
plus(X,Y,Z), in(X, L1..H1), in(Y, L2..H2), in(Z, L3..H3) ==>
    L is L1+L2, H is H1+H2, ( L > L3 ; H < H3 ) | in(Z, L..H).

domains([]).
domains([X|Xs]) :- in(X, 1..200), domains(Xs).
ordered([_]).
ordered([X,Y|Xs]) :- le(X, Y), ordered([Y|Xs]).

bench :-
    aggregate_all(sum(Sum), ( between(100, 199, Low), narrowed(Low, Sum) ), Total),
    write(checksum(Total)), nl.

narrowed(Low, Sum) :-
    length(Xs, 40), Xs = [X|_], last(Xs, Y), domains(Xs), ordered(Xs),
    in(Z, 0..1000), plus(X, Y, Z), in(X, Low..300),
    aggregate_all(sum(L+H), find_chr_constraint(in(_, L..H)), Sum).

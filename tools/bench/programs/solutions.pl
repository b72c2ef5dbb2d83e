% Collecting and sorting many answers: findall, msort, sort, keysort and setof.
% scale: 100

bench :- run(300000).
small :- run(3000).

run(N) :-
    findall(K-V, pair(N, K, V), Pairs),
    keysort(Pairs, ByKey),
    sort(Pairs, Unique),
    length(ByKey, L1),
    length(Unique, L2),
    setof(K, V^pair(1000, K, V), Keys),
    length(Keys, L3),
    item(ByKey, 777, K1-_),
    Sum is L1 + L2 + L3 + K1,
    write(checksum(Sum)), nl.

pair(N, K, V) :-
    between(1, N, I),
    K is I * 7919 mod 10007,
    V is I mod 13.

item([X|_], 0, X) :- !.
item([_|Xs], N, X) :-
    M is N - 1,
    item(Xs, M, X).

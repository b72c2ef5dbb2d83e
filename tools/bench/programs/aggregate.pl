% aggregate_all/3 over a million answers: count, sum, max and bag.
% scale: 71

bench :- run(1000000).
small :- run(10000).

run(N) :-
    aggregate_all(count, odd(N, _), Count),
    aggregate_all(sum(X), odd(N, X), Sum),
    aggregate_all(max(X), odd(N, X), Max),
    Tenth is N // 10,
    aggregate_all(bag(X), odd(Tenth, X), Bag),
    length(Bag, Length),
    Total is Count + Sum + Max + Length,
    write(checksum(Total)), nl.

odd(N, X) :-
    between(1, N, X),
    X mod 2 =:= 1.

% The sieve of Eratosthenes over a list of numbers.
% scale: 603

bench :- run(35000).
small :- run(800).

run(Max) :-
    numbers(2, Max, Numbers),
    sifted(Numbers, Primes),
    length(Primes, Count),
    write(checksum(Count)), nl.

numbers(N, Max, []) :- N > Max, !.
numbers(N, Max, [N|Ns]) :-
    M is N + 1,
    numbers(M, Max, Ns).

sifted([], []).
sifted([P|Ns], [P|Ps]) :-
    without_multiples(Ns, P, Rest),
    sifted(Rest, Ps).

without_multiples([], _, []).
without_multiples([N|Ns], P, Rest) :-
    N mod P =:= 0, !,
    without_multiples(Ns, P, Rest).
without_multiples([N|Ns], P, [N|Rest]) :-
    without_multiples(Ns, P, Rest).

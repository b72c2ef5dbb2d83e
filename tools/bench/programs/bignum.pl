% Factorials and Fibonacci numbers far beyond the machine word.
% scale: 300

bench :- run(3000, 400).
small :- run(800, 10).

run(N, Times) :-
    (   between(1, Times, _),
        factorial(N, 1, _),
        fibonacci(N, 0, 1, _),
        fail
    ;   factorial(N, 1, F),
        fibonacci(N, 0, 1, G),
        Sum is (F // 7 + G) mod 1000000007,
        write(checksum(Sum)), nl
    ).

factorial(0, F, F) :- !.
factorial(N, F0, F) :-
    F1 is F0 * N,
    M is N - 1,
    factorial(M, F1, F).

fibonacci(0, A, _, A) :- !.
fibonacci(N, A, B, F) :-
    C is A + B,
    M is N - 1,
    fibonacci(M, B, C, F).

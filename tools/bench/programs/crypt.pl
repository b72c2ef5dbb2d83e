% A multiplication with hidden digits, found by generating and testing.
% scale: 300

bench :- run(1200).
small :- run(3).

run(Times) :-
    (   between(1, Times, _),
        hidden(_, _),
        fail
    ;   findall(A*B, hidden(A, B), All),
        write(checksum(All)), nl
    ).

% OEE * EE = EOEE + (EOE shifted) = OOEE, every E an even digit and every O an odd one.
hidden(Top, Factor) :-
    odd(A), even(B), even(C),
    Top is 100 * A + 10 * B + C,
    even(E), E > 0,
    P1 is Top * E,
    shaped([e, o, e, e], P1),
    even(D), D > 0,
    P2 is Top * D,
    shaped([e, o, e], P2),
    Factor is 10 * D + E,
    Product is Top * Factor,
    shaped([o, o, e, e], Product).

shaped(Shape, N) :-
    digits(N, [], Digits),
    fits(Shape, Digits).

digits(N, Digits, [N|Digits]) :-
    N < 10, !.
digits(N, Digits0, Digits) :-
    D is N mod 10,
    M is N // 10,
    digits(M, [D|Digits0], Digits).

fits([], []).
fits([e|Shape], [D|Ds]) :- even(D), !, fits(Shape, Ds).
fits([o|Shape], [D|Ds]) :- odd(D), !, fits(Shape, Ds).

even(0).
even(2).
even(4).
even(6).
even(8).

odd(1).
odd(3).
odd(5).
odd(7).
odd(9).

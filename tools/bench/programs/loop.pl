% A counting loop of ten million steps.
% scale: 1000

bench :- count(0, 10000000), write(checksum(10000000)), nl.
small :- count(0, 10000), write(checksum(10000)), nl.

count(N, N) :- !.
count(I, N) :-
    J is I + 1,
    count(J, N).

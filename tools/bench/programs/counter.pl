% A counter kept in the data base by retract and assert.
% scale: 499

:- dynamic(counter/2).

bench :- run(1000000).
small :- run(2000).

run(N) :-
    assertz(counter(hits, 0)),
    assertz(counter(misses, 0)),
    count(N),
    counter(hits, Hits),
    counter(misses, Misses),
    write(checksum(Hits-Misses)), nl.

count(0) :- !.
count(N) :-
    (   N mod 3 =:= 0 -> Name = hits ; Name = misses ),
    retract(counter(Name, C)), !,
    D is C + 1,
    assertz(counter(Name, D)),
    M is N - 1,
    count(M).

% A bottom-up chart parser for an ambiguous grammar: all readings of a sentence.
% scale: 488

bench :- run(20000).
small :- run(40).

run(Times) :-
    sentence(Words),
    (   between(1, Times, _),
        readings(Words, _),
        fail
    ;   readings(Words, Count),
        write(checksum(Count)), nl
    ).

sentence([the, man, saw, the, dog, in, the, park, with, a, telescope, on, the, hill, near, the, river]).

readings(Words, Count) :-
    findall(T, parse(s, Words, [], T), Trees),
    length(Trees, Count).

parse(s, S0, S, s(N, V)) :- parse(np, S0, S1, N), parse(vp, S1, S, V).
parse(np, S0, S, N) :- simple(S0, S1, N0), attach(S1, S, N0, N).
parse(vp, S0, S, V) :- verb(S0, S1, W), parse(np, S1, S2, N), attach(S2, S, vp(W, N), V).
parse(pp, S0, S, pp(P, N)) :- preposition(S0, S1, P), parse(np, S1, S, N).

attach(S, S, T, T).
attach(S0, S, T0, T) :- parse(pp, S0, S1, P), attach(S1, S, with(T0, P), T).

simple([D, N|S], S, np(D, N)) :- determiner(D), noun(N).

verb([W|S], S, W) :- transitive(W).

preposition([W|S], S, W) :- relates(W).

determiner(the).
determiner(a).

noun(man).
noun(dog).
noun(park).
noun(telescope).
noun(hill).
noun(river).

transitive(saw).
transitive(liked).

relates(in).
relates(with).
relates(on).
relates(near).

% Learning a decision tree from examples by the gain of information, its rules, and its errors on what it has not seen.
:- use_module(library(lists)).
:- use_module(library(pairs)).
:- use_module(library(aggregate)).

attribute(outlook).
attribute(temperature).
attribute(humidity).
attribute(wind).

example(1, [outlook-sunny, temperature-hot, humidity-high, wind-weak], no).
example(2, [outlook-sunny, temperature-hot, humidity-high, wind-strong], no).
example(3, [outlook-overcast, temperature-hot, humidity-high, wind-weak], yes).
example(4, [outlook-rain, temperature-mild, humidity-high, wind-weak], yes).
example(5, [outlook-rain, temperature-cool, humidity-normal, wind-weak], yes).
example(6, [outlook-rain, temperature-cool, humidity-normal, wind-strong], no).
example(7, [outlook-overcast, temperature-cool, humidity-normal, wind-strong], yes).
example(8, [outlook-sunny, temperature-mild, humidity-high, wind-weak], no).
example(9, [outlook-sunny, temperature-cool, humidity-normal, wind-weak], yes).
example(10, [outlook-rain, temperature-mild, humidity-normal, wind-weak], yes).
example(11, [outlook-sunny, temperature-mild, humidity-normal, wind-strong], yes).
example(12, [outlook-overcast, temperature-mild, humidity-high, wind-strong], yes).
example(13, [outlook-overcast, temperature-hot, humidity-normal, wind-weak], yes).
example(14, [outlook-rain, temperature-mild, humidity-high, wind-strong], no).

classes(Ids, Counts) :-
    findall(C-1, ( member(I, Ids), example(I, _, C) ), Ps), keysort(Ps, S), group_pairs_by_key(S, Gs),
    findall(C-N, ( member(C-L, Gs), length(L, N) ), Counts).

entropy(Ids, E) :-
    length(Ids, T), classes(Ids, Cs),
    findall(X, ( member(_-N, Cs), P is N/T, X is -P*log(P)/log(2) ), Xs), sum_list(Xs, E).

split(Ids, A, Groups) :-
    findall(V-I, ( member(I, Ids), example(I, Vs, _), memberchk(A-V, Vs) ), Ps), keysort(Ps, S), group_pairs_by_key(S, Groups).

gain(Ids, A, G) :-
    entropy(Ids, E), length(Ids, T), split(Ids, A, Groups),
    aggregate_all(sum(X), ( member(_-Is, Groups), length(Is, N), entropy(Is, F), X is F*N/T ), Rest), G is E-Rest.

learn(Ids, _, leaf(C)) :- classes(Ids, [C-_]), !.
learn(Ids, [], leaf(C)) :- !, classes(Ids, Cs), transpose_pairs(Cs, ByN), last(ByN, _-C).
learn(Ids, As, node(A, Branches)) :-
    findall(G-A0, ( member(A0, As), gain(Ids, A0, G) ), Gs), sort(1, @>=, Gs, [_-A|_]),
    split(Ids, A, Groups), selectchk(A, As, Rest),
    findall(V-T, ( member(V-Is, Groups), learn(Is, Rest, T) ), Branches).

rules(leaf(C), Path) --> { reverse(Path, P) }, [P-C].
rules(node(A, Bs), Path) --> branches(Bs, A, Path).
branches([], _, _) --> [].
branches([V-T|Bs], A, Path) --> rules(T, [A=V|Path]), branches(Bs, A, Path).

classify(leaf(C), _, C).
classify(node(A, Bs), Vs, C) :- memberchk(A-V, Vs), ( memberchk(V-T, Bs) -> classify(T, Vs, C) ; C = unknown ).

main :-
    findall(I, example(I, _, _), Ids), findall(A, attribute(A), As),
    entropy(Ids, E), format("entropy ~4f~n", [E]), forall(member(A, As), ( gain(Ids, A, G), format("  ~w~t~14|~4f~n", [A, G]) )),
    learn(Ids, As, T), phrase(rules(T, []), Rs), forall(member(P-C, Rs), format("~w -> ~w~n", [P, C])),
    findall(I, ( example(I, _, _), I mod 2 =:= 1 ), Half), learn(Half, As, T2),
    aggregate_all(count, ( example(I, Vs, C), classify(T2, Vs, C) ), Right), format("from half of them: ~d of 14 right~n", [Right]),
    aggregate_all(bag(I-K), ( example(I, Vs, C), classify(T2, Vs, K), K \== C ), Wrong), print(Wrong), nl.

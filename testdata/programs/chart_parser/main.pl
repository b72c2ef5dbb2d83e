% A bottom-up chart parser with edges in the database; it packs, counts and shows the trees of ambiguous sentences.
:- use_module(library(lists)).
:- dynamic edge/5.

rule(s, [np, vp]).
rule(np, [pro]).
rule(np, [det, n]).
rule(np, [np, pp]).
rule(vp, [v, np]).
rule(vp, [vp, pp]).
rule(pp, [p, np]).

word(i, pro).
word(saw, v).
word(saw, n).
word(the, det).
word(a, det).
word(man, n).
word(park, n).
word(telescope, n).
word(with, p).
word(in, p).

parse(Words, Trees) :-
    retractall(edge(_, _, _, _, _)),
    forall(nth0(I, Words, W), ( J is I+1, forall(word(W, C), add(edge(I, J, C, [], leaf(C, W)))) )),
    length(Words, N),
    findall(T, edge(0, N, s, [], T), Trees).

add(Edge) :- Edge, !.
add(Edge) :- assertz(Edge), forall(follows(Edge, New), add(New)).

% A passive edge begins rules and moves on the active ones that end where it begins; an active one looks for passive ones.
follows(edge(I, J, C, [], T), edge(I, J, Cat, Rest, node(Cat, [T]))) :- rule(Cat, [C|Rest]).
follows(edge(J, K, C, [], T), edge(I, K, Cat, Rest, node(Cat, Ts1))) :-
    edge(I, J, Cat, [C|Rest], node(Cat, Ts)), append(Ts, [T], Ts1).
follows(edge(I, J, Cat, [C|Rest], node(Cat, Ts)), edge(I, K, Cat, Rest, node(Cat, Ts1))) :-
    edge(J, K, C, [], T), append(Ts, [T], Ts1).

show(leaf(C, W), D) :- tab(D), format("~w ~w~n", [C, W]).
show(node(C, Ts), D) :- tab(D), writeln(C), D1 is D+2, forall(member(T, Ts), show(T, D1)).

brackets(leaf(_, W)) --> [W].
brackets(node(C, Ts)) --> ['[', C], seq(Ts), [']'].
seq([]) --> [].
seq([T|Ts]) --> brackets(T), seq(Ts).

main :-
    forall(member(Text, ['i saw the man', 'i saw the man with a telescope', 'i saw the man in the park with a telescope', 'saw the i']),
           ( atomic_list_concat(Words, ' ', Text), parse(Words, Trees), length(Trees, N),
             aggregate_all(count, edge(_, _, _, _, _), Edges), format("~w: ~d trees, ~d edges~n", [Text, N, Edges]),
             forall(member(T, Trees), ( phrase(brackets(T), Ls), atomic_list_concat(Ls, ' ', B), format("  ~w~n", [B]) )) )),
    parse([i, saw, a, saw], [T|_]), show(T, 0).

% Rules of bags within bags as text: who may hold a bag, how many are inside, by tabling and by counting once.
:- use_module(library(dcg/basics)).
:- dynamic holds/3.
:- table may_hold/2, inside/2.

text("light red bags contain 1 bright white bag, 2 muted yellow bags.\ndark orange bags contain 3 bright white bags, 4 muted yellow bags.\nbright white bags contain 1 shiny gold bag.\nmuted yellow bags contain 2 shiny gold bags, 9 faded blue bags.\nshiny gold bags contain 1 dark olive bag, 2 vibrant plum bags.\ndark olive bags contain 3 faded blue bags, 4 dotted black bags.\nvibrant plum bags contain 5 faded blue bags, 6 dotted black bags.\nfaded blue bags contain no other bags.\ndotted black bags contain no other bags.").

rule(Bag, Parts) --> bag(Bag), " bags contain ", parts(Parts), ".".
bag(B) --> word(A), " ", word(C), { atomic_list_concat([A, C], '_', B) }.
word(W) --> csym_(C), csyms_(Cs), { atom_codes(W, [C|Cs]) }.
csym_(C) --> [C], { code_type(C, alpha) }.
csyms_([C|Cs]) --> csym_(C), !, csyms_(Cs).
csyms_([]) --> [].
parts([]) --> "no other bags", !.
parts([N-B|Ps]) --> integer(N), " ", bag(B), ( " bags" -> [] ; " bag" ), ( ", " -> parts(Ps) ; { Ps = [] } ).

may_hold(A, B) :- holds(A, B, _).
may_hold(A, B) :- may_hold(A, C), holds(C, B, _).

inside(Bag, N) :- aggregate_all(sum(K*(1+M)), ( holds(Bag, B, K), inside(B, M) ), N).

depth(B, D) :- findall(E, ( holds(B, C, _), depth(C, E0), E is E0+1 ), Es), max_list([0|Es], D).

load :-
    text(T), split_string(T, "\n", "", Lines),
    forall(member(L, Lines), ( string_codes(L, Cs), phrase(rule(B, Ps), Cs), forall(member(N-P, Ps), assertz(holds(B, P, N))) )).

main :-
    load, aggregate_all(count, holds(_, _, _), Rules), format("~d rules~n", [Rules]),
    findall(A, may_hold(A, shiny_gold), As0), sort(As0, As), print(As), nl,
    forall(member(B, [shiny_gold, light_red, faded_blue]), ( inside(B, N), depth(B, D), format("~w: ~d inside, ~d deep~n", [B, N, D]) )),
    findall(B, ( holds(B, _, _), \+ may_hold(_, B) ), Tops0), sort(Tops0, Tops), print(Tops), nl.

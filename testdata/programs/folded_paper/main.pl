% Dots on transparent paper that is folded along lines, and polymers that grow by rules, counted in pairs.
:- use_module(library(lists)).
:- use_module(library(pairs)).
:- use_module(library(apply)).

dots([6/10, 0/14, 9/10, 0/3, 10/4, 4/11, 6/0, 6/12, 4/1, 0/13, 10/12, 3/4, 3/0, 8/4, 1/10, 2/14, 8/10, 9/0]).
fold_at(y-7).
fold_at(x-5).

fold(Axis-At, Dots0, Dots) :- maplist(mirror(Axis, At), Dots0, Dots1), sort(Dots1, Dots).
mirror(x, A, X/Y, U/Y) :- ( X > A -> U is 2*A-X ; U = X ).
mirror(y, A, X/Y, X/V) :- ( Y > A -> V is 2*A-Y ; V = Y ).

draw(Dots) :-
    aggregate_all(max(X), member(X/_, Dots), W), aggregate_all(max(Y), member(_/Y, Dots), H),
    forall(between(0, H, Y), ( forall(between(0, W, X), ( memberchk(X/Y, Dots) -> put_char(#) ; put_char(.) )), nl )).

template("NNCB").
rule("CH", "B").
rule("HH", "N").
rule("CB", "H").
rule("NH", "C").
rule("HB", "C").
rule("HC", "B").
rule("HN", "C").
rule("NN", "C").
rule("BH", "H").
rule("NC", "B").
rule("NB", "B").
rule("BN", "B").
rule("BB", "N").
rule("BC", "B").
rule("CC", "N").
rule("CN", "C").

pairs_of(Text, Pairs) :- string_chars(Text, Cs), findall(P-1, ( nextto(A, B, Cs), string_chars(P, [A, B]) ), Ps), total(Ps, Pairs).

total(Ps, Sums) :-
    keysort(Ps, Sorted), group_pairs_by_key(Sorted, Groups), maplist([K-Ns, K-S]>>sum_list(Ns, S), Groups, Sums).

grow(Pairs0, Pairs) :-
    findall(Q-N, ( member(P-N, Pairs0), rule(P, C), sub_string(P, 0, 1, _, A), sub_string(P, 1, 1, _, B),
                   ( string_concat(A, C, Q) ; string_concat(C, B, Q) ) ), Ps),
    total(Ps, Pairs).

% Each element but the last is the first of one pair.
elements(Template, Pairs, Counts) :-
    sub_string(Template, _, 1, 0, Last),
    findall(A-N, ( member(P-N, Pairs), sub_string(P, 0, 1, _, A) ), Ps), total([Last-1|Ps], Counts).

main :-
    dots(Ds), findall(F, fold_at(F), [F1, F2]), fold(F1, Ds, D1), length(D1, N1), print(N1), nl, fold(F2, D1, D2), draw(D2),
    template(T), pairs_of(T, Ps),
    forall(member(K, [1, 10, 40]),
           ( numlist(1, K, L), foldl([_, A, B]>>grow(A, B), L, Ps, End), elements(T, End, Cs), transpose_pairs(Cs, ByCount),
             ByCount = [Min-_|_], last(ByCount, Max-_), D is Max-Min, print(Cs), format(" ~D~n", [D]) )).

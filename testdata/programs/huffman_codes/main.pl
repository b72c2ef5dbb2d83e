% Codes of Huffman by a heap, with difference lists and tables of strings.
:- use_module(library(heaps)).
:- use_module(library(pairs)).
:- use_module(library(apply)).

text("she sells sea shells by the sea shore; the shells she sells are surely seashells").

counts(Chars, Counts) :-
    msort(Chars, Sorted),
    clumped_chars(Sorted, Counts).

clumped_chars(Sorted, Counts) :-
    pairs_keys_values(Pairs, Sorted, Sorted),
    pairs_keys(Pairs, Keys),
    pairs_keys_values(Ones, Keys, _),
    maplist([_-1]>>true, Ones),
    clumps(Ones, Counts).

clumps([], []).
clumps([K-N|Ps], [K-Sum|Cs]) :- same(K, Ps, N, Sum, Rest), clumps(Rest, Cs).

same(K, [K-N|Ps], S0, S, Rest) :- !, S1 is S0+N, same(K, Ps, S1, S, Rest).
same(_, Rest, S, S, Rest).

tree_of(Counts, Tree) :-
    empty_heap(H0),
    foldl(add_leaf, Counts, H0, H),
    merge(H, Tree).

add_leaf(C-N, H0, H) :- add_to_heap(H0, N-C, leaf(C), H).

merge(H0, Tree) :-
    get_from_heap(H0, NA-KA, A, H1),
    (   get_from_heap(H1, NB-_, B, H2)
    ->  N is NA+NB,
        add_to_heap(H2, N-KA, node(A, B), H3),
        merge(H3, Tree)
    ;   Tree = A
    ).

codes(leaf(C), Path, [C-Bits|Rest], Rest) :- reverse(Path, Bits).
codes(node(A, B), Path, Codes, Rest) :-
    codes(A, [0|Path], Codes, Middle),
    codes(B, [1|Path], Middle, Rest).

encode([], _) --> [].
encode([C|Cs], Table) --> { memberchk(C-Bits, Table) }, bits(Bits), encode(Cs, Table).

bits([]) --> [].
bits([B|Bs]) --> [B], bits(Bs).

decode(_, [], []) :- !.
decode(Tree, Bits, [C|Cs]) :- descend(Tree, Bits, C, Rest), decode(Tree, Rest, Cs).

descend(leaf(C), Bits, C, Bits).
descend(node(A, B), [Bit|Bits], C, Rest) :-
    ( Bit =:= 0 -> descend(A, Bits, C, Rest) ; descend(B, Bits, C, Rest) ).

main :-
    text(Text), string_chars(Text, Chars),
    counts(Chars, Counts), print(Counts), nl,
    tree_of(Counts, Tree),
    codes(Tree, [], Codes, []),
    map_list_to_pairs([_-Bits, L]>>length(Bits, L), Codes, Keyed),
    keysort(Keyed, Sorted),
    forall(member(L-(C-Bits), Sorted), ( atomic_list_concat(Bits, Word), format("~q~t~8|~w~t~18|~d~n", [C, Word, L]) )),
    phrase(encode(Chars, Codes), Encoded), length(Encoded, Length),
    string_length(Text, Count), Ratio is Length / Count,
    format("~d bits for ~d characters: ~4f~n", [Length, Count, Ratio]),
    decode(Tree, Encoded, Back), ( Back == Chars -> writeln(same) ; writeln(other) ).

% Priority queues as pairing heaps.
%
% A heap is heap(Tree, Size); Tree is nil or node(Priority, Key, Trees). The least priority, in standard order, comes first.
:- module(heaps, [
    add_to_heap/4,
    delete_from_heap/4,
    empty_heap/1,
    singleton_heap/3,
    get_from_heap/4,
    heap_size/2,
    heap_to_list/2,
    is_heap/1,
    list_to_heap/2,
    merge_heaps/3,
    min_of_heap/3,
    min_of_heap/5
]).

% empty_heap(?Heap): Heap has no elements.
empty_heap(heap(nil, 0)).

% singleton_heap(?Heap, ?Priority, ?Key): Heap has one element.
singleton_heap(heap(node(Priority, Key, []), 1), Priority, Key).

% add_to_heap(+Heap0, +Priority, ?Key, -Heap): adds Key with a priority.
add_to_heap(heap(Tree0, Size0), Priority, Key, heap(Tree, Size)) :-
    meld(Tree0, node(Priority, Key, []), Tree),
    Size is Size0 + 1.

meld(nil, Tree, Tree) :-
    !.
meld(Tree, nil, Tree) :-
    !.
meld(node(P1, K1, Trees1), node(P2, K2, Trees2), Tree) :-
    (   P1 @< P2
    ->  Tree = node(P1, K1, [node(P2, K2, Trees2)|Trees1])
    ;   Tree = node(P2, K2, [node(P1, K1, Trees1)|Trees2])
    ).

% get_from_heap(+Heap0, -Priority, -Key, -Heap): removes the first element.
get_from_heap(heap(node(Priority, Key, Trees), Size0), Priority, Key, heap(Tree, Size)) :-
    Size is Size0 - 1,
    meld_pairs(Trees, Tree).

meld_pairs([], nil).
meld_pairs([Tree], Tree) :-
    !.
meld_pairs([Tree1, Tree2|Trees], Tree) :-
    meld(Tree1, Tree2, Pair),
    meld_pairs(Trees, Rest),
    meld(Pair, Rest, Tree).

% delete_from_heap(+Heap0, -Priority, +Key, -Heap): removes one element with that key, wherever it is.
delete_from_heap(heap(Tree0, Size0), Priority, Key, heap(Tree, Size)) :-
    delete_key(Tree0, Priority, Key, Tree),
    !,
    Size is Size0 - 1.

delete_key(node(Priority, Key0, Trees), Priority, Key, Tree) :-
    Key0 == Key,
    !,
    meld_pairs(Trees, Tree).
delete_key(node(P, K, Trees0), Priority, Key, node(P, K, Trees)) :-
    delete_among(Trees0, Priority, Key, Trees).

delete_among([Tree0|Trees0], Priority, Key, Trees) :-
    (   delete_key(Tree0, Priority, Key, Tree)
    ->  ( Tree == nil -> Trees = Trees0 ; Trees = [Tree|Trees0] )
    ;   Trees = [Tree0|Trees1],
        delete_among(Trees0, Priority, Key, Trees1)
    ).

% heap_size(+Heap, -Size): Size is the number of elements.
heap_size(heap(_, Size), Size).

% heap_to_list(+Heap, -Pairs): Priority-Key in order.
heap_to_list(Heap, Pairs) :-
    (   get_from_heap(Heap, Priority, Key, Rest)
    ->  Pairs = [Priority-Key|Pairs1],
        heap_to_list(Rest, Pairs1)
    ;   Pairs = []
    ).

% is_heap(?Term): Term is a heap.
is_heap(Heap) :-
    nonvar(Heap),
    Heap = heap(Tree, Size),
    integer(Size),
    nonvar(Tree),
    tree_size(Tree, Size).

tree_size(nil, 0).
tree_size(node(_, _, Trees), Size) :-
    is_list(Trees),
    trees_size(Trees, 1, Size).

trees_size([], Size, Size).
trees_size([Tree|Trees], Size0, Size) :-
    nonvar(Tree),
    tree_size(Tree, Size1),
    Size2 is Size0 + Size1,
    trees_size(Trees, Size2, Size).

% list_to_heap(+Pairs, -Heap): Heap has the elements of a list of Priority-Key.
list_to_heap(Pairs, Heap) :-
    must_be(list, Pairs),
    empty_heap(Heap0),
    add_pairs(Pairs, Heap0, Heap).

add_pairs([], Heap, Heap).
add_pairs([Priority-Key|Pairs], Heap0, Heap) :-
    add_to_heap(Heap0, Priority, Key, Heap1),
    add_pairs(Pairs, Heap1, Heap).

% merge_heaps(+Heap1, +Heap2, -Heap): Heap has the elements of both.
merge_heaps(heap(Tree1, Size1), heap(Tree2, Size2), heap(Tree, Size)) :-
    meld(Tree1, Tree2, Tree),
    Size is Size1 + Size2.

% min_of_heap(+Heap, ?Priority, ?Key): the element that is first in Heap.
min_of_heap(heap(node(Priority, Key, _), _), Priority, Key).

% min_of_heap(+Heap, ?Priority1, ?Key1, ?Priority2, ?Key2): the first two elements.
min_of_heap(Heap, Priority1, Key1, Priority2, Key2) :-
    get_from_heap(Heap, Priority1, Key1, Rest),
    min_of_heap(Rest, Priority2, Key2).

% Predicates that apply a closure to the elements of lists.
:- module(apply, [
    include/3,
    exclude/3,
    partition/4,
    partition/5,
    maplist/2,
    maplist/3,
    maplist/4,
    maplist/5,
    maplist/6,
    maplist/7,
    maplist/8,
    convlist/3,
    foldl/4,
    foldl/5,
    foldl/6,
    foldl/7,
    foldr/4,
    scanl/4,
    scanl/5,
    scanl/6,
    scanl/7
]).

:- meta_predicate
    include(1, +, -),
    exclude(1, +, -),
    partition(1, +, -, -),
    partition(2, +, -, -, -),
    maplist(1, ?),
    maplist(2, ?, ?),
    maplist(3, ?, ?, ?),
    maplist(4, ?, ?, ?, ?),
    maplist(5, ?, ?, ?, ?, ?),
    maplist(6, ?, ?, ?, ?, ?, ?),
    maplist(7, ?, ?, ?, ?, ?, ?, ?),
    convlist(2, +, -),
    foldl(3, +, +, -),
    foldl(4, +, +, +, -),
    foldl(5, +, +, +, +, -),
    foldl(6, +, +, +, +, +, -),
    foldr(3, +, +, -),
    scanl(3, +, +, -),
    scanl(4, +, +, +, -),
    scanl(5, +, +, +, +, -),
    scanl(6, +, +, +, +, +, -).

% In the helpers the lists come first, so that the clause is chosen by indexing.

% include(:Goal, +List, -Included): the elements for which Goal is true.
include(Goal, List, Included) :-
    include_from(List, Goal, Included).

include_from([], _, []).
include_from([X|Xs], Goal, Included) :-
    (   call(Goal, X)
    ->  Included = [X|Included1]
    ;   Included = Included1
    ),
    include_from(Xs, Goal, Included1).

% exclude(:Goal, +List, -Others): the elements for which Goal is not true.
exclude(Goal, List, Kept) :-
    exclude_from(List, Goal, Kept).

exclude_from([], _, []).
exclude_from([X|Xs], Goal, Kept) :-
    (   call(Goal, X)
    ->  Kept = Kept1
    ;   Kept = [X|Kept1]
    ),
    exclude_from(Xs, Goal, Kept1).

% partition(:Goal, +List, -Included, -Others): include/3 and exclude/3 at once.
partition(Goal, List, In, Out) :-
    partition_by(List, Goal, In, Out).

partition_by([], _, [], []).
partition_by([X|Xs], Goal, In, Out) :-
    (   call(Goal, X)
    ->  In = [X|In1],
        Out = Out1
    ;   In = In1,
        Out = [X|Out1]
    ),
    partition_by(Xs, Goal, In1, Out1).

% partition(:Goal, +List, -Less, -Equal, -Greater): call(Goal, X, Order) gives <, = or >.
partition(Goal, List, Less, Equal, Greater) :-
    partition_order(List, Goal, Less, Equal, Greater).

partition_order([], _, [], [], []).
partition_order([X|Xs], Goal, Less, Equal, Greater) :-
    call(Goal, X, Order),
    partition_place(Order, X, Less, Equal, Greater, Less1, Equal1, Greater1),
    partition_order(Xs, Goal, Less1, Equal1, Greater1).

partition_place(Order, X, Less, Equal, Greater, Less1, Equal1, Greater1) :-
    must_be(oneof([<, =, >]), Order),
    partition_put(Order, X, Less, Equal, Greater, Less1, Equal1, Greater1).

partition_put(<, X, [X|L], E, G, L, E, G).
partition_put(=, X, L, [X|E], G, L, E, G).
partition_put(>, X, L, E, [X|G], L, E, G).

% maplist(:Goal, ?List, ...): Goal is true of the elements of the lists.
maplist(Goal, Xs) :-
    map_each(Xs, Goal).

map_each([], _).
map_each([X|Xs], Goal) :-
    call(Goal, X),
    map_each(Xs, Goal).

maplist(Goal, Xs, Ys) :-
    shape(Xs, Ys),
    map_each(Xs, Ys, Goal).

% shape(?Xs, ?Ys): an unknown list that is to be as long as a known one becomes a list of variables, so that no
% choice point is left at its end.
shape(Xs, Ys) :-
    (   var(Xs),
        is_list(Ys)
    ->  length(Ys, N),
        length(Xs, N)
    ;   true
    ).

map_each([], [], _).
map_each([X|Xs], [Y|Ys], Goal) :-
    call(Goal, X, Y),
    map_each(Xs, Ys, Goal).

maplist(Goal, Xs, Ys, Zs) :-
    shape(Xs, Ys),
    shape(Xs, Zs),
    map_each(Xs, Ys, Zs, Goal).

map_each([], [], [], _).
map_each([X|Xs], [Y|Ys], [Z|Zs], Goal) :-
    call(Goal, X, Y, Z),
    map_each(Xs, Ys, Zs, Goal).

maplist(Goal, As, Bs, Cs, Ds) :-
    shape(As, Bs),
    shape(As, Cs),
    shape(As, Ds),
    map_each(As, Bs, Cs, Ds, Goal).

map_each([], [], [], [], _).
map_each([A|As], [B|Bs], [C|Cs], [D|Ds], Goal) :-
    call(Goal, A, B, C, D),
    map_each(As, Bs, Cs, Ds, Goal).

maplist(Goal, As, Bs, Cs, Ds, Es) :-
    map_each(As, Bs, Cs, Ds, Es, Goal).

map_each([], [], [], [], [], _).
map_each([A|As], [B|Bs], [C|Cs], [D|Ds], [E|Es], Goal) :-
    call(Goal, A, B, C, D, E),
    map_each(As, Bs, Cs, Ds, Es, Goal).

maplist(Goal, As, Bs, Cs, Ds, Es, Fs) :-
    map_each(As, Bs, Cs, Ds, Es, Fs, Goal).

map_each([], [], [], [], [], [], _).
map_each([A|As], [B|Bs], [C|Cs], [D|Ds], [E|Es], [F|Fs], Goal) :-
    call(Goal, A, B, C, D, E, F),
    map_each(As, Bs, Cs, Ds, Es, Fs, Goal).

maplist(Goal, As, Bs, Cs, Ds, Es, Fs, Gs) :-
    map_each(As, Bs, Cs, Ds, Es, Fs, Gs, Goal).

map_each([], [], [], [], [], [], [], _).
map_each([A|As], [B|Bs], [C|Cs], [D|Ds], [E|Es], [F|Fs], [G|Gs], Goal) :-
    call(Goal, A, B, C, D, E, F, G),
    map_each(As, Bs, Cs, Ds, Es, Fs, Gs, Goal).

% convlist(:Goal, +Xs, -Ys): as maplist/3, without the elements for which Goal fails.
convlist(Goal, Xs, Ys) :-
    convert_each(Xs, Ys, Goal).

convert_each([], [], _).
convert_each([X|Xs], Ys, Goal) :-
    (   call(Goal, X, Y)
    ->  Ys = [Y|Ys1]
    ;   Ys = Ys1
    ),
    convert_each(Xs, Ys1, Goal).

% foldl(:Goal, +List, +V0, -V, ...): V is computed from V0 by call(Goal, X, V0, V1) for each element X in turn.
foldl(Goal, Xs, V0, V) :-
    fold_left(Xs, Goal, V0, V).

fold_left([], _, V, V).
fold_left([X|Xs], Goal, V0, V) :-
    call(Goal, X, V0, V1),
    fold_left(Xs, Goal, V1, V).

foldl(Goal, Xs, Ys, V0, V) :-
    fold_left(Xs, Ys, Goal, V0, V).

fold_left([], [], _, V, V).
fold_left([X|Xs], [Y|Ys], Goal, V0, V) :-
    call(Goal, X, Y, V0, V1),
    fold_left(Xs, Ys, Goal, V1, V).

foldl(Goal, Xs, Ys, Zs, V0, V) :-
    fold_left(Xs, Ys, Zs, Goal, V0, V).

fold_left([], [], [], _, V, V).
fold_left([X|Xs], [Y|Ys], [Z|Zs], Goal, V0, V) :-
    call(Goal, X, Y, Z, V0, V1),
    fold_left(Xs, Ys, Zs, Goal, V1, V).

foldl(Goal, As, Bs, Cs, Ds, V0, V) :-
    fold_left(As, Bs, Cs, Ds, Goal, V0, V).

fold_left([], [], [], [], _, V, V).
fold_left([A|As], [B|Bs], [C|Cs], [D|Ds], Goal, V0, V) :-
    call(Goal, A, B, C, D, V0, V1),
    fold_left(As, Bs, Cs, Ds, Goal, V1, V).

% foldr(:Goal, +List, +V0, -V): the same from the end of the list.
foldr(Goal, Xs, V0, V) :-
    fold_right(Xs, Goal, V0, V).

fold_right([], _, V, V).
fold_right([X|Xs], Goal, V0, V) :-
    fold_right(Xs, Goal, V0, V1),
    call(Goal, X, V1, V).

% scanl is foldl that keeps every intermediate value.
% scanl(:Goal, +List, +V0, -Vs, ...): as foldl/4; Vs lists all intermediate values.
scanl(Goal, Xs, V0, [V0|Vs]) :-
    scan_left(Xs, Goal, V0, Vs).

scan_left([], _, _, []).
scan_left([X|Xs], Goal, V0, [V|Vs]) :-
    call(Goal, X, V0, V),
    scan_left(Xs, Goal, V, Vs).

scanl(Goal, Xs, Ys, V0, [V0|Vs]) :-
    scan_left(Xs, Ys, Goal, V0, Vs).

scan_left([], [], _, _, []).
scan_left([X|Xs], [Y|Ys], Goal, V0, [V|Vs]) :-
    call(Goal, X, Y, V0, V),
    scan_left(Xs, Ys, Goal, V, Vs).

scanl(Goal, Xs, Ys, Zs, V0, [V0|Vs]) :-
    scan_left(Xs, Ys, Zs, Goal, V0, Vs).

scan_left([], [], [], _, _, []).
scan_left([X|Xs], [Y|Ys], [Z|Zs], Goal, V0, [V|Vs]) :-
    call(Goal, X, Y, Z, V0, V),
    scan_left(Xs, Ys, Zs, Goal, V, Vs).

scanl(Goal, As, Bs, Cs, Ds, V0, [V0|Vs]) :-
    scan_left(As, Bs, Cs, Ds, Goal, V0, Vs).

scan_left([], [], [], [], _, _, []).
scan_left([A|As], [B|Bs], [C|Cs], [D|Ds], Goal, V0, [V|Vs]) :-
    call(Goal, A, B, C, D, V0, V),
    scan_left(As, Bs, Cs, Ds, Goal, V, Vs).

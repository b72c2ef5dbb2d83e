% Lists with an open end: queues, flattening without append, rotation, and the traps of sharing the end.
:- use_module(library(lists)).

append_dl(A-B, B-C, A-C).

queue_empty(Q-Q).
enqueue(X, Q-[X|T], Q-T).
dequeue(X, [X|Q]-T, Q-T) :- Q-T \== [X|Q]-T.
is_empty(Q-T) :- Q == T.

flatten_dl(X, [X|T]-T) :- var(X), !.
flatten_dl([], T-T) :- !.
flatten_dl([X|Xs], A-C) :- !, flatten_dl(X, A-B), flatten_dl(Xs, B-C).
flatten_dl(X, [X|T]-T).

reverse_dl([], T-T).
reverse_dl([X|Xs], A-T) :- reverse_dl(Xs, A-[X|T]).

rotate([X|Xs]-[X|T], Xs-T).

% The flag of the Netherlands in one pass over three lists with open ends.
flag(L, R) :- colours(L, R-W, W-B, B-[]).
colours([], R-R, W-W, B-B).
colours([r(X)|L], [r(X)|R]-R1, W, B) :- colours(L, R-R1, W, B).
colours([w(X)|L], R, [w(X)|W]-W1, B) :- colours(L, R, W-W1, B).
colours([b(X)|L], R, W, [b(X)|B]-B1) :- colours(L, R, W, B-B1).

tree(0, leaf) :- !.
tree(N, node(T, N, T)) :- M is N-1, tree(M, T).
in_order(leaf, T-T).
in_order(node(L, X, R), A-C) :- in_order(L, A-[X|B]), in_order(R, B-C).

% Breadth first with a queue whose length is counted by successors, so that it ends.
breadth(T, Xs) :- levels(s(0), [T|E]-E, Xs).
levels(0, _, []) :- !.
levels(s(N), [leaf|Q]-E, Xs) :- !, levels(N, Q-E, Xs).
levels(s(N), [node(L, X, R)|Q]-[L, R|E], [X|Xs]) :- levels(s(s(N)), Q-E, Xs).

main :-
    append_dl([a, b|X]-X, [c|Y]-Y, D-[]), print(D), nl,
    queue_empty(Q0), enqueue(1, Q0, Q1), enqueue(2, Q1, Q2), dequeue(A, Q2, Q3), enqueue(3, Q3, Q4), dequeue(B, Q4, Q5), print(A/B), nl,
    ( is_empty(Q5) -> writeln(empty) ; writeln('one left') ),
    flatten_dl([1, [2, [V, [], 3]], [[4]]], F-[]), \+ \+ ( numbervars(F, 0, _), print(F), nl ), ( nth1(3, F, W), W == V -> writeln('the variable itself') ; true ),
    reverse_dl([1, 2, 3], R-[]), print(R), nl,
    rotate([1, 2, 3|T]-T, Rot-[]), print(Rot), nl,
    flag([w(1), r(2), b(3), r(4), w(5)], Flag), print(Flag), nl,
    tree(3, Tree), in_order(Tree, In-[]), print(In), nl, breadth(Tree, Br), print(Br), nl,
    Open = [1, 2|End]-End, append_dl(Open, [3]-[], First-_), print(First), nl,
    ( append_dl(Open, [4]-[], _) -> writeln('used twice') ; writeln('its end is taken') ), !.

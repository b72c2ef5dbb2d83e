% Red-black trees that grow in place and keep their keys on backtracking.
%
% The trees are those of library(rbtrees): rb(Assoc), with the nodes t(Key, Value, Balance, Left, Right) of
% library(assoc). An insertion gives the tree new nodes on the way to the key. So trees that have been made of the
% tree before, and share nodes with it, stay what they are. The new nodes are filled and turned in place. Nothing of
% them is bound by unification, which backtracking would undo.
:- module(nb_rbtrees, [
    nb_rb_insert/3,
    nb_rb_get_node/3,
    nb_rb_node_value/2,
    nb_rb_set_node_value/2
]).

% nb_rb_insert(!Tree, +Key, +Value): adds a copy of Key and Value to Tree, or replaces the value of Key, lastingly.
nb_rb_insert(Tree, Key, Value) :-
    must_be(nonvar, Tree),
    Tree = rb(Root),
    insert_at(Root, 1, Tree, Key, Value, _).

% insert_at(+Node, +I, +Parent, +Key, +Value, -Grown): inserts into Node, which is argument I of Parent. Grown tells
% whether that has become deeper.
insert_at(t, I, Parent, Key, Value, true) :-
    nb_setarg(I, Parent, t(Key, Value, -, t, t)).
insert_at(t(K, V, B, L, R), I, Parent, Key, Value, Grown) :-
    nb_setarg(I, Parent, t(0, 0, B, 0, 0)),
    arg(I, Parent, Node),
    nb_linkarg(1, Node, K),
    nb_linkarg(2, Node, V),
    nb_linkarg(4, Node, L),
    nb_linkarg(5, Node, R),
    compare(Order, Key, K),
    insert_side(Order, Node, I, Parent, Key, Value, Grown).

insert_side(=, Node, _, _, _, Value, false) :-
    nb_setarg(2, Node, Value).
insert_side(<, Node, I, Parent, Key, Value, Grown) :-
    arg(4, Node, Left),
    insert_at(Left, 4, Node, Key, Value, LeftGrown),
    arg(3, Node, Balance),
    grown(LeftGrown, <, Balance, Node, I, Parent, Grown).
insert_side(>, Node, I, Parent, Key, Value, Grown) :-
    arg(5, Node, Right),
    insert_at(Right, 5, Node, Key, Value, RightGrown),
    arg(3, Node, Balance),
    grown(RightGrown, >, Balance, Node, I, Parent, Grown).

% grown(+SideGrown, +Side, +Balance, +Node, +I, +Parent, -Grown): what Node, which was at Balance, needs after one side
% may have become deeper.
grown(false, _, _, _, _, _, false).
grown(true, Side, Balance, Node, I, Parent, Grown) :-
    deeper(Balance, Side, Node, I, Parent, Grown).

deeper(-, Side, Node, _, _, true) :-
    nb_setarg(3, Node, Side).
deeper(<, Side, Node, I, Parent, false) :-
    deeper_left(Side, Node, I, Parent).
deeper(>, Side, Node, I, Parent, false) :-
    deeper_right(Side, Node, I, Parent).

deeper_left(>, Node, _, _) :-
    nb_setarg(3, Node, -).
deeper_left(<, Node, I, Parent) :-
    turn(4, 5, Node, I, Parent).

deeper_right(<, Node, _, _) :-
    nb_setarg(3, Node, -).
deeper_right(>, Node, I, Parent) :-
    turn(5, 4, Node, I, Parent).

% turn(+Near, +Far, +Node, +I, +Parent): the side of Node at argument Near, whose other side is at Far, is two levels too
% deep. Its top comes to the place of Node, or its middle does if that is the deep part.
turn(Near, Far, Node, I, Parent) :-
    arg(3, Node, Balance),
    arg(Near, Node, Top),
    (   arg(3, Top, Balance)
    ->  lift(Near, Far, Top, Node, I, Parent),
        nb_setarg(3, Node, -)
    ;   arg(Far, Top, Middle),
        arg(3, Middle, MiddleBalance),
        lift(Far, Near, Middle, Top, Near, Node),
        lift(Near, Far, Middle, Node, I, Parent),
        middle_balances(MiddleBalance, Balance, TopBalance, NodeBalance),
        nb_setarg(3, Top, TopBalance),
        nb_setarg(3, Node, NodeBalance)
    ),
    arg(I, Parent, Lifted),
    nb_setarg(3, Lifted, -).

% lift(+Near, +Far, +Child, +Node, +I, +Parent): Child, at argument Near of Node, takes the place of Node, and Node
% becomes its other side.
lift(Near, Far, Child, Node, I, Parent) :-
    arg(Far, Child, Inner),
    nb_linkarg(Near, Node, Inner),
    nb_linkarg(Far, Child, Node),
    nb_linkarg(I, Parent, Child).

% middle_balances(+Middle, +Side, -Top, -Node): the balances of both after the middle between them, which was at Middle,
% was lifted. Side is the balance that Node had.
middle_balances(-, _, -, -).
middle_balances(<, <, -, >).
middle_balances(<, >, >, -).
middle_balances(>, <, <, -).
middle_balances(>, >, -, <).

% nb_rb_get_node(+Tree, +Key, -Node): Node is that of Key in Tree. An insertion may give Key another one.
nb_rb_get_node(Tree, Key, Node) :-
    must_be(nonvar, Tree),
    Tree = rb(Root),
    node_of(Root, Key, Node).

node_of(Root, Key, Node) :-
    Root = t(K, _, _, L, R),
    compare(Order, Key, K),
    node_side(Order, Root, L, R, Key, Node).

node_side(=, Node, _, _, _, Node).
node_side(<, _, L, _, Key, Node) :-
    node_of(L, Key, Node).
node_side(>, _, _, R, Key, Node) :-
    node_of(R, Key, Node).

% nb_rb_node_value(+Node, -Value): Value is that of a node.
nb_rb_node_value(Node, Value) :-
    arg(2, Node, Value).

% nb_rb_set_node_value(!Node, +Value): gives a node a copy of Value, lastingly.
nb_rb_set_node_value(Node, Value) :-
    must_be(nonvar, Node),
    Node = t(_, _, _, _, _),
    nb_setarg(2, Node, Value).

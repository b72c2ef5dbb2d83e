:- module(store, [put_item/1, add_rule/0, drop_all/0]).

put_item(X) :- assertz(item(X)).
add_rule :- assertz((user:rule(X) :- helper(X))).
drop_all :- retractall(item(_)).
helper(store_helper).

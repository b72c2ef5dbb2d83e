% Tests of the rules, for mcplogic test.

:- begin_tests(orders).

test(all, all(Item == [tea, bread])) :-
    orders_of(ann, Item).
test(nobody, fail) :-
    orders_of(nobody, _).
test(recorded, [setup(assertz(order(cid, cake))), cleanup(retractall(order(cid, _))), all(Item == [cake])]) :-
    orders_of(cid, Item).

:- end_tests(orders).

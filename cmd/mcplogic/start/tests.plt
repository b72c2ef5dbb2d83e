% Tests of the rules, for mcplogic test. Cases for which the answer is no belong here too.

:- begin_tests(orders).

test(all, all(Item == [tea, bread])) :-
    orders_of(ann, Item).
test(nobody, fail) :-
    orders_of(nobody, _).
test(recorded, [setup(assertz(order(dan, cake))), cleanup(retractall(order(dan, _))), all(Item == [cake])]) :-
    orders_of(dan, Item).

test(price, Price =:= 9r2) :-
    can_order(ann, tea, date(2026, 3, 1), Price).
test(first_day) :-
    can_order(bob, cake, date(2026, 7, 1), _).
test(too_early, fail) :-
    can_order(bob, cake, date(2026, 6, 30), _).
test(not_due) :-
    can_order(cid, tea, date(2026, 1, 31), _).
test(due, fail) :-
    can_order(cid, tea, date(2026, 2, 1), _).

% What a rule asks has no answer in a test, so the text of the question is a predicate of its own.
test(question, Question == 'Order tea for ann, at 4.50 euros?') :-
    can_order(ann, tea, date(2026, 3, 1), Price),
    order_question(ann, tea, Price, Question).

:- end_tests(orders).

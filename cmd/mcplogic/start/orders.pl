% The facts. They are dynamic, so that calls can add to them.

:- dynamic(order/2).

% order(Customer, Item)
order(ann, tea).
order(ann, bread).
order(bob, coffee).

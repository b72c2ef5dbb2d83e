% The facts. Those of product/3 stand in a table; since is the first day of sale.

:- facts(product/3, 'products.csv', [header(true), types([atom, decimal, date])]).

% order/2 is dynamic, so that calls can add to it.
:- dynamic(order/2).

% order(Customer, Item)
order(ann, tea).
order(ann, bread).
order(bob, coffee).

% unpaid(Customer, Due): the day on which a bill is due.
unpaid(cid, date(2026, 1, 31)).

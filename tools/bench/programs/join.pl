% Two relations joined on a column that is not the first.
% scale: 332

:- dynamic(order/3).
:- dynamic(customer/2).

bench :- run(400000).
small :- run(1200).

run(Size) :-
    Customers is Size // 20,
    orders(0, Size, Customers),
    customers(0, Customers),
    findall(Amount, (customer(C, gold), order(_, C, Amount)), Amounts),
    sum(Amounts, 0, Sum),
    write(checksum(Sum)), nl.

orders(N, N, _) :- !.
orders(I, N, Customers) :-
    C is I * 31 mod Customers,
    Amount is I * 17 mod 1009,
    assertz(order(I, C, Amount)),
    J is I + 1,
    orders(J, N, Customers).

customers(N, N) :- !.
customers(I, N) :-
    (   I mod 3 =:= 0 -> Level = gold ; Level = basic ),
    assertz(customer(I, Level)),
    J is I + 1,
    customers(J, N).

sum([], Sum, Sum).
sum([X|Xs], Sum0, Sum) :-
    Sum1 is Sum0 + X,
    sum(Xs, Sum1, Sum).

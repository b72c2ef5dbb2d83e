% Orders: prices come from a spreadsheet, customers from a database, and orders last.

% price(Item, Price, Stock)
:- facts(price/3, 'prices.csv', [header(true), types([atom, float, integer])]).

% customer(Id, Name, Country, Credit), contact(Customer, Address)
:- facts(customer/4, sql(crm, customers, [id, name, country, credit])).
:- facts(contact/2, sql(crm, contacts, [customer, email])).

% order(Number, Customer, Item, Count)
:- persistent(order/4, [key([1])]).

place_order(Customer, Item, Count, Number, Total) :-
    customer(Customer, _, _, Credit),
    price(Item, Price, _),
    in_stock(Item, Count),
    Total is Count * Price,
    owed(Customer, Owed),
    Owed + Total =< Credit,
    next_number(Number),
    assertz(order(Number, Customer, Item, Count)).

in_stock(Item, Count) :-
    price(Item, _, Stock),
    aggregate_all(sum(Some), order(_, _, Item, Some), Taken),
    Count =< Stock - Taken.

owed(Customer, Owed) :-
    aggregate_all(sum(Cost), order_cost(Customer, _, _, Cost), Owed).

order_cost(Customer, Number, Item, Cost) :-
    order(Number, Customer, Item, Count),
    price(Item, Price, _),
    Cost is Count * Price.

next_number(Number) :-
    (   aggregate_all(max(N), order(N, _, _, _), Last)
    ->  Number is Last + 1
    ;   Number = 1
    ).

% The two goals become one question, a join.
reach(Country, Name, Address) :-
    customer(Id, Name, Country, _),
    contact(Id, Address).

% Bills of a mobile network.
:- mode(bill(+atom, -decimal(2)), zero_or_one).
:- mode(cheapest(+atom, -atom), zero_or_more).
:- info(bill/2, [
       comment is 'The bill of a customer for the month.',
       arguments is [customer - 'Name', amount - 'Euros']
   ]).
:- info(cheapest/2, [
       comment is 'Finds the tariffs that are cheapest for a customer.',
       arguments is [customer - 'Name', tariff - 'Tariff']
   ]).

tools([bill/2, cheapest/2]).

bill(Customer, Amount) :-
    customer(Customer, Tariff),
    usage(Customer, Minutes, Megabytes),
    cost(Tariff, Minutes, Megabytes, Amount).

cost(Tariff, Minutes, Megabytes, Amount) :-
    tariff(Tariff, Fee, FreeMinutes, FreeMegabytes, Minute, Megabyte),
    Amount is Fee + max(0, Minutes - FreeMinutes) * Minute + max(0, Megabytes - FreeMegabytes) * Megabyte.
cost(flat, _, _, 2499r100).

cheapest(Customer, Tariff) :-
    usage(Customer, Minutes, Megabytes),
    findall(Cost, cost(_, Minutes, Megabytes, Cost), Costs),
    min_list(Costs, Least),
    cost(Tariff, Minutes, Megabytes, Least).

tariff(basic, 599r100, 50, 500, 9r100, 1r100).
tariff(plus, 1299r100, 300, 5000, 5r100, 5r1000).

customer(ann, basic).
customer(bob, plus).
customer(cid, flat).
customer(dan, basic).

usage(ann, 60, 400).
usage(bob, 100, 1000).
usage(dan, 50, 2400).

% Shipping costs by zone and weight.
:- mode(shipping(+atom, +positive_integer, +decimal(2), -decimal(2)), zero_or_one).
:- info(shipping/4, [
       comment is 'What it costs to ship an order, if it can be shipped.',
       arguments is [
           country - 'Two letters, as DE',
           weight - 'Grams',
           total - 'Total of the order in euros',
           cost - 'Euros'
       ]
   ]).

tools([shipping/4]).

shipping(Country, Weight, Total, Cost) :-
    Weight =< 31500,
    zone(Country, Zone),
    (   Zone =:= 1,
        Total >= 50
    ->  Cost = 0
    ;   cost(Zone, Weight, Cost)
    ).

zone(de, 1).
zone(fr, 2).
zone(at, 2).
zone(nl, 2).
zone(_, 3).

cost(1, Weight, 3.90) :- Weight =< 1000.
cost(1, Weight, 6.90) :- Weight > 1000, Weight =< 5000.
cost(1, Weight, 9.90) :- Weight > 5000.
cost(2, Weight, 7.50) :- Weight =< 1000.
cost(2, Weight, 12.50) :- Weight > 1000, Weight =< 5000.
cost(2, Weight, 19.90) :- Weight > 5000.
cost(3, Weight, 12.90) :- Weight =< 1000.
cost(3, Weight, 34.90) :- Weight > 1000.

% What a parcel costs. The people who set the prices keep both tables in a spreadsheet.

:- decision(rate/3, 'rates.csv').
:- decision(discount/3, 'discounts.csv', [hit(first)]).

% price(+Grams, +Zone, +Customer, +Parcels, -Euro): the price of one of so many parcels.
price(Grams, Zone, Customer, Parcels, Euro) :-
    rate(Grams, Zone, Full),
    discount(Customer, Parcels, Percent),
    round_decimal(Full * (100 - Percent) rdiv 100, 2, Euro).

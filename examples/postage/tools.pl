% What an MCP client is offered.

:- mode(price(+between(integer, 1, 31500), +one_of(atom, [home, near, far]), +one_of(atom, [private, business]),
    +positive_integer, -decimal(2)), one).
:- info(price/5, [
       title is 'Price of a parcel',
       comment is 'What one parcel costs in euro, by its weight in grams, its zone, the customer and how many parcels there are.',
       argnames is [grams, zone, customer, parcels, euro]
   ]).

tools([tool(price, price, 5, [read_only(true), explain(true), assume([])])]).

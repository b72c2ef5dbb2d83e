% What an MCP client is offered.

capabilities([tools, explain]).

:- mode(place_order(+positive_integer, +atom, +positive_integer, -integer, -float), zero_or_one).
:- info(place_order/5, [
       title is 'Place an order',
       comment is 'Orders some pieces of an item for a customer, if they are in stock and the credit is enough.',
       argnames is ['Customer', 'Item', 'Count', 'Number', 'Total']
   ]).

:- mode(order_cost(+positive_integer, -integer, -atom, -float), zero_or_more).
:- info(order_cost/4, [
       title is 'Orders of a customer',
       comment is 'The orders of a customer, with what each of them costs.',
       argnames is ['Customer', 'Number', 'Item', 'Cost']
   ]).

:- mode(reach(+atom, -atom, -atom), zero_or_more).
:- info(reach/3, [
       title is 'Addresses in a country',
       comment is 'The customers of a country, by its code in two letters, and their addresses.',
       argnames is ['Country', 'Name', 'Address']
   ]).

tools([tool(place_order, place_order, 5), tool(order_cost, order_cost, 4, [read_only(true)]),
       tool(reach, reach, 3, [read_only(true)])]).

% The offers to MCP clients. Each tool is a predicate; mode/2 says which arguments a
% caller gives (+) and which come back (-), info/2 says what the tool is for.

tools([
    tool(orders_of, orders_of, 2, [read_only(true)]),
    tool(place_order, place_order, 2)
]).

% Tools may ask the user, or, where the client cannot, have the model ask.
capabilities([elicitation]).

:- mode(orders_of(+atom, -atom), zero_or_more).
:- info(orders_of/2, [
       title is 'Orders of a customer',
       comment is 'Finds what a customer has ordered.',
       arguments is [customer - 'Name of the customer.', item - 'Something they ordered.'],
       examples is ['Ann' - orders_of(ann, Item) - {Item = tea}]
   ]).

orders_of(Customer, Item) :-
    order(Customer, Item).

:- mode(place_order(+atom, +atom), one).
:- info(place_order/2, [
       title is 'Place an order',
       comment is 'Records that a customer orders something, if the user agrees.',
       arguments is [customer - 'Name of the customer.', item - 'What they order.']
   ]).

% The question reaches the user through the client; mcplogic call asks it on the terminal.
place_order(Customer, Item) :-
    format(atom(Question), 'Order ~w for ~w?', [Item, Customer]),
    mcp_elicit(Question, {type-object, properties-{answer-{type-string, enum-[yes, no]}}, required-[answer]}, Answer),
    Answer = accept({answer-yes}),
    assertz(order(Customer, Item)).

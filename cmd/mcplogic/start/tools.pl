% The offers to MCP clients. Each tool is a predicate; mode/2 says which arguments a
% caller gives (+) and which come back (-), info/2 says what the tool is for.

tools([orders_of/2, can_order/4, tool(place_order, place_order, 2, [read_only(false)])]).

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

:- mode(can_order(+atom, +atom, +date, -decimal(2)), zero_or_one).
:- info(can_order/4, [
       title is 'Whether a customer can order',
       comment is 'Finds the price if an item is for sale on a day, and the customer owes nothing that is due.',
       arguments is [
           customer - 'Name of the customer.',
           item - 'What they want.',
           day - 'The day of the order.',
           price - 'In euros.'
       ],
       examples is ['Tea' - can_order(ann, tea, date(2026, 3, 1), Price) - {Price = 9r2}]
   ]).

% A negation: \+ holds if there is no answer. Customer and Day have values by then.
can_order(Customer, Item, Day, Price) :-
    product(Item, Price, Since),
    Since @=< Day,
    \+ in_debt(Customer, Day).

in_debt(Customer, Day) :-
    unpaid(Customer, Due),
    Due @< Day.

:- mode(place_order(+atom, +atom), one).
:- info(place_order/2, [
       title is 'Place an order',
       comment is 'Records that a customer orders something today, if they can and the user agrees.',
       arguments is [customer - 'Name of the customer.', item - 'What they order.']
   ]).

% The question reaches the user through the client; mcplogic call asks it on the terminal.
place_order(Customer, Item) :-
    today(Day),
    can_order(Customer, Item, Day, Price),
    order_question(Customer, Item, Price, Question),
    mcp_ask(Question, oneof([yes, no]), yes),
    assertz(order(Customer, Item)).

order_question(Customer, Item, Price, Question) :-
    decimal_text(Price, 2, Euros),
    format(atom(Question), 'Order ~w for ~w, at ~w euros?', [Item, Customer, Euros]).

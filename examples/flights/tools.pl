% What an MCP client is offered.

capabilities([tools, explain]).

:- mode(compensation(+one_of(atom, [lh1, lh2, lh3, lh4, lh5, lh6]), -integer), zero_or_one).
:- info(compensation/2, [
       title is 'Compensation for a flight',
       comment is 'What each passenger of a flight is owed that was late or cancelled, in euro, by the law in force on the day of the call.',
       argnames is ['Flight', 'Euro'],
       says is '{euro} euro are due for {flight}', says_not is 'nothing is due for {flight}'
   ]).

:- mode(own_strike(+atom), zero_or_one).

% With assume([]) a call may say when it is: the law of that day decides.
tools([tool(compensation, compensation, 2, [read_only(true), explain(true), assume([])])]).

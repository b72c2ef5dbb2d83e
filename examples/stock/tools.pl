% What an MCP client is offered: a tool that changes the stock, and events that it may subscribe to.

events([reorder/2, event(below, below/3)]).

:- mode(reorder(-atom, -atom), zero_or_more).
:- info(reorder/2, [
       title is 'To be ordered',
       comment is 'There is less of an article than there should be.',
       argnames is [article, supplier]
   ]).

:- mode(below(+integer, -atom, -integer), zero_or_more).
:- info(below/3, [
       title is 'Below a limit',
       comment is 'There is less of an article than a limit of your own.',
       argnames is [limit, article, left]
   ]).

tools([tool(change, change, 3)]).

:- mode(change(+atom, +integer, -integer), zero_or_one).
:- info(change/3, [
       title is 'Change the stock',
       comment is 'Adds pieces of an article to the stock, or takes some if the number is negative.',
       argnames is [article, by, left]
   ]).

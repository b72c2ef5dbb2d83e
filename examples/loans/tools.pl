% What an MCP client is offered.

capabilities([tools, elicitation, explain]).

:- mode(eligible(+atom, -one_of(atom, [starter, gold])), zero_or_more).
:- info(eligible/2, [
       title is 'Loans for a person',
       comment is 'Which loans a person may have. An income that is not known is asked.',
       argnames is ['Person', 'Product'],
       says is '{person} may have a {product} loan',
       says_not is '{person} may not have a {product} loan',
       examples is ['Ada' - eligible(ada, Product) - {Product = starter}]
   ]).

:- mode(may_have(+atom, +one_of(atom, [starter, gold])), zero_or_one).
:- info(may_have/2, [
       title is 'Is a person eligible?',
       comment is 'Whether a person may have a loan. A call that fails says what is missing.',
       argnames is ['Person', 'Product']
   ]).

may_have(Person, Product) :- eligible(Person, Product).

tools([tool(eligible, eligible, 2, [read_only(true)]), tool(may_have, may_have, 2, [read_only(true), explain(true)])]).

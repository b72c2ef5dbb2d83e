% What an MCP client is offered.

capabilities([tools, elicitation, explain]).

:- type(kind, one_of([water, storm, theft, damage])).

:- mode(triage(+atom, +kind, +date, +decimal(2), -one_of([pay, review, refuse]), -decimal(2)), zero_or_one).
:- info(triage/6, [
       title is 'Decide about a claim',
       comment is 'Whether a claim is paid at once, looked at by a person or refused, and how much is paid.',
       argnames is [policy, kind, day, amount, decision, pay],
       says is 'a claim of {amount} for {kind} on {day} under {policy}: {decision}, {pay}'
   ]).

:- mode(claimed(+atom, +date, +decimal(2)), zero_or_more).
:- info(claimed/3, [
       comment is 'An earlier claim.',
       argnames is [policy, day, amount],
       says is '{policy} claimed {amount} on {day}'
   ]).

:- mode(policy(-atom, -atom, -date, -date), zero_or_more).
:- info(policy/4, [argnames is [policy, product, since, paid_until]]).

:- mode(product(-atom, -kind, -decimal(2), -decimal(2), -decimal(2), -integer), zero_or_more).
:- info(product/6, [argnames is [product, kind, excess, limit, at_once, waiting_days]]).

:- mode(not_covered(+atom, +kind, +date, -atom), zero_or_more).
:- info(not_covered/4, [
       argnames is [policy, kind, day, reason],
       says is '{kind} on {day} is not covered: {reason}',
       says_not is '{kind} on {day} is covered by {policy}'
   ]).

:- mode(benefit(+atom, +kind, +decimal(2), -decimal(2)), zero_or_one).
:- info(benefit/4, [
       argnames is [product, kind, amount, pay],
       says is '{amount} less the excess, up to the limit, is {pay}'
   ]).

:- mode(needs_person(+atom, +kind, +date, +decimal(2), -atom), zero_or_more).
:- info(needs_person/5, [
       argnames is [policy, kind, day, pay, reason],
       says is 'a person looks at it: {reason}'
   ]).

:- info(reported_to_police/0, [says is 'the theft was reported to the police',
       says_not is 'the theft was not reported to the police']).

tools([tool(triage, triage, 6, [assume([claimed/3]), explain(true)])]).

% Triage of claims at an insurer of homes, bikes and phones: what is paid at once, what a person looks at, and what is
% not covered.

:- use_module(library(dates)).
:- use_module(library(decimal)).

% product(Product, Kind, Excess, Limit, AtOnce, WaitingDays)
:- facts(product/6, 'products.csv',
         [header(true), types([atom, atom, decimal(2), decimal(2), decimal(2), integer])]).

% policy(Policy, Product, Since, PaidUntil)
:- facts(policy/4, 'policies.csv', [header(true), types([atom, atom, date, date])]).

% claimed(Policy, Day, Amount): what has been claimed before.
:- dynamic claimed/3.
claimed(p400, date(2026, 3, 2), 410).
claimed(p400, date(2026, 8, 19), 1250).

% The decision, with what is paid and the reason.
triage(Policy, Kind, Day, Amount, Decision, Pay) :-
    policy(Policy, Product, _, _),
    (   not_covered(Policy, Kind, Day, _)
    ->  Decision = refuse, Pay = 0
    ;   benefit(Product, Kind, Amount, Pay),
        ( needs_person(Policy, Kind, Day, Pay, _) -> Decision = review ; Decision = pay )
    ).

% Why a claim is not covered.
not_covered(Policy, Kind, _, kind) :-
    policy(Policy, Product, _, _),
    \+ product(Product, Kind, _, _, _, _).
not_covered(Policy, _, Day, unpaid) :-
    policy(Policy, _, _, PaidUntil),
    Day @> PaidUntil.
not_covered(Policy, Kind, Day, waiting) :-
    policy(Policy, Product, Since, _),
    product(Product, Kind, _, _, _, Waiting),
    add_days(Since, Waiting, Covered),
    Day @< Covered.

% What is paid: the damage up to the limit, less the excess.
benefit(Product, Kind, Amount, Pay) :-
    product(Product, Kind, Excess, Limit, _, _),
    Pay is max(0, min(Amount, Limit) - Excess).

% When a person looks at a claim.
needs_person(Policy, Kind, _, Pay, large) :-
    policy(Policy, Product, _, _),
    product(Product, Kind, _, _, AtOnce, _),
    Pay > AtOnce.
needs_person(Policy, _, Day, _, often) :-
    add_days(Day, -365, From),
    aggregate_all(count, (claimed(Policy, Before, _), Before @>= From, Before @< Day), Count),
    Count >= 2.
needs_person(_, theft, _, _, unreported) :-
    \+ reported_to_police.

% What is not known is asked, once for each call.
:- table reported_to_police/0 as private.
reported_to_police :-
    mcp_elicit('Was the theft reported to the police?',
               {type-object, properties-{reported-{type-boolean}}, required-[reported]}, Answer),
    ( Answer = accept({reported-Said}) -> Said = @(true) ; mcp_undecided ).

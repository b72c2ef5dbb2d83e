% Housing benefit.
:- mode(benefit(+string, -number), zero_or_one).
:- info(benefit/2, [
       comment is 'The monthly housing benefit of a household, if it gets any.',
       arguments is [household - 'Name of the household', amount - 'Euros a month'],
       examples is ['Low income' - benefit(anna, A) - {A = 240}]
   ]).

tools([benefit/2]).

benefit(Household, Amount) :-
    household(Household, Income, Rent),
    Income =< 1500,
    \+ subsidy(Household, _),
    rate(Income, Rate),
    Base is min(Rent * Rate / 100, 250),
    children(Household, Children),
    Amount is Base + 20 * Children.

rate(Income, 40) :-
    Income =< 900.
rate(Income, 30) :-
    Income > 900.

household(anna, 850, 500).
household(berg, 1200, 700).
household(cruz, 1501, 600).
household(dahl, 900, 800).
household(evans, 1500, 900).
household(finn, 700, 450).

children(anna, 2).
children(evans, 1).

subsidy(finn, student_grant).

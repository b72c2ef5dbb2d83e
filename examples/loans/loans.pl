% Who may have which loan, and why not.

eligible(Person, Product) :-
    product(Product, MinAge, MinIncome),
    age(Person, Age), Age >= MinAge,
    income(Person, Income), Income >= MinIncome,
    \+ barred(Person, _).

% What is not known is asked.
income(Person, Income) :-
    (   declared_income(Person, Known)
    ->  Income = Known
    ;   ask_income(Person, Income)
    ).

% A call asks for each person once, however many products it looks at.
:- table ask_income/2 as private.

ask_income(Person, Income) :-
    atom_concat('What does this person earn in a year: ', Person, Question),
    mcp_elicit(Question, {type-object, properties-{income-{type-integer}}, required-[income]}, Answer),
    (   Answer = accept({income-Given}) -> Income = Given ; mcp_undecided ).

% Who controls a company that cannot pay is barred.
:- info(barred/2, [
       argnames is ['Person', 'Company'],
       says is '{person} is barred, for {company} cannot pay'
   ]).

barred(Person, Company) :-
    controls(Person, Company),
    insolvent(Company).

:- table controls/2.
:- info(controls/2, [argnames is ['Owner', 'Company'], says is '{owner} controls {company}']).

controls(Owner, Company) :-
    owns(Owner, Company, Share), Share > 50.
controls(Owner, Company) :-
    controls(Owner, Between),
    owns(Between, Company, Share), Share > 50.

% product(Name, LeastAge, LeastIncome)
product(starter, 18, 12000).
product(gold, 30, 60000).

age(ada, 36).
age(bob, 17).
age(cleo, 52).
age(dan, 41).

declared_income(ada, 72000).
declared_income(bob, 15000).
declared_income(cleo, 240000).

% owns(Owner, Company, Percent)
owns(cleo, harbour_holding, 80).
owns(harbour_holding, north_quay, 60).
owns(north_quay, tidal_works, 51).
owns(ada, tidal_works, 20).

insolvent(tidal_works).

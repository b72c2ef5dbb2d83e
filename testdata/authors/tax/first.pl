% Income tax by bands.
:- type(class, oneof([single, married])).
:- mode(tax(+decimal(2), +class, -decimal(2)), one).
:- mode(band(+decimal(2), +class, -atom), one).
:- info(tax/3, [
       comment is 'Calculates the income tax of a year.',
       arguments is [income - 'Income of the year in euros', class - 'single or married', tax - 'Tax in euros']
   ]).
:- info(band/3, [
       comment is 'Tells in which band the last euro of an income is.',
       arguments is [income - 'Income of the year in euros', class - 'single or married', band - 'none, low, middle or high']
   ]).

tools([tax/3, band/3]).

allowance(single, 10000).
allowance(married, 20000).

tax(Income, Class, Tax) :-
    allowance(Class, Allowance),
    Taxable is max(0, Income - Allowance),
    First is min(Taxable, 5000),
    Second is max(0, min(Taxable - 5000, 30000)),
    Third is max(0, Taxable - 35000),
    Tax is First * 0.14 + Second * 0.25 + Third * 0.42.

band(Income, Class, none) :-
    allowance(Class, Allowance),
    Income =< Allowance.
band(Income, Class, low) :-
    allowance(Class, Allowance),
    Income > Allowance,
    Income =< Allowance + 5000.
band(Income, Class, middle) :-
    allowance(Class, Allowance),
    Income > Allowance + 5000,
    Income < Allowance + 35000.
band(Income, Class, high) :-
    allowance(Class, Allowance),
    Income > Allowance + 35000.

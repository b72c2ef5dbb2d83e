% Leave of employees.
:- mode(leave(+atom, +date, -integer), zero_or_one).
:- mode(may_leave(+atom, +date, +date), zero_or_one).
:- info(leave/3, [
       comment is 'The days of paid leave of an employee in a year.',
       arguments is [employee - 'Name, as in the data', day - 'A day of that year', days - 'Days']
   ]).
:- info(may_leave/3, [
       comment is 'Says whether an employee may be away.',
       arguments is [employee - 'Name, as in the data', from - 'First day', to - 'Last day']
   ]).

tools([leave/3, may_leave/3]).

leave(Employee, date(Year, _, _), Days) :-
    employee(Employee, _, Started),
    Started = date(StartYear, _, _),
    (   StartYear =:= Year
    ->  first_year(Started, Days)
    ;   First = date(Year, 1, 1),
        years(Started, First, Service),
        service_days(Service, Extra),
        aggregate_all(count, young_child(Employee, First), Children),
        Days is 25 + Extra + 2 * Children
    ).

first_year(date(Year, Month, Day), Days) :-
    (   Day = 1
    ->  Months is 13 - Month
    ;   Months is 12 - Month
    ),
    Days is 2 * Months.

service_days(Years, 5) :-
    Years >= 5.
service_days(Years, 0) :-
    Years < 5.

years(From, To, Years) :-
    age(From, To, Years).

young_child(Employee, Day) :-
    child(Employee, Born),
    Born @=< Day,
    age(Born, Day, Age),
    Age < 6.

may_leave(Employee, From, To) :-
    employee(Employee, Team, _),
    \+ ( employee(Other, Team, _),
         away(Other, Begin, End),
         Begin @=< To,
         From @=< End ).

employee(anna, red, date(2015, 4, 1)).
employee(bert, red, date(2024, 3, 15)).
employee(carl, blue, date(2020, 1, 1)).

child(anna, date(2020, 1, 1)).
child(anna, date(2019, 12, 31)).

away(bert, date(2026, 7, 1), date(2026, 7, 10)).
away(carl, date(2026, 8, 1), date(2026, 8, 5)).

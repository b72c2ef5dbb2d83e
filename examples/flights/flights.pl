% Compensation for passengers of flights that were late or cancelled: articles with their exceptions.

:- use_module(library(law)).

% The amounts, by the way in kilometres.
'Art. 7(1)(a)' :: compensation(Flight, 250) :-
    way(Flight, Km), Km =< 1500, disrupted(Flight, 3).
'Art. 7(1)(b)' :: compensation(Flight, 400) :-
    way(Flight, Km), Km > 1500, Km =< 3500, disrupted(Flight, 3).
'Art. 7(1)(c)' :: compensation(Flight, 600) :-
    way(Flight, Km), Km > 3500, disrupted(Flight, 3).

:- source('Art. 7(1)(a)', 'Regulation (EC) 261/2004, Art. 7(1)(a)').
:- source('Art. 7(1)(b)', 'Regulation (EC) 261/2004, Art. 7(1)(b)').
:- source('Art. 7(1)(c)', 'Regulation (EC) 261/2004, Art. 7(1)(c)').

% Who gets there on another flight, not much later, has half of it.
'Art. 7(2)' :: compensation(Flight, Euro) :-
    rerouted(Flight, Hours), way(Flight, Km),
    ( Km =< 1500 -> Most = 2, Euro = 125 ; Km =< 3500 -> Most = 3, Euro = 200 ; Most = 4, Euro = 300 ),
    Hours =< Most.

:- source('Art. 7(2)', 'Regulation (EC) 261/2004, Art. 7(2)').
:- overrides('Art. 7(2)', 'Art. 7(1)(a)').
:- overrides('Art. 7(2)', 'Art. 7(1)(b)').
:- overrides('Art. 7(2)', 'Art. 7(1)(c)').

% No money is due for a flight whose passengers were told two weeks before.
'Art. 5(1)(c)' :: \+ compensation(Flight, _) :-
    cancelled(Flight, DaysBefore), DaysBefore >= 14.

:- source('Art. 5(1)(c)', 'Regulation (EC) 261/2004, Art. 5(1)(c)(i)').
:- overrides('Art. 5(1)(c)', 'Art. 7(2)').
:- overrides('Art. 5(1)(c)', 'Reform (short)').
:- overrides('Art. 5(1)(c)', 'Reform (long)').

% Nor for one that was stopped by what nobody could avoid,
'Art. 5(3)' :: \+ compensation(Flight, _) :-
    event(Flight, Event), extraordinary(Event).

:- source('Art. 5(3)', 'Regulation (EC) 261/2004, Art. 5(3)').
:- overrides('Art. 5(3)', 'Art. 7(2)').
:- overrides('Art. 5(3)', 'Reform (short)').
:- overrides('Art. 5(3)', 'Reform (long)').

% but a strike of the airline's own people is none of that, as the Court has held.
'C-28/20' :: own_strike(Flight) :-
    event(Flight, strike_of_crew).

:- source('C-28/20', 'Court of Justice, 23 March 2021, C-28/20').
:- exception('C-28/20', 'Art. 5(3)').
:- valid('C-28/20', from(date(2021,3,23))).

% A reform, made up for this example, puts two amounts and longer delays in place of the three from 2026 on.
'Reform (short)' :: compensation(Flight, 300) :-
    way(Flight, Km), Km =< 3500, disrupted(Flight, 4).
'Reform (long)' :: compensation(Flight, 500) :-
    way(Flight, Km), Km > 3500, disrupted(Flight, 6).

:- source('Reform (short)', 'Draft of a reform, Art. 7(1)(a)').
:- source('Reform (long)', 'Draft of a reform, Art. 7(1)(b)').
:- valid('Reform (short)', from(date(2026,1,1))).
:- valid('Reform (long)', from(date(2026,1,1))).
:- valid('Art. 7(1)(a)', from(date(2005,2,17)), until(date(2026,1,1))).
:- valid('Art. 7(1)(b)', from(date(2005,2,17)), until(date(2026,1,1))).
:- valid('Art. 7(1)(c)', from(date(2005,2,17)), until(date(2026,1,1))).
:- valid('Art. 7(2)', from(date(2005,2,17)), until(date(2026,1,1))).

% disrupted(Flight, Hours): it was cancelled, or so many hours late.
disrupted(Flight, _) :- cancelled(Flight, _).
disrupted(Flight, Hours) :- delayed(Flight, Late), Late >= Hours.

extraordinary(storm).
extraordinary(airspace_closed).
extraordinary(strike_of_crew).

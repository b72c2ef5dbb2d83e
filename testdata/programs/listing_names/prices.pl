:- module(prices, [gross/2]).

gross(Net, Gross) :- rate(Rate), Gross is Net * Rate.

net(Gross, Rate, Net) :-
    Net is Gross / Rate, % comments are no part of it
    Net >= 0.

rate(1.2).
rate(Rate) :- user:count(Rate, _).

round_to(Places, Number, Rounded) :-
    Rounded is round(Number * 10 ** Places) / 10 ** Places.

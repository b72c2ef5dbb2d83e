:- module(shop, [total/2]).

:- [prices, 'vat.pl'].
:- ( true, [nested] -> true ; true ).

total(Item, Total) :-
    with_vat(Item, Total).

load_later :-
    [later].

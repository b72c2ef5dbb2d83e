:- module(ledger, [transfer/3, balance/2, log/3]).
:- dynamic balance/2, log/3.
balance(ann, 100).
balance(bob, 50).
transfer(A, B, N) :-
    transaction((
        change(A, -N),
        assertz(log(A, B, N)),
        change(B, N)
    )).
change(A, D) :-
    ( retract(balance(A, N0)) -> true ; throw(no_account(A)) ),
    N is N0 + D,
    N >= 0,
    assertz(balance(A, N)).

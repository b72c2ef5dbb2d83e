:- module(store, [known_row/2]).
row(river, [ouse, 20]).
row(river, [wye, 30]).
row(lake, [tarn]).
known_row(Name, Arity) :- once(( row(Name, Values), length(Values, Arity) )).
make(Module, Name, Arity) :-
    dynamic(Module:Name/Arity),
    forall(( row(Name, Values), length(Values, Arity) ),
           ( Fact =.. [Name|Values], assertz(Module:Fact) )).
:- dynamic atlas:known/0.
atlas:tour(X) :- atlas:river(X, _).
guide:tour(X) :- guide:mountain(X).

:- module(xa, [go/1, op(700, xfx, ===>), nt//1]).
:- use_module(library(lists)).
:- use_module(xb, [bee/1]).
:- dynamic counter/1, other/2.
:- op(200, xfy, **>).
:- set_prolog_flag(double_quotes, codes).
:- meta_predicate each(1, ?).
go(X) :- bee(X), each(step, [X]), ( X ===> Y -> out(Y) ; \+ fails(Y) ), findall(Z, gen(Z), _), append(X, Y, _).
A ===> B :- A = B, m2:call_me.
nt(X) --> [X], other_nt.
each(G, L) :- maplist(G, L).
:- initialization(go(1)).

last.
last.

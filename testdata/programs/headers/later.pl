:- module(later, []).
:- export(later/1).
later(2).

:- module(again, [z/0]).
:- reexport(arrows).
z.

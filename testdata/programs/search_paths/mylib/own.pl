:- module(own, [own/1]).
own(mylib).

:- module(util, [util/1]).
:- initialization(writeln(loading_util)).
util(1).

:- module(rules, []).
:- dynamic edge/2, path/2, max/3, kind/1, len/2, loop/0, broken/1, learn/1, fact/1, sure/1.
edge(a, b). edge(b, c).
path(X, Y) :- edge(X, Y).
path(X, Z) :- edge(X, Y), path(Y, Z).
max(X, Y, X) :- X >= Y, !.
max(_, Y, Y).
kind(X) :- ( member(X, [tree, herb]) ; X = moss ), X \== herb.
kind(fern) :- \+ edge(c, _).
len([], 0).
len([_|T], N) :- len(T, M), N is M + 1.
loop :- loop.
broken(X) :- X is foo + 1.
learn(X) :- ( fact(X) -> true ; assertz(rules:fact(X)) ), findall(Y, edge(Y, _), L), length(L, N), assertz(rules:fact(N)).
fact(0).
sure(X) :- catch(path(c, X), _, true), !.
sure(_) :- throw(thrown(nothing)).

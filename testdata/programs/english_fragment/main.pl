% A fragment of English in the manner of Montague: agreement by features, meanings by unification, and answers.
:- use_module(library(lists)).
:- op(900, xfy, =>).
:- op(850, xfy, &).

s(P) --> np(N, X, Scope, P), vp(N, X, Scope).
np(N, X, Scope, P) --> det(N, X, Restr, Scope, P), n(N, X, Noun), rel(N, X, Noun, Restr).
np(sg, Name, P, P) --> [Name], { name(Name) }.
rel(N, X, Noun, Noun & P) --> [that], !, vp(N, X, P).
rel(_, _, Noun, Noun) --> [].
vp(N, X, P) --> tv(N, X, Y, V), np(_, Y, V, P).
vp(N, X, P) --> iv(N, X, P).
vp(N, X, not(P)) --> aux(N), [not], vp(pl, X, P).

det(sg, X, R, S, all(X, R => S)) --> [every].
det(sg, X, R, S, exists(X, R & S)) --> [a].
det(pl, X, R, S, all(X, R => S)) --> [all].
det(_, X, R, S, none(X, R & S)) --> [no].
aux(sg) --> [does].
aux(pl) --> [do].

n(N, X, P) --> [W], { noun(Sg, Pl, F), form(N, Sg, Pl, W), P =.. [F, X] }.
iv(N, X, P) --> [W], { verb(Sg, Pl, F), form(N, Sg, Pl, W), P =.. [F, X] }.
tv(N, X, Y, P) --> [W], { verb2(Sg, Pl, F), form(N, Sg, Pl, W), P =.. [F, X, Y] }.
form(sg, W, _, W).
form(pl, _, W, W).

noun(cat, cats, cat).
noun(dog, dogs, dog).
verb(sleeps, sleep, sleeps).
verb2(sees, see, sees).
verb2(likes, like, likes).
name(ann).
name(rex).

fact(cat(tom)).
fact(cat(ann)).
fact(dog(rex)).
fact(sees(tom, rex)).
fact(sees(ann, rex)).
fact(sleeps(tom)).
fact(likes(rex, ann)).

true_(all(X, R => S)) :- !, forall(holds(R, X), \+ \+ true_(S)).
true_(exists(X, R & S)) :- !, holds(R, X), true_(S).
true_(none(X, R & S)) :- !, \+ ( holds(R, X), true_(S) ).
true_(not(P)) :- !, \+ true_(P).
true_(A & B) :- !, true_(A), true_(B).
true_(F) :- fact(F).
holds(R, _) :- true_(R).

main :-
    forall(member(Text, ["every cat sees a dog", "all cats sleep", "a cat that sleeps sees rex", "no dog sleeps", "ann likes rex",
                         "rex likes a cat that sees rex", "every cat does not sleep", "every cats sleep", "all cats that sleep see rex"]),
           (   split_string(Text, " ", "", Ps), maplist([S, A]>>atom_string(A, S), Ps, Words),
               findall(P, phrase(s(P), Words), Readings),
               (   Readings == [] -> format("~s: not English~n", [Text])
               ;   forall(member(P, Readings),
                          ( ( true_(P) -> V = yes ; V = no ), \+ \+ ( numbervars(P, 23, _), format("~s: ~a~n    ~p~n", [Text, V, P]) ) ))
               )
           )).

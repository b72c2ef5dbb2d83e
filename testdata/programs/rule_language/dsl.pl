:- module(dsl, [op(1150, fx, rule), op(1100, xfx, if), op(1000, xfy, and), op(1050, xfy, or), concludes/2, explained/3]).
:- dynamic rule_of/3, fact_of/2.
:- multifile user:term_expansion/2.
:- dynamic user:term_expansion/2.
user:term_expansion((rule Head if Body), dsl:rule_of(P, Head, Goal)) :- body(Body, P, Goal).
user:term_expansion((fact P : What), dsl:fact_of(P, What)).
:- op(1150, fx, user:fact).
body(A and B, P, (GA, GB)) :- !, body(A, P, GA), body(B, P, GB).
body(A or B, P, (GA ; GB)) :- !, body(A, P, GA), body(B, P, GB).
body(not(A), P, \+ GA) :- !, body(A, P, GA).
body(X, P, dsl:holds(P, X)).
holds(P, X) :- fact_of(P, X).
holds(P, X) :- rule_of(P, X, Goal), call(Goal).
concludes(P, X) :- rule_of(P, X, Goal), once(Goal).
explained(P, X, Why) :- clause(rule_of(P, X, Goal), true), call(Goal), findall(F, fact_of(P, F), Why).

%% lists no such value
% wrong: a fact has another tier
-- a.pl --
:- decision(rebate/2, 't.csv').
r(P, R) :- tier_of(P, T), rebate(T, R).
tier_of(ann, gold).
tier_of(bob, bronze).
-- t.csv --
tier (gold|silver|basic),out: rebate
gold,20
silver,10
basic,0
% wrong: with an output that is calculated
-- a.pl --
:- decision(rebate/2, 't.csv').
r(P, X) :- tier_of(P, T), rebate(T, R), X is 100 - R.
tier_of(ann, gold).
tier_of(bob, bronze).
-- t.csv --
tier (gold|silver|basic),out: rebate
gold,20
silver,10
basic,0
% wrong: in another writing
-- a.pl --
:- decision(rebate/2, 't.csv').
r(P, R) :- tier_of(P, T), rebate(T, R).
tier_of(ann, gold).
tier_of(bob, 'Silver').
-- t.csv --
tier (gold|silver|basic),out: rebate
gold,20
silver,10
basic,0
% wrong: mode/2 of the caller
-- a.pl --
:- decision(rebate/2, 't.csv').
:- mode(r(+oneof([gold, silver, none]), -any), zero_or_one).
r(T, R) :- rebate(T, R).
-- t.csv --
tier (gold|silver|basic),out: rebate
gold,20
silver,10
basic,0
% wrong: a cell without a test
-- a.pl --
:- decision(fee/3, 't.csv').
f(P, A, F) :- risk(P, K), fee(A, K, F).
risk(ann, low).
risk(bob, none).
-- t.csv --
age,risk (low|medium|high),out: fee
< 18,-,5
>= 18,low,7
>= 18,"medium, high",9
% wrong: a list in a cell
-- a.pl --
:- decision(rebate/2, 't.csv').
r(P, R) :- tier_of(P, T), rebate(T, R).
tier_of(ann, gold).
tier_of(bob, bronze).
-- t.csv --
tier (gold|silver|basic),out: rebate
gold,20
"silver, basic",0
% wrong: a zone
-- a.pl --
:- decision(cost/3, 't.csv').
c(P, C) :- parcel(P, Z, G), cost(G, Z, C).
parcel(p1, eu, 2).
parcel(p2, uk, 1).
-- t.csv --
weight,zone (eu|world),out: cost
<= 1,eu,4
<= 1,world,9
> 1,eu,6
> 1,world,15
% wrong: a rule stands between
-- a.pl --
:- decision(rebate/2, 't.csv').
r(P, R) :- tier(P, T), rebate(T, R).
tier(P, T) :- tier_of(P, T).
tier_of(ann, gold).
tier_of(bob, bronze).
-- t.csv --
tier (gold|silver|basic),out: rebate
gold,20
silver,10
basic,0
% wrong: a goal before
-- a.pl --
:- decision(rebate/2, 't.csv').
r(P, R) :- person(P), tier_of(P, T), rebate(T, R).
person(ann).
tier_of(ann, gold).
tier_of(bob, bronze).
-- t.csv --
tier (gold|silver|basic),out: rebate
gold,20
silver,10
basic,0
% wrong: null
-- a.pl --
:- decision(rebate/2, 't.csv').
r(P, R) :- tier_of(P, T), rebate(T, R).
tier_of(ann, gold).
tier_of(bob, null).
-- t.csv --
tier (gold|silver|basic),out: rebate
gold,20
silver,10
basic,0
% wrong: the values of mode/2 of the table
-- a.pl --
:- mode(rebate(+oneof([gold, silver]), -integer), one).
:- decision(rebate/2, 't.csv').
r(P, R) :- tier_of(P, T), rebate(T, R).
tier_of(ann, gold).
tier_of(bob, bronze).
-- t.csv --
tier,out: rebate
gold,20
silver,10
% wrong: a data file
-- a.pl --
:- decision(rebate/2, 't.csv').
:- facts(tier_of/2, 'p.csv').
r(P, R) :- tier_of(P, T), rebate(T, R).
-- t.csv --
tier (gold|silver|basic),out: rebate
gold,20
silver,10
basic,0
-- p.csv --
p,t
ann,gold
bob,bronze
% wrong: two inputs
-- a.pl --
:- decision(cost/3, 't.csv').
c(P, C) :- item(P, K, Z), cost(K, Z, C).
item(a, food, eu).
item(b, toys, eu).
-- t.csv --
k (food|books),z (eu|us),out: c
food,-,1
books,-,2
% wrong: in the second column
-- a.pl --
:- decision(cost/3, 't.csv').
c(P, C) :- item(P, K, Z), cost(K, Z, C).
item(a, food, eu).
item(b, books, uk).
-- t.csv --
k (food|books),z (eu|us),out: c
food,-,1
books,-,2
% wrong: the branch of a rule
-- a.pl --
:- decision(rebate/2, 't.csv').
r(P, R) :- tier(P, T), rebate(T, R).
tier(P, gold) :- vip(P).
tier(P, plain) :- \+ vip(P).
vip(ann).
-- t.csv --
tier (gold|silver|basic),out: rebate
gold,20
silver,10
basic,0
% wrong: three of a column
-- a.pl --
:- decision(rebate/2, 't.csv').
r(P, R) :- tier_of(P, T), rebate(T, R).
tier_of(ann, gold).
tier_of(bob, tin).
tier_of(cid, tin).
-- t.csv --
tier (gold|silver|basic),out: rebate
gold,20
silver,10
basic,0
% wrong: an enumeration by another name
-- a.pl --
:- decision(rebate/2, 't.csv').
:- type(level, oneof([gold, silver, tin])).
:- mode(r(+level, -any), zero_or_one).
r(T, R) :- rebate(T, R).
-- t.csv --
tier (gold|silver|basic),out: rebate
gold,20
silver,10
basic,0
% wrong: a negation in a cell
-- a.pl --
:- decision(rebate/2, 't.csv').
r(P, R) :- tier_of(P, T), rebate(T, R).
tier_of(ann, gold).
tier_of(bob, bronze).
-- t.csv --
tier (gold|silver|basic),out: rebate
gold,20
not(gold),0
% wrong: before a condition
-- a.pl --
:- decision(rebate/2, 't.csv').
r(P, X) :- tier_of(P, T), rebate(T, R), ( R > 10 -> X = high ; X = low ).
tier_of(ann, gold).
tier_of(bob, bronze).
-- t.csv --
tier (gold|silver|basic),out: rebate
gold,20
silver,10
basic,0
% wrong: the first row that holds
-- a.pl --
:- decision(rebate/2, 't.csv', [hit(first)]).
r(P, R) :- tier_of(P, T), rebate(T, R).
tier_of(ann, gold).
tier_of(bob, bronze).
-- t.csv --
tier (gold|silver|basic),out: rebate
gold,20
silver,10
basic,0
% right: all are listed
-- a.pl --
:- decision(rebate/2, 't.csv').
r(P, R) :- tier_of(P, T), rebate(T, R).
tier_of(ann, gold).
tier_of(bob, basic).
-- t.csv --
tier (gold|silver|basic),out: rebate
gold,20
silver,10
basic,0
% right: the column lists no values
-- a.pl --
:- decision(rebate/2, 't.csv', [complete(false)]).
r(P, R) :- tier_of(P, T), rebate(T, R).
tier_of(ann, gold).
tier_of(bob, bronze).
-- t.csv --
tier,out: rebate
gold,20
silver,10
% right: the others are left out
-- a.pl --
:- decision(rebate/2, 't.csv').
r(P, R) :- tier_of(P, T), T \== bronze, rebate(T, R).
tier_of(ann, gold).
tier_of(bob, bronze).
-- t.csv --
tier (gold|silver|basic),out: rebate
gold,20
silver,10
basic,0
% right: the others have another clause
-- a.pl --
:- decision(rebate/2, 't.csv').
r(P, R) :- tier_of(P, T), T = gold, rebate(T, R).
r(P, 0) :- tier_of(P, bronze).
tier_of(ann, gold).
tier_of(bob, bronze).
-- t.csv --
tier (gold|silver|basic),out: rebate
gold,20
silver,10
basic,0
% right: a branch for the others
-- a.pl --
:- decision(rebate/2, 't.csv').
r(P, R) :- tier_of(P, T), ( rebate(T, R) -> true ; R = 0 ).
tier_of(ann, gold).
tier_of(bob, bronze).
-- t.csv --
tier (gold|silver|basic),out: rebate
gold,20
silver,10
basic,0
% right: a negation
-- a.pl --
:- decision(rebate/2, 't.csv').
odd(P) :- tier_of(P, T), \+ rebate(T, _).
tier_of(ann, gold).
tier_of(bob, bronze).
-- t.csv --
tier (gold|silver|basic),out: rebate
gold,20
silver,10
basic,0
% right: nothing is known of the value
-- a.pl --
:- decision(rebate/2, 't.csv').
r(T, R) :- rebate(T, R).
-- t.csv --
tier (gold|silver|basic),out: rebate
gold,20
silver,10
basic,0
% right: mode/2 of the caller
-- a.pl --
:- decision(rebate/2, 't.csv').
:- mode(r(+oneof([gold, silver]), -any), zero_or_one).
r(T, R) :- rebate(T, R).
-- t.csv --
tier (gold|silver|basic),out: rebate
gold,20
silver,10
basic,0
% right: mode/2 of the caller has any atom
-- a.pl --
:- decision(rebate/2, 't.csv').
:- mode(r(+atom, -any), zero_or_one).
r(T, R) :- rebate(T, R).
-- t.csv --
tier (gold|silver|basic),out: rebate
gold,20
silver,10
basic,0
% right: a constant
-- a.pl --
:- decision(rebate/2, 't.csv').
r(R) :- rebate(gold, R).
-- t.csv --
tier (gold|silver|basic),out: rebate
gold,20
silver,10
basic,0
% right: a dynamic predicate
-- a.pl --
:- decision(rebate/2, 't.csv').
:- dynamic(tier_of/2).
r(P, R) :- tier_of(P, T), rebate(T, R).
tier_of(ann, gold).
tier_of(bob, bronze).
-- t.csv --
tier (gold|silver|basic),out: rebate
gold,20
silver,10
basic,0
% right: a column that may be null
-- a.pl --
:- decision(rebate/2, 't.csv').
r(P, R) :- tier_of(P, T), rebate(T, R).
tier_of(ann, gold).
tier_of(bob, null).
-- t.csv --
tier (gold|silver),out: rebate
gold,20
silver,10
null,0
% right: a number
-- a.pl --
:- decision(fee/3, 't.csv').
f(P, F) :- age(P, A), fee(A, low, F).
age(ann, 30).
age(bob, 12).
-- t.csv --
age,risk (low|medium|high),out: fee
< 18,-,5
>= 18,low,7
>= 18,"medium, high",9
% right: a list in a cell
-- a.pl --
:- decision(rebate/2, 't.csv').
r(P, R) :- tier_of(P, T), rebate(T, R).
tier_of(ann, gold).
tier_of(bob, basic).
-- t.csv --
tier (gold|silver|basic),out: rebate
gold,20
"silver, basic",0
% right: a zone
-- a.pl --
:- decision(cost/3, 't.csv').
c(P, C) :- parcel(P, Z, G), cost(G, Z, C).
parcel(p1, eu, 2).
parcel(p2, world, 1).
-- t.csv --
weight,zone (eu|world),out: cost
<= 1,eu,4
<= 1,world,9
> 1,eu,6
> 1,world,15
% right: an output of the table
-- a.pl --
:- decision(rebate/2, 't.csv').
r(P, X) :- tier_of(P, T), rebate(T, R), text(R, X).
text(20, high).
text(10, low).
text(0, none).
tier_of(ann, gold).
tier_of(bob, basic).
-- t.csv --
tier (gold|silver|basic),out: rebate
gold,20
silver,10
basic,0
% right: collected
-- a.pl --
:- decision(rebate/2, 't.csv').
all(L) :- findall(P-R, ( tier_of(P, T), rebate(T, R) ), L).
tier_of(ann, gold).
tier_of(bob, basic).
-- t.csv --
tier (gold|silver|basic),out: rebate
gold,20
silver,10
basic,0
% right: a table of two inputs
-- a.pl --
:- decision(cost/3, 't.csv').
c(P, C) :- item(P, K, Z), cost(K, Z, C).
item(a, food, eu).
item(b, books, us).
-- t.csv --
k (food|books),z (eu|us),out: c
food,-,1
books,-,2
% right: a comparison before
-- a.pl --
:- decision(rebate/2, 't.csv').
r(P, R) :- tier_of(P, T), memberchk(T, [gold, silver]), rebate(T, R).
tier_of(ann, gold).
tier_of(bob, bronze).
-- t.csv --
tier (gold|silver|basic),out: rebate
gold,20
silver,10
basic,0
% right: a rule that maps them
-- a.pl --
:- decision(rebate/2, 't.csv').
r(P, R) :- tier_of(P, X), map(X, T), rebate(T, R).
map(gold, gold).
map(bronze, basic).
tier_of(ann, gold).
tier_of(bob, bronze).
-- t.csv --
tier (gold|silver|basic),out: rebate
gold,20
silver,10
basic,0

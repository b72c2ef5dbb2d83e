%% has no value here, and rows of the table test it
% wrong: an anonymous variable
-- a.pl --
:- decision(fee/2, 't.csv').
all(F) :- fee(_, F).
-- t.csv --
age,out: fee
< 18,5
>= 18,9
% wrong: a variable that comes later
-- a.pl --
:- decision(fee/2, 't.csv').
f(P, F) :- fee(A, F), age(P, A).
age(ann, 30).
-- t.csv --
age,out: fee
< 18,5
>= 18,9
% wrong: within findall
-- a.pl --
:- decision(fee/2, 't.csv').
all(L) :- findall(F, fee(_, F), L).
-- t.csv --
age,out: fee
< 18,5
>= 18,9
% wrong: within aggregate_all
-- a.pl --
:- decision(fee/2, 't.csv').
most(M) :- aggregate_all(max(F), fee(_, F), M).
-- t.csv --
age,out: fee
< 18,5
>= 18,9
% wrong: in a condition
-- a.pl --
:- decision(fee/2, 't.csv').
any(x) :- ( fee(_, F), F > 3 -> true ; fail ).
-- t.csv --
age,out: fee
< 18,5
>= 18,9
% wrong: in a negation
-- a.pl --
:- decision(fee/2, 't.csv').
none :- \+ fee(_, 7).
-- t.csv --
age,out: fee
< 18,5
>= 18,9
% wrong: the second input
-- a.pl --
:- decision(cost/3, 't.csv').
c(W, C) :- cost(W, _, C).
-- t.csv --
weight,zone,out: cost
<= 1,"eu, ch",4
<= 1,us,9
> 1,"eu, ch",6
> 1,us,15
% wrong: the first of two inputs
-- a.pl --
:- decision(cost/3, 't.csv').
c(Z, C) :- cost(_, Z, C).
-- t.csv --
weight,zone (eu|world),out: cost
<= 1,eu,4
<= 1,world,9
> 1,eu,6
> 1,world,15
% wrong: both of them
-- a.pl --
:- decision(cost/3, 't.csv').
c(C) :- cost(_, _, C).
-- t.csv --
weight,zone (eu|world),out: cost
<= 1,eu,4
<= 1,world,9
> 1,eu,6
> 1,world,15
% wrong: a date
-- a.pl --
:- decision(rate/2, 't.csv').
r(R) :- rate(_, R).
-- t.csv --
day (date),out: rate
< 2020-07-01,19
>= 2020-07-01,16
% wrong: a date that comes later
-- a.pl --
:- decision(rate/2, 't.csv').
r(O, R) :- rate(D, R), order(O, D).
order(o1, date(2021, 1, 1)).
-- t.csv --
day (date),out: rate
< 2020-07-01,19
>= 2020-07-01,16
% wrong: a policy with an order
-- a.pl --
:- decision(fee/2, 't.csv', [hit(first)]).
k(x) :- fee(_, 20).
-- t.csv --
kind,out: fee
express,20
-,5
% wrong: an output of mode/2
-- a.pl --
:- decision(fee/2, 't.csv').
:- mode(ages(-integer, -integer), zero_or_more).
ages(A, F) :- fee(A, F).
-- t.csv --
age,out: fee
< 18,5
>= 18,9
% wrong: with forall
-- a.pl --
:- decision(fee/2, 't.csv').
low :- forall(fee(_, F), F < 10).
-- t.csv --
age,out: fee
< 18,5
>= 18,9
% wrong: an unknown age of a person
-- a.pl --
:- decision(fee/2, 't.csv').
f(P, F) :- person(P), fee(_, F).
person(ann).
-- t.csv --
age,out: fee
< 18,5
>= 18,9
% wrong: a misspelt variable
-- a.pl --
:- decision(fee/2, 't.csv').
f(P, F) :- age(P, Age), Age > 0, fee(_Aeg, F).
age(ann, 30).
-- t.csv --
age,out: fee
< 18,5
>= 18,9
% wrong: a branch
-- a.pl --
:- decision(fee/2, 't.csv').
f(P, F) :- ( vip(P) -> F = 0 ; fee(_, F) ).
vip(ann).
-- t.csv --
age,out: fee
< 18,5
>= 18,9
% wrong: once
-- a.pl --
:- decision(fee/2, 't.csv').
f(F) :- once(fee(_, F)).
-- t.csv --
age,out: fee
< 18,5
>= 18,9
% wrong: a list of values in a cell
-- a.pl --
:- decision(charge/2, 't.csv').
c(C) :- charge(_, C).
-- t.csv --
kind,out: c
"a, b",1
c,2
% wrong: a negated cell
-- a.pl --
:- decision(charge/2, 't.csv').
c(C) :- charge(_, C).
-- t.csv --
kind,out: c
not(a),1
a,2
% wrong: three inputs
-- a.pl --
:- decision(prem/4, 't.csv', [complete(false)]).
p(A, B, R) :- prem(A, B, _, R).
-- t.csv --
a,b,c,out: r
1,2,> 3,1
1,2,<= 3,2
2,2,-,3
1,1,-,4
2,1,-,4
% right: each input has a value
-- a.pl --
:- decision(fee/2, 't.csv').
f(P, F) :- age(P, A), fee(A, F).
age(ann, 30).
-- t.csv --
age,out: fee
< 18,5
>= 18,9
% right: a constant
-- a.pl --
:- decision(fee/2, 't.csv').
f(F) :- fee(30, F).
-- t.csv --
age,out: fee
< 18,5
>= 18,9
% right: an input of mode/2
-- a.pl --
:- decision(fee/2, 't.csv').
:- mode(f(+integer, -any), zero_or_one).
f(A, F) :- fee(A, F).
-- t.csv --
age,out: fee
< 18,5
>= 18,9
% right: an argument of the head
-- a.pl --
:- decision(fee/2, 't.csv').
f(A, F) :- fee(A, F).
-- t.csv --
age,out: fee
< 18,5
>= 18,9
% right: rows of plain values
-- a.pl --
:- decision(rebate/2, 't.csv', [complete(false)]).
r(T, R) :- rebate(T, R).
all(L) :- findall(T, rebate(T, _), L).
-- t.csv --
tier,out: rebate
gold,20
silver,10
% right: rows of plain values, and what is looked for is the input
-- a.pl --
:- decision(rebate/2, 't.csv', [complete(false)]).
who(T) :- rebate(T, 20).
no(x) :- \+ rebate(_, 99).
-- t.csv --
tier,out: rebate
gold,20
silver,10
% right: an output
-- a.pl --
:- decision(fee/2, 't.csv').
any(A) :- age(A), fee(A, _).
age(30).
-- t.csv --
age,out: fee
< 18,5
>= 18,9
% right: a value by between
-- a.pl --
:- decision(fee/2, 't.csv').
all(L) :- findall(A-F, ( between(16, 20, A), fee(A, F) ), L).
-- t.csv --
age,out: fee
< 18,5
>= 18,9
% right: a value by member
-- a.pl --
:- decision(fee/2, 't.csv').
all(L) :- findall(A-F, ( member(A, [1, 20]), fee(A, F) ), L).
-- t.csv --
age,out: fee
< 18,5
>= 18,9
% right: both inputs
-- a.pl --
:- decision(cost/3, 't.csv').
c(P, C) :- parcel(P, Z, G), cost(G, Z, C).
parcel(p1, eu, 2).
-- t.csv --
weight,zone (eu|world),out: cost
<= 1,eu,4
<= 1,world,9
> 1,eu,6
> 1,world,15
% right: a date
-- a.pl --
:- decision(rate/2, 't.csv').
r(R) :- rate(date(2021, 1, 1), R).
-- t.csv --
day (date),out: rate
< 2020-07-01,19
>= 2020-07-01,16
% right: a date of a fact
-- a.pl --
:- decision(rate/2, 't.csv').
r(O, R) :- order(O, D), rate(D, R).
order(o1, date(2021, 1, 1)).
-- t.csv --
day (date),out: rate
< 2020-07-01,19
>= 2020-07-01,16
% right: today
-- a.pl --
:- decision(rate/2, 't.csv').
r(R) :- today(D), rate(D, R).
-- t.csv --
day (date),out: rate
< 2020-07-01,19
>= 2020-07-01,16
% right: a calculation
-- a.pl --
:- decision(fee/2, 't.csv').
f(Y, F) :- A is 2024 - Y, fee(A, F).
-- t.csv --
age,out: fee
< 18,5
>= 18,9
% right: forall
-- a.pl --
:- decision(fee/2, 't.csv').
low :- forall(age(A), ( fee(A, F), F < 10 )).
age(3).
age(30).
-- t.csv --
age,out: fee
< 18,5
>= 18,9
% right: a predicate of its own
-- a.pl --
:- decision(fee/2, 't.csv').
fee2(_, 3).
all(F) :- fee2(_, F).
-- t.csv --
age,out: fee
< 18,5
>= 18,9
% right: collected rows of plain values
-- a.pl --
:- decision(rebate/2, 't.csv', [hit(collect)]).
all(L) :- findall(T, rebate(T, _), L).
-- t.csv --
tier,out: rebate
gold,20
silver,10
% right: a first row with its value
-- a.pl --
:- decision(fee/2, 't.csv', [hit(first)]).
f(K, F) :- kind(K), fee(K, F).
kind(express).
-- t.csv --
kind,out: fee
express,20
-,5
% right: an input without a test
-- a.pl --
:- decision(fee/3, 't.csv').
f(A, F) :- fee(A, _, F).
-- t.csv --
age,note,out: fee
< 18,-,5
>= 18,-,9
% right: a value by a branch
-- a.pl --
:- decision(fee/2, 't.csv').
f(P, F) :- ( old(P) -> A = 70 ; A = 20 ), fee(A, F).
old(ann).
-- t.csv --
age,out: fee
< 18,5
>= 18,9
% right: a call with maplist
-- a.pl --
:- decision(fee/2, 't.csv').
fees(L, M) :- maplist(fee, L, M).
-- t.csv --
age,out: fee
< 18,5
>= 18,9

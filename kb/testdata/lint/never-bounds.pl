%% leave no such number
% wrong: and for or
band(X, odd) :- X < 10, X > 20.
% wrong: equal bounds
exact(X) :- X > 5, X < 5.
% wrong: closed and open
edge(X) :- X >= 5, X < 5.
% wrong: turned around
band(X, mid) :- 100 < X, X < 50.
% wrong: a goal between
band(P, S, low) :- S >= 90, person(P), S =< 50.
person(ann).
% wrong: floats
ph(X, acid) :- X > 7.5, X < 6.5.
% wrong: out of range
outside(T) :- T < 0, T > 100.
% wrong: with an equality
at(X) :- X =:= 3, X > 4.
% wrong: an age
teen(A) :- A >= 20, A =< 13.
% wrong: three comparisons
between_all(X) :- X > 1, X < 10, X > 10.
% wrong: bmi
bmi(B, normal) :- B > 25, B < 18.5.
% wrong: two variables
window(A, B) :- A > 1, B < 5, A < 0.
% wrong: negative numbers
cold(T) :- T < -10, T > -5.
% wrong: on both sides
r(X) :- 10 > X, 20 < X.
% wrong: the bounds of a discount
discount(Q, 10) :- Q >= 100, Q < 10.
discount(Q, 0) :- Q < 100.
% wrong: equal and not
is_zero(X) :- X =:= 0, X > 0.
% wrong: less or equal
g(X) :- X =< 3, X > 3.
% wrong: hours
late(H) :- H > 22, H < 6.
% wrong: hours written the other way
night(H, yes) :- H >= 22, H =< 6.
night(_, no).
% wrong: large numbers
income(I, high) :- I > 1000000, I < 100000.
% wrong: with a body behind
pays(P, X) :- X > 100, X < 50, writeln(P).
% right: a band
band(X, mid) :- X > 10, X < 20.
% right: equal closed bounds
exact(X) :- X >= 5, X =< 5.
% right: or
outside(T) :- ( T < 0 ; T > 100 ).
% right: two variables
window(A, B) :- A > 10, B < 5.
% right: two clauses
o(T) :- T < 0.
o(T) :- T > 100.
% right: an if-then-else
k(T, c) :- ( T < 0 -> true ; T > 100 ).
% right: floats
ph(X, acid) :- X > 6.5, X < 7.5.
% right: a negation
n(X) :- X < 10, \+ X > 20.
% right: negative numbers
cold(T) :- T > -10, T < -5.
% right: integers next to each other
next(X) :- X > 1, X < 3.
% right: an expression
e(X) :- X > 10, X - 10 < 5.
% right: a variable bound
v(X, L) :- X > 10, X < L.
% right: another number in between
w(X) :- X > 10, Y is X - 10, Y < 5.
% right: hours over midnight
night(H) :- ( H >= 22 ; H < 6 ).
% right: the same comparison twice
s(X) :- X > 1, X > 1.
% right: a stricter one
t(X) :- X > 1, X > 5.
% right: dates
d(X, Y) :- X @> Y, X @< z.
% right: unequal
u(X) :- X =\= 5, X >= 5.
% right: findall with a variable of its own
f(X, L) :- X > 10, findall(Y, ( member(Y, [1, 2]), Y < 5 ), L).
% right: equal to the bound
q(X) :- X >= 3, X =:= 3.

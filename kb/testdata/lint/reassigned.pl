% wrong: a counter
count([], _).
count([_|T], N) :- N is N + 1, count(T, N).
% wrong: a counter with =
tally([], _).
tally([X|T], N) :- X > 0, N = N + 1, tally(T, N).
tally([X|T], N) :- X =< 0, tally(T, N).
% wrong: a running total
:- mode(total(+list(number), -number), one).
total(Items, Total) :- Total0 = 0, walk(Items, Total0), Total = Total0.
walk([], _).
walk([X|Xs], Sum) :- Sum is Sum + X, walk(Xs, Sum).
% wrong: a discount is taken off
:- mode(price(+number, +atom, -number), one).
price(Base, Kind, P) :- ( Kind == member -> Base is Base * 0.9 ; true ), P = Base.
% wrong: interest of a year
:- mode(grow(+number, +integer, -number), one).
grow(B, 0, B) :- !.
grow(B, N, R) :- B is B * 1.05, M is N - 1, grow(B, M, R).
% wrong: the number of tries
try(N) :- N < 3, N is N + 1, try(N).
try(3).
% wrong: a year older
birthday(Name, Age) :- person(Name, Age), Age is Age + 1.
person(ann, 30).
% wrong: points for a late fee
fee(Days, Fee) :- Fee = 10, ( Days > 30 -> Fee is Fee + 5 ; true ).
% wrong: within findall
raised(L) :- findall(S, ( salary(_, S), S is S * 2 ), L).
salary(ann, 2000).
% wrong: within forall
check_all :- forall(stock(_, N), ( N is N - 1, N >= 0 )).
stock(tea, 3).
% wrong: the sum on the left
step(X) :- X + 1 = X, X < 10.
% wrong: subtraction
:- dynamic(balance/2).
withdraw(Acc, Amount) :- balance(Acc, B), B is B - Amount, retract(balance(Acc, _)), assertz(balance(Acc, B)).
% wrong: a weighted mean
:- mode(score(+list(number), -number), one).
score(L, S) :- sum_list(L, S0), length(L, N), N > 0, S0 is S0 / N, S = S0.
% wrong: the days until
days(From, To, D) :- D = 0, From < To, D is D + (To - From).
% wrong: a power
pow(_, 0, 1) :- !.
pow(B, N, R) :- N > 0, N is N - 1, pow(B, N, R1), R is B * R1.
% wrong: rounded in place
:- mode(rounded(+number, -integer), one).
rounded(X, Y) :- X is round(X * 100), Y = X.
% wrong: a grid
move(X, Y, right) :- X is X + 1, Y < 8.
% wrong: in the else branch
adjust(X, Y) :- ( X > 100 -> Y = X ; X is X + 10, Y = X ).
% wrong: a counter of a negation
misses([], N) :- N >= 0.
misses([X|T], N) :- \+ known(X), N is N + 1, misses(T, N).
known(a).
% wrong: two variables
swap(A, B) :- A is A + B, B is A - B.
% wrong: a mode of several
:- mode(level(+integer, -integer), one).
level(X, L) :- L = 0, L is L + X.
% right: a new variable
count([], N, N).
count([_|T], N0, N) :- N1 is N0 + 1, count(T, N1, N).
% right: a running total
total(Items, Total) :- foldl([X, S0, S]>>(S is S0 + X), Items, 0, Total).
% right: a counter that is stored
:- dynamic(counter/1).
counter(0).
next(N) :- retract(counter(N0)), N is N0 + 1, assertz(counter(N)).
% right: a test whether it does not change
same(N) :- number(N), N =:= N + 0.
% right: the value is compared
double(X, Y) :- number(X), Y is X + X.
% right: constraints
:- use_module(library(clpfd)).
succ_of(X, Y) :- Y #= X + 1.
% right: the same name in two clauses
f(N, M) :- M is N + 1.
g(N, M) :- M is N - 1.
% right: two branches with two variables
adjust(X, Y) :- ( X > 100 -> Y = X ; Y is X + 10 ).
% right: a list that grows
push(X, S, [X|S]).
% right: findall with a new variable
raised(L) :- findall(R, ( salary(_, S), R is S * 2 ), L).
salary(ann, 2000).
% right: a fixed point that is checked
idempotent(X) :- number(X), X =:= abs(X).
% right: nb_setval
bump(K) :- nb_getval(K, V), W is V + 1, nb_setval(K, W).
% right: the old value in the name
birthday(Name, New) :- person(Name, Age), New is Age + 1.
person(ann, 30).
% right: between
each(N, M) :- between(1, N, M).
% right: a power
pow(_, 0, 1) :- !.
pow(B, N, R) :- N > 0, M is N - 1, pow(B, M, R1), R is B * R1.
% right: an accumulator through a grammar
digits(N0, N) --> [D], !, { N1 is N0 * 10 + D }, digits(N1, N).
digits(N, N) --> [].
% right: a state that is passed on
step(state(X, Y), state(X1, Y)) :- X1 is X + 1.
% right: inequality with itself
odd(N) :- integer(N), N =\= 2 * (N // 2).
% right: is with a number on the left
zero(N) :- 0 is N mod 2.
% right: another variable that is alike
inc(N, N1) :- N1 is N + 1.

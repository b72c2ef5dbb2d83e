%% and comes out as argument
% wrong: a sum that mode/2 says is a number
:- mode(total(+list(number), -number), one).
total(L, S) :- sum(L, 0, S).
sum([], S, S).
sum([X|Xs], A, S) :- sum(Xs, A+X, S).
% wrong: a product
:- mode(product(+list(number), -number), one).
product(L, P) :- times(L, 1, P).
times([], P, P).
times([X|Xs], P0, P) :- times(Xs, P0*X, P).
% wrong: a rest
:- mode(rest(+atom, -number), one).
rest(P, R) :- findall(A, paid(P, A), L), take(L, 100, R).
take([], R, R).
take([A|As], R0, R) :- take(As, R0-A, R).
paid(ann, 30).
paid(bob, 40).
% wrong: steps are counted
:- mode(halvings(+integer, -integer), one).
halvings(X, N) :- halved(X, 0, N).
halved(X, N, N) :- X =< 1.
halved(X, N0, N) :- X > 1, Y is X // 2, halved(Y, N0+1, N).
% wrong: the last clause names what comes out
:- mode(total(+list(number), -number), one).
total(L, S) :- sum(L, 0, S).
sum([], A, S) :- S = A.
sum([X|Xs], A, S) :- sum(Xs, A+X, S).
% wrong: a fact makes it
:- mode(area(+atom, -number), zero_or_one).
area(N, A) :- box(N, W, H), area_of(W, H, A).
area_of(W, H, W*H).
box(a, 2, 3).
box(b, 4, 5).
% wrong: it is handed on once
:- mode(fee(+integer, -number), one).
fee(D, F) :- base(B), ( D > 10 -> X is D*2 ; X = 0 ), rounded(B+X, F).
rounded(A, F) :- F = A.
base(10).
% wrong: it is printed
show(L) :- sum(L, 0, S), format("~d~n", [S]).
sum([], S, S).
sum([X|Xs], A, S) :- sum(Xs, A+X, S).
% wrong: it is compared as a term
same(L, M) :- sum(L, 0, S), length(M, S).
sum([], S, S).
sum([X|Xs], A, S) :- sum(Xs, A+X, S).
% wrong: nothing says that it is a number but where it begins
total(L, S) :- sum(L, 0, S).
sum([], S, S).
sum([X|Xs], A, S) :- sum(Xs, A+X, S).
% wrong: a caller of the caller tests it
full(L) :- total(L, S), S == 10.
total(L, S) :- sum(L, 0, S).
sum([], S, S).
sum([X|Xs], A, S) :- sum(Xs, A+X, S).
% wrong: only some add
total(L, S) :- sum(L, 0, S).
sum([], S, S).
sum([X|Xs], A, S) :- X > 0, sum(Xs, A+X, S).
sum([X|Xs], A, S) :- X =< 0, sum(Xs, A, S).
% wrong: only some add, and mode/2 says what comes out
:- mode(total(+list(number), -number), one).
total(L, S) :- sum(L, 0, S).
sum([], S, S).
sum([X|Xs], A, S) :- X > 0, sum(Xs, A+X, S).
sum([X|Xs], A, S) :- X =< 0, sum(Xs, A, S).
% wrong: a branch adds
total(L, S) :- sum(L, 0, S).
sum([], S, S).
sum([X|Xs], A, S) :- ( X > 0 -> sum(Xs, A+X, S) ; sum(Xs, A, S) ).
% wrong: the accumulator stands last
total(L, S) :- sum(L, S, 0).
sum([], S, S).
sum([X|Xs], S, A) :- sum(Xs, S, A+X).
% wrong: two accumulators
:- mode(mean(+list(number), -number), one).
mean(L, M) :- stats(L, 0, 0, S, N), M is S / N.
size(L, N) :- stats(L, 0, 0, _, N).
stats([], S, N, S, N).
stats([X|Xs], S0, N0, S, N) :- S1 is S0 + X, stats(Xs, S1, N0+1, S, N).
% wrong: a grammar counts
number_of(Cs, N) :- phrase(count(0, N), Cs).
count(N, N) --> [].
count(N0, N) --> [_], count(N0+1, N).
long(Cs) :- count(0, N, Cs, []), N == 10.
% wrong: two predicates by turns
:- mode(total(+list(number), -number), one).
total(L, S) :- odd(L, 0, S).
odd([], S, S).
odd([X|Xs], A, S) :- even(Xs, A+X, S).
even([], S, S).
even([_|Xs], A, S) :- odd(Xs, A, S).
% wrong: the depth of a tree
:- mode(level(+atom, -non_negative_integer), zero_or_one).
level(P, N) :- level(P, 0, N).
level(P, N, N) :- \+ boss(P, _).
level(P, N0, N) :- boss(P, B), level(B, N0+1, N).
boss(ann, bob).
boss(bob, cid).
% wrong: interest on interest
:- mode(grown(+number, +integer, -number), one).
grown(C, Years, G) :- grow(Years, C, G).
grow(0, C, C) :- !.
grow(N, C0, C) :- N > 0, M is N - 1, grow(M, C0*1.03, C).
% wrong: decimals
:- mode(due(+list(decimal), -decimal(2)), one).
due(L, S) :- sum(L, 0, S).
sum([], S, S).
sum([X|Xs], A, S) :- sum(Xs, A+X, S).
% wrong: the larger of two and a sum
:- mode(owed(+list(number), -number), one).
owed(L, S) :- owed(L, 0, S).
owed([], S, S).
owed([X|Xs], A, S) :- ( X > 100 -> owed(Xs, A+100, S) ; owed(Xs, A+X, S) ).
% right: it is calculated before
:- mode(total(+list(number), -number), one).
total(L, S) :- sum(L, 0, S).
sum([], S, S).
sum([X|Xs], A, S) :- B is A+X, sum(Xs, B, S).
% right: it is calculated at the end
:- mode(total(+list(number), -number), one).
total(L, S) :- sum(L, 0, S).
sum([], A, S) :- S is A.
sum([X|Xs], A, S) :- sum(Xs, A+X, S).
% right: it is calculated by the caller
:- mode(total(+list(number), -number), one).
total(L, S) :- sum(L, 0, E), S is E.
sum([], S, S).
sum([X|Xs], A, S) :- sum(Xs, A+X, S).
% right: it is compared by value
big(L) :- sum(L, 0, S), S > 100.
sum([], S, S).
sum([X|Xs], A, S) :- sum(Xs, A+X, S).
% right: a caller of the caller calculates
double(L, D) :- total(L, S), D is 2 * S.
total(L, S) :- sum(L, 0, S).
sum([], S, S).
sum([X|Xs], A, S) :- sum(Xs, A+X, S).
% right: constraints
:- use_module(library(clpfd)).
total(L, S) :- sum(L, 0, E), S #= E.
sum([], S, S).
sum([X|Xs], A, S) :- sum(Xs, A+X, S).
% right: a pair
path(X, Y, P) :- path(X, Y, X, P).
path(Y, Y, P, P).
path(X, Y, P0, P) :- edge(X, Z), path(Z, Y, P0-Z, P).
edge(a, b).
edge(b, c).
% right: a term of names
names(L, T) :- joined(L, none, T).
joined([], T, T).
joined([X|Xs], T0, T) :- joined(Xs, T0+X, T).
% right: expressions are what is wanted
expression([N|Ns], E) :- build(Ns, N, E).
build([], E, E).
build([N|Ns], E0, E) :- build(Ns, E0+N, E).
build([N|Ns], E0, E) :- build(Ns, E0*N, E).
reaches(Ns, T, E) :- expression(Ns, E), T =:= E.
% right: a grammar makes a tree of sums
sum(E) --> term(T), rest(T, E).
rest(E, E) --> [].
rest(E0, E) --> [plus], term(T), rest(E0+T, E).
term(N) --> [N], { number(N) }.
value(Cs, V) :- phrase(sum(E), Cs), V is E.
% right: expressions are taken apart
total(L, S) :- sum(L, 0, S).
sum([], S, S).
sum([X|Xs], A, S) :- sum(Xs, A+X, S).
count(A+_, N) :- !, count(A, M), N is M + 1.
count(_, 0).
% right: a comparison ends it
count_up(I, N, L) :- I >= N, !, L is I.
count_up(I, N, L) :- count_up(I+1, N, L).
ten(L) :- count_up(0, 10, L).
% right: the value is not looked at
run(L) :- sum(L, 0, _).
sum([], S, S).
sum([X|Xs], A, S) :- sum(Xs, A+X, S).
% right: a date is carried
last_day(L, D) :- last_day(L, 0, D).
last_day([], D, D).
last_day([X|Xs], D0, D) :- ( X @> D0 -> last_day(Xs, X, D) ; last_day(Xs, D0, D) ).
% right: another argument is the sum
count(L, T) :- walk(L, 0, start, T).
walk([], N, T, T) :- N > 3.
walk([X|Xs], N, T0, T) :- walk(Xs, N+1, T0, T), X > 0.
% right: mode/2 says that it is a term
:- mode(formula(+list(number), -any), one).
formula(L, S) :- sum(L, S).
sum([X], X).
sum([X|Xs], X+S) :- sum(Xs, S).
% right: the sum is an input
:- mode(more(+list(number), +number, -integer), one).
more(L, M, N) :- count(L, M+1, 0, N).
count([], _, N, N).
count([X|Xs], M, N0, N) :- ( X > M -> N1 is N0 + 1 ; N1 = N0 ), count(Xs, M, N1, N).
% right: a key and a value
:- mode(best(+list(number), -number), zero_or_one).
best(L, B) :- scored(L, Ps), keysort(Ps, Sorted), last(Sorted, _-B).
scored([], []).
scored([X|Xs], [K-X|Ps]) :- K is abs(X), scored(Xs, Ps).
% right: a helper that evaluates
:- mode(total(+list(number), -number), one).
total(L, S) :- sum(L, 0, S).
sum([], A, S) :- value(A, S).
sum([X|Xs], A, S) :- sum(Xs, A+X, S).
value(E, V) :- V is E.
% right: a helper takes numbers as they are
:- mode(total(+number, +number, -number), one).
total(A, B, T) :- value(A+B, T).
value(N, N) :- number(N), !.
value(E, N) :- N is E.
% right: a number or what it stands for
:- mode(price(+any, -number), zero_or_one).
price(P, P) :- number(P).
price(K-_, P) :- listed(K, P).
listed(a, 3).

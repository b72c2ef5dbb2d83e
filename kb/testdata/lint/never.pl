% wrong: a misspelt constant
covered(P) :- cause(P, dealy).
cause(p1, delay).
cause(p2, cancellation).
% wrong: a misspelt constant in a negation
free(P) :- person(P), \+ state(P, bussy).
person(ann).
state(ann, busy).
% wrong: a misspelt constant in a condition
fee(P, F) :- ( status(P, membre) -> F = 0 ; F = 10 ).
status(ann, member).
% wrong: a misspelt constant in findall
all(L) :- findall(P, kind(P, plant), L).
kind(oak, tree).
kind(rose, flower).
% wrong: a misspelt constant in forall
fine :- forall(item(X, shiped), paid(X)).
item(a, shipped).
paid(a).
% wrong: a string where facts have atoms
:- mode(age(+string, -integer), zero_or_one).
age(Name, Age) :- person(Name, Age).
person('Ann', 40).
person('Bob', 50).
% wrong: a string in the text
old(A) :- person("Ann", A).
person('Ann', 40).
% wrong: an atom where facts have strings
:- mode(age(+atom, -integer), zero_or_one).
age(Name, Age) :- person(Name, Age).
person("Ann", 40).
% wrong: a number where facts have atoms
:- mode(room(+integer, -atom), zero_or_one).
room(N, B) :- located(N, B).
located('101', east).
% wrong: calculated with a name
total(P, T) :- price(P, X), T is X * 2.
price(a, cheap).
price(b, dear).
% wrong: compared with a name
big(P) :- size(P, S), S > 10.
size(a, small).
size(b, large).
% wrong: calculated with a string of mode/2
:- mode(double(+string, -number), one).
double(S, N) :- N is S * 2.
% wrong: arguments in the wrong order
home(P, C) :- lives(P, C), person(P).
lives(1, ann).
person(bob).
% wrong: no base case
count([_|T], N) :- count(T, M), N is M + 1.
% wrong: no base case of two
even(N) :- M is N - 1, odd(M).
odd(N) :- M is N - 1, even(M).
% wrong: the list is a string
vowel(C) :- member(C, "aeiou").
% wrong: the wrong kind of result
long(W) :- atom_length(W, five).
% wrong: two values of a variable
p(X) :- X = a, X = b.
% wrong: another value after a type test
p(X) :- atom(X), X = "text".
% wrong: an integer that is an atom
p(X) :- integer(X), atom(X).
% wrong: a compound that facts do not have
p(X) :- shape(X, square(_)).
shape(a, circle(1)).
shape(b, box(1, 2)).
% wrong: a part of a compound
p(X) :- owner(X, person(bob, _)).
owner(car, person(ann, 40)).
% wrong: a value that mode/2 leaves out
:- mode(rate(+oneof([de, fr]), -integer), zero_or_one).
rate(de, 19).
rate(fr, 20).
rate(ef, 25).
% wrong: the output of a rule
label(X, N) :- class(X, high), N = 1.
class(X, big) :- number(X), X > 10.
class(X, small) :- number(X), X =< 10.
% wrong: a value that a disjunction leaves out
q(X) :- p(X, c).
p(X, Y) :- ( item(X), Y = a ; item(X), Y = b ).
item(1).
% wrong: an argument of a list
q(X) :- length(X, many).
% wrong: facts with values that are not together
q :- pair(a, y).
pair(a, x).
pair(b, y).
% right: constants that are there
covered(P) :- cause(P, delay).
cause(p1, delay).
cause(p2, cancellation).
% right: facts without a chain
path(X, Y) :- edge(X, Z), edge(Z, Y).
edge(a, b).
% right: facts may be added
:- dynamic(state/2).
free(P) :- person(P), \+ state(P, bussy).
person(ann).
state(ann, busy).
% right: facts of several files
:- multifile(state/2).
free(P) :- person(P), \+ state(P, bussy).
person(ann).
state(ann, busy).
% right: it fails on purpose
never(_) :- fail.
never2(X) :- X == 1, false.
% right: a string where facts have strings
:- mode(age(+string, -integer), zero_or_one).
age(Name, Age) :- person(Name, Age).
person("Ann", 40).
% right: a converted string
:- mode(age(+string, -integer), zero_or_one).
age(Name, Age) :- atom_string(A, Name), person(A, Age).
person('Ann', 40).
% right: both kinds of text
:- mode(age(+string, -integer), zero_or_one).
age(Name, Age) :- person(Name, Age).
person('Ann', 40).
person("Bob", 50).
% right: functions without arguments
area(R, A) :- factor(F), A is F * R * R.
factor(pi).
% right: expressions as data
cost(P, C) :- formula(P, F), C is F.
formula(a, 1 + 2).
formula(b, 3 * 4).
% right: a base case
count([], 0).
count([_|T], N) :- count(T, M), N is M + 1.
% right: it ends in another clause
even(0).
even(N) :- N > 0, M is N - 1, odd(M).
odd(N) :- N > 0, M is N - 1, even(M).
% right: a loop with an effect
serve(S) :- read(X), writeln(S-X), serve(X).
% right: a list
vowel(C) :- member(C, [a, e, i, o, u]).
% right: characters of a text
vowel(C) :- string_chars("aeiou", L), member(C, L).
% right: a range of facts that may change
big(P) :- size(P, S), S > 100.
size(a, 10).
size(b, 20).
% right: a value given later
p(X, Y) :- Y = f(X), q(X).
q(1).
% right: a variable goal
p(G) :- call(G), r(G).
r(true).
% right: a grammar
greeting --> [hello], name.
name --> [ann].
name --> [bob].
% right: a term that is unified with parts
swap(X-Y, Y-X).
p(A, B) :- swap(a-b, A-B).
% right: optional input
:- mode(find(?atom, -integer), zero_or_more).
find(P, N) :- number_of(P, N).
number_of(ann, 1).
% right: numbers of two kinds
half(X, Y) :- Y is X / 2.
q(Z) :- half(3, Y), Z is Y + 1.
% right: exceptions
p(X) :- catch(q(X), _, fail).
q(X) :- X > 0.
% right: a negated test
p(X) :- q(X), X \== c.
q(a).
% right: table
:- table path/2.
path(X, Y) :- edge(X, Y).
path(X, Y) :- path(X, Z), edge(Z, Y).
edge(a, b).
% right: an accumulator
sum(L, S) :- sum(L, 0, S).
sum([], S, S).
sum([X|Xs], S0, S) :- S1 is S0 + X, sum(Xs, S1, S).
% right: a type test that chooses
kind(X, number) :- number(X).
kind(X, text) :- atom(X).
p(Y) :- kind(a, Y), Y == text.
% wrong: a function that rounds to places
r(X, Y) :- Y is round(X, 2).
% wrong: a sum of a list in an expression
t(L, Y) :- Y is sum(L) / 2.
% wrong: an unknown function in a comparison
t(X) :- avg(X) > 2.
% wrong: a list for the length of a text, the other way round
:- mode(short(+atom), zero_or_one).
short(X) :- length(X, L), L < 5.
% wrong: list and element exchanged
:- mode(has(+list, +atom), zero_or_one).
has(L, X) :- member(L, X).
% wrong: the part of an atom in the wrong place
pre(A) :- sub_atom(A, abc, 0, _, _).
% right: a function of two arguments
r(X, Y) :- Y is max(X, 2) + truncate(X) + atan2(X, 1).
% right: a function of the program
:- use_module(library(arithmetic)).
:- arithmetic_function(twice/1).
twice(X, Y) :- Y is X * 2.
r(X, Y) :- Y is twice(X).
% right: one element in brackets
r(Y) :- Y is [3] + 1.
% right: functions without arguments
r(Y) :- Y is pi * e + cputime.
% right: a list that is declared
:- mode(short(+list), zero_or_one).
short(X) :- length(X, L), L < 5.
% wrong: the name of an argument is written small
surcharge(Age, 50) :- age < 25, Age > 0.
% wrong: a number in quotes
adult(P) :- age(P, A), A >= '18'.
age(ann, 40).
% wrong: a number as a string
adult(P) :- age(P, A), A >= "18".
age(ann, 40).
% wrong: a pair is calculated with
tax(C, N, T) :- rate(C, R), T is N * R / 100.
rate(food, 7-percent).
rate(other, 19-percent).
% wrong: a date is compared with a number
adult(P) :- born(P, B), B >= 18.
born(ann, date(1990, 4, 1)).
% wrong: no number is left
standard(W) :- W > 80, W < 40.
% wrong: no number is left, the bounds turned round
standard(W) :- 80 =< W, W < 80.
% right: a sum is calculated with
tax(C, N, T) :- rate(C, R), T is N * R / 100.
rate(food, 7+1).
rate(other, 19).
% right: functions without arguments
area(R, A) :- A is pi * R ** 2, A < inf, A > e.
% right: a range
standard(W) :- W > 40, W < 80.
% right: one number is left
standard(W) :- W >= 80, W =< 80.
% right: one or the other
standard(W) :- ( W > 80 ; W < 40 ).
% right: an error that is expected
test(E) :- catch(state(busy), error(type_error(T, _), _), E = T).
state(free).
% right: a character is its code
letter(C) :- C >= "a", C =< "z".
% wrong: a static predicate is changed
inc :- retract(counter(N)), M is N + 1, assertz(counter(M)).
counter(0).
% wrong: facts of the text are taken away
sell(X) :- retract(stock(X, _)).
stock(pen, 3).
% wrong: a clause is added to a static predicate
hire(X) :- assertz(employee(X)).
employee(ann).
% wrong: all facts of a static predicate are taken away
reset :- retractall(cart(_)).
cart(pen).
% wrong: a rule is added to a static predicate
learn(X) :- assertz((likes(X, Y) :- friend(X, Y))).
likes(ann, bob).
friend(ann, bob).
% wrong: members of a list have another form
size(S) :- options(L), member(size-S, L).
options([size=10, color=red]).
% wrong: rows of a list are lists
quantity(I, Q) :- items(L), member(I-Q, L).
items([[pen, 2], [book, 3]]).
% wrong: a member of a sorted list is no number
low(X) :- findall(N, score(N, _), L), msort(L, S), member(X, S), X < 3.
score(ann, 3).
% wrong: the last of a list of names is calculated with
next(Y) :- findall(N, score(N, _), L), last(L, X), Y is X + 1.
score(ann, 3).
% wrong: two tables write the same names differently
total(N, T) :- customer(Id, N), region(N, _), bill(Id, T).
customer('NL-1', ann).
customer('NL-2', bob).
region(ann, north).
bill(nl_1, 40).
bill(nl_2, 50).
% right: two tables have no name in common today
blocked(X) :- person(X), barred(X).
person(ann).
person(bob).
barred(mallory).
% right: one name of two tables is the same
blocked(X) :- person(X), barred(X).
person(ann).
person('Bob').
barred(bob).
barred(ann).
% right: other facts may come
:- dynamic(barred/1).
blocked(X) :- person(X), barred(X).
person('Bob').
barred(bob).
% right: the names are made alike before
blocked(X) :- person(X), downcase_atom(X, Y), barred(Y).
person('Bob').
barred(bob).
% right: one of two columns
known(X) :- ( person(X) ; barred(X) ).
person('Bob').
barred(bob).
% right: a dynamic predicate is changed
:- dynamic counter/1.
counter(0).
inc :- retract(counter(N)), M is N + 1, assertz(counter(M)).
% right: what is stored is no predicate of the text
remember(X) :- assertz(seen(X)).
seen_before(X) :- catch(seen(X), _, fail).
% right: another arity is dynamic
:- dynamic(f/1).
f(a, b).
add(X) :- assertz(f(X)).
% right: members of all kinds
data([1, a, "s", f(x)]).
name(X) :- data(L), member(X, L), atom(X).
% right: lists of one form
rows([[a, 1], [b, 2]]).
value(K, V) :- rows(R), member([K, V], R).
% right: a list grows
all([], []).
all([X|Xs], [Y|Ys]) :- Y = n(X), all(Xs, Ys).
deep(L) :- all([a, b], L), member(n(_), L).
% wrong: times of two arguments, and a type of three
:- mode(free(+time), zero_or_one).
free(At) :- \+ ( booked(From, To), From @=< At, At @< To ).
booked(time(9, 0), time(10, 30)).
% wrong: a date and a text, always
late(X) :- due(X, D), D @> '2026-01-01'.
due(a, date(2026, 1, 31)).
% wrong: a date and a text, never
early(X) :- due(X, D), D @< "2026-01-01".
due(a, date(2026, 1, 31)).
% wrong: a number and a text
large(X) :- size(X, S), S @>= '100'.
size(a, 120).
% wrong: an atom is never a string
open(X) :- case(X, S), S \== "closed".
case(a, closed).
case(b, new).
% wrong: nor unifies with one
open(X) :- case(X, S), S \= "closed".
case(a, closed).
case(b, new).
% right: dates
late(X) :- due(X, D), D @> date(2026, 1, 1).
due(a, date(2026, 1, 31)).
% right: texts in their order
before(X, Y) :- name(X, A), name(Y, B), A @< B.
name(1, ann).
name(2, bob).
% right: an identity that may be another term
other(X, Y) :- item(X), item(Y), X \== Y.
item(a).
item("b").
% right: no value yet
known(X) :- limit(X, L), L \== none.
limit(a, 3).
limit(b, 4).
% right: the order of terms of any kind
first(X, Y, X) :- X @< Y.
first(X, Y, Y) :- X @>= Y.
both(Z) :- first(1, a, Z).
% right: times as the type has them
:- mode(open_at(+time), zero_or_one).
open_at(At) :- hours(From, To), From @=< At, At @< To.
hours(time(9, 0, 0), time(17, 30, 0)).
% wrong: a text where the library wants a date
late(X, Days) :- due(X, Due), today(Today), days_between(Due, Today, Days), Days > 0.
due(a, '2026-01-31').
% right: a date where the library wants one
late(X, Days) :- due(X, Due), today(Today), days_between(Due, Today, Days), Days > 0.
due(a, date(2026, 1, 31)).
% wrong: an impossible day in add_days
next(X) :- add_days(date(2026, 2, 30), 1, X).
% wrong: an impossible day in days_between
days(D) :- today(T), days_between(T, date(2026, 6, 31), D).
% wrong: an impossible day in weekday
w(D) :- weekday(date(2026, 2, 29), D).
% wrong: an impossible day in age
old(A) :- age(date(2001, 2, 29), date(2026, 1, 1), A).
% wrong: an impossible day in a condition
late(X) :- ( days_between(date(2026, 9, 31), X, N), N > 0 -> true ; fail ).
% wrong: the name of a weekday compared with a number
workday(D) :- weekday(D, W), W =< 5.
% right: the name of a weekday among names
workday(D) :- weekday(D, W), \+ memberchk(W, [saturday, sunday]).
% wrong: a misspelt constant reaches facts through a rule
f(N) :- kind(N, K), bad(K, sever).
bad(K, S) :- ranked(K, S), K \== x.
ranked(tobacco, severe).
ranked(textile, moderate).
kind(a, tobacco).
% wrong: a misspelt constant in a negation reaches facts through rules that call themselves
clean(K) :- kind(K), \+ group(K, evill).
group(K, G) :- within(K, G).
group(K, G) :- within(K, H), group(H, G).
within(tobacco, vices).
within(vices, evil).
kind(tobacco).
% wrong: a variable is compared with a misspelt constant
high(N) :- kind(N, K), K == tabacco.
kind(a, tobacco).
kind(b, textile).
% wrong: a condition compares with a misspelt constant
rate(N, R) :- sort_of(N, K), ( K == tabacco -> R = high ; R = low ).
sort_of(N, K) :- kind(N, K).
kind(a, tobacco).
kind(b, textile).
% wrong: a difference from a misspelt constant
open(N) :- state(N, S), S \== clsoed.
state(a, closed).
state(b, active).
% wrong: a variable differs from itself
p(X, Y) :- q(X), q(Y), Y \== Y.
q(a).
% right: a variable is compared with constants that facts have
rate(N, R) :- sort_of(N, K), ( K == tobacco -> R = high ; R = low ).
sort_of(N, K) :- kind(N, K).
kind(a, tobacco).
kind(b, textile).
% right: a value that no fact has today, and that is like none
rate(N, R) :- kind(N, K), ( K == furniture -> R = high ; R = low ).
kind(a, tobacco).
kind(b, textile).
% right: the opposite of what facts have today
idle(N) :- state(N, S), S == inactive.
state(a, active).
% right: a rule gives the constant, too
late(N) :- state(N, S), S == overdue2.
state(N, S) :- note(N, S).
state(b, overdue2).
note(a, overdue1).
% right: other facts may come
:- dynamic state/2.
open(N) :- state(N, S), S \== closd.
state(a, closed).
% right: a constant in the place of a variable that the caller binds
rate(N, S, R) :- kind(N, K), ( S == K -> R = high ; R = low ).
kind(a, tobacco).
kind(b, textile).

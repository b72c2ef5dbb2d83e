%% if the branch in line
% wrong: no member, no rate
due(P, Item, Due) :- price(Item, Price), ( member(P) -> Rate = 10 ; true ), Due is Price * (100 - Rate) / 100.
price(tea, 3).
price(rice, 2).
member(ann).
% wrong: a branch of three
ship(Item, C) :- weight(Item, W), ( W > 20 -> F = 9 ; W > 5 -> true ; F = 4 ), C is F + 1.
weight(box, 7).
weight(bag, 30).
% wrong: a disjunction with a negation
disc(P, D) :- person(P), ( gold(P), D0 = 5 ; \+ gold(P) ), D is D0 * 2.
person(ann).
person(bob).
gold(ann).
% wrong: a comparison behind it
ok(P) :- age(P, A), ( student(P) -> Max = 26 ; A > 60 ), A < Max.
age(ann, 20).
age(bob, 70).
student(ann).
% wrong: the condition of the next branches
level(P, L) :- points(P, N), ( bonus(P, B) -> T is N + B ; true ), ( T > 10 -> L = high ; L = low ).
points(ann, 9).
points(bob, 12).
bonus(ann, 3).
% wrong: a text with a value that a branch leaves out
show(P) :- ( phone(P, N) -> true ; mail(P, _) ), format("~w: ~w~n", [P, N]).
phone(ann, 123).
mail(bob, 'b@x').
% wrong: a list that is sorted
sorted(P, S) :- person(P), ( items(P, L) -> true ; true ), msort(L, S).
person(ann).
items(ann, [a, b]).
% wrong: a list that is summed
total(P, T) :- person(P), ( scores(P, L) -> true ; P \== bob ), sum_list(L, T).
person(ann).
person(cid).
scores(ann, [1, 2]).
% wrong: the else binds another variable
fee(K, F) :- kind(K), ( K == express -> Base = 20 ; Bas = 5, Bas > 1 ), F is Base + 1.
kind(express).
kind(normal).
% wrong: mode/2 says that it is an output
:- mode(fee(+atom, -integer), one).
fee(K, F) :- ( K == express -> Base = 20 ; K \== none -> true ; Base = 5 ), F is Base + 1.
% wrong: within another branch
fee(K, N, F) :- kind(K), number(N), ( N > 1 -> ( K == express -> B = 20 ; true ), F is B * N ; F = 0 ).
kind(express).
kind(normal).
% wrong: the second condition has the value
tax(C, N, T) :- net(C, N), ( rate(C, R) -> true ; zone(C) ), T is N * R / 100.
net(de, 100).
net(fr, 200).
rate(de, 19).
zone(fr).
% wrong: only a test
tax(C, N, T) :- net(C, N), ( N > 150 -> R = 19 ; N > 50 ), T is N * R / 100.
net(de, 100).
net(fr, 200).
% wrong: an upper case text
label(P, T) :- person(P), ( nick(P, N) ; \+ nick(P, _) ), string_length(N, T).
person(ann).
person(bob).
nick(ann, annie).
% wrong: a goal that has nothing to do with it comes between
due(P, Item, Due) :- ( member(P) -> Rate = 10 ; true ), price(Item, Price), Due is Price * Rate.
price(tea, 3).
member(ann).
% wrong: a calculation comes between
due(P, Item, Due) :- price(Item, Price), ( member(P) -> Rate = 10 ; true ), X is Price + 1, Due is X * Rate.
price(tea, 3).
member(ann).
% wrong: a text is written between
due(P, Due) :- price(P, Price), ( member(P) -> Rate = 10 ; true ), format("~w~n", [P]), Due is Price * Rate.
price(tea, 3).
member(tea).
% wrong: the first of two disjunctions
r(P, X) :- p(P, N), ( N > 1, A = 1 ; N =< 1 ), ( q(P) -> B = 1 ; B = 2 ), X is B + 1, A > 0.
p(a, 1).
p(b, 2).
q(a).
% wrong: a branch that ends with a comparison
days(P, D) :- stay(P, N), ( N > 10 -> Free is N - 10, Free > 0 ; N =< 10, N > 0 ), D is N - Free.
stay(ann, 12).
stay(bob, 3).
% wrong: an inner branch
fee(P, F) :- age(P, A), ( A < 18 -> ( school(P) -> B = 1 ; true ) ; B = 3 ), F is B * 2.
age(ann, 12).
age(bob, 40).
school(ann).
% wrong: the index of a list
nth(P, E) :- list(P, L), ( pos(P, I) -> true ; L = [_] ), I > 0, nth1(I, L, E).
list(a, [x]).
list(b, [x, y]).
pos(b, 2).
% right: each branch has a value
due(P, Item, Due) :- price(Item, Price), ( member(P) -> Rate = 10 ; Rate = 0 ), Due is Price * (100 - Rate) / 100.
price(tea, 3).
member(ann).
% right: the other branch fails
due(P, Item, Due) :- price(Item, Price), ( member(P) -> Rate = 10 ; fail ), Due is Price * Rate.
price(tea, 3).
member(ann).
% right: the other branch throws
due(P, Item, Due) :- price(Item, Price), ( member(P) -> Rate = 10 ; throw(unknown(P)) ), Due is Price * Rate.
price(tea, 3).
member(ann).
% right: the condition has the value
tax(C, N, T) :- net(C, N), ( rate(C, R) -> true ; R = 0 ), T is N * R / 100.
net(de, 100).
rate(de, 19).
% right: no value is needed behind it
note(P) :- person(P), ( gold(P) -> X = 1, X > 0 ; true ), format("~w~n", [P]).
person(ann).
gold(ann).
% right: it is asked whether there is a value
due(P, D) :- person(P), ( gold(P) -> R = 10 ; true ), ( var(R) -> D = 0 ; D is R * 2 ).
person(ann).
gold(ann).
% right: a later goal gives it a value where there is none
due(P, D) :- person(P), ( gold(P) -> R = 10 ; true ), ignore(R = 0), D is R * 2.
person(ann).
gold(ann).
% right: the same condition again
due(P, D) :- person(P), ( gold(P) -> R = 10 ; true ), ( gold(P) -> D is R * 2 ; D = 0 ).
person(ann).
gold(ann).
% right: the condition stands behind it as a goal
due(P, D) :- person(P), ( gold(P) -> R = 10 ; true ), gold(P), D is R * 2.
person(ann).
gold(ann).
% right: a goal before gives it a value
due(P, D) :- rate(P, R), ( gold(P) -> R > 5 ; true ), D is R * 2.
rate(ann, 7).
gold(ann).
% right: the head has it
due(P, R, D) :- person(P), ( gold(P) -> R = 10 ; true ), D is R * 2.
person(ann).
gold(ann).
% right: a branch calls what may give it a value
due(P, D) :- person(P), ( gold(P) -> R = 10 ; rate_of(P, R) ), D is R * 2.
person(ann).
gold(ann).
rate_of(_, 3).
% right: a branch without an else
due(P, D) :- person(P), ( gold(P) -> R = 10 ), D is R * 2.
person(ann).
gold(ann).
% right: each branch calculates
level(P, L) :- points(P, N), ( N > 5 -> T is N * 2 ; T is N + 1 ), ( T > 10 -> L = high ; L = low ).
points(ann, 9).
% right: the variables of branches are others
x(P, Y) :- points(P, N), ( N > 5 -> A = 1, Y is A + N ; B = 2, Y is B * N ).
points(ann, 9).
% right: a value that a text need not have
show(P) :- ( phone(P, N) -> true ; N = none ), format("~w: ~w~n", [P, N]).
phone(ann, 123).
% right: a branch that never goes on
due(P, D) :- person(P), ( gold(P) -> R = 10 ; refuse(P) ), D is R * 2.
refuse(P) :- throw(error(no_rate(P), _)).
person(ann).
gold(ann).
% right: the answer is a term with a variable
box(P, box(X)) :- person(P), ( gold(P) -> X = 1 ; true ).
person(ann).
gold(ann).
% right: a disjunction of facts
near(P, D) :- ( home(P, X) ; work(P, X) ), D is X + 1.
home(ann, 3).
work(bob, 4).
% right: a negation in a branch
free(P, N) :- person(P), ( \+ busy(P) -> N = 1 ; N = 0 ), N >= 0.
person(ann).
busy(bob).
% right: nested branches have it all
fee(P, F) :- age(P, A), ( A < 18 -> ( school(P) -> B = 1 ; B = 2 ) ; B = 3 ), F is B * 2.
age(ann, 12).
school(ann).
% right: a list of a branch is taken apart
sum(P, T) :- person(P), ( items(P, L) -> true ; L = [] ), sum_list(L, T).
person(ann).
items(ann, [1]).

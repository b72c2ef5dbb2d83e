%% never succeeds
% wrong: a role is a string
:- dynamic(user_role/2).
:- mode(user_role(?string, ?string), zero_or_more).
admin(U) :- user_role(U, admin).
% wrong: a persistent predicate
:- persistent(status/2).
:- mode(status(?atom, ?string), zero_or_more).
late(X) :- status(X, late).
% wrong: a comparison with an atom
:- dynamic(status/2).
:- mode(status(?atom, ?string), zero_or_more).
late(X) :- status(X, S), S == late.
% wrong: a number is compared as a text
:- dynamic(stock/2).
:- mode(stock(?atom, ?integer), zero_or_more).
none(X) :- stock(X, '0').
% wrong: a string where the facts have atoms
:- dynamic(tier/2).
:- mode(tier(?atom, ?atom), zero_or_more).
gold(C) :- tier(C, "gold").
% wrong: it is calculated with a date
:- dynamic(due/2).
:- mode(due(?atom, ?date), zero_or_more).
later(I, T) :- due(I, D), T is D + 30.
% wrong: a date as a text
:- dynamic(due/2).
:- mode(due(?atom, ?date), zero_or_more).
old(X) :- due(X, '2024-01-01').
% wrong: a date is compared with a text
:- dynamic(due/2).
:- mode(due(?atom, ?date), zero_or_more).
old(X) :- due(X, D), D @< '2024-01-01'.
% wrong: one of some values
:- dynamic(light/1).
:- mode(light(?oneof([red, green])), zero_or_more).
stop :- light(rot).
% wrong: a boolean as a string
:- dynamic(enabled/2).
:- mode(enabled(?atom, ?boolean), zero_or_more).
on(X) :- enabled(X, "true").
% wrong: in a condition
:- dynamic(plan/2).
:- mode(plan(?atom, ?string), zero_or_more).
fee(C, F) :- ( plan(C, premium) -> F = 0 ; F = 5 ).
% wrong: in a negation
:- dynamic(blocked/1).
:- mode(blocked(?string), zero_or_more).
ok(ann) :- \+ blocked(ann).
% wrong: in a collection
:- dynamic(order/3).
:- mode(order(?integer, ?string, ?integer), zero_or_more).
total(T) :- aggregate_all(sum(A), order(_, open, A), T).
% wrong: an output of mode/2
:- dynamic(role/2).
:- mode(role(+atom, -string), zero_or_one).
admin(U) :- role(U, admin).
% wrong: named types
:- type(part_code, string).
:- dynamic(part/1).
:- mode(part(?part_code), zero_or_more).
known(bolt) :- part(bolt).
% wrong: a range of numbers
:- dynamic(level/2).
:- mode(level(?atom, ?between(integer, 1, 5)), zero_or_more).
top(X) :- level(X, 9).
% wrong: a range is compared
:- dynamic(level/2).
:- mode(level(?atom, ?integer), zero_or_more).
top(X) :- level(X, L), L == high.
% wrong: facts of the text
:- dynamic(level/2).
:- mode(level(?atom, ?integer), zero_or_more).
level(a, 1).
top(X) :- level(X, high).
% wrong: a term in place of a text
:- dynamic(address/2).
:- mode(address(?atom, ?string), zero_or_more).
city(P, C) :- address(P, address(_, C)).
% wrong: behind another goal
:- dynamic(member_of/2).
:- mode(member_of(?atom, ?string), zero_or_more).
person(ann).
in_sales(P) :- person(P), member_of(P, sales).
% right: the types fit
:- dynamic(user_role/2).
:- mode(user_role(?atom, ?atom), zero_or_more).
admin(U) :- user_role(U, admin).
% right: strings are compared with strings
:- dynamic(user_role/2).
:- mode(user_role(?string, ?string), zero_or_more).
admin(U) :- user_role(U, "admin").
% right: no mode/2
:- dynamic(user_role/2).
admin(U) :- user_role(U, admin).
boss(U) :- user_role(U, "boss").
% right: two directives mode/2
:- dynamic(status/2).
:- mode(status(?atom, ?string), zero_or_more).
:- mode(status(?atom, ?atom), zero_or_more).
late(X) :- status(X, late).
% right: a fact of the text has an atom
:- dynamic(status/2).
:- mode(status(?atom, ?string), zero_or_more).
status(a, late).
late(X) :- status(X, late).
% right: a rule of the text
:- dynamic(status/2).
:- mode(status(?atom, ?string), zero_or_more).
status(X, late) :- overdue(X).
overdue(a).
late(X) :- status(X, late).
% right: the string is made an atom
:- dynamic(status/2).
:- mode(status(?atom, ?string), zero_or_more).
late(X) :- status(X, S), atom_string(A, S), A == late.
% right: any term
:- dynamic(note/2).
:- mode(note(?atom, ?any), zero_or_more).
late(X) :- note(X, late).
% right: maybe no value
:- dynamic(due/2).
:- mode(due(?atom, ?maybe(date)), zero_or_more).
open(X) :- due(X, null).
% right: numbers
:- dynamic(stock/2).
:- mode(stock(?atom, ?integer), zero_or_more).
none(X) :- stock(X, 0).
some(X) :- stock(X, N), N > 0.
% right: decimals
:- dynamic(price/2).
:- mode(price(?atom, ?decimal), zero_or_more).
dear(X) :- price(X, P), P > 100.
% right: dates
:- dynamic(due/2).
:- mode(due(?atom, ?date), zero_or_more).
old(X) :- due(X, D), D @< date(2024, 1, 1).
% right: one of some values
:- dynamic(light/1).
:- mode(light(?oneof([red, green])), zero_or_more).
stop :- light(red).
% right: booleans
:- dynamic(enabled/2).
:- mode(enabled(?atom, ?boolean), zero_or_more).
on(X) :- enabled(X, true).
% right: it is stored by a rule
:- dynamic(seen/2).
:- mode(seen(?atom, ?integer), zero_or_more).
note(X) :- assertz(seen(X, 1)).
new(X) :- person(X), \+ seen(X, _).
person(ann).
% right: lists
:- dynamic(tags/2).
:- mode(tags(?atom, ?list(atom)), zero_or_more).
red(X) :- tags(X, L), memberchk(red, L).
% right: a type with another spelling
:- dynamic(age/2).
:- mode(age(?atom, ?int), zero_or_more).
adult(X) :- age(X, A), A >= 18.
% right: an empty list is no name
:- dynamic(tags/2).
:- mode(tags(?atom, ?list), zero_or_more).
none(X) :- tags(X, []).
% right: persistent
:- persistent(status/2).
:- mode(status(?atom, ?atom), zero_or_more).
late(X) :- status(X, late).
% right: a type that a program names
:- type(part_code, atom).
:- dynamic(part/1).
:- mode(part(?part_code), zero_or_more).
known(bolt) :- part(bolt).

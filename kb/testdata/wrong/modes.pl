% overlap: two facts for one key
:- mode(vat(+atom, -number), one).
vat(food, 7).
vat(books, 7).
vat(food, 19).
% gap: no answer for who is no member
:- mode(member_fee(+oneof([member, guest]), -integer), one).
member_fee(Kind, F) :- Kind == member, F = 10.
% overlap: 100 is in two bands
:- mode(shipping(+integer, -integer), one).
shipping(W, 5) :- W =< 100.
shipping(W, 9) :- W >= 100, W < 500.
shipping(W, 20) :- W >= 500.
% gap: between 18 and 65 the upper bound is nowhere
:- mode(age_group(+integer, -atom), one).
age_group(A, minor) :- A < 18.
age_group(A, adult) :- A >= 18, A < 65.
age_group(A, senior) :- A > 65.
% overlap: each element of the list is an answer
:- mode(approver(+atom, -atom), one).
approver(Dept, Who) :- approvers(Dept, List), member(Who, List).
approvers(sales, [ann, bob]).
approvers(it, [cid, dan]).
% overlap: each hour is an answer
:- mode(slot(+atom, -integer), zero_or_one).
slot(Doctor, Hour) :- works(Doctor, From, To), between(From, To, Hour).
works(ann, 9, 12).
works(bob, 10, 16).
% overlap: several facts fit through a rule
:- mode(manager(+atom, -atom), one).
manager(Person, M) :- assigned(Person, M).
assigned(ann, eva).
assigned(ann, fred).
assigned(bob, eva).
% output_type: a fee is an atom in one clause, and mode/2 says it is an integer
:- mode(entry_fee(+integer, -integer), one).
entry_fee(Age, free) :- Age < 6.
entry_fee(Age, 12) :- Age >= 6.
% output_type: a float, and mode/2 says it is an integer
:- mode(service_charge(+integer, -integer), one).
service_charge(Net, C) :- C is Net * 0.12.
% unreached: mode/2 excludes the value of a clause
:- mode(bonus(+positive_integer, -integer), one).
bonus(0, 0).
bonus(Years, B) :- Years > 0, B is Years * 100.
% never: the input is the price, as mode/2 has it
:- mode(unit_price(+number, -atom), zero_or_more).
unit_price(apple, 2).
unit_price(pear, 3).
% overlap: the default fits everybody
:- mode(rebate(+oneof([gold, silver, basic]), -integer), one).
rebate(gold, 20).
rebate(silver, 10).
rebate(_, 0).
% free_variable: one list for each month
:- mode(absences(+atom, -list), one).
absences(P, Days) :- setof(D, absent(P, M, D), Days).
absent(ann, jan, 3).
absent(ann, feb, 9).

% format_arguments: an argument of the format is missing
invoice_line(Item, Qty, Price) :- format("~w: ~w at ~2f~n", [Item, Qty]), Price > 0.
% format_arguments: a whole number is wanted, and the tax is a float
show_tax(Net) :- Tax is Net * 0.19, format("Tax: ~d~n", [Tax]).
% format_arguments: the values stand beside the format
notice(Name, Due) :- format("~w owes ~w~n", Name, Due).
% format_arguments: a number is wanted, and prices are texts
label(Item) :- price(Item, P), format("~w: ~2f EUR~n", [Item, P]).
price(tea, '3.20').
price(rice, '1.10').
% format_arguments: the separators come before the text
fields(Line, Fields) :- split_string(",", Line, " ", Fields).
% never: the separator comes before the list
full_name(First, Last, Name) :- atomic_list_concat(' ', [First, Last], Name).
% never: the list comes before the index
first_choice(P, C) :- findall(X, prefers(P, X), L), nth1(L, 1, C).
prefers(ann, north).
prefers(ann, south).
% format_arguments: the length comes before the text
valid_code(Code) :- atom_length(8, Code).
% undefined: the goal comes before what is summed
turnover(Shop, T) :- aggregate_all(sale(Shop, X), sum(X), T).
sale(s1, 40).
sale(s1, 60).
% never: the order comes before the key
ranked(L) :- findall(S-P, score(P, S), L0), sort(@>=, 1, L0, L).
score(ann, 90).
score(bob, 70).
% format_arguments: the prefix stands where the place does
country(Iban, Country) :- sub_atom(Iban, Country, 0, 2, _).
% never: the list of allowed values comes first
eligible(P) :- status(P, S), member([employed, retired], S).
status(ann, employed).
status(bob, student).

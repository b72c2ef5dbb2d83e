%% as a fraction such as 3r10
% wrong: ~w
:- mode(line(+decimal, -string), one).
line(P, S) :- format(string(S), "costs ~w", [P]).
% wrong: ~p
:- mode(line(+decimal), one).
line(P) :- format("costs ~p~n", [P]).
% wrong: ~q
:- mode(line(+decimal), one).
line(P) :- format("costs ~q~n", [P]).
% wrong: ~a
:- mode(line(+decimal), one).
line(P) :- format("costs ~a~n", [P]).
% wrong: the second value
:- mode(line(+atom, +decimal), one).
line(N, P) :- format("~w costs ~w~n", [N, P]).
% wrong: atomic_list_concat
:- mode(line(+decimal, -atom), one).
line(P, S) :- atomic_list_concat([P, 'EUR'], ' ', S).
% wrong: atomic_list_concat/2
:- mode(line(+decimal, -atom), one).
line(P, S) :- atomic_list_concat(['EUR ', P], S).
% wrong: atom_concat
:- mode(line(+decimal, -atom), one).
line(P, S) :- atom_concat('EUR ', P, S).
% wrong: string_concat
:- mode(line(+decimal, -string), one).
line(P, S) :- string_concat(P, " EUR", S).
% wrong: write
:- mode(line(+decimal), one).
line(P) :- write(P), nl.
% wrong: writeln
:- mode(line(+decimal), one).
line(P) :- writeln(P).
% wrong: print
:- mode(line(+decimal), one).
line(P) :- print(P).
% wrong: with places
:- mode(line(+decimal(2), -string), one).
line(P, S) :- format(string(S), "~w EUR", [P]).
% wrong: a sum
:- mode(line(+decimal, +decimal, -string), one).
line(P, Q, S) :- T is P + Q, format(string(S), "~w", [T]).
% wrong: of another predicate
:- mode(price(+atom, -decimal(2)), zero_or_one).
price(tea, 5r2).
line(I, S) :- price(I, P), format(string(S), "~w", [P]).
% wrong: in a branch
:- mode(line(+decimal, -string), one).
line(P, S) :- ( P > 0 -> format(string(S), "~w", [P]) ; S = "free" ).
% wrong: in forall
:- mode(price(+atom, -decimal(2)), zero_or_one).
price(tea, 5r2).
all :- forall(price(I, P), format("~w: ~w~n", [I, P])).
% wrong: with a column
:- mode(line(+atom, +decimal), one).
line(N, P) :- format("~w~t~20|~w~n", [N, P]).
% wrong: format(atom)
:- mode(line(+decimal, -atom), one).
line(P, S) :- format(atom(S), "~w", [P]).
% wrong: an optional type
:- mode(line(+between(decimal, 0, 100), -string), one).
line(P, S) :- format(string(S), "~w", [P]).
% right: ~2f
:- mode(line(+decimal, -string), one).
line(P, S) :- format(string(S), "costs ~2f", [P]).
% right: a number
:- mode(line(+number, -string), one).
line(P, S) :- format(string(S), "costs ~w", [P]).
% right: the decimal is an output
:- mode(line(+decimal, -decimal), one).
line(P, P).
% right: the name
:- mode(line(+atom, +decimal, -string), one).
line(N, P, S) :- format(string(S), "~w ~2f", [N, P]).
% right: a text made before
:- mode(line(+decimal, -atom), one).
line(P, S) :- format(atom(T), "~2f", [P]), atomic_list_concat([T, 'EUR'], ' ', S).
% right: rounded to an integer
:- mode(line(+decimal, -string), one).
line(P, S) :- N is round(P), format(string(S), "~d", [N]).
% right: no decimal
:- mode(line(+integer, -atom), one).
line(P, S) :- atomic_list_concat([P, 'EUR'], ' ', S).
% right: an own write
:- mode(line(+decimal, -string), one).
line(P, S) :- shown(P, S).
shown(P, S) :- format(string(S), "~2f", [P]).
% right: a list of names
line(L, S) :- atomic_list_concat(L, ', ', S).
% right: writeln of a text
:- mode(line(+decimal), one).
line(P) :- format("~2f", [P]), writeln(" EUR").
% right: ~e
:- mode(line(+decimal), one).
line(P) :- format("~4e", [P]).
% right: ~g
:- mode(line(+decimal), one).
line(P) :- format("~g", [P]).
% right: a comparison
:- mode(line(+decimal, -atom), one).
line(P, S) :- ( P > 10 -> S = dear ; S = cheap ).
% right: ~d of cents
:- mode(line(+decimal, -string), one).
line(P, S) :- N is truncate(P * 100), format(string(S), "~2d", [N]).
% right: atoms
:- mode(line(+atom), one).
line(N) :- writeln(N).
% right: a float
:- mode(line(+float, -string), one).
line(P, S) :- format(string(S), "~w", [P]).
% right: a date
:- mode(line(+date, -string), one).
line(D, S) :- format(string(S), "~w", [D]).
% right: two predicates
:- mode(line(+decimal, -string), one).
line(P, S) :- Q is P * 2, format(string(S), "~1f", [Q]).
% right: nothing is shown
:- mode(ok(+decimal), zero_or_one).
ok(P) :- P >= 0.
% right: an error
:- mode(ok(+decimal), zero_or_one).
ok(P) :- ( P >= 0 -> true ; throw(error(negative(P), _)) ).
% right: a list of decimals
:- mode(line(+list(decimal)), one).
line(L) :- writeln(L).
% right: a pair of decimals in a format
:- mode(line(+pair(decimal, decimal), -string), one).
line(P, S) :- format(string(S), "~w", [P]).
% wrong: a decimal that may be missing
:- mode(line(+maybe(decimal)), one).
line(P) :- writeln(P).

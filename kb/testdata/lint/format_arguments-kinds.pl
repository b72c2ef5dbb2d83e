%% ~
% wrong: a name as an integer
p(X) :- item(X, K), format("~d~n", [K]).
item(tea, hot).
item(milk, cold).
% wrong: a float as an integer
p :- X is 3 / 2.0, format("~d~n", [X]).
% wrong: a name as a float
p(X) :- item(X, K), format("~2f~n", [K]).
item(tea, hot).
item(milk, cold).
% wrong: a list as a number
p :- findall(X, q(X), L), format("~d~n", [L]).
q(1).
% wrong: a constant
p :- format("~d items~n", [many]).
% wrong: a string as an integer
p :- format("~d~n", ["3"]).
% wrong: the arguments are exchanged
p(X) :- item(X, K), length([a], N), format("~w has ~d of ~2f~n", [N, K, 1.5]).
item(tea, hot).
item(milk, cold).
% wrong: an expression of a list as an atom
p :- format("~a~n", [[a, b]]).
% wrong: a compound as an atom
p :- format("~a~n", [f(x)]).
% wrong: the total of names
p :- findall(N, person(N), L), last(L, X), format("~1f", [X]).
person(ann).
person(bob).
% wrong: a column
p(X) :- item(X, K), format("~w~t~20|~d~n", [X, K]).
item(tea, hot).
item(milk, cold).
% wrong: format/3
p(S, X) :- item(X, K), format(string(S), "~e", [K]).
item(tea, hot).
item(milk, cold).
% wrong: format(atom)
p(A) :- format(atom(A), "~d", [3.5]).
% wrong: hexadecimal
p :- format("~16r~n", [ten]).
% wrong: a value of a table in a branch
p(X) :- ( item(X, K) -> format("~d", [K]) ; true ).
item(tea, hot).
item(milk, cold).
% wrong: in forall
p :- forall(item(X, K), format("~w: ~d~n", [X, K])).
item(tea, hot).
item(milk, cold).
% wrong: in a lambda
p :- maplist([X]>>format("~d~n", [X]), [a, b]).
% wrong: a date as an integer
p :- due(D), format("~d", [D]).
due(date(2026, 1, 2)).
% wrong: characters
p :- format("~s", [3]).
% wrong: a rounded number
p(X) :- number(X), Y is X * 1.0, format("~d", [Y]).
% right: an integer
p(X) :- item(X, N), format("~d~n", [N]).
item(tea, 3).
% right: ~w takes all
p(X) :- item(X, K), format("~w~n", [K]).
item(tea, hot).
% right: an expression
p(X) :- integer(X), format("~d~n", [X]).
% right: ~2f of an integer
p :- format("~2f~n", [3]).
% right: ~2f of an expression
p(X) :- format("~2f~n", [X / 3]).
% right: ~a of a string
p :- format("~a~n", ["ab"]).
% right: ~s of a list
p :- format("~s", [[0'a, 0'b]]).
% right: rounded
p(X) :- Y is round(X), format("~d", [Y]).
% right: truncated
p(X) :- Y is truncate(X * 100), format("~2d", [Y]).
% right: ~p
p(X) :- format("~p~n", [X]).
% right: ~q
p :- format("~q~n", ['A b']).
% right: a column
p(X) :- item(X, N), format("~w~t~20|~d~n", [X, N]).
item(tea, 3).
% right: ~* takes a number
p(N) :- format("~*c", [N, 0'x]).
% right: no list
p(X) :- format("~w~n", X).
% right: format/3
p(S, X) :- format(string(S), "~w", [X]).
% right: unknown values
p(X) :- format("~d~n", [X]).
% right: a tilde
p :- format("~~ ~w", [a]).
% right: in forall
p :- forall(item(X, N), format("~w: ~d~n", [X, N])).
item(tea, 3).
% right: ~i
p :- format("~i~w", [a, b]).
% right: ~g
p(X) :- Y is X * 1.5, format("~g", [Y]).
% right: pi
p :- format("~4f", [pi]).

% wrong: 1
p(X) :- format("~w ~w~n", [X]).

% wrong: 2
p(X) :- format("~w~n", [X, X]).

% wrong: 3
p(X) :- format('~q', []).

% wrong: 4
p(X) :- format(user_error, "~a", [X, X]).

% wrong: 5
p(X) :- format(atom(_), "~*c", [X]).

% wrong: 6
p(X) :- format("~W", [X]).

% wrong: 7
p(X) :- format("~`xt~w~10|~w", [X]).

% wrong: 8
p(X) :- with_output_to(string(_), format("~2f~e", [X])).

% wrong: 9
p(X) :- system:format("~d", []).

% wrong: 10
p(X) :- ( X > 1 -> format("~p~i", [X]) ; true ).

% wrong: 11
p(X) :- \+ format("no~~~w", []).

% wrong: 12
p(X) :- forall(member(Y, [X]), format("~w-~w", [Y])).

% right: 1
p(X) :- format("~w ~w~n", [X, X]).

% right: 2
p(X) :- format("~w~n", X).

% right: 3
p(X) :- format("none~n", []).

% right: 4
p(X) :- format("100~~", []).

% right: 5
p(X) :- format("~*c~w", [3, 0'x, X]).

% right: 6
p(X) :- format("~W", [X, []]).

% right: 7
p(X) :- format("~`xt~w~10|~w~t~20+", [X, X]).

% right: 8
p(X) :- format("~2f ~3e ~D", [X, X, X]).

% right: 9
p(X) :- format("~:d", [X]).

% right: 10
p(X) :- L = [X], format("~w ~w", L).

% right: 11
p(X) :- format("~w ~w", [X|_]).

% right: 12
p(X) :- F = "~w ~w", format(F, [X]).

% right: 13
p(X) :- format(user_error, "~a~n", [X]).

% right: 14
p(X) :- format("~s and ~c", [X, 65]).

% right: 15
p(X) :- format("~8|~w~30|~n", [X]).

% right: 16
p(X) :- format(string(_), "~q ~p ~i~w", [X, X, X, X]).

% right: 17
p(X) :- print_message_lines(user_error, [], ["~w ~w"-[X]]).

% right: a predicate of its own
format(_, _).
p(X) :- format("~w ~w", [X]).

% wrong: nothing for a
p :- format("is ~a", []).

% wrong: two for a
p(X) :- format("is ~a", [X, X]).

% right: one for a
p(X) :- format("is ~a", [X]).

% wrong: nothing for c
p :- format("is ~c", []).

% wrong: two for c
p(X) :- format("is ~c", [X, X]).

% right: one for c
p(X) :- format("is ~c", [X]).

% wrong: nothing for d
p :- format("is ~d", []).

% wrong: two for d
p(X) :- format("is ~d", [X, X]).

% right: one for d
p(X) :- format("is ~d", [X]).

% wrong: nothing for D
p :- format("is ~D", []).

% wrong: two for D
p(X) :- format("is ~D", [X, X]).

% right: one for D
p(X) :- format("is ~D", [X]).

% wrong: nothing for e
p :- format("is ~e", []).

% wrong: two for e
p(X) :- format("is ~e", [X, X]).

% right: one for e
p(X) :- format("is ~e", [X]).

% wrong: nothing for f
p :- format("is ~f", []).

% wrong: two for f
p(X) :- format("is ~f", [X, X]).

% right: one for f
p(X) :- format("is ~f", [X]).

% wrong: nothing for g
p :- format("is ~g", []).

% wrong: two for g
p(X) :- format("is ~g", [X, X]).

% right: one for g
p(X) :- format("is ~g", [X]).

% wrong: nothing for i
p :- format("is ~i", []).

% wrong: two for i
p(X) :- format("is ~i", [X, X]).

% right: one for i
p(X) :- format("is ~i", [X]).

% wrong: nothing for I
p :- format("is ~I", []).

% wrong: two for I
p(X) :- format("is ~I", [X, X]).

% right: one for I
p(X) :- format("is ~I", [X]).

% wrong: nothing for k
p :- format("is ~k", []).

% wrong: two for k
p(X) :- format("is ~k", [X, X]).

% right: one for k
p(X) :- format("is ~k", [X]).

% wrong: nothing for p
p :- format("is ~p", []).

% wrong: two for p
p(X) :- format("is ~p", [X, X]).

% right: one for p
p(X) :- format("is ~p", [X]).

% wrong: nothing for q
p :- format("is ~q", []).

% wrong: two for q
p(X) :- format("is ~q", [X, X]).

% right: one for q
p(X) :- format("is ~q", [X]).

% wrong: nothing for r
p :- format("is ~8r", []).

% wrong: two for r
p(X) :- format("is ~8r", [X, X]).

% right: one for r
p(X) :- format("is ~8r", [X]).

% wrong: nothing for R
p :- format("is ~8R", []).

% wrong: two for R
p(X) :- format("is ~8R", [X, X]).

% right: one for R
p(X) :- format("is ~8R", [X]).

% wrong: nothing for s
p :- format("is ~s", []).

% wrong: two for s
p(X) :- format("is ~s", [X, X]).

% right: one for s
p(X) :- format("is ~s", [X]).

% wrong: nothing for w
p :- format("is ~w", []).

% wrong: two for w
p(X) :- format("is ~w", [X, X]).

% right: one for w
p(X) :- format("is ~w", [X]).

% right: 2 of them
p(X) :- format("~w ~t~q~20|~w ~t~q~20|~n", [X, X, X, X]).

% right: 3 of them
p(X) :- format("~w ~t~q~20|~w ~t~q~20|~w ~t~q~20|~n", [X, X, X, X, X, X]).

% right: 4 of them
p(X) :- format("~w ~t~q~20|~w ~t~q~20|~w ~t~q~20|~w ~t~q~20|~n", [X, X, X, X, X, X, X, X]).

% right: 5 of them
p(X) :- format("~w ~t~q~20|~w ~t~q~20|~w ~t~q~20|~w ~t~q~20|~w ~t~q~20|~n", [X, X, X, X, X, X, X, X, X, X]).

% right: 6 of them
p(X) :- format("~w ~t~q~20|~w ~t~q~20|~w ~t~q~20|~w ~t~q~20|~w ~t~q~20|~w ~t~q~20|~n", [X, X, X, X, X, X, X, X, X, X, X, X]).

% right: 7 of them
p(X) :- format("~w ~t~q~20|~w ~t~q~20|~w ~t~q~20|~w ~t~q~20|~w ~t~q~20|~w ~t~q~20|~w ~t~q~20|~n", [X, X, X, X, X, X, X, X, X, X, X, X, X, X]).

% right: 8 of them
p(X) :- format("~w ~t~q~20|~w ~t~q~20|~w ~t~q~20|~w ~t~q~20|~w ~t~q~20|~w ~t~q~20|~w ~t~q~20|~w ~t~q~20|~n", [X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X]).
% wrong: an atom for ~d
p(N) :- name(N), format("~d~n", [N]).
name(ann).
% wrong: a float for ~d
p(X) :- Y is X * 2.0, format("~d~n", [Y]).
% wrong: a string for ~a is right, a compound is not
p :- format("~a", [f(x)]).
% wrong: a name for ~2f
p(N) :- name(N), format("~w costs ~2f", [N, N]).
name(ann).
% wrong: a text as the place
p(X, Y) :- format("~w ~w~n", X, Y).
% wrong: a number for ~s
p(X) :- Y is X + 1, format("~s", [Y]).
% right: an expression for ~d
p(X) :- format("~d~n", [X + 1]).
% right: a division may be an integer
p(X) :- Y is X / 2, format("~d~n", [Y]).
% right: an atom for ~s
p :- format("~s", [abc]).
% right: pi
p :- format("~4f", [pi]).
% right: a number for ~a
p(X) :- Y is X + 1, format("~a", [Y]).
% right: an integer for ~2f
p(N) :- age(N, A), format("~2f", [A]).
age(ann, 20).
% right: a test says that it is one
p(N) :- name(N), integer(N), format("~d", [N]).
name(ann).
name(7).
% wrong: the separators come before the text
fields(L, F) :- split_string(",", L, " ", F).
% wrong: the length comes before the text
code(C) :- atom_length(8, C).
% wrong: a part of length zero
country(I, C) :- sub_atom(I, C, 0, 2, _).
% right: the text comes before the separators
fields(L, F) :- split_string(L, ",", " ", F).
% right: a text of separators
empty(F) :- split_string("a,b", ",", "", F).
% right: the length behind the text
code(C) :- atom_length(C, 8).
% right: the first two characters
country(I, C) :- sub_atom(I, 0, 2, _, C).
% wrong: pairs are summed
total(T) :- findall(N-S, score(N, S), L), sum_list(L, T).
score(ann, 3).
% wrong: the greatest of pairs as numbers
best(X) :- findall(S-N, score(N, S), L), max_list(L, X).
score(ann, 3).
% wrong: names are summed
sum_names(T) :- findall(N, score(N, _), L), sum_list(L, T).
score(ann, 3).
% wrong: what is sorted by keys has none
rank(L) :- findall(S, score(_, S), Ss), keysort(Ss, L).
score(ann, 3).
% wrong: the values of no pairs
values(Vs) :- findall(N, score(N, _), L), pairs_values(L, Vs).
score(ann, 3).
% wrong: pairs are joined as texts
names(A) :- findall(N-S, score(N, S), L), atomic_list_concat(L, ', ', A).
score(ann, 3).
% wrong: a list is compared with a number
over(C) :- findall(A, order(C, A), L), L > 100.
order(ann, 60).
% wrong: a list is divided
mean(L, A) :- length(L, N), A is L / N.
% right: pairs are sorted by keys
rank(L) :- findall(S-N, score(N, S), Ns), keysort(Ns, L).
score(ann, 3).
% right: values of pairs are summed
total(T) :- findall(N-S, score(N, S), L), pairs_values(L, Vs), sum_list(Vs, T).
score(ann, 3).
% right: expressions are summed
total(T) :- findall(P * Q, item(P, Q), L), sum_list(L, T).
item(2, 3).
% right: the greatest of pairs in the order of terms
best(N) :- findall(S-A, score(A, S), L), max_member(_-N, L).
score(ann, 3).
% right: an empty list is summed
zero(T) :- findall(X, none(X), L), sum_list(L, T).
none(X) :- X = 1, fail.
% wrong: the separators first
words(T, L) :- split_string(" ", T, "", L).
% wrong: a comma first
fields(T, L) :- split_string(",", T, " ", L).
% wrong: atom_length
long(N) :- atom_length(3, N), N > 1.
% wrong: string_length
long(N) :- string_length(10, N).
% wrong: the length first
p(A, L) :- sub_atom(A, _, 0, _, L).
% wrong: the prefix
starts(A, P) :- sub_atom(A, B, 0, _, P), B > 0.
% wrong: a string's part
part(S, P) :- sub_string(S, _, 0, _, P).
% wrong: split at a semicolon
parts(T, L) :- split_string(";", T, "", L), length(L, 2).
% wrong: split at a line
lines(T, L) :- split_string("\n", T, "\r", L).
% wrong: in findall
all(L) :- findall(P, ( line(T), split_string(",", T, "", P) ), L).
line("a,b").
% wrong: in a condition
ok(T) :- ( split_string("@", T, "", [_, _]) -> true ; fail ).
% wrong: append of an element
add(X, L) :- append([a], b, L), X = L.
% right: the text first
words(T, L) :- split_string(T, " ", "", L).
% right: atom_length
long(A) :- atom_length(A, N), N > 3.
% wrong: an element is appended
add(X, L0, L) :- item(X, N), append(L0, N, L).
item(tea, 3).
% right: a list of one is appended
add(X, L0, L) :- item(X, N), append(L0, [N], L).
item(tea, 3).
% right: an unknown tail
add(L0, T, L) :- append(L0, T, L).
% right: the empty list
same(L0, L) :- append(L0, [], L).
% right: a list from facts
add(X, L0, L) :- item(X, N), append(L0, N, L).
item(tea, [1, 2]).
% right: a part of a given length
start(A, P) :- sub_atom(A, 0, 3, _, P).
% right: where the text begins
at(A, B) :- sub_atom(A, B, 1, _, x).

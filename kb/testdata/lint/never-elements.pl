%% each element of the list is
% wrong: a text of a tool among names
:- mode(open_to(+string), zero_or_one).
open_to(C) :- memberchk(C, [fr, de]).
% wrong: a text of a tool among names of facts
:- mode(open_to(+string, -atom), zero_or_one).
open_to(C, Z) :- findall(X, zone(X, _), Xs), memberchk(C, Xs), zone(_, Z).
zone(fr, eu).
zone(us, other).
% wrong: a number of a tool among names
:- mode(open_to(+integer), zero_or_one).
open_to(C) :- memberchk(C, [one, two]).
% wrong: a name of a fact among strings
warm(X) :- colour(X, C), memberchk(C, ["red", "orange"]).
colour(a, red).
colour(b, blue).
% wrong: member/2 with a name and strings
warm(X) :- colour(X, C), member(C, ["red", "orange"]).
colour(a, red).
colour(b, blue).
% wrong: a number of a fact among names
small(X) :- size(X, S), memberchk(S, [tiny, small]).
size(a, 3).
size(b, 4).
% wrong: in a negation
dark(X) :- colour(X, C), \+ memberchk(C, ["white", "yellow"]).
colour(a, black).
colour(b, white).
% wrong: in a condition
price(X, P) :- colour(X, C), ( memberchk(C, ["gold"]) -> P = 9 ; P = 1 ).
colour(a, gold).
colour(b, white).
% wrong: a pair among names
seen(X) :- findall(C, colour(_, C), Cs), memberchk(X-1, Cs).
colour(a, red).
% wrong: a name among pairs
rate(X, C) :- colour(X, C), memberchk(C, [red-1, blue-2]).
colour(a, red).
colour(b, blue).
% wrong: a result of arithmetic among names
level(X) :- size(X, S), L is S // 10, memberchk(L, [low, high]).
size(a, 30).
% wrong: a lowered text among names
known(T) :- string_lower(T, L), memberchk(L, [fr, de]).
% wrong: the length of a list among strings
short(Xs) :- length(Xs, N), memberchk(N, ["1", "2"]).
% wrong: a part of a text among names
domain(T) :- split_string(T, "@", "", Parts), member(org, Parts), T \== "".
% wrong: an upper name among strings
code(T) :- upcase_atom(T, U), memberchk(U, ["FR", "DE"]).
% wrong: a tested integer among strings
small(X) :- integer(X), memberchk(X, ["1", "2"]).
% wrong: a tested atom among numbers
one(X) :- atom(X), memberchk(X, [1, 2]).
% wrong: values of a rule among strings
warm(X) :- shade(X, C), memberchk(C, ["red"]).
shade(X, C) :- colour(X, C).
shade(_, grey).
colour(a, red).
% wrong: a name among the numbers of facts
big(X) :- findall(S, size(_, S), Sizes), colour(X, C), memberchk(C, Sizes).
size(a, 3).
colour(a, red).
% wrong: a number bound before among names
first(X) :- X = 1, memberchk(X, [one, two]).
% wrong: a sorted list of names
in(X) :- findall(C, colour(_, C), Cs), sort(Cs, Sorted), size(X, S), memberchk(S, Sorted).
colour(a, red).
size(a, 3).
% right: a name of a tool among names
:- mode(open_to(+atom), zero_or_one).
open_to(C) :- memberchk(C, [fr, de]).
% right: a text of a tool among strings
:- mode(open_to(+string), zero_or_one).
open_to(C) :- memberchk(C, ["fr", "de"]).
% right: a text of a tool made a name
:- mode(open_to(+string), zero_or_one).
open_to(T) :- atom_string(C, T), memberchk(C, [fr, de]).
% right: a name that no fact has today
warm(X) :- colour(X, C), memberchk(C, [red, orange]).
colour(a, green).
colour(b, blue).
% right: names and strings mixed
warm(X) :- colour(X, C), memberchk(C, ["red", red]).
colour(a, red).
colour(b, blue).
% right: facts of both kinds
warm(X) :- colour(X, C), memberchk(C, ["red"]).
colour(a, red).
colour(b, "blue").
% right: a dynamic predicate
:- dynamic(colour/2).
warm(X) :- colour(X, C), memberchk(C, ["red"]).
colour(a, red).
% right: a list of an argument
warm(X, Cs) :- colour(X, C), memberchk(C, Cs).
colour(a, red).
% right: a pair with an open part
rate(X, R) :- colour(X, C), memberchk(C-R, [red-1, blue-2]).
colour(a, red).
colour(b, blue).
% right: a list with a variable
same(X, Y) :- colour(X, C), memberchk(C, ["red", Y]).
colour(a, red).
% right: a partial list
in(X, T) :- colour(X, C), memberchk(C, ["red"|T]).
colour(a, red).
% right: a number among numbers of another kind
small(X) :- size(X, S), memberchk(S, [1.0, 2.0, 3]).
size(a, 3).
% right: a result among numbers
level(X) :- size(X, S), L is S // 10, memberchk(L, [1, 2, 3]).
size(a, 30).
% right: a lowered text among strings
known(T) :- string_lower(T, L), memberchk(L, ["fr", "de"]).
% right: parts of a text
domain(T) :- split_string(T, "@", "", Parts), member("org", Parts).
% right: elements that the search binds
pick(X) :- member(X, [a, 1, "b"]), atom(X).
% right: names of two rules
warm(X) :- shade(X, C), memberchk(C, [red]).
shade(X, C) :- colour(X, C).
shade(_, "grey").
colour(a, red).
% right: collected pairs
seen(X) :- findall(C-N, colour(N, C), Cs), memberchk(red-X, Cs).
colour(a, red).
% right: a predicate of its own with that name
memberchk(X, Y) :- own(X, Y).
own(a, [1, 2]).
one(X) :- atom(X), memberchk(X, [1, 2]).
% right: the table of a decision
band(X, B) :- size(X, S), member(From-To-B, [0-9-low, 10-99-high]), S >= From, S =< To.
size(a, 30).

% FEEL, the language of decision tables: what the cells and expressions of tables become is evaluated here. A value is a
% number (an integer or a rational), a text (a string or an atom), true, false, null, a date, time, datetime or duration,
% a list, a context {Name-Value, ...} or a range. An expression has the operators of Prolog; what cannot be is null.
:- module(feel, [feel/2, feel/3, feel_in/2, decision_hits/3]).

% feel(+Expression, -Value): the value of an expression of FEEL, null where it has none.
feel(E, V) :- value(E, X), !, V = X.
feel(_, null).

% feel_in(+Value, +Tests): one of the tests of a cell of a decision table holds for the value.
feel_in(X, Tests) :- member(T, Tests), test(T, X), !.

% feel(+Text, +Bindings, -Value): the value of a text of FEEL, in which the names in the list Name-Value stand for values.
% A text `?: Cell` is the cell of a decision table; the last name is that of the input.
feel(Text, Bindings, Value) :-
    pairs_keys_values(Bindings, Names, Values),
    '$feel'(Text, Names, Vars, E),
    ( append(Values, [X], Vars) -> append(_, [_-X], Bindings) ; Vars = Values ),
    feel(E, Value).

% decision_hits(+Policy, +Hits, -Result): the result of a decision table from the outputs of the rows that hold.
decision_hits(Policy, Hits, Result) :- hits(Policy, Hits, R), !, Result = R.

hits(unique, [X], R) :- !, R = X.
hits(unique, _, null).
hits(any, [X|Xs], R) :- \+ ( member(Y, Xs), \+ equal(X, Y, true) ), !, R = X.
hits(any, _, null).
hits(first, [X|_], R) :- !, R = X.
hits(first, [], null).
hits(rule_order, Xs, Xs).
hits(list, Xs, Xs).
hits(count, Xs, N) :- length(Xs, N).
hits(sum, Xs, R) :- function(sum, [Xs], R), !.
hits(min, Xs, R) :- function(min, [Xs], R), !.
hits(max, Xs, R) :- function(max, [Xs], R), !.
hits(output_order(Orders), Xs, Rs) :-
    findall(Ranks-X, ( member(X, Xs), ranks(Orders, X, Ranks) ), Pairs),
    keysort(Pairs, Sorted),
    pairs_values(Sorted, Rs).
hits(priority(Orders), Xs, R) :- hits(output_order(Orders), Xs, [R|_]), !.
hits(_, _, null).

% Orders has for each output Name-Values: its place in the result, and its values by priority.
ranks([], _, []).
ranks([Name-Values|Orders], X, [Rank|Ranks]) :-
    ( part(Name, X, V), nth0(I, Values, W), equal(V, W, true) -> Rank = I ; length(Values, Rank) ),
    ranks(Orders, X, Ranks).

part('', X, X) :- !.
part(N, X, V) :- integer(N), !, arg(N, X, V).
part(Name, X, V) :- get(X, Name, V).

% value(+Expression, -Value): fails where the value is null.
value(X, X) :- atomic(X), !.
value(if(C, A, B), V) :- !, ( feel(C, true) -> value(A, V) ; value(B, V) ).
value(and(A, B), V) :- !, feel(A, X), and(X, B, V).
value(or(A, B), V) :- !, feel(A, X), or(X, B, V).
value(A = B, V) :- !, feel(A, X), feel(B, Y), equal(X, Y, V).
value(A \= B, V) :- !, feel(A, X), feel(B, Y), equal(X, Y, E), negated(E, V).
value(A < B, V) :- !, compared(<, A, B, V).
value(A =< B, V) :- !, compared(=<, A, B, V).
value(A > B, V) :- !, compared(>, A, B, V).
value(A >= B, V) :- !, compared(>=, A, B, V).
value(A + B, V) :- !, value(A, X), value(B, Y), plus(X, Y, V).
value(A - B, V) :- !, value(A, X), value(B, Y), minus(X, Y, V).
value(A * B, V) :- !, value(A, X), value(B, Y), times(X, Y, V).
value(A / B, V) :- !, value(A, X), value(B, Y), divided(X, Y, V).
value(A ** B, V) :- !, value(A, X), value(B, Y), power(X, Y, V).
value(-(A), V) :- !, value(A, X), minus(0, X, V).
value(in(A, Tests), V) :- !, feel(A, X), ( feel_in(X, Tests) -> V = true ; V = false ).
value(get(A, Name), V) :- !, value(A, X), get(X, Name, V).
value(member(Item, Name, Else), V) :- !, ( get(Item, Name, X) -> V = X ; V = Else ).
value(filter(L, Item, C), V) :- !, value(L, X), listed(X, Xs), filtered(C, Item, Xs, V).
value(for(Pairs, E), Vs) :- !, ranged(Pairs, Ready), findall(V, ( each(Ready), feel(E, V) ), Vs).
value(some(Pairs, C), V) :- !, ranged(Pairs, Ready), findall(X, ( each(Ready), feel(C, X) ), Xs), any(Xs, V).
value(every(Pairs, C), V) :- !, ranged(Pairs, Ready), findall(X, ( each(Ready), feel(C, X) ), Xs), all(Xs, V).
value(context(Entries), V) :- !, entries(Entries, Pairs), context(Pairs, V).
value(range(A, K, B, L), range(X, K, Y, L)) :- !, end(A, X), end(B, Y).
value(invoke(P, Args), V) :- !, values(Args, Xs), append(Xs, [V], All), Goal =.. [P|All], call(user:Goal), V \== null.
value(apply(F, Args), V) :- !, value(F, function(Vars, E)), values(Args, Vars), value(E, V).
value(call(not, [A]), V) :- !, value(A, X), negated(X, V).
value(call(F, Args), V) :- !, values(Args, Xs), function(F, Xs, V).
value([X|Xs], Vs) :- !, values([X|Xs], Vs).
value(X, X).

values([], []).
values([E|Es], [V|Vs]) :- feel(E, V), values(Es, Vs).

end(inf, inf) :- !.
end(E, V) :- value(E, V).

entries([], []).
entries([entry(Name, V, E)|Es], [Name-V|Pairs]) :- feel(E, V), entries(Es, Pairs).

context([], {}) :- !.
context([P|Ps], {C}) :- curly(Ps, P, C).

curly([], P, P).
curly([Q|Qs], P, (P, C)) :- curly(Qs, Q, C).

get({C}, Name, V) :- !, pair(C, Name, V), V \== null.
get([X|Xs], Name, Vs) :- !, findall(V, ( member(Y, [X|Xs]), ( get(Y, Name, W) -> V = W ; V = null ) ), Vs).
get(date(Y, M, D), Name, V) :- property(Name, [year-Y, month-M, day-D], V).
get(time(H, M, S), Name, V) :- property(Name, [hour-H, minute-M, second-S], V).
get(datetime(Y, M, D, H, Mi, S), Name, V) :-
    property(Name, [year-Y, month-M, day-D, hour-H, minute-Mi, second-S], V).
get(duration(0, 0), Name, 0) :- !, memberchk(Name, [days, hours, minutes, seconds, years, months]).
get(duration(_, N), Name, V) :- N =\= 0, !, Y is N // 12, M is N rem 12, property(Name, [years-Y, months-M], V).
get(duration(S, 0), Name, V) :-
    D is truncate(S rdiv 86400), H is truncate((S - D*86400) rdiv 3600), M is truncate((S - D*86400 - H*3600) rdiv 60),
    R is S - D*86400 - H*3600 - M*60,
    property(Name, [days-D, hours-H, minutes-M, seconds-R], V).
get(range(A, K, B, L), Name, V) :-
    property(Name, [start-A, 'start included'-K, end-B, 'end included'-L], X),
    ( X == closed -> V = true ; X == open -> V = false ; X \== inf, V = X ).

property(Name, Pairs, V) :- memberchk(Name-V, Pairs).

pair((P, Ps), Name, V) :- !, ( P = (Name-X) -> V = X ; pair(Ps, Name, V) ).
pair(Name-V, Name, V).

% Numbers, texts, and what is compared with what.
kind(X, number) :- number(X), !.
kind(X, boolean) :- ( X == true ; X == false ), !.
kind(null, _) :- !, fail.
kind([], list) :- !.
kind(X, text) :- ( string(X) ; atom(X), X \== {} ), !.
kind(X, F) :- compound(X), functor(X, F, _).

texts(X, Y) :- kind(X, text), kind(Y, text).

equal(X, Y, true) :- X == Y, !.
equal(null, _, false) :- !.
equal(_, null, false) :- !.
equal(X, Y, V) :- number(X), number(Y), !, ( X =:= Y -> V = true ; V = false ).
equal(X, Y, V) :- texts(X, Y), !, ( atom_string(X, T), atom_string(Y, T) -> V = true ; V = false ).
equal({A}, {B}, V) :- !, ( same_entries(A, B), same_entries(B, A) -> V = true ; V = false ).
equal([X|Xs], [Y|Ys], V) :- !, ( equal(X, Y, true) -> equal(Xs, Ys, V) ; V = false ).
equal(X, Y, false) :- kind(X, K), kind(Y, K), !.
equal([_|_], [], false).
equal([], [_|_], false).

same_entries(A, B) :- \+ ( entry(A, Name, V), \+ ( pair(B, Name, W), equal(V, W, true) ) ).

entry((P, Ps), Name, V) :- !, ( P = (Name-V) ; entry(Ps, Name, V) ).
entry(Name-V, Name, V).

compared(Op, A, B, V) :- value(A, X), value(B, Y), order(O, X, Y), ( holds(Op, O) -> V = true ; V = false ).

order(O, X, Y) :- number(X), number(Y), !, compare_numbers(O, X, Y).
order(O, X, Y) :- texts(X, Y), !, atom_string(X, S), atom_string(Y, T), compare(O, S, T).
order(O, X, Y) :- kind(X, K), kind(Y, K), memberchk(K, [date, time, datetime, duration]), compare(O, X, Y).

compare_numbers(O, X, Y) :- ( X < Y -> O = (<) ; X > Y -> O = (>) ; O = (=) ).

holds(<, <).
holds(=<, <).
holds(=<, =).
holds(>, >).
holds(>=, >).
holds(>=, =).

negated(true, false).
negated(false, true).

and(false, _, false) :- !.
and(X, E, V) :- feel(E, Y), ( Y == false -> V = false ; X == true, Y == true, V = true ).

or(true, _, true) :- !.
or(X, E, V) :- feel(E, Y), ( Y == true -> V = true ; X == false, Y == false, V = false ).

any(Xs, V) :- ( memberchk(true, Xs) -> V = true ; \+ ( member(X, Xs), X \== false ), V = false ).
all(Xs, V) :- ( memberchk(false, Xs) -> V = false ; \+ ( member(X, Xs), X \== true ), V = true ).

% Arithmetic. Texts are joined, dates and durations are added.
plus(X, Y, V) :- number(X), number(Y), !, V is X + Y.
plus(X, Y, V) :- texts(X, Y), !, string_concat(X, Y, S), ( atom(X), atom(Y) -> atom_string(V, S) ; V = S ).
plus(duration(S, M), duration(T, N), duration(U, O)) :- !, U is S + T, O is M + N.
plus(duration(S, M), X, V) :- !, plus(X, duration(S, M), V).
plus(X, duration(S, M), V) :- moved(X, S, M, V).

minus(X, Y, V) :- number(X), number(Y), !, V is X - Y.
minus(0, duration(S, M), duration(T, N)) :- !, T is -S, N is -M.
minus(X, duration(S, M), V) :- !, minus(0, duration(S, M), D), plus(X, D, V).
minus(X, Y, duration(S, 0)) :- seconds(X, A), seconds(Y, B), kind(X, K), kind(Y, L), timed(K, L), S is A - B.

timed(K, K) :- !.
timed(date, datetime).
timed(datetime, date).

times(X, Y, V) :- number(X), number(Y), !, V is X * Y.
times(X, duration(S, M), V) :- number(X), !, times(duration(S, M), X, V).
times(duration(S, 0), X, duration(T, 0)) :- number(X), !, T is S * X.
times(duration(_, M), X, V) :- number(X), N is truncate(M * X), months(N, V).

divided(X, Y, V) :- number(X), number(Y), !, Y =\= 0, V is X rdiv Y.
divided(duration(S, 0), duration(T, 0), V) :- !, T =\= 0, V is S rdiv T.
divided(duration(_, M), duration(_, N), V) :- !, N =\= 0, V is M rdiv N.
divided(D, X, V) :- number(X), X =\= 0, Y is 1 rdiv X, times(D, Y, V).

power(X, N, V) :- number(X), integer(N), N >= 0, !, V is X ** N.
power(X, N, V) :- number(X), integer(N), !, X =\= 0, P is -N, V is 1 rdiv (X ** P).
power(X, Y, V) :- number(X), number(Y), X > 0, V is rationalize(float(X) ** float(Y)).

months(N, duration(S, N)) :- S is N * 2629746.

% moved(+Date, +Seconds, +Months, -Later)
moved(date(Y, M, D), S, N, date(Y2, M2, D2)) :-
    shifted(Y, M, D, N, Y1, M1, D1),
    R is S - N*2629746,
    day_number(Y1, M1, D1, Day), Day2 is Day + floor(R rdiv 86400),
    day_date(Day2, Y2, M2, D2).
moved(datetime(Y, M, D, H, Mi, Sec), S, N, datetime(Y2, M2, D2, H2, Mi2, S2)) :-
    shifted(Y, M, D, N, Y1, M1, D1),
    day_number(Y1, M1, D1, Day),
    T is Day*86400 + H*3600 + Mi*60 + Sec + S - N*2629746,
    Day2 is floor(T rdiv 86400), clock(T - Day2*86400, H2, Mi2, S2),
    day_date(Day2, Y2, M2, D2).
moved(time(H, M, S), T, 0, time(H2, M2, S2)) :-
    U is H*3600 + M*60 + S + T, Days is floor(U rdiv 86400), clock(U - Days*86400, H2, M2, S2).

clock(E, H, M, S) :- T is E, H is floor(T rdiv 3600), M is floor((T - H*3600) rdiv 60), S is T - H*3600 - M*60.

shifted(Y, M, D, N, Y2, M2, D2) :-
    T is Y*12 + M - 1 + N, Y2 is T div 12, M2 is T mod 12 + 1,
    days_in_month(Y2, M2, Most), D2 is min(D, Most).

days_in_month(Y, M, D) :-
    T is Y*12 + M, Y2 is T div 12, M2 is T mod 12 + 1,
    day_number(Y, M, 1, A), day_number(Y2, M2, 1, B), D is B - A.

% The number of a day, from 0000-03-01 on, and back: the Gregorian calendar.
day_number(Y, M, D, N) :-
    Y1 is Y - (14 - M) // 12 + 1 - 1, M1 is (M + 9) mod 12,
    N is 365*Y1 + Y1 div 4 - Y1 div 100 + Y1 div 400 + (M1*306 + 5) div 10 + D - 1.

day_date(N, Y, M, D) :-
    Y0 is (10000*N + 14780) div 3652425,
    D0 is N - (365*Y0 + Y0 div 4 - Y0 div 100 + Y0 div 400),
    ( D0 < 0 -> Y1 is Y0 - 1, D1 is N - (365*Y1 + Y1 div 4 - Y1 div 100 + Y1 div 400) ; Y1 = Y0, D1 = D0 ),
    Mi is (100*D1 + 52) div 3060,
    M is (Mi + 2) mod 12 + 1,
    Y is Y1 + (Mi + 2) div 12,
    D is D1 - (Mi*306 + 5) div 10 + 1,
    Y >= 1, Y =< 9999.

seconds(date(Y, M, D), S) :- day_number(Y, M, D, N), S is N*86400.
seconds(datetime(Y, M, D, H, Mi, Sec), S) :- day_number(Y, M, D, N), S is N*86400 + H*3600 + Mi*60 + Sec.
seconds(time(H, M, Sec), S) :- S is H*3600 + M*60 + Sec.

% Tests of cells.
test(range(A, K, B, L), X) :- !, above(A, K, X), above(B, L, X, down).
test(holds(E), _) :- !, value(E, true).
test(is(E), X) :- !, feel(E, V), matches(V, X).
test(V, X) :- matches(V, X).

matches(range(A, K, B, L), X) :- !, test(range(A, K, B, L), X).
matches(V, X) :- equal(V, X, true), !.
matches(V, X) :- is_list(V), !, member(Y, V), matches(Y, X), !.
matches(V, X) :- is_list(X), !, member(Y, X), equal(V, Y, true), !.
matches(true, X) :- \+ kind(X, boolean), X \== null.

above(inf, _, _) :- !.
above(E, K, X) :- value(E, V), order(O, V, X), within(K, O, <).
above(inf, _, _, down) :- !.
above(E, K, X, down) :- value(E, V), order(O, V, X), within(K, O, >).

within(_, O, O) :- !.
within(closed, =, _).

% Lists: what is none is a list of one item.
listed([], []) :- !.
listed([X|Xs], [X|Xs]) :- !.
listed(null, []) :- !.
listed(X, [X]).

filtered(C, _, Xs, V) :- number(C), !, at(C, Xs, V).
filtered(C, Item, Xs, Vs) :-
    findall(X, ( member(X, Xs), \+ \+ ( Item = X, feel(C, true) ) ), Found),
    ( Found == [], Xs = [First|_], \+ \+ ( Item = First, value(C, N), number(N) ) ->
        copy_term(C-Item, D-First), value(D, N), at(N, Xs, Vs)
    ;   Vs = Found ).

at(I, Xs, V) :- I > 0, nth1(I, Xs, V), V \== null.
at(I, Xs, V) :- I < 0, length(Xs, N), J is N + I, nth0(J, Xs, V), V \== null.

ranged([], []).
ranged([X-to(A, B)|Pairs], [X-to(A, B)|Ready]) :- !, ranged(Pairs, Ready).
ranged([X-E|Pairs], [X-E|Ready]) :- ranged(Pairs, Ready).

each([]).
each([X-E|Pairs]) :- items(E, Xs), member(X, Xs), each(Pairs).

items(to(A, B), Xs) :- !, value(A, X), value(B, Y), integer(X), integer(Y), numbers(X, Y, Xs).
items(E, Xs) :- value(E, V), ( V = range(A, closed, B, closed) -> items(to(A, B), Xs) ; listed(V, Xs) ).

numbers(X, Y, Xs) :- ( X =< Y -> numlist(X, Y, Xs) ; numlist(Y, X, Ys), reverse(Ys, Xs) ).

% Functions. A list may be given as several arguments where a function takes one list.
function(F, Xs, V) :- builtin(F, Xs, V), !.
function(F, Xs, V) :- Xs = [_, _|_], memberchk(F, [count, min, max, sum, product, mean, median, all, any]), builtin(F, [Xs], V).
function(F, [X], V) :- \+ is_list(X), X \== null, memberchk(F, [count, min, max, sum, product, mean, median, all, any]),
    builtin(F, [[X]], V).

builtin(string, [X], S) :- X \== null, shown(X, S).
builtin(number, [X|More], N) :- kind(X, text), separated(More, X, Y), '$feel_value'(decimal, Y, N).
builtin(count, [Xs], N) :- is_list(Xs), length(Xs, N).
builtin(sum, [[X|Xs]], V) :- foldl(add, Xs, X, V), number_or_duration(V).
builtin(product, [[X|Xs]], V) :- foldl([Y, A, B]>>times(A, Y, B), Xs, X, V), number(V).
builtin(min, [[X|Xs]], V) :- foldl(least(<), Xs, X, V), order(_, V, V).
builtin(max, [[X|Xs]], V) :- foldl(least(>), Xs, X, V), order(_, V, V).
builtin(mean, [Xs], V) :- builtin(sum, [Xs], S), length(Xs, N), divided(S, N, V).
builtin(median, [Xs], V) :-
    Xs = [_|_], maplist(number, Xs), msort(Xs, Ys), length(Ys, N), I is (N-1) // 2, J is N // 2,
    nth0(I, Ys, A), nth0(J, Ys, B), V is (A + B) rdiv 2.
builtin(all, [Xs], V) :- is_list(Xs), all(Xs, V).
builtin(any, [Xs], V) :- is_list(Xs), any(Xs, V).
builtin('list contains', [Xs, X], V) :- is_list(Xs), ( member(Y, Xs), equal(Y, X, true) -> V = true ; V = false ).
builtin(append, [Xs|Ys], V) :- listed(Xs, Zs), append(Zs, Ys, V).
builtin(concatenate, Xss, V) :- maplist(listed, Xss, Yss), append(Yss, V).
builtin(reverse, [Xs], V) :- is_list(Xs), reverse(Xs, V).
builtin(flatten, [Xs], V) :- is_list(Xs), flatten(Xs, V).
builtin('distinct values', [Xs], V) :- is_list(Xs), distinct(Xs, [], V).
builtin(union, Xss, V) :- builtin(concatenate, Xss, Xs), distinct(Xs, [], V).
builtin('index of', [Xs, X], V) :- is_list(Xs), findall(I, ( nth1(I, Xs, Y), equal(X, Y, true) ), V).
builtin('insert before', [Xs, I, X], V) :- position(I, Xs, J), length(Front, J), append(Front, Back, Xs), append(Front, [X|Back], V).
builtin(remove, [Xs, I], V) :- position(I, Xs, J), nth0(J, Xs, _, V).
builtin(sublist, [Xs, I], V) :- position(I, Xs, J), length(Front, J), append(Front, V, Xs).
builtin(sublist, [Xs, I, N], V) :- builtin(sublist, [Xs, I], Ys), integer(N), N >= 0, length(V, N), append(V, _, Ys).
builtin('string length', [X], N) :- kind(X, text), string_length(X, N).
builtin('upper case', [X], V) :- kind(X, text), string_upper(X, V).
builtin('lower case', [X], V) :- kind(X, text), string_lower(X, V).
builtin(contains, [X, Y], V) :- texts(X, Y), ( sub_string(X, _, _, _, Y) -> V = true ; V = false ).
builtin('starts with', [X, Y], V) :- texts(X, Y), ( string_concat(Y, _, X) -> V = true ; V = false ).
builtin('ends with', [X, Y], V) :- texts(X, Y), ( string_concat(_, Y, X) -> V = true ; V = false ).
builtin('substring before', [X, Y], V) :- texts(X, Y), ( sub_string(X, B, _, _, Y) -> sub_string(X, 0, B, _, V) ; V = "" ).
builtin('substring after', [X, Y], V) :- texts(X, Y), ( sub_string(X, _, _, A, Y) -> sub_string(X, _, A, 0, V) ; V = "" ).
builtin(substring, [X, I|More], V) :-
    kind(X, text), string_chars(X, Cs), Cs = [_|_], position(I, Cs, J),
    ( More = [N], N \== null -> integer(N), N > 0 ; length(Cs, N) ),
    length(Cs, L), K is min(N, L - J), sub_string(X, J, K, _, V).
builtin('string join', [Xs|More], V) :-
    is_list(Xs), exclude(==(null), Xs, Ys), maplist([Y]>>kind(Y, text), Ys),
    ( More = [D], D \== null -> kind(D, text) ; D = "" ), atomic_list_concat(Ys, D, A), atom_string(A, V).
builtin(decimal, [N, S], V) :- rounded(half_even, N, S, V).
builtin('round half up', [N, S], V) :- rounded(half_up, N, S, V).
builtin('round half down', [N, S], V) :- rounded(half_down, N, S, V).
builtin('round up', [N, S], V) :- rounded(up, N, S, V).
builtin('round down', [N, S], V) :- rounded(down, N, S, V).
builtin(floor, [N|S], V) :- scaled(S, P), rounded(floor, N, P, V).
builtin(ceiling, [N|S], V) :- scaled(S, P), rounded(ceiling, N, P, V).
builtin(abs, [X], V) :- ( number(X) -> V is abs(X) ; X = duration(S, M), ( S < 0 -> minus(0, duration(S, M), V) ; V = X ) ).
builtin(modulo, [X, Y], V) :- number(X), number(Y), Y =\= 0, V is X - Y * floor(X rdiv Y).
builtin(sqrt, [X], V) :- number(X), X >= 0, root(X, V).
builtin(log, [X], V) :- number(X), X > 0, V is rationalize(log(X)).
builtin(exp, [X], V) :- number(X), V is rationalize(exp(X)).
builtin(odd, [X], V) :- number(X), ( integer(X), X mod 2 =:= 1 -> V = true ; V = false ).
builtin(even, [X], V) :- number(X), ( integer(X), X mod 2 =:= 0 -> V = true ; V = false ).
builtin('get value', [C, Name], V) :- kind(Name, text), atom_string(Key, Name), get(C, Key, V).
builtin('get entries', [{C}], V) :- findall({key-K, value-X}, ( entry(C, A, X), atom_string(A, K) ), V).
builtin(date, [datetime(Y, M, D, _, _, _)], date(Y, M, D)).
builtin(date, [date(Y, M, D)], date(Y, M, D)).
builtin(date, [X], V) :- temporal(date, X, V).
builtin(date, [Y, M, D], date(Y, M, D)) :-
    integer(Y), Y >= 1, Y =< 9999, integer(M), M >= 1, M =< 12, days_in_month(Y, M, Most), integer(D), D >= 1, D =< Most.
builtin(time, [datetime(_, _, _, H, M, S)], time(H, M, S)).
builtin(time, [time(H, M, S)], time(H, M, S)).
builtin(time, [X], V) :- temporal(time, X, V).
builtin(time, [H, M, S], time(H, M, S)) :- integer(H), between(0, 23, H), integer(M), between(0, 59, M), number(S), S >= 0, S < 60.
builtin('date and time', [datetime(Y, M, D, H, Mi, S)], datetime(Y, M, D, H, Mi, S)).
builtin('date and time', [X], V) :- temporal(datetime, X, V).
builtin('date and time', [X, time(H, Mi, S)], datetime(Y, M, D, H, Mi, S)) :- builtin(date, [X], date(Y, M, D)).
builtin(duration, [duration(S, M)], duration(S, M)).
builtin(duration, [X], V) :- temporal(duration, X, V).
builtin('years and months duration', [A, B], V) :-
    builtin(date, [A], date(Y, M, D)), builtin(date, [B], date(Z, N, E)),
    T is (Z - Y)*12 + N - M, ( T > 0, E < D -> U is T - 1 ; T < 0, E > D -> U is T + 1 ; U = T ), months(U, V).

add(X, A, B) :- plus(A, X, B), \+ kind(B, text).

number_or_duration(V) :- ( number(V) ; V = duration(_, _) ), !.

least(Op, X, A, B) :- order(O, X, A), ( O == Op -> B = X ; B = A ).

distinct([], _, []).
distinct([X|Xs], Seen, Ys) :-
    ( member(Y, Seen), equal(X, Y, true) -> Ys = Rest ; Ys = [X|Rest] ),
    distinct(Xs, [X|Seen], Rest).

position(I, Xs, J) :- is_list(Xs), integer(I), length(Xs, N), ( I > 0 -> J is I - 1 ; I < 0, J is N + I ), J >= 0, J < N.

scaled([], 0).
scaled([P], P).

rounded(How, N, S, V) :-
    number(N), integer(S), S > -6112, S < 6177,
    ( S >= 0 -> F is 10 ** S ; P is -S, F is 1 rdiv (10 ** P) ),
    X is N * F, rounding(How, X, I), V is I rdiv F.

rounding(floor, X, I) :- I is floor(X).
rounding(ceiling, X, I) :- I is ceiling(X).
rounding(down, X, I) :- I is truncate(X).
rounding(up, X, I) :- ( X < 0 -> I is floor(X) ; I is ceiling(X) ).
rounding(half_up, X, I) :- ( X < 0 -> I is ceiling(X - 1r2) ; I is floor(X + 1r2) ).
rounding(half_down, X, I) :- ( X < 0 -> I is floor(X + 1r2) ; I is ceiling(X - 1r2) ).
rounding(half_even, X, I) :- F is floor(X), D is X - F, ( D < 1r2 -> I = F ; D > 1r2 -> I is F + 1 ; I is F + F mod 2 ).

root(X, V) :- V is rationalize(sqrt(X)).

separated([], X, X).
separated([G, D], X, Y) :- without(G, X, Z), ( D == null -> Y = Z ; split_string(Z, D, "", Parts), atomic_list_concat(Parts, '.', Y) ).

without(null, X, X) :- !.
without(G, X, Y) :- split_string(X, G, "", Parts), atomic_list_concat(Parts, Y).

temporal(Type, X, V) :- kind(X, text), '$feel_value'(Type, X, V).

shown(X, S) :- kind(X, text), !, atom_string(X, S).
shown(X, S) :- ( X == true ; X == false ), !, atom_string(X, S).
shown(X, S) :- '$feel_text'(X, S), !.
shown(X, S) :- number(X), !, F is float(X), '$feel_text'(F, S).
shown(X, S) :- listed_text(X, S).

listed_text(Xs, S) :- is_list(Xs), maplist(quoted, Xs, Ts), atomic_list_concat(Ts, ', ', A), string_concat("[", A, B), string_concat(B, "]", S).
listed_text({C}, S) :-
    findall(T, ( entry(C, Name, X), quoted(X, V), atomic_list_concat([Name, ': ', V], T) ), Ts),
    atomic_list_concat(Ts, ', ', A), string_concat("{", A, B), string_concat(B, "}", S).

quoted(null, null) :- !.
quoted(X, T) :- shown(X, S), ( kind(X, text) -> string_concat("\"", S, U), string_concat(U, "\"", T) ; T = S ).

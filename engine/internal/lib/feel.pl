% FEEL, the language of decision tables. This file evaluates the terms into which cells and expressions are
% translated. A value is a number (an integer or a rational), a text (a string or an atom), true, false, null, a date,
% time, datetime or duration, a list, a context {Name-Value, ...}, a range or a function. A time or datetime may have
% a zone as its last argument; without it, it counts as UTC. An expression has the operators of Prolog. An impossible
% value is null.
:- module(feel, [feel/2, feel/3, feel_in/2, decision_hits/3, decision_part/3]).

:- meta_predicate decision_part(:, ?, ?).

% feel(+Expression, -Value): Value is the value of an expression of FEEL, or null if it has none.
feel(E, V) :- value(E, X), !, V = X.
feel(_, null).

% feel_in(+Value, +Tests): one of the tests of a cell of a decision table holds for the value.
feel_in(X, Tests) :- member(T, Tests), test(T, X), !.

% typed(+Type, +Value, -Typed): Typed is Value, the item of a list of one, or a list of the item, whichever has the
% type; otherwise null.
typed(Type, X, V) :- ( conforms(Type, X) -> V = X ; coerced(Type, X, Y) -> V = Y ; V = null ).

% feel(+Text, +Bindings, -Value): the value of a text of FEEL, in which the names in the list Name-Value stand for values.
% A text `?: Cell` is the cell of a decision table; the last name is that of the input.
feel(Text, Bindings, Value) :-
    pairs_keys_values(Bindings, Names, Values),
    '$feel'(Text, Names, Vars, E),
    ( append(Values, [X], Vars) -> append(_, [_-X], Bindings) ; Vars = Values ),
    feel(E, Value).

% decision_hits(+Policy, +Hits, -Result): the result of a decision table from the outputs of the rows that hold.
decision_hits(Policy, Hits, Result) :- hits(Policy, Hits, R), !, Result = R.

% decision_part(:Nodes, +Value, -Part): Part is the part of a decision table with ranges whose rows can hold for
% Value, found by binary search. The arguments of the predicate Nodes are the number of a node, an end of a range, and
% the next nodes below, at and above this end. A negative number is a part with the sign changed; 0 is none.
decision_part(Nodes0, X, P) :- '$strip_module'(Nodes0, M, Nodes), part(1, M:Nodes, X, P).

part(N, _, _, P) :- N =< 0, !, N < 0, P is -N.
part(N, M:Nodes, X, P) :-
    Goal =.. [Nodes, N, End, Low, At, High], call(M:Goal),
    ( number(X) -> compare_numbers(O, X, End) ; compare(O, X, End) ),
    ( O = (<) -> part(Low, M:Nodes, X, P) ; O = (>) -> part(High, M:Nodes, X, P) ; part(At, M:Nodes, X, P) ).

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

% value(+Expression, -Value): fails if the value is null.
value(X, X) :- atomic(X), !.
value(if(C, A, B), V) :- !, feel(C, X), ( X == true -> value(A, V) ; memberchk(X, [false, null]), value(B, V) ).
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
value(in(A, Tests), V) :- !, feel(A, X), ( feel_in(X, Tests) -> V = true ; \+ endless(Tests, X), V = false ).
value(get(A, Name), V) :- !, value(A, X), get(X, Name, V).
value(member(Item, Name, Else), V) :- !, ( get(Item, Name, X) -> V = X ; V = Else ).
value(filter(L, Item, C), V) :- !, value(L, X), listed(X, Xs), filtered(C, Item, Xs, V).
value(for(Pairs, E), Vs) :- !, ready(Pairs), findall(V, ( each(Pairs), feel(E, V) ), Vs).
value(for(Pairs, E, Partial), Vs) :- !, ready(Pairs), findall(Pairs-E-Partial, each(Pairs), Rounds), rounds(Rounds, [], Vs).
value(some(Pairs, C), V) :- !, ready(Pairs), findall(X, ( each(Pairs), feel(C, X) ), Xs), conditions(Xs), any(Xs, V).
value(every(Pairs, C), V) :- !, ready(Pairs), findall(X, ( each(Pairs), feel(C, X) ), Xs), conditions(Xs), all(Xs, V).
value(context(Entries), V) :- !,
    findall(Name, member(entry(Name, _, _), Entries), Names), sort(Names, Unique), same_length(Names, Unique),
    entries(Entries, Pairs), context(Pairs, V).
value(range(A, K, B, L), range(X, K, Y, L)) :- !, end(A, X), end(B, Y), \+ ( X \== inf, Y \== inf, \+ ( order(O, X, Y), O \== (>) ) ).
value(invoke(P, Args), V) :- !, values(Args, Xs), append(Xs, [V], All), Goal =.. [P|All], call(user:Goal), V \== null.
value(apply(F, named(Pairs)), V) :- !, value(F, G), named(G, Pairs, Args), values(Args, Xs), applied(G, Xs, V).
value(apply(F, Args), V) :- !, value(F, G), values(Args, Xs), applied(G, Xs, V).
value(instance_of(E, Type), V) :- !, feel(E, X), ( X \== null, unconstrained(Type, T), conforms(T, X) -> V = true ; X == null, Type == 'Null' -> V = true ; V = false ).
value(checked(Pairs, E), V) :- !, \+ ( member(X-Y, Pairs), X \== null, Y == null ), value(E, V).
value(typed(Type, X), V) :- !, typed(Type, X, V), V \== null.
value(call(not, [A]), V) :- !, value(A, X), negated(X, V).
value(call(F, Args), V) :- !, values(Args, Xs), function(F, Xs, V).
value([X|Xs], Vs) :- !, values([X|Xs], Vs).
value(X, X).

values([], []).
values([E|Es], [V|Vs]) :- feel(E, V), values(Es, Vs).

% endless(+Tests, +Value): one of the tests compares with null.
endless(Tests, X) :- member(range(A, _, B, _), Tests), ( X == null ; A == null ; B == null ), !.

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
get(date(Y, M, D), Name, V) :- day_property(Name, Y, M, D, V).
get(X, Name, V) :- clock_of(X, H, M, S), property(Name, [hour-H, minute-M, second-S], V).
get(X, Name, V) :- dated(X), date_of(X, Y, M, D), day_property(Name, Y, M, D, V).
get(X, 'time offset', duration(S, 0)) :- '$feel_offset'(X, S).
get(X, timezone, V) :- ( X = time(_, _, _, Z) ; X = datetime(_, _, _, _, _, _, Z) ), !, atom(Z), atom_string(Z, V).
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

day_property(weekday, Y, M, D, V) :- !, day_number(Y, M, D, N), V is (N + 2) mod 7 + 1.
day_property(Name, Y, M, D, V) :- property(Name, [year-Y, month-M, day-D], V).

% Dates and times, with a zone or without.
dated(X) :- compound(X), functor(X, datetime, _).

date_of(date(Y, M, D), Y, M, D).
date_of(datetime(Y, M, D, _, _, _), Y, M, D).
date_of(datetime(Y, M, D, _, _, _, _), Y, M, D).

clock_of(time(H, M, S), H, M, S).
clock_of(time(H, M, S, _), H, M, S).
clock_of(datetime(_, _, _, H, M, S), H, M, S).
clock_of(datetime(_, _, _, H, M, S, _), H, M, S).

% zone(+Value, -Zone): Zone is [] or a list of the zone.
zone(time(_, _, _, Z), [Z]) :- !.
zone(datetime(_, _, _, _, _, _, Z), [Z]) :- !.
zone(_, []).

pair((P, Ps), Name, V) :- !, ( P = (Name-X) -> V = X ; pair(Ps, Name, V) ).
pair(Name-V, Name, V).

% Numbers, texts, and what is compared with what.
kind(X, number) :- number(X), !.
kind(X, boolean) :- ( X == true ; X == false ), !.
kind(null, _) :- !, fail.
kind([], list) :- !.
kind({}, {}) :- !.
kind(X, text) :- ( string(X) ; atom(X), \+ memberchk(X, [{}, true, false, null, []]) ), !.
kind(X, F) :- compound(X), functor(X, F, _).

texts(X, Y) :- kind(X, text), kind(Y, text).

equal(X, Y, true) :- X == Y, !.
equal(null, _, false) :- !.
equal(_, null, false) :- !.
equal(X, Y, V) :- number(X), number(Y), !, ( X =:= Y -> V = true ; V = false ).
equal(X, Y, V) :- texts(X, Y), !, ( atom_string(X, T), atom_string(Y, T) -> V = true ; V = false ).
equal(X, Y, V) :- timed(X), timed(Y), !, ( order(O, X, Y) -> ( O == (=) -> V = true ; V = false ) ; kind(X, K), kind(Y, K), V = false ).
equal(range(A, K, B, L), range(C, M, D, N), V) :- !, ( K == M, L == N, equal(A, C, true), equal(B, D, true) -> V = true ; V = false ).
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
order(O, X, Y) :- kind(X, K), kind(Y, K), ordered(K, X, Y, O).

ordered(date, X, Y, O) :- compare(O, X, Y).
ordered(time, X, Y, O) :- instant(X, A), instant(Y, B), compare_numbers(O, A, B).
ordered(datetime, X, Y, O) :- instant(X, A), instant(Y, B), compare_numbers(O, A, B).
ordered(duration, duration(S, M), duration(T, N), O) :- \+ unlike(S, M, T, N), compare_numbers(O, S, T).

timed(X) :- kind(X, K), ( K = time ; K = datetime ), !.

% instant(+Value, -Seconds): in UTC.
instant(X, N) :- seconds(X, S), ( '$feel_offset'(X, Offset) -> N is S - Offset ; N = S ).

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
plus(duration(S, M), duration(T, N), duration(U, O)) :- !, \+ unlike(S, M, T, N), U is S + T, O is M + N.
plus(duration(S, M), X, V) :- !, plus(X, duration(S, M), V).
plus(X, duration(S, M), V) :- moved(X, S, M, V).

% unlike(+Seconds, +Months, +OtherSeconds, +OtherMonths): one duration has only months, the other has no months.
unlike(S, M, T, N) :- ( M =:= 0, S =\= 0, N =\= 0, T =:= N*2629746 ; N =:= 0, T =\= 0, M =\= 0, S =:= M*2629746 ), !.

minus(X, Y, V) :- number(X), number(Y), !, V is X - Y.
minus(0, duration(S, M), duration(T, N)) :- !, T is -S, N is -M.
minus(X, duration(S, M), V) :- !, minus(0, duration(S, M), D), plus(X, D, V).
minus(X, Y, duration(S, 0)) :- kind(X, K), kind(Y, L), subtracted(K, L), instant(X, A), instant(Y, B), S is A - B.

subtracted(K, K) :- !, memberchk(K, [date, time, datetime]).
subtracted(date, datetime).
subtracted(datetime, date).

times(X, Y, V) :- number(X), number(Y), !, V is X * Y.
times(X, duration(S, M), V) :- number(X), !, times(duration(S, M), X, V).
times(duration(S, 0), X, duration(T, 0)) :- number(X), !, T is S * X.
times(duration(_, M), X, V) :- number(X), N is truncate(M * X), months(N, V).

divided(X, Y, V) :- number(X), number(Y), !, Y =\= 0, V is X rdiv Y.
divided(duration(S, 0), duration(T, 0), V) :- !, T =\= 0, V is S rdiv T.
divided(duration(_, M), duration(_, N), V) :- !, M =\= 0, N =\= 0, V is M rdiv N.
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
moved(X, S, N, V) :-
    dated(X), date_of(X, Y, M, D), clock_of(X, H, Mi, Sec), zone(X, Z),
    shifted(Y, M, D, N, Y1, M1, D1),
    day_number(Y1, M1, D1, Day),
    T is Day*86400 + H*3600 + Mi*60 + Sec + S - N*2629746,
    Day2 is floor(T rdiv 86400), clock(T - Day2*86400, H2, Mi2, S2),
    day_date(Day2, Y2, M2, D2),
    V =.. [datetime, Y2, M2, D2, H2, Mi2, S2|Z].
moved(X, T, 0, V) :-
    kind(X, time), clock_of(X, H, M, S), zone(X, Z),
    U is H*3600 + M*60 + S + T, Days is floor(U rdiv 86400), clock(U - Days*86400, H2, M2, S2),
    V =.. [time, H2, M2, S2|Z].

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
    abs(Y) =< 999999999.

% seconds(+Value, -Seconds): by its own clock.
seconds(date(Y, M, D), S) :- day_number(Y, M, D, N), S is N*86400.
seconds(X, S) :- dated(X), date_of(X, Y, M, D), clock_of(X, H, Mi, Sec), day_number(Y, M, D, N), S is N*86400 + H*3600 + Mi*60 + Sec.
seconds(X, S) :- kind(X, time), clock_of(X, H, M, Sec), S is H*3600 + M*60 + Sec.

% Tests of cells.
test(range(A, K, B, L), X) :- !, above(A, K, X), above(B, L, X, down).
test(holds(E), _) :- !, value(E, true).
test(is(E), X) :- !, feel(E, V), matches(V, X).
test(V, X) :- matches(V, X).

matches(range(A, K, B, L), X) :- !, test(range(A, K, B, L), X).
matches(V, X) :- equal(V, X, true), !.
matches(V, X) :- is_list(V), !, member(Y, V), ( Y = range(_, _, _, _) -> test(Y, X) ; equal(Y, X, true) ), !.
matches(V, X) :- is_list(X), !, member(Y, X), equal(V, Y, true), !.
matches(true, X) :- \+ kind(X, boolean), X \== null.

above(inf, _, _) :- !.
above(E, K, X) :- value(E, V), order(O, V, X), within(K, O, <).
above(inf, _, _, down) :- !.
above(E, K, X, down) :- value(E, V), order(O, V, X), within(K, O, >).

within(_, O, O) :- !.
within(closed, =, _).

% Lists: a value that is not a list counts as a list of one item.
listed([], []) :- !.
listed([X|Xs], [X|Xs]) :- !.
listed(null, []) :- !.
listed(X, [X]).

filtered(C, _, Xs, V) :- number(C), !, at(C, Xs, V).
filtered(C, Item, Xs, V) :-
    findall(X-B, ( member(X, Xs), Item = X, feel(C, B) ), Pairs),
    (   Pairs = [_-N|_], number(N) -> at(N, Xs, V)
    ;   pairs_values(Pairs, Bs), conditions(Bs), findall(X, member(X-true, Pairs), V)
    ).

% conditions(+Values): each is true, false or null.
conditions(Xs) :- \+ ( member(X, Xs), \+ memberchk(X, [true, false, null]) ).

at(I, Xs, V) :- I > 0, nth1(I, Xs, V), V \== null.
at(I, Xs, V) :- I < 0, length(Xs, N), J is N + I, nth0(J, Xs, V), V \== null.

% ready(+Pairs): the first list can be iterated over; otherwise the loop is null.
ready([_-E|_]) :- items(E, _).

% rounds(+Rounds, +Before, -Values): each round has access to the values of earlier rounds.
rounds([], _, []).
rounds([_-E-Before|Rounds], Before, [V|Vs]) :- feel(E, V), append(Before, [V], Now), rounds(Rounds, Now, Vs).

each([]).
each([X-E|Pairs]) :- items(E, Xs), member(X, Xs), each(Pairs).

items(to(A, B), Xs) :- !, value(A, X), value(B, Y), span(X, Y, Xs).
items(E, Xs) :- value(E, V), ( V = range(A, K, B, L) -> K == closed, L == closed, span(A, B, Xs) ; V \== null, listed(V, Xs) ).

span(X, Y, Xs) :- integer(X), integer(Y), !, numbers(X, Y, Xs).
span(date(Y, M, D), date(Z, N, E), Xs) :-
    day_number(Y, M, D, A), day_number(Z, N, E, B), numbers(A, B, Ns),
    findall(date(P, Q, R), ( member(I, Ns), day_date(I, P, Q, R) ), Xs).

numbers(X, Y, Xs) :- ( X =< Y -> numlist(X, Y, Xs) ; numlist(Y, X, Ys), reverse(Ys, Xs) ).

% Functions that are values: function(Parameters, Expression), function(Name) of FEEL, function(Predicate, Names, Types).
applied(function(Parameters, E), Xs, V) :-
    is_list(Parameters), !,
    copy_term(Parameters-E, Fresh-F), passed(Fresh, Xs), value(F, V).
applied(function(Name), Xs, V) :- !, function(Name, Xs, V).
applied(function(P, Names), Xs, V) :- same_length(Names, Xs), value(invoke(P, Xs), V).

passed([], []).
passed([parameter(_, X, Type)|Ps], [V|Vs]) :- typed(Type, V, X), ( X == null -> V == null ; true ), passed(Ps, Vs).

% named(+Function, +Pairs, -Args): arguments by the names of the parameters.
named(function(Parameters, E), Pairs, Args) :-
    ( is_list(Parameters) -> findall(N, member(parameter(N, _, _), Parameters), Names) ; Names = E ),
    same_length(Names, Pairs), findall(A, ( member(N, Names), memberchk(N-A, Pairs) ), Args), same_length(Args, Names).

% Types: names, list(T), range(T), context([Name-T]), function(Ts, T), allowed(T, Tests) from a model.
conforms('Any', _) :- !.
conforms(_, null) :- !.
conforms(number, X) :- !, number(X).
conforms(string, X) :- !, kind(X, text).
conforms(boolean, X) :- !, kind(X, boolean).
conforms(date, X) :- !, kind(X, date).
conforms(time, X) :- !, kind(X, time).
conforms('date and time', X) :- !, kind(X, datetime).
conforms('days and time duration', X) :- !, X = duration(_, 0).
conforms('years and months duration', X) :- !, X = duration(S, M), ( M =\= 0 -> true ; S =:= 0 ).
conforms(list, X) :- !, is_list(X).
conforms(list(T), X) :- !, is_list(X), \+ ( member(Y, X), \+ conforms(T, Y) ).
conforms(range(T), range(A, _, B, _)) :- !, ( A == inf -> true ; conforms(T, A) ), ( B == inf -> true ; conforms(T, B) ).
conforms(context, X) :- !, kind(X, {}).
conforms(context(Fields), X) :- !, kind(X, {}), \+ ( member(Name-T, Fields), \+ ( entry_of(X, Name, V), conforms(T, V) ) ).
conforms(allowed(T, Tests), X) :- !, conforms(T, X), feel_in(X, Tests).
conforms(function(_, _), function(_)) :- !.
conforms(function(Ts, R), function(Ps, E)) :- !, ( is_list(Ps) -> parameters_conform(Ts, Ps), result_conforms(R, E) ; same_length(Ts, E) ).

unconstrained(allowed(T, _), U) :- !, unconstrained(T, U).
unconstrained(list(T), list(U)) :- !, unconstrained(T, U).
unconstrained(T, T).

parameters_conform([], []).
parameters_conform([T|Ts], [parameter(_, _, U)|Ps]) :- within_type(T, U), parameters_conform(Ts, Ps).

within_type(_, 'Any') :- !.
within_type(T, T) :- !.
within_type(list(T), list(U)) :- within_type(T, U).
within_type(context(Fs), context(Gs)) :- \+ ( member(N-U, Gs), \+ ( memberchk(N-T, Fs), within_type(T, U) ) ).

result_conforms('Any', _) :- !.
result_conforms(R, E) :- copy_term(E, F), ( ground(F), value(F, V) -> conforms(R, V) ; true ).

entry_of({C}, Name, V) :- pair(C, Name, V).

coerced(T, [X], V) :- \+ T = list(_), T \== list, conforms(T, X), !, V = X.
coerced(list(T), X, [X]) :- \+ is_list(X), conforms(T, X), !.
coerced(allowed(list(T), Tests), X, [X]) :- \+ is_list(X), conforms(T, X), feel_in([X], Tests), !.
coerced('date and time', date(Y, M, D), datetime(Y, M, D, 0, 0, 0, 0)).

% Functions. If a function takes one list, its items may be given as several arguments.
function(F, Xs, V) :- builtin(F, Xs, V), !.
function(F, Xs, V) :- Xs = [_, _|_], spread(F), builtin(F, [Xs], V).
function(F, [X], V) :- \+ is_list(X), X \== null, spread(F), builtin(F, [[X]], V).

function(F, Xs, V) :- memberchk([_], Xs), singles(Xs, Ys), builtin(F, Ys, V), !.

% singles(+Args, -Items): replaces each list of one item by the item.
singles([], []).
singles([X|Xs], [Y|Ys]) :- ( X = [Y] -> true ; Y = X ), singles(Xs, Ys).

spread(F) :- memberchk(F, [count, min, max, sum, product, mean, median, mode, stddev, all, any]).

builtin(string, [X], S) :- X \== null, shown(X, S).
builtin(number, [X|More], N) :- kind(X, text), \+ ( member(Y, More), Y \== null, \+ kind(Y, text) ), separated(More, X, Y), '$feel_value'(decimal, Y, N).
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
builtin('list replace', [Xs0, N, X], V) :- number(N), !, Xs0 \== null, listed(Xs0, Xs), I is truncate(N), position(I, Xs, J), length(Front, J), append(Front, [_|Back], Xs), append(Front, [X|Back], V).
builtin('list replace', [Xs0, F, X], V) :- listed(Xs0, Xs), arity(F, 2), replaced(Xs, F, X, V).
builtin(sort, [Xs0], V) :- listed(Xs0, Xs), sorted(Xs, (<), V).
builtin(sort, [Xs0, F], V) :- listed(Xs0, Xs), arity(F, 2), sorted(Xs, F, V).
builtin(mode, [Xs], V) :-
    is_list(Xs), maplist(number, Xs), msort(Xs, Sorted), counted(Sorted, Counts), findall(N, member(N-_, Counts), Ns),
    ( Ns == [] -> V = [] ; max_list(Ns, Most), findall(X, member(Most-X, Counts), V) ).
builtin(stddev, [Xs], V) :-
    is_list(Xs), maplist(number, Xs), length(Xs, N), N > 1, sum_list(Xs, Sum), Mean is Sum rdiv N,
    foldl([X, A, B]>>( B is A + (X - Mean)**2 ), Xs, 0, Squares), Q is Squares rdiv (N - 1), root(Q, V).
builtin(is, [_], false).
builtin(is, [X, Y], V) :- ( same(X, Y) -> V = true ; V = false ).
builtin(range, [X], range(A, K, B, L)) :-
    kind(X, text), catch('$feel'(X, [], _, range(A, K, B, L)), error(syntax_error(_), _), fail),
    ground(A-B), A \== inf, B \== inf, order(O, A, B), O \== (>).
builtin(context, [Es0], V) :- Es0 \== null, listed(Es0, Es), findall(K-X, ( member(E, Es), get(E, key, K0), kind(K0, text), entry_of(E, value, X), atom_string(K, K0) ), Ps),
    same_length(Ps, Es), pairs_keys(Ps, Ks), sort(Ks, Unique), same_length(Ks, Unique), context(Ps, V).
builtin('context put', [C, K, X], V) :- kind(K, text), !, put(C, K, X, V).
builtin('context put', [C, [K], X], V) :- !, put(C, K, X, V).
builtin('context put', [C, [K|Ks], X], V) :-
    kind(C, {}), kind(K, text), atom_string(Key, K), ( entry_of(C, Key, Inner), Inner \== null -> true ; Inner = {} ),
    builtin('context put', [Inner, Ks, X], New), put(C, K, New, V).
builtin('context merge', [Cs0], V) :- Cs0 \== null, listed(Cs0, Cs), foldl(merged, Cs, {}, V).
builtin(now, [], V) :- '$present'(datetime, datetime(Y, M, D, H, Mi, S)), V = datetime(Y, M, D, H, Mi, S, 0).
builtin(today, [], V) :- '$present'(date, V).
builtin('day of year', [X], V) :- date_of(X, Y, M, D), day_number(Y, M, D, N), day_number(Y, 1, 1, First), V is N - First + 1.
builtin('day of week', [X], V) :- get(X, weekday, I), nth1(I, ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"], V).
builtin('month of year', [X], V) :-
    date_of(X, _, M, _),
    nth1(M, ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"], V).
builtin('week of year', [X], V) :- date_of(X, Y, M, D), day_number(Y, M, D, N), Thursday is N - (N + 2) mod 7 + 3, day_date(Thursday, Z, _, _),
    day_number(Z, 1, 1, First), V is (Thursday - First) // 7 + 1.
builtin(matches, [X, P|More], V) :- regex(X, P, More, Q, Flags), ( '$regex_match'(Q, Flags, X, 0, _) -> V = true ; V = false ).
builtin(replace, [X, P, R|More], V) :-
    kind(R, text), regex(X, P, More, Q, Flags), '$regex_matches'(Q, Flags, X, 0, Found, Rest), string_chars(R, Cs),
    findall(T, ( member(Before-Groups, Found), template(Cs, Groups, Ts), member(T, [Before|Ts]) ), Parts),
    append(Parts, [Rest], All), atomic_list_concat(All, A), atom_string(A, V).
builtin(split, [X, P], V) :- regex(X, P, [], Q, Flags), '$regex_matches'(Q, Flags, X, 0, Found, Rest), pairs_keys(Found, Front), append(Front, [Rest], V).
builtin(F, [X, Y], V) :- relation(F, G, X, Y, A, B), interval(A, I), interval(B, J), arg(1, I, P), arg(1, J, Q), comparable(P, Q),
    ( related(G, I, J) -> V = true ; V = false ).
builtin('string length', [X], N) :- kind(X, text), string_length(X, N).
builtin('upper case', [X], V) :- kind(X, text), string_upper(X, V).
builtin('lower case', [X], V) :- kind(X, text), string_lower(X, V).
builtin(contains, [X, Y], V) :- texts(X, Y), ( sub_string(X, _, _, _, Y) -> V = true ; V = false ).
builtin('starts with', [X, Y], V) :- texts(X, Y), ( string_concat(Y, _, X) -> V = true ; V = false ).
builtin('ends with', [X, Y], V) :- texts(X, Y), ( string_concat(_, Y, X) -> V = true ; V = false ).
builtin('substring before', [X, Y], V) :- texts(X, Y), ( sub_string(X, B, _, _, Y) -> sub_string(X, 0, B, _, V) ; V = "" ).
builtin('substring after', [X, Y], V) :- texts(X, Y), ( sub_string(X, _, _, A, Y) -> sub_string(X, _, A, 0, V) ; V = "" ).
builtin(substring, [X, I|More], V) :-
    kind(X, text), number(I), P is truncate(I), string_chars(X, Cs), Cs = [_|_], position(P, Cs, J),
    ( More = [N0], N0 \== null -> number(N0), N is truncate(N0), N > 0 ; length(Cs, N) ),
    length(Cs, L), K is min(N, L - J), sub_string(X, J, K, _, V).
builtin('string join', [Xs|More], V) :-
    ( is_list(Xs) -> exclude(==(null), Xs, Ys) ; Ys = [Xs] ), maplist([Y]>>kind(Y, text), Ys),
    ( ( More = [] ; More = [null] ) -> D = "" ; More = [D], kind(D, text) ), atomic_list_concat(Ys, D, A), atom_string(A, V).
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
builtin('get entries', [{}], []).
builtin('get entries', [{C}], V) :- findall({key-K, value-X}, ( entry(C, A, X), atom_string(A, K) ), V).
builtin(date, [X], date(Y, M, D)) :- date_of(X, Y, M, D).
builtin(date, [X], V) :- temporal(date, X, V).
builtin(date, [Y, M, D], date(Y, M, D)) :-
    integer(Y), abs(Y) =< 999999999, integer(M), M >= 1, M =< 12, integer(D), D >= 1, days_in_month(Y, M, Most), D =< Most.
builtin(time, [X], V) :- clock_of(X, H, M, S), zone(X, Z), V =.. [time, H, M, S|Z].
builtin(time, [date(_, _, _)], time(0, 0, 0, 0)).
builtin(time, [X], V) :- temporal(time, X, V).
builtin(time, [H, M, S|More], V) :-
    integer(H), between(0, 23, H), integer(M), between(0, 59, M), number(S), S >= 0, S < 60,
    ( ( More = [] ; More = [null] ) -> Z = [] ; More = [duration(T, 0)], abs(T) =< 18*3600, O is truncate(T), Z = [O] ),
    V =.. [time, H, M, S|Z].
builtin('date and time', [X], X) :- dated(X).
builtin('date and time', [date(Y, M, D)], datetime(Y, M, D, 0, 0, 0)).
builtin('date and time', [X], V) :- temporal(datetime, X, V).
builtin('date and time', [X], datetime(Y, M, D, 0, 0, 0)) :- temporal(date, X, date(Y, M, D)).
builtin('date and time', [X, T], V) :- date_of(X, Y, M, D), kind(T, time), clock_of(T, H, Mi, S), zone(T, Z), V =.. [datetime, Y, M, D, H, Mi, S|Z].
builtin(duration, [duration(S, M)], duration(S, M)).
builtin(duration, [X], V) :- temporal(duration, X, V).
builtin('years and months duration', [A, B], V) :-
    builtin(date, [A], date(Y, M, D)), builtin(date, [B], date(Z, N, E)),
    T is (Z - Y)*12 + N - M, ( T > 0, E < D -> U is T - 1 ; T < 0, E > D -> U is T + 1 ; U = T ), months(U, V).

add(X, A, B) :- plus(A, X, B), \+ kind(B, text).

number_or_duration(V) :- ( number(V) ; V = duration(_, _) ), !.

least(Op, X, A, B) :- order(O, X, A), ( O == Op -> B = X ; B = A ).

% same(+X, +Y): of one type, and the same also in its parts.
same(X, Y) :- number(X), number(Y), !, X =:= Y.
same(X, Y) :- texts(X, Y), !, equal(X, Y, true).
same(X, Y) :- timed(X), timed(Y), !,
    kind(X, K), kind(Y, K), clock_of(X, H, M, S), clock_of(Y, H, M, T), S =:= T, \+ ( date_of(X, A, B, C), \+ date_of(Y, A, B, C) ),
    zone(X, P), zone(Y, Q), P == Q.
same(duration(S, M), duration(T, N)) :- !, S =:= T, M =:= N.
same(X, Y) :- equal(X, Y, true).

% Lists that functions sort and change.
arity(function(Name), N) :- !, atom(Name), N = 2.
arity(function(Ps, Names), N) :- ( is_list(Ps) -> length(Ps, N) ; length(Names, N) ).

precedes(<, X, Y) :- !, order(<, X, Y).
precedes(F, X, Y) :- applied(F, [X, Y], true).

sorted(Xs, F, V) :-
    length(Xs, N),
    ( N < 2 -> V = Xs ; H is N // 2, length(Front, H), append(Front, Back, Xs), sorted(Front, F, A), sorted(Back, F, B), merged(A, B, F, V) ).

merged([], Ys, _, Ys) :- !.
merged(Xs, [], _, Xs) :- !.
merged([X|Xs], [Y|Ys], F, [Z|Zs]) :- ( precedes(F, Y, X) -> Z = Y, merged([X|Xs], Ys, F, Zs) ; Z = X, merged(Xs, [Y|Ys], F, Zs) ).

replaced([], _, _, []).
replaced([X|Xs], F, New, [Y|Ys]) :- applied(F, [X, New], B), kind(B, boolean), ( B == true -> Y = New ; Y = X ), replaced(Xs, F, New, Ys).

counted([], []).
counted([X|Xs], [N-X|Counts]) :- run(Xs, X, 1, N, Rest), counted(Rest, Counts).

run([Y|Ys], X, N0, N, Rest) :- Y =:= X, !, N1 is N0 + 1, run(Ys, X, N1, N, Rest).
run(Rest, _, N, N, Rest).

% Contexts.
put(C, K, X, V) :-
    kind(K, text), atom_string(Key, K), pairs(C, Ps),
    ( append(Front, [Key-_|Back], Ps) -> append(Front, [Key-X|Back], All) ; append(Ps, [Key-X], All) ),
    context(All, V).

merged(C, Before, V) :- pairs(C, Ps), foldl([K-X, A, B]>>put(A, K, X, B), Ps, Before, V).

pairs({}, []) :- !.
pairs({C}, Ps) :- findall(K-X, entry(C, K, X), Ps).

% Regular expressions, with the flags of XPath.
regex(X, P, More, Q, Flags) :-
    kind(X, text), kind(P, text), ( ( More = [] ; More = [null] ) -> Cs = [] ; More = [F], kind(F, text), string_chars(F, Cs) ),
    \+ ( member(C, Cs), \+ memberchk(C, [s, m, i, x, q]) ),
    ( memberchk(q, Cs) -> string_chars(P, Ps), findall(T, ( member(C, Ps), ( char_type(C, alnum) -> T = C ; atom_concat('\\', C, T) ) ), Ts), atomic_list_concat(Ts, Q)
    ; Q = P ),
    findall(C, ( member(C, Cs), C \== q ), Gs), atomic_list_concat(Gs, Flags),
    catch('$regex_groups'(Q, Flags, _), error(syntax_error(_), _), fail).

template([], _, []).
template(['\\', C|Cs], Groups, [C|Ts]) :- !, template(Cs, Groups, Ts).
template(['$', C|Cs], Groups, Ts) :- char_type(C, digit(I)), !,
    ( nth0(I, Groups, group(_, _, T)) -> Ts = [T|Rest] ; Ts = Rest ), template(Cs, Groups, Rest).
template([C|Cs], Groups, [C|Ts]) :- template(Cs, Groups, Ts).

% Intervals: a point is an interval that includes both ends.
relation(F, F, X, Y, X, Y) :- memberchk(F, [before, meets, overlaps, 'overlaps before', finishes, includes, starts, coincides]), !.
relation(F, G, X, Y, Y, X) :-
    memberchk(F-G, [after-before, 'met by'-meets, 'overlaps after'-'overlaps before', 'finished by'-finishes, during-includes, 'started by'-starts]).

interval(range(A, K, B, L), I) :- !, I = i(A, K, B, L).
interval(X, i(X, closed, X, closed)) :- order(_, X, X).

comparable(X, Y) :- ( X == inf ; Y == inf ; order(_, X, Y) ), !.

related(before, i(_, _, B, L), i(C, K, _, _)) :- order(O, B, C), ( O == (<) ; O == (=), \+ ( L == closed, K == closed ) ), !.
related(meets, i(_, _, B, closed), i(C, closed, _, _)) :- order(=, B, C).
related(overlaps, i(A, K, B, L), i(C, M, D, N)) :- reaches(B, L, C, M), reaches(D, N, A, K).
related('overlaps before', i(A, K, B, L), i(C, M, D, N)) :- \+ no_later(C, M, A, K), reaches(B, L, C, M), no_higher(B, L, D, N).
related(finishes, i(A, K, B, L), i(C, M, D, L)) :- order(=, B, D), no_later(C, M, A, K).
related(includes, i(A, K, B, L), i(C, M, D, N)) :- no_later(A, K, C, M), no_higher(D, N, B, L).
related(starts, i(A, K, B, L), i(C, K, D, N)) :- order(=, A, C), no_higher(B, L, D, N).
related(coincides, i(A, K, B, L), i(C, K, D, L)) :- order(=, A, C), order(=, B, D).

reaches(B, L, C, M) :- order(O, B, C), ( O == (>) ; O == (=), L == closed, M == closed ), !.
no_later(A, K, C, M) :- order(O, A, C), ( O == (<) ; O == (=), ( K == closed ; M == open ) ), !.
no_higher(B, L, D, N) :- order(O, B, D), ( O == (<) ; O == (=), ( L == open ; N == closed ) ), !.

distinct([], _, []).
distinct([X|Xs], Seen, Ys) :-
    ( member(Y, Seen), equal(X, Y, true) -> Ys = Rest ; Ys = [X|Rest] ),
    distinct(Xs, [X|Seen], Rest).

position(I, Xs, J) :- is_list(Xs), integer(I), length(Xs, N), ( I > 0 -> J is I - 1 ; I < 0, J is N + I ), J >= 0, J < N.

scaled([], 0).
scaled([P], P).

rounded(How, N, S0, V) :-
    number(N), number(S0), S is truncate(S0), S > -6112, S < 6177,
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
separated([G, D], X, Y) :-
    \+ ( G \== null, \+ ( member(S, [" ", ",", "."]), atom_string(G, S) ) ), \+ ( D \== null, \+ ( member(S, [",", "."]), atom_string(D, S) ) ),
    \+ texts_equal(G, D), without(G, X, Z), ( D == null -> Y = Z ; split_string(Z, D, "", Parts), atomic_list_concat(Parts, '.', Y) ).

texts_equal(G, D) :- texts(G, D), equal(G, D, true).

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

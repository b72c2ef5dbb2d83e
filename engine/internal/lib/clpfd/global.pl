% Global constraints of library(clpfd): all_different, all_distinct, element, tuples_in, counting, circuit, cumulative
% and the order of lists.
:- module(clpfd_global, [
    run_global//2
]).

:- use_module(library(clpfd/domains)).
:- use_module(library(clpfd/store)).
:- use_module(library(clpfd/linear)).

% run_global(+Goal, +Propagator): run a propagator of this file.
run_global(different(Xs), P) --> different(Xs, P).
run_global(distinct(Xs), P) --> distinct(Xs, P).
run_global(element(I, Xs, V), P) --> element(I, Xs, V, P).
run_global(tuple(Xs, Rows), P) --> tuple(Xs, Rows, P).
run_global(count(Xs, K, N), P) --> count(Xs, K, N, P).
run_global(circuit(Xs), P) --> circuit(Xs, P).
run_global(cumulative(Tasks, Limit), P) --> cumulative(Tasks, Limit, P).
run_global(lex(Xs, Ys), P) --> lex(Xs, Ys, P).
run_global(zcompare(O, X, Y), P) --> zcompared(O, X, Y, P).

% different(+Xs, +P): removes known values from the domains of the other variables, and from then on examines only
% these variables.
different(Xs, P) -->
    { known_values(Xs, Vs, Free) },
    (   { Vs == [] }
    ->  []
    ;   { setarg(3, P, different(Free)), sort(Vs, Sorted), length(Vs, N), length(Sorted, N) },
        exclude_all(Free, Vs)
    ).

known_values([], [], []).
known_values([X|Xs], Vs, Free) :-
    (   integer(X)
    ->  Vs = [X|Vs1],
        known_values(Xs, Vs1, Free)
    ;   Free = [X|Free1],
        known_values(Xs, Vs, Free1)
    ).

exclude_all([], _) --> [].
exclude_all([X|Xs], Vs) --> exclude_each(Vs, X), exclude_all(Xs, Vs).

exclude_each([], _) --> [].
exclude_each([V|Vs], X) --> exclude(X, V), exclude_each(Vs, X).

% distinct(+Xs, +P): each value that stays belongs to a solution (Regin's theorem). A variable with more values than
% there are variables always finds a value, so only the other variables, the small ones, are matched with values. Sets
% of values and of variables are integers used as bit sets. If x takes the value that the matching gives to y, then y
% must move to a free value or to the value of another variable. So x can have the value of y if y leads back to x or
% to a free value.
distinct(Xs, P) -->
    { known_values(Xs, _, Free), length(Free, N), setarg(3, P, distinct(Free)) },
    (   { N =< 1 }
    ->  []
    ;   { small(Free, N, Small), Small = [_|_], least(Small, Least), spread(Small, Least) }
    ->  { masks(Small, Least, Masks) },
        { all_values(Masks, 0, All), matching(Masks, 0, All, [], Pairs0), sort(1, @<, Pairs0, Pairs) },
        { used_values(Pairs, 0, Used), Unused is All /\ \Used },
        { successors(Pairs, Pairs, Unused, Reach0), closure(Pairs, Reach0, Reach) },
        { bad_values(Pairs, Pairs, Reach, Bad) },
        exclude_masks(Small, Bad, Least),
        { blocked(Pairs, Reach, Least, Blocked) },
        exclude_large(Free, N, Blocked)
    ;   []
    ).

small([], _, []).
small([X|Xs], N, Small) :-
    (   few_values(X, N) -> Small = [X|Small1] ; Small = Small1 ),
    small(Xs, N, Small1).

few_values(X, N) :-
    domain(X, Dom),
    dom_size(Dom, Size),
    integer(Size),
    Size =< N.

least([X|Xs], Least) :- bounds(X, Min, _), least(Xs, Min, Least).

least([], Least, Least).
least([X|Xs], Least0, Least) :-
    bounds(X, Min, _),
    Least1 is min(Least0, Min),
    least(Xs, Least1, Least).

% Sets that would need too many bits are left to different//2.
spread([], _).
spread([X|Xs], Least) :-
    bounds(X, _, Max),
    Max-Least < 4096,
    spread(Xs, Least).

masks([], _, []).
masks([X|Xs], Least, [M|Ms]) :-
    domain(X, Dom),
    dom_mask(Dom, Least, 0, M),
    masks(Xs, Least, Ms).

dom_mask([], _, M, M).
dom_mask([From-To|Dom], Least, M0, M) :-
    M1 is M0 \/ (((1<<(To-From+1))-1)<<(From-Least)),
    dom_mask(Dom, Least, M1, M).

all_values([], All, All).
all_values([M|Ms], All0, All) :- All1 is All0 \/ M, all_values(Ms, All1, All).

% matching(+Masks, +Index, +Unused, +Pairs0, -Pairs): Pairs has an m(Index, Mask, Bit) for each variable.
matching([], _, _, Pairs, Pairs).
matching([M|Ms], I, Unused, Pairs0, Pairs) :-
    Own is M /\ Unused,
    (   Own =\= 0
    ->  Bit is Own /\ -Own,
        Unused1 is Unused /\ \Bit,
        Pairs1 = [m(I, M, Bit)|Pairs0]
    ;   augment(M, I, Unused, Unused1, 0, _, Pairs0, Pairs1, yes)
    ),
    I1 is I+1,
    matching(Ms, I1, Unused1, Pairs1, Pairs).

% augment(+M, +I, +Unused0, -Unused, +Seen0, -Seen, +Pairs0, -Pairs, -Found): give I a value of M, moving others if need be.
augment(M, I, Unused0, Unused, Seen0, Seen, Pairs0, Pairs, Found) :-
    Own is M /\ Unused0,
    (   Own =\= 0
    ->  Bit is Own /\ -Own,
        Unused is Unused0 /\ \Bit,
        Seen = Seen0,
        Pairs = [m(I, M, Bit)|Pairs0],
        Found = yes
    ;   Open is M /\ \Seen0,
        (   Open =:= 0
        ->  Unused = Unused0, Seen = Seen0, Pairs = Pairs0, Found = no
        ;   Bit is Open /\ -Open,
            Seen1 is Seen0 \/ Bit,
            take_owner(Pairs0, Bit, J, MJ, Others),
            augment(MJ, J, Unused0, Unused1, Seen1, Seen2, Others, Pairs1, Moved),
            (   Moved == yes
            ->  Unused = Unused1, Seen = Seen2, Pairs = [m(I, M, Bit)|Pairs1], Found = yes
            ;   augment(M, I, Unused0, Unused, Seen2, Seen, Pairs0, Pairs, Found)
            )
        )
    ).

take_owner([m(J, M, B)|Pairs], Bit, I, MI, Others) :-
    (   B =:= Bit
    ->  I = J, MI = M, Others = Pairs
    ;   Others = [m(J, M, B)|Others1],
        take_owner(Pairs, Bit, I, MI, Others1)
    ).

used_values([], Used, Used).
used_values([m(_, _, Bit)|Pairs], Used0, Used) :- Used1 is Used0 \/ Bit, used_values(Pairs, Used1, Used).

% successors(+Pairs, +All, +Unused, -Reach): for each variable the set of variables whose values it could take, itself among
% them; bit 0 stands for a free value, bit I+1 for variable I.
successors([], _, _, []).
successors([m(_, M, _)|Pairs], All, Unused, [R|Rs]) :-
    ( M /\ Unused =\= 0 -> R0 = 1 ; R0 = 0 ),
    owners(All, M, R0, R),
    successors(Pairs, All, Unused, Rs).

owners([], _, R, R).
owners([m(I, _, Bit)|Pairs], M, R0, R) :-
    ( M /\ Bit =\= 0 -> R1 is R0 \/ (1<<(I+1)) ; R1 = R0 ),
    owners(Pairs, M, R1, R).

% closure(+Pairs, +Reach0, -Reach): Reach is the transitive closure of Reach0.
closure([], Reach, Reach).
closure([m(I, _, _)|Pairs], Reach0, Reach) :-
    nth0(I, Reach0, Via),
    Bit is 1<<(I+1),
    closed(Reach0, Bit, Via, Reach1),
    closure(Pairs, Reach1, Reach).

closed([], _, _, []).
closed([R|Rs], Bit, Via, [S|Ss]) :-
    ( R /\ Bit =\= 0 -> S is R \/ Via ; S = R ),
    closed(Rs, Bit, Via, Ss).

% bad_values(+Pairs, +All, +Reach, -Bads): for each variable the values it must not have, as a set.
bad_values([], _, _, []).
bad_values([m(I, M, _)|Pairs], All, Reach, [Bad|Bads]) :-
    Home is 1 \/ (1<<(I+1)),
    bad_values_of(All, Reach, M, Home, 0, Bad),
    bad_values(Pairs, All, Reach, Bads).

bad_values_of([], _, _, _, Bad, Bad).
bad_values_of([m(_, _, Bit)|Pairs], [R|Rs], M, Home, Bad0, Bad) :-
    (   M /\ Bit =\= 0, R /\ Home =:= 0
    ->  Bad1 is Bad0 \/ Bit
    ;   Bad1 = Bad0
    ),
    bad_values_of(Pairs, Rs, M, Home, Bad1, Bad).

exclude_masks([], _, _) --> [].
exclude_masks([X|Xs], [Bad|Bads], Least) -->
    exclude_bits(Bad, X, Least),
    exclude_masks(Xs, Bads, Least).

exclude_bits(Bits, X, Least) -->
    (   { Bits =:= 0 }
    ->  []
    ;   { B is lsb(Bits), V is Least+B, Bits1 is Bits /\ \(1<<B) },
        exclude(X, V),
        exclude_bits(Bits1, X, Least)
    ).

% blocked(+Pairs, +Reach, +Least, -Vs): the values that no solution takes from the small variables.
blocked([], _, _, []).
blocked([m(_, _, Bit)|Pairs], [R|Rs], Least, Vs) :-
    (   R /\ 1 =:= 0
    ->  V is Least+msb(Bit),
        Vs = [V|Vs1]
    ;   Vs = Vs1
    ),
    blocked(Pairs, Rs, Least, Vs1).

exclude_large([], _, _) --> [].
exclude_large([X|Xs], N, Vs) -->
    (   { integer(X) ; Vs == [] ; few_values(X, N) }
    ->  []
    ;   exclude_each(Vs, X)
    ),
    exclude_large(Xs, N, Vs).

% element(?I, +Xs, ?V, +P): the I-th of Xs is V.
element(I, Xs, V, P) -->
    (   { integer(I) }
    ->  { kill(P), nth1(I, Xs, V) }
    ;   { domain(I, DI), domain(V, DV), possible_places(Xs, 1, DI, DV, Places, [], Dom) },
        { values_dom(Places, DI1) },
        narrow(I, DI1),
        narrow(V, Dom)
    ).

possible_places([], _, _, _, [], Dom, Dom).
possible_places([X|Xs], I, DI, DV, Places, Dom0, Dom) :-
    (   dom_contains(DI, I), domain(X, DX), \+ dom_disjoint(DX, DV)
    ->  Places = [I|Places1],
        dom_union(Dom0, DX, Dom1)
    ;   Places = Places1,
        Dom1 = Dom0
    ),
    I1 is I+1,
    possible_places(Xs, I1, DI, DV, Places1, Dom1, Dom).

% tuple(+Xs, +Rows, +P): the tuple Xs is one of Rows.
tuple(Xs, Rows, P) -->
    { domains(Xs, Doms), possible_rows(Rows, Doms, Rows1) },
    { Rows1 = [_|_], setarg(3, P, tuple(Xs, Rows1)) },
    columns(Xs, Rows1).

domains([], []).
domains([X|Xs], [D|Ds]) :- domain(X, D), domains(Xs, Ds).

possible_rows([], _, []).
possible_rows([R|Rs], Doms, Rows) :-
    (   fits(R, Doms) -> Rows = [R|Rows1] ; Rows = Rows1 ),
    possible_rows(Rs, Doms, Rows1).

fits([], []).
fits([V|Vs], [D|Ds]) :- dom_contains(D, V), fits(Vs, Ds).

columns([], _) --> [].
columns([X|Xs], Rows) -->
    { heads(Rows, Vs, Rests) },
    (   { integer(X) }
    ->  []
    ;   { values_dom(Vs, Dom) },
        narrow(X, Dom)
    ),
    columns(Xs, Rests).

heads([], [], []).
heads([[V|Vs]|Rows], [V|Hs], [Vs|Rests]) :- heads(Rows, Hs, Rests).

% count(+Xs, +K, ?N, +P): N of Xs are the integer K.
count(Xs, K, N, P) -->
    { tally(Xs, K, 0, Sure, Open) },
    { length(Open, Width), Most is Sure+Width },
    restrict(N, Sure, Most),
    (   { Open == [] }
    ->  { kill(P) }
    ;   { N == Sure }
    ->  { kill(P) },
        exclude_from(Open, K)
    ;   { N == Most }
    ->  { kill(P) },
        assign_all(Open, K)
    ;   []
    ).

tally([], _, Sure, Sure, []).
tally([X|Xs], K, Sure0, Sure, Open) :-
    (   integer(X)
    ->  ( X =:= K -> Sure1 is Sure0+1 ; Sure1 = Sure0 ),
        tally(Xs, K, Sure1, Sure, Open)
    ;   domain(X, Dom),
        dom_contains(Dom, K)
    ->  Open = [X|Open1],
        tally(Xs, K, Sure0, Sure, Open1)
    ;   tally(Xs, K, Sure0, Sure, Open)
    ).

exclude_from([], _) --> [].
exclude_from([X|Xs], V) --> exclude(X, V), exclude_from(Xs, V).

assign_all([], _) --> [].
assign_all([X|Xs], V) --> assign(X, V), assign_all(Xs, V).

% circuit(+Xs, +P): the chain of known successors from a place must not come back before all places were seen.
circuit(Xs, _) -->
    { length(Xs, N), Places =.. [places|Xs] },
    circuit_from(Xs, 1, N, Places).

circuit_from([], _, _, _) --> [].
circuit_from([X|Xs], I, N, Places) -->
    (   { integer(X) }
    ->  { chain_end(X, I, 1, N, Places, End, Length) },
        (   { Length < N, var(End) } -> exclude(End, I) ; [] )
    ;   []
    ),
    { I1 is I+1 },
    circuit_from(Xs, I1, N, Places).

% chain_end(+J, +Start, +L0, +N, +Places, -End, -L): End is the unknown successor at the end, after L known steps; a chain that
% comes back to Start has N steps.
chain_end(J, Start, L0, N, Places, End, L) :-
    (   J =:= Start
    ->  L0 =:= N,
        End = Start,
        L = L0
    ;   L0 < N,
        arg(J, Places, Next),
        (   integer(Next)
        ->  L1 is L0+1,
            chain_end(Next, Start, L1, N, Places, End, L)
        ;   End = Next,
            L is L0+1
        )
    ).

% cumulative(+Tasks, +Limit, +P): Tasks are t(Start, Duration, End, Resource). The profile adds up the resources that
% tasks certainly use at each time; a task does not begin or end where it would exceed the limit. All tasks together
% must fit, too.
cumulative(Tasks, Limit, _) -->
    { compulsory(Tasks, Parts) },
    { edges(Parts, Edges0), msort(Edges0, Edges), profile(Edges, 0, Profile), peak(Profile, 0, Peak) },
    restrict(Limit, Peak, sup),
    { spans(Tasks, Spans0, Froms0), msort(Spans0, Spans), sort(Froms0, Froms), densest(Froms, Spans, Peak, Least) },
    restrict(Limit, Least, sup),
    { bounds(Limit, _, Max) },
    push_starts(Tasks, Profile, Max).

compulsory([], []).
compulsory([t(S, D, _, R)|Tasks], Parts) :-
    bounds(S, SL, SH),
    bounds(D, DL, _),
    bounds(R, RL, _),
    (   integer(SL), integer(SH), integer(DL), integer(RL), RL > 0, SH < SL+DL
    ->  To is SL+DL,
        Parts = [part(SH, To, RL)|Parts1]
    ;   Parts = Parts1
    ),
    compulsory(Tasks, Parts1).

edges([], []).
edges([part(From, To, R)|Parts], [From-R, To-Less|Edges]) :-
    Less is -R,
    edges(Parts, Edges).

% profile(+Edges, +Height, -Profile): Profile lists seg(From, To, Height) for the times at which something is used.
profile([], _, []).
profile([T-R|Edges], H0, Profile) :-
    H is H0+R,
    (   Edges = [T1-_|_], T1 > T, H =\= 0
    ->  Profile = [seg(T, T1, H)|Profile1]
    ;   Profile = Profile1
    ),
    profile(Edges, H, Profile1).

peak([], Peak, Peak).
peak([seg(_, _, H)|Segs], Peak0, Peak) :- Peak1 is max(Peak0, H), peak(Segs, Peak1, Peak).

% spans(+Tasks, -Spans, -Froms): span(To, From, Work) means that Work has to be done between From and To.
spans([], [], []).
spans([t(S, D, E, R)|Tasks], Spans, Froms) :-
    bounds(S, From, _),
    bounds(E, _, To),
    bounds(D, DL, _),
    bounds(R, RL, _),
    (   integer(From), integer(To), integer(DL), integer(RL), DL > 0, RL > 0
    ->  Work is DL*RL,
        Spans = [span(To, From, Work)|Spans1],
        Froms = [From|Froms1]
    ;   Spans = Spans1,
        Froms = Froms1
    ),
    spans(Tasks, Spans1, Froms1).

% densest(+Froms, +Spans, +Limit0, -Limit): Limit, at least Limit0, lets all work be done. The work of the spans
% between two times is at most the limit times the time between them. The times to try are the begins and ends of
% spans.
densest([], _, Limit, Limit).
densest([From|Froms], Spans, Limit0, Limit) :-
    densest_from(Spans, From, 0, Limit0, Limit1),
    densest(Froms, Spans, Limit1, Limit).

densest_from([], _, _, Limit, Limit).
densest_from([span(To, Own, Work)|Spans], From, Sum0, Limit0, Limit) :-
    (   Own < From
    ->  densest_from(Spans, From, Sum0, Limit0, Limit)
    ;   Sum is Sum0+Work,
        Time is To-From,
        ( Sum =< Limit0*Time -> Limit1 = Limit0 ; Limit1 is -((-Sum) div Time) ),
        densest_from(Spans, From, Sum, Limit1, Limit)
    ).

push_starts([], _, _) --> [].
push_starts([t(S, D, _, R)|Tasks], Profile, Max) -->
    (   { integer(Max), var(S), bounds(D, DL, _), bounds(R, RL, _), integer(DL), DL > 0, integer(RL), RL > 0 }
    ->  { bounds(S, SL, SH), own_part(SL, SH, DL, RL, Own), Room is Max-RL },
        { full(Profile, Own, Room, Full), earliest(Full, DL, SL, Low), latest(Full, DL, SH, High) },
        restrict(S, Low, High)
    ;   []
    ),
    push_starts(Tasks, Profile, Max).

own_part(SL, SH, DL, RL, Own) :-
    (   integer(SL), integer(SH), SH < SL+DL
    ->  To is SL+DL,
        Own = part(SH, To, RL)
    ;   Own = none
    ).

% full(+Profile, +Own, +Room, -Full): Full are the segments in which other tasks use more than Room; the certain use
% of the task itself is not counted.
full([], _, _, []).
full([seg(From, To, H)|Segs], Own, Room, Full) :-
    (   Own = part(A, B, R), A =< From, To =< B
    ->  Others is H-R
    ;   Others = H
    ),
    ( Others > Room -> Full = [From-To|Full1] ; Full = Full1 ),
    full(Segs, Own, Room, Full1).

% earliest(+Full, +D, +Low0, -Low): the first start from Low0 on that lets a task of duration D run outside of the segments;
% latest/4 finds the last start up to High0.
earliest([], _, Low, Low).
earliest([From-To|Full], D, Low0, Low) :-
    ( integer(Low0), Low0 < To, Low0+D > From -> Low1 = To ; Low1 = Low0 ),
    earliest(Full, D, Low1, Low).

latest([], _, High, High).
latest([From-To|Full], D, High0, High) :-
    latest(Full, D, High0, High1),
    ( integer(High1), High1 < To, High1+D > From -> High is From-D ; High = High1 ).

% lex(+Xs, +Ys, +P): the list Xs does not come after Ys.
lex([], [], P) --> { kill(P) }.
lex([X|Xs], [Y|Ys], P) -->
    (   { X == Y }
    ->  { setarg(3, P, lex(Xs, Ys)) },
        lex(Xs, Ys, P)
    ;   { bounds(X, XL, _), bounds(Y, _, YH) },
        restrict(X, inf, YH),
        restrict(Y, XL, sup),
        { bounds(X, _, XH), bounds(Y, YL, _) },
        ( { ext_lt(XH, YL) } -> { kill(P) } ; [] )
    ).

zcompared(O, X, Y, P) -->
    (   { O == (<) }
    ->  { kill(P) }, post_linear(le, [1, -1], [X, Y], 1)
    ;   { O == (>) }
    ->  { kill(P) }, post_linear(le, [1, -1], [Y, X], 1)
    ;   { O == (=) }
    ->  { kill(P), X = Y }
    ;   { bounds(X, XL, XH), bounds(Y, YL, YH) },
        (   { ext_lt(XH, YL) } -> { kill(P), O = (<) }
        ;   { ext_lt(YH, XL) } -> { kill(P), O = (>) }
        ;   { X == Y } -> { kill(P), O = (=) }
        ;   { integer(X), integer(Y) } -> { kill(P), O = (=) }
        ;   []
        )
    ).

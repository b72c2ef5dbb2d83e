% The constraint store of library(clpfd): the domains of variables and the propagators that wait on them.
%
% The attribute clpfd of a variable is fd(Min, Max, Dom, Fixed, Bounds, Any): the bounds of its domain, the domain,
% and the propagators to wake when the variable is bound, when a bound changes, and when anything changes. A
% propagator is prop(State, Speed, Goal, Shown): State is idle, queued or dead; Speed is fast or slow; slow
% propagators run when no fast one is queued. Goal is the constraint with its variables. Shown is set when the
% constraint has been written among residual goals.
%
% A predicate that changes a domain is a grammar rule, and describes the list of the propagators that it wakes. That
% list is the queue. It ends in a variable, and propagators that run add to its end.
:- module(clpfd_store, [
    bounds/3,
    domain/2,
    restrict//3,
    narrow//2,
    exclude//2,
    assign//2,
    mention/1,
    wake_all//1,
    wake_lists//3,
    attach//4,
    kill/1
]).

:- use_module(library(clpfd/domains)).

% bounds(?X, -Min, -Max): the bounds of the domain of X.
bounds(X, Min, Max) :-
    (   integer(X)
    ->  Min = X,
        Max = X
    ;   get_attr(X, clpfd, fd(L, H, _, _, _, _))
    ->  Min = L,
        Max = H
    ;   Min = inf,
        Max = sup
    ).

domain(X, Dom) :-
    (   integer(X)
    ->  Dom = [X-X]
    ;   get_attr(X, clpfd, fd(_, _, D, _, _, _))
    ->  Dom = D
    ;   Dom = [inf-sup]
    ).

% restrict(?X, +Low, +High): X is between the extended integers Low and High.
restrict(X, Low, High, Q0, Q) :-
    (   integer(X)
    ->  Q0 = Q,
        ext_le(Low, X),
        ext_le(X, High)
    ;   get_attr(X, clpfd, Attr)
    ->  Attr = fd(Min, Max, Dom, _, _, _),
        (   ext_le(Low, Min)
        ->  (   ext_le(Max, High)
            ->  Q0 = Q
            ;   dom_upto(High, Dom, Dom1),
                update(Dom1, X, Attr, Q0, Q)
            )
        ;   dom_from(Low, Dom, Dom1),
            (   ext_le(Max, High)
            ->  update(Dom1, X, Attr, Q0, Q)
            ;   dom_upto(High, Dom1, Dom2),
                update(Dom2, X, Attr, Q0, Q)
            )
        )
    ;   Q0 = Q,
        (   Low == High
        ->  X = Low
        ;   ext_lt(Low, High),
            ( Low == inf, High == sup -> true ; put_attr(X, clpfd, fd(Low, High, [Low-High], [], [], [])) )
        )
    ).

% narrow(?X, +Dom): X is in Dom.
narrow(X, Dom, Q0, Q) :-
    (   integer(X)
    ->  Q0 = Q,
        dom_contains(Dom, X)
    ;   get_attr(X, clpfd, Attr)
    ->  Attr = fd(_, _, Dom0, _, _, _),
        dom_intersection(Dom0, Dom, Dom1),
        (   Dom1 == Dom0 -> Q0 = Q ; update(Dom1, X, Attr, Q0, Q) )
    ;   Q0 = Q,
        dom_bounds(Dom, Min, Max),
        ( Min == Max -> X = Min ; put_attr(X, clpfd, fd(Min, Max, Dom, [], [], [])) )
    ).

% exclude(?X, +V): X is not V.
exclude(X, V, Q0, Q) :-
    (   integer(X)
    ->  Q0 = Q,
        X =\= V
    ;   get_attr(X, clpfd, Attr)
    ->  Attr = fd(Min, Max, Dom, _, _, _),
        (   ext_le(Min, V), ext_le(V, Max), dom_contains(Dom, V)
        ->  dom_remove(Dom, V, Dom1),
            update(Dom1, X, Attr, Q0, Q)
        ;   Q0 = Q
        )
    ;   Q0 = Q,
        dom_remove([inf-sup], V, Dom),
        put_attr(X, clpfd, fd(inf, sup, Dom, [], [], []))
    ).

% assign(?X, +V): X is the integer V.
assign(X, V, Q0, Q) :-
    (   integer(X)
    ->  Q0 = Q,
        X =:= V
    ;   get_attr(X, clpfd, fd(Min, Max, Dom, Fixed, Bounds, Any))
    ->  ext_le(Min, V),
        ext_le(V, Max),
        dom_contains(Dom, V),
        del_attr(X, clpfd),
        X = V,
        wake_lists(Fixed, Bounds, Any, Q0, Q)
    ;   Q0 = Q,
        X = V
    ).

% update(+Dom, -X, +Attr): Dom is part of the domain in Attr and not all of it. The attribute is removed before X is
% bound, so that no hook runs: the propagators are in the queue.
update([From-To|Dom], X, fd(Min, Max, _, Fixed, Bounds, Any), Q0, Q) :-
    (   Dom == [], From == To
    ->  del_attr(X, clpfd),
        X = From,
        wake_lists(Fixed, Bounds, Any, Q0, Q)
    ;   dom_bounds([From-To|Dom], Min1, Max1),
        put_attr(X, clpfd, fd(Min1, Max1, [From-To|Dom], Fixed, Bounds, Any)),
        (   Min1 == Min, Max1 == Max
        ->  wake_all(Any, Q0, Q)
        ;   wake_all(Bounds, Q0, Q1),
            wake_all(Any, Q1, Q)
        )
    ).

wake_lists(Fixed, Bounds, Any) -->
    wake_all(Fixed),
    wake_all(Bounds),
    wake_all(Any).

wake_all([], Q, Q).
wake_all([P|Ps], Q0, Q) :-
    arg(1, P, State),
    (   State == idle
    ->  setarg(1, P, queued),
        Q0 = [P|Q1]
    ;   Q0 = Q1
    ),
    wake_all(Ps, Q1, Q).

% mention(?X): if X is a variable, it gets the attribute of the store.
mention(X) :-
    (   integer(X)
    ->  true
    ;   get_attr(X, clpfd, _)
    ->  true
    ;   put_attr(X, clpfd, fd(inf, sup, [inf-sup], [], [], []))
    ).

% attach(+Goal, +Speed, +Event, +Xs): a new propagator waits for an Event (fixed, bounds or any) on the variables Xs, and runs
% once at first.
attach(Goal, Speed, Event, Xs, [P|Q], Q) :-
    P = prop(queued, Speed, Goal, no),
    hang(Xs, Event, P).

hang([], _, _).
hang([X|Xs], Event, P) :-
    (   integer(X)
    ->  true
    ;   mention(X),
        get_attr(X, clpfd, Attr0),
        hung(Event, P, Attr0, Attr),
        put_attr(X, clpfd, Attr)
    ),
    hang(Xs, Event, P).

hung(fixed, P, fd(L, H, D, F, B, A), fd(L, H, D, [P|F], B, A)).
hung(bounds, P, fd(L, H, D, F, B, A), fd(L, H, D, F, [P|B], A)).
hung(any, P, fd(L, H, D, F, B, A), fd(L, H, D, F, B, [P|A])).

kill(P) :- setarg(1, P, dead).

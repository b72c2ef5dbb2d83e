% The goal of a clause at which it fails, for library(explain): of all the ways through the body the one that comes
% farthest.
:- module(explain_farthest, [
    probe/10,
    find/6,
    note/5,
    note_cut/1,
    relative_gap/2
]).

:- use_module(library(explain/goals)).
:- use_module(library(explain/proofs)).

% probe(+Body, +Module, +Best, +All, +I0, -I, +P0, -P, -Marked, -Probed): Probed notes each goal before it is called. I
% numbers the goals, P counts those on the way. All is all(Goal, Body, Marked): Marked is the body with
% '$branch'(Branch, C, A, B) for a condition, where Branch becomes then, or what explain_proofs:seen/2 makes of the
% condition that had no answer.
probe(V, M, Best, All, I0, I, P0, P, V, (explain_farthest:note(Best, I0, P0, All, V), M:V)) :-
    var(V),
    !,
    I is I0 + 1,
    P is P0 + 1.
probe((A, B), M, Best, All, I0, I, P0, P, (A2, B2), (A1, B1)) :- !,
    probe(A, M, Best, All, I0, I1, P0, P1, A2, A1),
    probe(B, M, Best, All, I1, I, P1, P, B2, B1).
probe((C -> A ; B), M, Best, All, I0, I, P0, P, clpfd:E,
        (explain_farthest:note(Best, I0, P0, All, clpfd:E), M:(C -> A ; B))) :-
    expanded_constraint(B, E),
    !,
    I is I0 + 1,
    P is P0 + 1.
probe((C -> A ; B), M, Best, All, I0, I, P0, P, '$branch'(Branch, C, A2, B2),
        (M:C -> Branch = then, A1 ; explain_proofs:seen(C, Branch), B1)) :-
    B \== fail,
    B \== false,
    !,
    probe_branches(A, B, M, Best, All, I0, I, P0, P, A2, A1, B2, B1).
probe((C *-> A ; B), M, Best, All, I0, I, P0, P, '$branch'(Branch, C, A2, B2),
        (M:C *-> Branch = then, A1 ; explain_proofs:seen(C, Branch), B1)) :- !,
    probe_branches(A, B, M, Best, All, I0, I, P0, P, A2, A1, B2, B1).
probe((C -> A ; _), M, Best, All, I0, I, P0, P, Marked, Probed) :- !,
    probe((C -> A), M, Best, All, I0, I, P0, P, Marked, Probed).
probe((A ; B), M, Best, All, I0, I, P0, P, (A2 ; B2), (A1 ; B1)) :- !,
    probe(A, M, Best, All, I0, I1, P0, P1, A2, A1),
    probe(B, M, Best, All, I1, I, P0, P2, B2, B1),
    P is max(P1, P2).
probe((A -> B), M, Best, All, I0, I, P0, P, (A2, B2), (A1 -> B1)) :- !,
    probe(A, M, Best, All, I0, I1, P0, P1, A2, A1),
    probe(B, M, Best, All, I1, I, P1, P, B2, B1).
probe((A *-> B), M, Best, All, I0, I, P0, P, (A2, B2), (A1 *-> B1)) :- !,
    probe(A, M, Best, All, I0, I1, P0, P1, A2, A1),
    probe(B, M, Best, All, I1, I, P1, P, B2, B1).
probe(!, _, Best, _, I0, I, P, P, !, (!, explain_farthest:note_cut(Best))) :- !,
    I is I0 + 1.
probe(true, _, _, _, I, I, P, P, true, true) :- !.
probe(M:A, _, Best, All, I0, I, P0, P, M:Marked, Probed) :-
    atom(M),
    nonvar(A),
    !,
    probe(A, M, Best, All, I0, I, P0, P, Marked, Probed).
probe(G, M, Best, All, I0, I, P0, P, G, (explain_farthest:note(Best, I0, P0, All, G), M:G)) :-
    I is I0 + 1,
    P is P0 + 1.

probe_branches(A, B, M, Best, All, I0, I, P0, P, A2, A1, B2, B1) :-
    Inner is P0 + 1,
    probe(A, M, Best, All, I0, I1, Inner, P1, A2, A1),
    probe(B, M, Best, All, I1, I, Inner, P2, B2, B1),
    P is max(P1, P2).

% note(+Best, +Index, +Progress, +Body, +Goal): the goal with this number is about to be called. Best is best(Index,
% Progress, Body, Cut, Gap, Count, Goals, Heads): the goal that has come farthest with its body, how far a comparison is
% from being true, how many instances of the goal were called, and some of them with the heads of their clauses. Of
% comparisons the nearest one counts.
note(Best, Index, Progress, Body, Goal) :-
    arg(2, Best, Before),
    (   Progress > Before
    ->  nb_setarg(2, Best, Progress),
        nb_setarg(6, Best, 1),
        gap(Goal, Gap),
        best_instance(Best, Index, Body, Gap),
        Body = all(Head, _, _),
        nb_setarg(7, Best, [Goal]),
        nb_setarg(8, Best, [Head])
    ;   Progress =:= Before
    ->  arg(6, Best, Count0),
        Count is Count0 + 1,
        nb_setarg(6, Best, Count),
        (   Count < 500
        ->  another_instance(Best, Index, Body, Goal)
        ;   true
        )
    ;   true
    ).

best_instance(Best, Index, Body, Gap) :-
    nb_setarg(1, Best, Index),
    nb_setarg(3, Best, Body),
    nb_setarg(5, Best, Gap).

another_instance(Best, Index, Body, Goal) :-
    (   gap(Goal, Gap),
        Gap \== none,
        nearer(Gap, Best)
    ->  best_instance(Best, Index, Body, Gap)
    ;   true
    ),
    Body = all(Head, _, _),
    another(7, Best, Goal),
    another(8, Best, Head).

% nearer(+Gap, +Best): a comparison with this gap is nearer than the best goal: than one with a greater gap, and than one
% that asks whether terms are equal, which is often asked of a special value first.
nearer(Gap, Best) :-
    arg(5, Best, Gap0),
    (   Gap0 == none
    ->  arg(7, Best, [First|_]),
        nonvar(First),
        functor(First, Name, 2),
        memberchk(Name, [==, =, \==, \=])
    ;   Gap < Gap0
    ).

% another(+Argument, +Best, +Term): adds a term to the first five that differ.
another(I, Best, Term) :-
    arg(I, Best, Terms),
    (   length(Terms, N),
        N < 5,
        \+ ( member(T, Terms), T =@= Term )
    ->  append(Terms, [Term], Terms1),
        nb_setarg(I, Best, Terms1)
    ;   true
    ).

% gap(+Goal, -Gap): how far apart the two numbers are that a goal compares, or none.
gap(Goal, Gap) :-
    (   compared(Goal, A, B),
        ground(A-B),
        catch(Gap0 is abs(A - B), error(_, _), fail)
    ->  Gap = Gap0
    ;   Gap = none
    ).

% relative_gap(+Goal, -Gap): the same as a part of the greater number, between 0 and 2.
relative_gap(Goal, Gap) :-
    gap(Goal, Gap0),
    Gap0 \== none,
    compared(Goal, A, B),
    Greater is max(abs(A), abs(B)),
    (   Greater =:= 0
    ->  Gap = 0.0
    ;   catch(Gap is float(Gap0 / Greater), error(_, _), fail)
    ).

compared(V, _, _) :- var(V), !, fail.
compared(clpfd:G, A, B) :- compared(G, A, B).
compared(A < B, A, B).
compared(A > B, A, B).
compared(A =< B, A, B).
compared(A >= B, A, B).
compared(A =:= B, A, B).
compared('#<'(A, B), A, B).
compared('#>'(A, B), A, B).
compared('#=<'(A, B), A, B).
compared('#>='(A, B), A, B).
compared('#='(A, B), A, B).

note_cut(Best) :- nb_setarg(4, Best, true).

% find(+Marked, +Index, +I0, -I, -Held, -Found): Found is found(Goal) for the goal with the number Index, Held are the
% goals on the way to it.
find(V, N, I0, I, Held, Found) :-
    var(V),
    !,
    find_goal(V, N, I0, I, Held, Found).
find((A, B), N, I0, I, Held, Found) :- !,
    find_both(A, B, N, I0, I, Held, Found).
find('$branch'(Branch, C, A, B), N, I0, I, Held, Found) :- !,
    find(A, N, I0, I1, Held1, Found1),
    find(B, N, I1, I, Held2, Found2),
    (   ( Found1 = found(_) ; Found2 == none, Branch == then )
    ->  Condition = C,
        Inner = Held1,
        Found = Found1
    ;   shown(Branch, Asked),
        Condition = (\+ Asked),
        Inner = Held2,
        Found = Found2
    ),
    (   Found == none
    ->  within(Inner, Marked),
        Held = [Condition|Marked]
    ;   Held = [Condition|Inner]
    ).
find((A ; B), N, I0, I, Held, Found) :- !,
    find(A, N, I0, I1, Held1, Found1),
    find(B, N, I1, I, Held2, Found2),
    (   Found1 = found(_)
    ->  Held = Held1,
        Found = Found1
    ;   Found2 = found(_)
    ->  Held = Held2,
        Found = Found2
    ;   unmarked_branches((A ; B), Plain),
        Held = [Plain],
        Found = none
    ).
find(!, _, I0, I, [], none) :- !, I is I0 + 1.
find(true, _, I, I, [], none) :- !.
find(M:A, N, I0, I, Held, Found) :-
    atom(M),
    nonvar(A),
    !,
    find(A, N, I0, I, Held, Found0),
    (   Found0 = found(G)
    ->  Found = found(M:G)
    ;   Found = Found0
    ).
find(G, N, I0, I, Held, Found) :- find_goal(G, N, I0, I, Held, Found).

find_goal(G, N, I0, I, Held, Found) :-
    I is I0 + 1,
    (   I0 =:= N
    ->  Found = found(G),
        Held = []
    ;   Found = none,
        Held = [G]
    ).

find_both(A, B, N, I0, I, Held, Found) :-
    find(A, N, I0, I1, Held1, Found1),
    find(B, N, I1, I, Held2, Found2),
    (   Found1 = found(_)
    ->  Held = Held1,
        Found = Found1
    ;   append(Held1, Held2, Held),
        Found = Found2
    ).

% within(+Held, -Marked): the goals of a branch that was gone through are within(Goal): the clause has them in one goal.
within([], []).
within([G|Gs], [M|Ms]) :-
    (   nonvar(G),
        G = within(_)
    ->  M = G
    ;   M = within(G)
    ),
    within(Gs, Ms).

% unmarked_branches(+Marked, -Goal): Goal is a part of the body as it was before.
unmarked_branches(V, V) :- var(V), !.
unmarked_branches('$branch'(_, C, A0, B0), (C -> A ; B)) :- !,
    unmarked_branches(A0, A),
    unmarked_branches(B0, B).
unmarked_branches((A0, B0), (A, B)) :- !, unmarked_branches(A0, A), unmarked_branches(B0, B).
unmarked_branches((A0 ; B0), (A ; B)) :- !, unmarked_branches(A0, A), unmarked_branches(B0, B).
unmarked_branches(G, G).

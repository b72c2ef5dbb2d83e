% library(explain): the goal at which a clause fails, on the way through the body that comes farthest.
:- module(explain_farthest, [
    probe/6,
    total/2,
    found/4,
    gap/2
]).

:- use_module(library(explain/interpreter)).
:- use_module(library(explain/proofs)).

% probe(+Body, +Module, +Goal, +Best, -Steps, -Probed): Probed is Body with each goal recorded before it is called.
% Steps are the steps of the use way.
probe(Body, M, Goal, Best, Steps, Probed) :-
    walk(Body, M, way(explain_farthest, probe(M, Best, all(Goal, Body, Steps))), 1, _, 0, _, Steps, Probed).

% total(+Steps, -N): N is the number of goals on the way, in the branches that were taken.
total(Steps, 1) :- var(Steps), !. % a disjunction that nothing has come to
total(none, 0).
total(at(_, G), N) :- ( G == cut -> N = 0 ; N = 1 ).
total(and(A, B), N) :- total(A, N0), total(B, N1), N is N0 + N1.
total(branch(_, Steps), N) :- total(Steps, N).
total(either(_, Steps), N) :- total(Steps, N).
total(condition(C, Branch, Most), N) :-
    total(C, N0),
    ( var(Branch) -> N is N0 + Most ; total(Branch, N1), N is N0 + N1 ).

% goal(+Goal, +Module, +State, +Number, -Node): records a goal, calls it, and records if it has no solution.
goal(G, M, probe(Home, Best, All), I-P, Node) :-
    (   M == Home
    ->  Node = G
    ;   Node = M:G
    ),
    note(Best, I, P, All, Node),
    Came = came(no),
    (   supposed(M:G),
        nb_setarg(1, Came, yes)
    ;   arg(1, Came, no),
        note_failed(Best, I, Node),
        fail
    ).

cut(probe(_, Best, _)) :- nb_setarg(4, Best, true).

% note(+Best, +Index, +Progress, +Body, +Goal): records that the goal with this number is about to be called. Best is
% best(Index, Progress, Body, Cut, Gap, Count, Goals, Heads, Failed): the farthest goal that was reached, with its
% body; how far a comparison is from being true; how many instances of the goal were called; and some of these
% instances with the heads of their clauses. Among comparisons the nearest one counts. Failed has failed(Index, Count,
% Goals) for each goal that had no solution.
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

% nearer(+Gap, +Best): a comparison with this gap is nearer than the best goal. It is nearer than a comparison with a
% greater gap, and than a test whether terms are equal, which often tests for a special value first.
nearer(Gap, Best) :-
    arg(5, Best, Gap0),
    (   Gap0 == none
    ->  arg(7, Best, [First|_]),
        nonvar(First),
        functor(First, Name, 2),
        memberchk(Name, [==, =, \==, \=])
    ;   Gap < Gap0
    ).

% note_failed(+Best, +Index, +Goal): an instance of the goal with this number has no solution.
note_failed(Best, I, Goal) :-
    arg(9, Best, All),
    (   member(Failed, All),
        arg(1, Failed, I)
    ->  arg(2, Failed, Count0),
        Count is Count0 + 1,
        nb_setarg(2, Failed, Count),
        ( Count < 500 -> another(3, Failed, Goal) ; true )
    ;   nb_setarg(9, Best, [failed(I, 1, [Goal])|All])
    ).

% another(+Argument, +Best, +Term): adds a term to the first ten that differ.
another(I, Best, Term) :-
    arg(I, Best, Terms),
    (   length(Terms, N),
        N < 10,
        \+ ( member(T, Terms), T =@= Term )
    ->  append(Terms, [Term], Terms1),
        nb_setarg(I, Best, Terms1)
    ;   true
    ).

% gap(+Goal, -Gap): Gap is the difference of the two numbers that a goal compares, relative to the greater one,
% between 0 and 2; or none.
gap(Goal, Gap) :-
    (   compared(Goal, A, B),
        ground(A-B),
        catch(( Difference is abs(A - B), Greater is max(abs(A), abs(B)) ), error(_, _), fail),
        ( Greater =:= 0 -> Gap0 = 0.0 ; catch(Gap0 is float(Difference / Greater), error(_, _), fail) )
    ->  Gap = Gap0
    ;   Gap = none
    ).

compared(Goal, A, B) :-
    '$strip_module'(Goal, _, G),
    compound(G),
    G =.. [Name, A, B],
    memberchk(Name, [<, >, =<, >=, =:=, '#<', '#>', '#=<', '#>=', '#=']).

% found(+Steps, +Index, -Held, -Found): Found is found(Goal) for the goal with the number Index, or none. Held are the
% goals on the way to it. Goals of a completed branch are within(Goal), because the clause has them within one goal.
found(Steps, _, [], none) :- var(Steps), !.
found(none, _, [], none).
found(and(A, B), N, Held, Found) :-
    found(A, N, Held1, Found1),
    (   Found1 = found(_)
    ->  Held = Held1,
        Found = Found1
    ;   found(B, N, Held2, Found),
        append(Held1, Held2, Held)
    ).
found(branch(C, Steps), N, [Condition|Held], Found) :-
    (   C = node(absent, Asked, _, _)
    ->  shown(Asked, Condition)
    ;   Condition = C
    ),
    found(Steps, N, Held0, Found),
    (   Found == none
    ->  maplist(within, Held0, Held)
    ;   Held = Held0
    ).
found(condition(Steps, Branch, _), N, Held, Found) :-
    (   var(Branch)
    ->  found(Steps, N, Held, Found)
    ;   found(Branch, N, Held, Found)
    ).
found(either(G, Steps), N, Held, Found) :-
    found(Steps, N, Held0, Found),
    (   Found == none
    ->  Held = [G]
    ;   Held = Held0
    ).
found(at(I, G), N, Held, Found) :-
    (   ( var(G) ; G == cut )
    ->  Held = [],
        Found = none
    ;   I = N-_
    ->  Held = [],
        Found = found(G)
    ;   Held = [G],
        Found = none
    ).

within(G, Within) :- ( nonvar(G), G = within(_) -> Within = G ; Within = within(G) ).

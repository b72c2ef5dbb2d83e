% Rewriting logical formulas to conditional normal form and proving them.
% scale: 81

bench :- run(300).
small :- run(1).

run(Times) :-
    theorem(T),
    (   between(1, Times, _),
        proved(T),
        fail
    ;   normal(T, N),
        size(N, Size),
        (   proved(T) -> Verdict = valid ; Verdict = open ),
        write(checksum(Verdict-Size)), nl
    ).

theorem(implies(and(implies(p, q), and(implies(q, r), implies(r, s))),
                implies(or(p, q), or(s, and(p, not(p)))))).

proved(T) :-
    normal(T, N),
    holds(N, [], []).

% normal(+Formula, -If): only if(Test, Then, Else) remain, tests being variables.
normal(T, N) :-
    defined(T, If), !,
    normal(If, N).
normal(if(if(A, B, C), Y, Z), N) :- !,
    normal(if(A, if(B, Y, Z), if(C, Y, Z)), N).
normal(if(A, Y, Z), N) :-
    defined(A, If), !,
    normal(if(If, Y, Z), N).
normal(if(A, Y0, Z0), if(A, Y, Z)) :- !,
    normal(Y0, Y),
    normal(Z0, Z).
normal(T, T).

defined(not(A), if(A, f, t)).
defined(and(A, B), if(A, if(B, t, f), f)).
defined(or(A, B), if(A, t, if(B, t, f))).
defined(implies(A, B), if(A, if(B, t, f), t)).

holds(t, _, _) :- !.
holds(f, _, _) :- !, fail.
holds(if(A, Y, Z), True, False) :- !,
    (   truth(A, True, False, Value)
    ->  branch(Value, Y, Z, True, False)
    ;   holds(Y, [A|True], False),
        holds(Z, True, [A|False])
    ).
holds(A, True, _) :-
    within(A, True).

truth(t, _, _, t) :- !.
truth(f, _, _, f) :- !.
truth(A, True, _, t) :- within(A, True), !.
truth(A, _, False, f) :- within(A, False).

branch(t, Y, _, True, False) :- holds(Y, True, False).
branch(f, _, Z, True, False) :- holds(Z, True, False).

within(X, [X|_]) :- !.
within(X, [_|Xs]) :- within(X, Xs).

size(if(A, B, C), Size) :- !,
    size(A, SA),
    size(B, SB),
    size(C, SC),
    Size is 1 + SA + SB + SC.
size(_, 1).

% A little language of rules with operators of its own, which term expansion makes clauses of.
:- use_module(dsl).
:- consult(rules).
main :-
    forall(member(P, [ann, bob, cid]), ( findall(X, concludes(P, X), L), format("~w: ~w~n", [P, L]) )),
    forall(explained(ann, R, Why), format("~w because ~w~n", [R, Why])),
    X = (a and b or c), write_canonical(X), nl, print(X), nl.

% What goals of modules assert, and where the bodies of such clauses run.
:- use_module(store).
:- dynamic item/1.
item(user).

main :-
    put_item(1), put_item(2),
    findall(X, item(X), L1), writeln(L1),
    findall(X, store:item(X), L2), writeln(L2),
    add_rule, findall(X, rule(X), L3), writeln(L3),
    assertz((store:late(X) :- helper(X))), store:late(Y), writeln(Y),
    forall(clause(store:late(_), B), (B = M:_ -> writeln(M) ; true)),
    drop_all, findall(X, item(X), L4), writeln(L4).

helper(user_helper).

% A report with columns over facts of several files, some of them included.
:- include(stock).
:- use_module(totals).
:- discontiguous item/4.
item(screws, 1000, 0.02, b).
main :-
    format("~w~t~12|~t~w~8+~t~w~10+~n", [name, count, value]),
    forall(( item(N, C, P, _), V is C * P ), format("~w~t~12|~t~d~8+~t~2f~10+~n", [N, C, V])),
    format("~`-t~30|~n"),
    total(user:value_of, T), format("~w~t~20|~t~2f~10+~n", [total, T]),
    aggregate_all(bag(P-N), item(N, _, P, _), L0), keysort(L0, L), pairs_values(L, Names), print(Names), nl,
    forall(group(Shelf, Ns), format("~w: ~w~n", [Shelf, Ns])),
    aggregate_all(max(C, N), item(N, C, _, _), max(MC, MN)), format("~a ~D~n", [MN, MC]).
value_of(V) :- item(_, C, P, _), V is C * P.
group(Shelf, Ns) :- setof(N, C^P^item(N, C, P, Shelf), Ns).

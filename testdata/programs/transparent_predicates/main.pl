% Predicates that see the module of their caller, and declarations made by goals.
:- use_module(control).
:- use_module(shop).

:- dynamic sold/1.

here(X) :- writeln(user_here(X)).

main :-
    trade,
    perform(here(1)),
    context(A), writeln(A),
    context_of_context(B), writeln(B),
    store(sold(7)), sold(F), writeln(F),
    say_both,
    split_module(foo, X), writeln(X),
    count_down(2, M), writeln(M),
    two_contexts(C, D), writeln(C-D),
    declared_late(L), writeln(L),
    (   predicate_property(context(_), transparent) -> writeln(yes) ; writeln(no) ),
    (   predicate_property(count_down(_, _), number_of_clauses(N)) -> writeln(N) ; writeln(no) ),
    catch(control:perform(nosuch), error(E, _), ( print(E), nl )),
    user:declared_late(L2), writeln(L2),
    barn:import(lists:append/3),
    (   predicate_property(barn:append(_, _, _), imported_from(From)) -> writeln(From) ; writeln(none) ),
    shop:export(price/2),
    module_property(shop, exports(Exports)), msort(Exports, Sorted), writeln(Sorted),
    import(shop:price/2), price(apple, P), writeln(P),
    meta_predicate(shop:each_price(2)),
    shop:each_price(show_price).

show_price(Name, Price) :- format("~w costs ~w~n", [Name, Price]).

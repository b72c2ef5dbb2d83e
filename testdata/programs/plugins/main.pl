% Plug-ins register themselves by directives; the core calls them by the names that they gave.
:- use_module(core).
:- ensure_loaded([upper, twice]).
:- use_module(twice).
main :-
    findall(N, plugin(N), Ns), msort(Ns, Sorted), print(Sorted), nl,
    apply_all([upper, twice], abc, R), print(R), nl,
    apply_all([twice, nosuch, upper], x, R2), print(R2), nl,
    ( catch(apply_all([broken], x, _), E, ( print_message(silent, E), write(caught(E)), nl )) -> true ; write(failed), nl ),
    ( predicate_property(core:plugin_goal(_, _), number_of_clauses(C)) -> print(C) ; print(none) ), nl.

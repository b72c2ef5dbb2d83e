% multifile, discontiguous and dynamic make predicates that fail until somebody adds clauses.
:- multifile hook/1, before/2.
:- discontiguous scattered/1.
:- dynamic fact/1.
:- multifile plugin:extra/1.

main :-
    ( hook(x) -> writeln(hook) ; writeln(default) ),
    ( scattered(_) -> writeln(some) ; writeln(none) ),
    ( fact(_) -> writeln(some) ; writeln(none) ),
    ( plugin:extra(_) -> writeln(some) ; writeln(none) ),
    catch(( unknown_one(_) -> true ; true ), error(E, _), (print(E), nl)),
    findall(H, before(H, _), L), writeln(L),
    ( predicate_property(hook(_), multifile) -> writeln(multifile) ; true ).

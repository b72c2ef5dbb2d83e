% Modules that see others, the module of a call, and what is known of modules and files.
:- use_module(traits).

main :-
    context_module(M),
    writeln(context(M)),
    who(W),
    writeln(who(W)),
    derive(circle, shape),
    writeln_all(findall(A-V, circle:area(A, V), L), L),
    (   catch(circle:colour(C), error(existence_error(procedure, PI), _), ( writeln(unknown(PI)), fail ))
    ->  writeln(colour(C))
    ;   true
    ),
    derive(circle, painted),
    circle:colour(C2),
    writeln(colour(C2)),
    forall(import_module(circle, I), writeln(sees(I))),
    delete_import_module(circle, painted),
    forall(import_module(circle, I), writeln(sees(I))),
    module_property(traits, exports(E0)),
    msort(E0, E),
    writeln(E),
    module_property(traits, file(F)),
    file_base_name(F, B),
    writeln(B),
    source_file(traits:who(_), F2),
    file_base_name(F2, B2),
    writeln(B2),
    catch(exactly_one(none), error(determinism_error(_, det, How, _), _), ( writeln(How) )),
    exactly_one(one),
    catch(exactly_one(many), error(determinism_error(_, det, How2, _), _), ( writeln(How2) )).

writeln_all(Goal, List) :- call(Goal), forall(member(X, List), writeln(X)).

% Tests of the family tree.

:- begin_tests(family).

test(ancestors, all(Ancestor == [clara, paul, ruth, daniel, alma, edgar])) :-
    ancestors(leo, Ancestor).

test(no_ancestors, all(Ancestor == [])) :-
    ancestors(alma, Ancestor).

test(stranger, error(existence_error(person, zoe))) :-
    ancestors(zoe, _).

test(relatives, all(Relative-Relation == [henry-father, nora-mother, finn-son,
                                          alma-grandmother, edgar-grandfather,
                                          clara-cousin, oskar-cousin])) :-
    relatives(ida, Relative, Relation).

test(how_related, forall(member(Person-Other-Relations,
                                [ mia-leo-[sister], leo-mia-[brother], alma-ida-[grandmother],
                                  finn-henry-[grandson], finn-alma-[] ]))) :-
    how_related(Person, Other, Found),
    assertion(Found == Relations).

test(add_child, [true(Relations == [daughter]), cleanup(forget(eva))]) :-
    add_child(mia, eva, female),
    how_related(eva, mia, Relations).

test(add_child_twice, error(permission_error(add, child, leo))) :-
    add_child(mia, leo, male).

:- end_tests(family).

forget(Person) :-
    retractall(gender(Person, _)),
    retractall(parent(_, Person)).

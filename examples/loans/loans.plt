:- begin_tests(loans).

test(ada, all(Product == [starter, gold])) :- eligible(ada, Product).
test(too_young, fail) :- eligible(bob, _).
test(barred, fail) :- eligible(cleo, _).
test(why_barred, all(Company == [tidal_works])) :- barred(cleo, Company).
test(minority, fail) :- controls(ada, _).

:- end_tests(loans).

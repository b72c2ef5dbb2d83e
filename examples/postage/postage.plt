% README.md has prices of two years.

:- begin_tests(postage).

test(bundle, true(Euro =:= 949 rdiv 100)) :- price(6000, home, private, 10, Euro).
test(contract, true(Percent == 25)) :- discount(business, 1000, Percent).
test(far, true(Euro =:= 305 rdiv 10)) :- rate(2001, far, Euro).

:- end_tests(postage).

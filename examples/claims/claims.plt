:- begin_tests(claims).

test(at_once, Decision-Pay == pay-850) :- triage(p100, water, date(2026, 5, 4), 1000, Decision, Pay).
test(large, Decision-Pay == review-4850) :- triage(p100, water, date(2026, 5, 4), 5000, Decision, Pay).
test(to_the_cent, Pay =:= 2010 / 100) :- triage(p300, damage, date(2025, 5, 4), 60, pay, Pay).
test(unpaid, Decision-Pay == refuse-0) :- triage(p300, damage, date(2026, 2, 1), 60, Decision, Pay).
test(last_day) :- triage(p300, damage, date(2026, 1, 31), 60, pay, _).
test(waiting, Decision == refuse) :- triage(p200, theft, date(2026, 3, 5), 900, Decision, _).
test(waited) :- \+ not_covered(p200, theft, date(2026, 3, 6), _).
test(kind, all(Reason == [kind])) :- not_covered(p200, storm, date(2026, 7, 1), Reason).
test(often, all(Reason == [often])) :- needs_person(p400, water, date(2026, 9, 1), 100, Reason).
test(long_ago, fail) :- needs_person(p400, water, date(2027, 9, 1), 100, _).

:- end_tests(claims).

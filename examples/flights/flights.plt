% What holds under the old law and under the new one. README.md has decisions of both years.

:- begin_tests(flights).

test(told_in_time, fail) :- compensation(lh4, _).
test(storm, fail) :- compensation(lh6, _).
test(storm_is_stronger, all(By == ['Art. 5(3)'])) :-
    applies(By, \+ compensation(lh6, _)).
test(strike, all(By == ['C-28/20'])) :- defeated('Art. 5(3)', \+ compensation(lh5, _), By).
test(long_delay, true(member(Euro, [500, 600]))) :- compensation(lh2, Euro).

:- end_tests(flights).

:- module(log, [log/2, shown_log/0]).
:- dynamic entry/2.
log(Format, Arguments) :-
    format(string(Line), Format, Arguments),
    flag(log_entries, N, N + 1),
    assertz(entry(N, Line)).
shown_log :-
    forall(entry(N, Line), format("~|~`0t~d~3|: ~s~n", [N, Line])),
    flag(log_entries, N, 0),
    format("~d entr~w~n", [N, ies]).

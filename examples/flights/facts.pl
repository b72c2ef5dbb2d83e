% The flights that are asked about.

% way(Flight, Kilometres)
way(lh1, 5900).
way(lh2, 5900).
way(lh3, 870).
way(lh4, 2100).
way(lh5, 870).
way(lh6, 6200).

% delayed(Flight, Hours)
delayed(lh1, 5).
delayed(lh2, 7).
delayed(lh6, 8).

% cancelled(Flight, DaysBefore): when passengers were told.
cancelled(lh3, 2).
cancelled(lh4, 20).
cancelled(lh5, 0).

% rerouted(Flight, HoursLater): another flight was offered that arrives so much later.
rerouted(lh3, 2).

% event(Flight, What)
event(lh5, strike_of_crew).
event(lh6, storm).

% Bookings of rooms.
:- type(room, oneof([aula, lab, nook])).
:- mode(free(+room, +time, +time), zero_or_one).
:- mode(rooms(+positive_integer, +time, +time, -room), zero_or_more).
:- mode(booked(+room, -integer), one).
:- info(free/3, [
       comment is 'Says whether a room is free.',
       arguments is [room - 'Room', start - 'Start', end - 'End']
   ]).
:- info(rooms/4, [
       comment is 'Finds free rooms with enough seats.',
       arguments is [seats - 'Least number of seats', start - 'Start', end - 'End', room - 'A free room']
   ]).
:- info(booked/2, [
       comment is 'Counts the minutes for which a room is booked.',
       arguments is [room - 'Room', minutes - 'Minutes']
   ]).

tools([free/3, rooms/4, booked/2]).

free(Room, Start, End) :-
    room(Room, _),
    Start @< End,
    \+ ( booking(Room, From, To),
         From @< End,
         Start @< To ).

rooms(Seats, Start, End, Room) :-
    room(Room, Has),
    Has >= Seats,
    free(Room, Start, End).

booked(Room, Minutes) :-
    aggregate_all(sum(M), minutes_of(Room, M), Minutes).

minutes_of(Room, Minutes) :-
    booking(Room, time(H1, M1), time(H2, M2)),
    Minutes is (H2 * 60 + M2) - (H1 * 60 + M1).

room(aula, 80).
room(lab, 20).
room(nook, 4).

booking(aula, time(9, 0), time(10, 30)).
booking(aula, time(13, 0), time(14, 0)).
booking(lab, time(9, 30), time(12, 0)).

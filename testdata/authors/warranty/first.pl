% Warranty of devices.
:- type(fault, oneof([screen, battery, liquid, fall, mainboard])).
:- type(cover, oneof([full, parts, none])).
:- mode(covered(+atom, +fault, +date, -cover), zero_or_one).
:- mode(expires(+atom, -date), zero_or_one).
:- info(covered/4, [
       comment is 'Whether a fault of a device is covered.',
       arguments is [serial - 'Serial number', fault - 'Fault', day - 'Day of the fault', cover - 'Cover']
   ]).
:- info(expires/2, [
       comment is 'The last day of the cover of a device.',
       arguments is [serial - 'Serial number', day - 'Last day']
   ]).

tools([covered/4, expires/2]).

covered(Serial, Fault, Day, Cover) :-
    device(Serial, Bought),
    cover(Serial, Fault, Bought, Day, Cover).

cover(_, liquid, _, _, none).
cover(_, fall, _, _, none).
cover(_, batery, Bought, Day, Cover) :-
    add_months(Bought, 6, Last),
    (   Day @=< Last
    ->  Cover = full
    ;   Cover = none
    ).
cover(Serial, Fault, Bought, Day, Cover) :-
    memberchk(Fault, [screen, mainboard]),
    add_months(Bought, 24, Full),
    add_months(Bought, 60, Parts),
    (   Day @=< Full
    ->  Cover = full
    ;   extended(Serial),
        Day @=< Parts
    ->  Cover = parts
    ;   Cover = none
    ).

expires(Serial, Day) :-
    device(Serial, Bought),
    (   extended(Serial)
    ->  add_months(Bought, 60, Day)
    ;   add_months(Bought, 24, Day)
    ).

device(s1, date(2024, 1, 31)).
device(s2, date(2025, 6, 15)).
device(s3, date(2020, 2, 29)).

extended(s1).
extended(s3).

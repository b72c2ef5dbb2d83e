% Dates: parts, days of the week and of the year, and reading the common notations.
:- module(date, [
    date_time_value/3,
    parse_time/2,
    parse_time/3,
    day_of_the_week/2,
    day_of_the_year/2,
    week_ordinal/4
]).

% date_time_value(?Name, +DateTime, ?Value): a part, such as year or hour, of a date/9 term.
date_time_value(year, Date, Value) :- date_part(Date, 1, Value).
date_time_value(month, Date, Value) :- date_part(Date, 2, Value).
date_time_value(day, Date, Value) :- date_part(Date, 3, Value).
date_time_value(hour, Date, Value) :- time_part(Date, 4, Value).
date_time_value(minute, Date, Value) :- time_part(Date, 5, Value).
date_time_value(second, Date, Value) :- time_part(Date, 6, Value).
date_time_value(utc_offset, Date, Value) :- time_part(Date, 7, Value).
date_time_value(time_zone, Date, Value) :-
    time_part(Date, 8, Value),
    Value \== (-).
date_time_value(daylight_saving, Date, Value) :-
    time_part(Date, 9, Value),
    Value \== (-).
date_time_value(date, Date, date(Y, M, D)) :-
    date_part(Date, 1, Y),
    date_part(Date, 2, M),
    date_part(Date, 3, D).
date_time_value(time, Date, time(H, M, S)) :-
    time_part(Date, 4, H),
    time_part(Date, 5, M),
    time_part(Date, 6, S).

date_part(Date, I, Value) :-
    compound(Date),
    functor(Date, date, Arity),
    ( Arity =:= 9 ; Arity =:= 3 ),
    !,
    arg(I, Date, Value).

time_part(Date, I, Value) :-
    compound(Date),
    functor(Date, date, 9),
    arg(I, Date, Value).

% day_of_the_week(+Date, -Day): 1 is Monday, 7 Sunday.
day_of_the_week(Date, Day) :-
    date_part(Date, 1, Y),
    date_part(Date, 2, M),
    date_part(Date, 3, D),
    days_from_civil(Y, M, D, Days),
    Day is (Days + 3) mod 7 + 1.

% day_of_the_year(+Date, -Day): Day is the number of a date(Y, M, D) in its year.
day_of_the_year(Date, Day) :-
    date_part(Date, 1, Y),
    date_part(Date, 2, M),
    date_part(Date, 3, D),
    days_from_civil(Y, M, D, Days),
    days_from_civil(Y, 1, 1, First),
    Day is Days - First + 1.

% week_ordinal(+Year, +Week, +Day, -Ordinal): the day of the year of a day in a week of the ISO 8601 calendar.
week_ordinal(Year, Week, Day, Ordinal) :-
    day_of_the_week(date(Year, 1, 4), Jan4),
    Ordinal is Week * 7 + Day - (Jan4 + 3).

% days_from_civil(+Year, +Month, +Day, -Days): days since 1970-01-01 in the Gregorian calendar. Years begin in March, so that the
% leap day is the last of its year and the lengths of months follow one formula.
days_from_civil(Year, Month, Day, Days) :-
    (   Month > 2
    ->  Y = Year,
        M is Month - 3
    ;   Y is Year - 1,
        M is Month + 9
    ),
    Era is Y div 400,
    YearOfEra is Y - Era * 400,
    DayOfYear is (153 * M + 2) // 5 + Day - 1,
    DayOfEra is YearOfEra * 365 + YearOfEra // 4 - YearOfEra // 100 + DayOfYear,
    Days is Era * 146097 + DayOfEra - 719468.

% parse_time(+Text, -Stamp), parse_time(+Text, ?Format, -Stamp): Format is iso_8601 or rfc_1123. Times without a zone are UTC.
parse_time(Text, Stamp) :-
    parse_time(Text, _, Stamp).

parse_time(Text, Format, Stamp) :-
    text_to_string(Text, String),
    string_codes(String, Codes),
    time_text(Format, Codes, Stamp0),
    !,
    Stamp = Stamp0.

time_text(iso_8601, Codes, Stamp) :-
    phrase(iso_time(Stamp), Codes).
time_text(rfc_1123, Codes, Stamp) :-
    phrase(rfc_time(Stamp), Codes).

stamp(Year, Month, Day, Seconds, Offset, Stamp) :-
    days(Month, Year, Day, Days),
    Stamp is float(Days * 86400 + Seconds + Offset).

% days(+Month, +Year, +Day, -Days): Month is none if Day is the day of the year.
days(none, Year, Day, Days) :-
    !,
    days_from_civil(Year, 1, 1, First),
    Days is First + Day - 1.
days(Month, Year, Day, Days) :-
    integer(Month),
    between(1, 12, Month),
    between(1, 31, Day),
    days_from_civil(Year, Month, Day, Days).

iso_time(Stamp) -->
    iso_date(Year, Month, Day),
    (   ( "T" ; " " )
    ->  clock(Seconds),
        zone(Offset)
    ;   { Seconds = 0, Offset = 0 }
    ),
    { stamp(Year, Month, Day, Seconds, Offset, Stamp) }.

iso_date(Year, Month, Day) -->
    ( "-" -> { Sign = -1 } ; { Sign = 1 } ),
    number_of(4, Year0),
    "-",
    !,
    { Year is Sign * Year0 },
    iso_rest(Year, Month, Day).
iso_date(Year, none, Day) -->
    number_of(4, Year),
    "W",
    !,
    number_of(2, Week),
    number_of(1, WeekDay),
    { day_of_week(Year, Week, WeekDay, Day) }.
iso_date(Year, Month, Day) -->
    number_of(4, Year),
    number_of(2, Month),
    number_of(2, Day).

iso_rest(Year, none, Day) -->
    "W",
    !,
    number_of(2, Week),
    "-",
    number_of(1, WeekDay),
    { day_of_week(Year, Week, WeekDay, Day) }.
iso_rest(_, none, Day) -->
    number_of(3, Day),
    { between(1, 366, Day) }.
iso_rest(_, Month, Day) -->
    number_of(2, Month),
    ( "-" -> number_of(2, Day) ; { Day = 1 } ).

day_of_week(Year, Week, WeekDay, Day) :-
    between(1, 53, Week),
    between(1, 7, WeekDay),
    week_ordinal(Year, Week, WeekDay, Day).

clock(Seconds) -->
    number_up_to(23, Hour),
    ( ":" ; [] ),
    number_up_to(59, Minute),
    clock_seconds(Second),
    !,
    { Seconds is Hour * 3600 + Minute * 60 + Second }.
clock(Seconds) -->
    number_up_to(23, Hour),
    { Seconds is Hour * 3600 }.

clock_seconds(Second) -->
    ( ":" ; [] ),
    number_up_to(60, Whole), % with a leap second
    !,
    fraction(Whole, Second).
clock_seconds(0) -->
    [].

fraction(Whole, Second) -->
    ( "." ; "," ),
    digit_codes(Digits),
    { Digits = [_|_] },
    !,
    { append([0'0, 0'.], Digits, Codes),
      number_codes(Fraction, Codes),
      Second is Whole + Fraction }.
fraction(Whole, Whole) -->
    [].

% zone(-Offset)//: Offset is the number of seconds to add to get UTC.
zone(0) -->
    "Z",
    !.
zone(Offset) -->
    ( "+" -> { Sign = -1 } ; "-" -> { Sign = 1 } ),
    !,
    number_up_to(23, Hours),
    ( ":" ; [] ),
    ( number_up_to(59, Minutes) -> [] ; { Minutes = 0 } ),
    !,
    { Offset is Sign * (Hours * 3600 + Minutes * 60) }.
zone(0) -->
    [].

% Fri, 08 Dec 2006 15:29:44 GMT
rfc_time(Stamp) -->
    letters(_),
    ", ",
    digit_codes(DayCodes),
    " ",
    letters(MonthCodes),
    " ",
    number_of(4, Year),
    " ",
    clock(Seconds),
    ( " " -> [] ; [] ),
    ( "GMT" -> { Offset = 0 } ; zone(Offset) ),
    { number_codes(Day, DayCodes),
      atom_codes(Name, MonthCodes),
      nth1(Month, ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'], Name),
      stamp(Year, Month, Day, Seconds, Offset, Stamp) }.

letters([C|Cs]) -->
    [C],
    { code_type(C, alpha) },
    !,
    letters(Cs).
letters([]) -->
    [].

digit_codes([C|Cs]) -->
    [C],
    { code_type(C, digit) },
    !,
    digit_codes(Cs).
digit_codes([]) -->
    [].

% number_up_to(+Most, -Number)//: two digits.
number_up_to(Most, Number) -->
    number_of(2, Number),
    { Number =< Most }.

number_of(Count, Number) -->
    { length(Codes, Count) },
    exactly(Codes),
    { number_codes(Number, Codes) }.

exactly([]) -->
    [].
exactly([C|Cs]) -->
    [C],
    { code_type(C, digit) },
    exactly(Cs).

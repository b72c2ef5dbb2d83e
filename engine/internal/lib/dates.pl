% Dates: date(Y, M, D), datetime(Y, M, D, H, Min, S) in UTC, time(H, Min, S) and duration(Seconds, Months), as arguments of tools have
% them. Their standard order is that of time. A term such as date(2023, 2, 29), whose date does not exist, is an
% error.
:- module(dates, [
    today/1,
    now/1,
    add_days/3,
    add_months/3,
    add_duration/3,
    days_between/3,
    age/3,
    weekday/2,
    within/3,
    parse_date/2,
    format_date/2,
    format_date/3
]).

% today(-Date): the date in the zone of the process, by the clock of the call.
today(Date) :-
    '$present'(date, Date).

% now(-Datetime): the present time in UTC, by the clock of the call.
now(Datetime) :-
    '$present'(datetime, Datetime).

% add_days(?From, ?Days, ?To): To is Days after From, two dates or two datetimes. Two of the arguments have a value.
add_days(From, Days, To) :-
    (   nonvar(From)
    ->  moment(From, Type, Start),
        (   var(Days),
            nonvar(To)
        ->  moment(To, Type, End),
            Days0 is (End - Start) rdiv 86400,
            integer(Days0),
            Days = Days0
        ;   must_be(integer, Days),
            End is Start + Days * 86400,
            '$moment'(Type, To0, End),
            To = To0
        )
    ;   moment(To, Type, End),
        must_be(integer, Days),
        Start is End - Days * 86400,
        '$moment'(Type, From, Start)
    ).

% add_months(+From, +Months, -To): To is the same day so many months later, or the last day of the month if the month
% has no such day.
add_months(From, Months, To) :-
    moment(From, Type, _),
    must_be(integer, Months),
    From =.. [Type, Year0, Month0, Day0|Clock],
    N is Year0 * 12 + Month0 - 1 + Months,
    Year is N div 12,
    Month is N mod 12 + 1,
    last_day(Month, Year, Last),
    Day is min(Day0, Last),
    To0 =.. [Type, Year, Month, Day|Clock],
    (   '$moment'(Type, To0, _)
    ->  To = To0
    ;   throw(error(representation_error(year), _))
    ).

last_day(2, Year, Last) :-
    !,
    (   Year mod 4 =:= 0,
        ( Year mod 100 =\= 0 ; Year mod 400 =:= 0 )
    ->  Last = 29
    ;   Last = 28
    ).
last_day(Month, _, Last) :-
    Last is 30 + (Month + Month // 8) mod 2.

% add_duration(+From, +Duration, -To): a date or datetime after a duration, its months first; or the sum of two durations.
add_duration(From, Duration, To) :-
    duration(Duration, Seconds, Months),
    (   nonvar(From),
        From = duration(_, _)
    ->  duration(From, Seconds0, Months0),
        Seconds1 is Seconds0 + Seconds,
        Months1 is Months0 + Months,
        To = duration(Seconds1, Months1)
    ;   add_months(From, Months, Middle),
        moment(Middle, Type, Start),
        End is Start + Seconds - Months * 2629746,
        (   Type == date,
            \+ 0 is End mod 86400
        ->  domain_error(days, Duration)
        ;   '$moment'(Type, To0, End),
            To = To0
        )
    ).

% days_between(+From, +To, -Days): Days is the number of whole days from one date or datetime to another, negative if
% To is earlier.
days_between(From, To, Days) :-
    moment(From, Type, Start),
    moment(To, Type, End),
    Days is truncate((End - Start) rdiv 86400).

% age(+Born, +On, -Years): the full years from one date to another. For a birth on February 29, the birthday in other
% years is March 1.
age(Born, On, Years) :-
    moment(Born, date, Start),
    moment(On, date, End),
    (   End < Start
    ->  domain_error(date_after_birth, On)
    ;   Born = date(Year0, Month0, Day0),
        On = date(Year, Month, Day),
        (   date(0, Month, Day) @< date(0, Month0, Day0)
        ->  Years is Year - Year0 - 1
        ;   Years is Year - Year0
        )
    ).

% weekday(+Date, ?Day): Day is the day of the week, monday to sunday, of a date or datetime. day_of_the_week/2 gives
% it as 1 to 7.
weekday(Date, Day) :-
    moment(Date, _, Seconds),
    N is floor(Seconds rdiv 86400 + 3) mod 7,
    nth0(N, [monday, tuesday, wednesday, thursday, friday, saturday, sunday], Day0),
    Day = Day0.

% within(+Value, +From, +To): From =< Value =< To in the order of time. All three are dates, times, datetimes or durations.
within(Value, From, To) :-
    kind(Value, Type),
    value_as(Type, From),
    value_as(Type, To),
    Value @>= From,
    Value @=< To.

% parse_date(?Text, ?Value): Value is the date, time, datetime or duration of an ISO 8601 text. If Text is unbound, it
% becomes the text of Value, as an atom.
parse_date(Text, Value) :-
    (   nonvar(Text)
    ->  '$value_text'(_, Value0, Text),
        Value = Value0
    ;   format_date(Value, Text)
    ).

% format_date(+Value, -Text): the ISO 8601 text of a date, time, datetime or duration, as an atom.
format_date(Value, Text) :-
    kind(Value, Type),
    '$value_text'(Type, Value, Text).

% format_date(+Value, +Format, -Text): a date or datetime in the format of format_time/3, such as '%d.%m.%Y', as an atom.
format_date(Value, Format, Text) :-
    moment(Value, _, _),
    (   Value = date(Year, Month, Day)
    ->  Clock = [0, 0, 0]
    ;   Value = datetime(Year, Month, Day, Hour, Minute, Second),
        Clock = [Hour, Minute, Second]
    ),
    append([date, Year, Month, Day|Clock], [0, 'UTC', -], Parts),
    Date =.. Parts,
    format_time(atom(Text0), Format, Date),
    Text = Text0.

% moment(+Value, ?Type, -Seconds): Seconds of a date or datetime. A value of another type is an error.
moment(Value, Type, Seconds) :-
    must_be(nonvar, Value),
    (   '$moment'(Type, Value, Seconds0)
    ->  Seconds = Seconds0
    ;   ( nonvar(Type) ; Type = date )
    ->  type_error(Type, Value)
    ).

% kind(+Value, -Type): Type is the type of a date, time, datetime or duration.
kind(Value, Type) :-
    must_be(nonvar, Value),
    (   functor(Value, Name, _),
        Name \== decimal,
        '$is_value'(Name, Value)
    ->  Type = Name
    ;   type_error(date, Value)
    ).

value_as(Type, Value) :-
    must_be(nonvar, Value),
    (   '$is_value'(Type, Value)
    ->  true
    ;   type_error(Type, Value)
    ).

duration(Duration, Seconds, Months) :-
    value_as(duration, Duration),
    Duration = duration(Seconds, Months).

% The clauses of the program that have begun and not ended: who calls whom.
:- module(prolog_stack, [
    get_prolog_backtrace/2,
    get_prolog_backtrace/3,
    print_prolog_backtrace/2,
    print_prolog_backtrace/3,
    backtrace/1
]).

% get_prolog_backtrace(+Max, -Frames): Frames are frame(Level, call(Indicator), Place) of at most Max clauses, the innermost first; Place is File:Line or foreign.
get_prolog_backtrace(Max, Frames) :-
    get_prolog_backtrace(Max, Frames, []).

% get_prolog_backtrace(+Max, -Frames, +Options): the same; there are no options that change something.
get_prolog_backtrace(Max, Frames, _) :-
    must_be(nonneg, Max),
    '$callers'(Callers),
    length(Callers, Level),
    frames(Callers, Max, Level, Frames).

frames([], _, _, []).
frames([Caller|Callers], Max, Level, Frames) :-
    (   Max =:= 0
    ->  Frames = []
    ;   Caller = caller(Indicator, File, Line),
        (   File == ''
        ->  Place = foreign
        ;   Place = File:Line
        ),
        Frames = [frame(Level, call(Indicator), Place)|Rest],
        Next is Max - 1,
        Outer is Level - 1,
        frames(Callers, Next, Outer, Rest)
    ).

% print_prolog_backtrace(+Stream, +Frames): prints what get_prolog_backtrace/2 has given.
print_prolog_backtrace(Stream, Frames) :-
    print_prolog_backtrace(Stream, Frames, []).

% print_prolog_backtrace(+Stream, +Frames, +Options): the same.
print_prolog_backtrace(Stream, Frames, _) :-
    forall(member(frame(Level, call(Indicator), Place), Frames), print_frame(Stream, Level, Indicator, Place)).

print_frame(Stream, Level, Indicator, Place) :-
    (   Place == foreign
    ->  format(Stream, "  [~d] ~q~n", [Level, Indicator])
    ;   format(Stream, "  [~d] ~q at ~w~n", [Level, Indicator, Place])
    ).

% backtrace(+Max): prints at most Max frames on user_error.
backtrace(Max) :-
    get_prolog_backtrace(Max, Frames),
    print_prolog_backtrace(user_error, Frames).

% Predicates of Quintus Prolog that old programs use.
:- module(quintus, [
    unix/1,
    abs/2, sin/2, cos/2, tan/2, log/2, log10/2, pow/3, ceiling/2, floor/2, round/2,
    acos/2, asin/2, atan/2, atan2/3, sign/2, sqrt/2,
    genarg/3,
    mode/1,
    no_style_check/1,
    otherwise/0,
    simple/1,
    prolog_flag/2,
    date/1,
    current_stream/3,
    stream_position/3,
    skip_line/0,
    skip_line/1,
    compile/1,
    atom_char/2,
    midstring/3, midstring/4, midstring/5, midstring/6,
    raise_exception/1,
    on_exception/3,
    op(1150, fx, mode)
]).

:- meta_predicate
    compile(:),
    on_exception(+, 0, 0).

% unix(+Action): argv(Arguments), cd, cd(Folder), system(Command) and shell(Command), which is a permission error here.
unix(Action) :-
    must_be(nonvar, Action),
    unix_action(Action).

unix_action(system(Command)) :- shell(Command).
unix_action(shell(Command)) :- shell(Command).
unix_action(cd) :- chdir('~').
unix_action(cd(Folder)) :- chdir(Folder).
unix_action(argv(Arguments)) :- current_prolog_flag(argv, Arguments).

% abs(+X, -Y), sin(+X, -Y), cos(+X, -Y), tan(+X, -Y), log(+X, -Y), log10(+X, -Y): Y is the value of the function.
abs(X, Y) :- Y is abs(X).
sin(X, Y) :- Y is sin(X).
cos(X, Y) :- Y is cos(X).
tan(X, Y) :- Y is tan(X).
log(X, Y) :- Y is log(X).
log10(X, Y) :- Y is log10(X).
% pow(+X, +Y, -Z): Z is X ** Y.
pow(X, Y, Z) :- Z is X ** Y.
% ceiling(+X, -Y), floor(+X, -Y), round(+X, -Y), sign(+X, -Y), sqrt(+X, -Y): Y is the value of the function.
ceiling(X, Y) :- Y is ceiling(X).
floor(X, Y) :- Y is floor(X).
round(X, Y) :- Y is round(X).
sign(X, Y) :- Y is sign(X).
sqrt(X, Y) :- Y is sqrt(X).
% acos(+X, -Y), asin(+X, -Y), atan(+X, -Y): Y is the value of the function.
acos(X, Y) :- Y is acos(X).
asin(X, Y) :- Y is asin(X).
atan(X, Y) :- Y is atan(X).
% atan2(+Y, +X, -Angle): Angle is that of the point (X, Y).
atan2(X, Y, Z) :- Z is atan2(X, Y).

% genarg(?N, +Term, ?Argument): arg/3.
genarg(N, Term, Argument) :-
    arg(N, Term, Argument).

% mode(+Modes): a note for readers, which is passed over.
mode(_).

% no_style_check(+Style): turns a check of style off: singleton, single_var, discontiguous or multiple.
no_style_check(Style) :-
    must_be(nonvar, Style),
    (   style_name(Style, Names)
    ->  forall(member(Name, Names), style_check(-Name))
    ;   domain_error(style_name, Style)
    ).

style_name(singleton, [singleton]).
style_name(single_var, [singleton]).
style_name(discontiguous, [discontiguous]).
style_name(multiple, []).

% otherwise: true.
otherwise.

% simple(@Term): Term is a variable or atomic.
simple(Term) :-
    \+ compound(Term).

% prolog_flag(?Flag, ?Value): current_prolog_flag/2.
prolog_flag(Flag, Value) :-
    current_prolog_flag(Flag, Value).

% date(-Date): Date is date(Year, Month, Day) of today.
date(date(Year, Month, Day)) :-
    get_time(Now),
    stamp_date_time(Now, date(Year, Month, Day, _, _, _, _, _, _), local).

% current_stream(?Object, ?Mode, ?Stream): Stream is open for read or write; Object is its file, 0 to 2 of the standard streams, or [].
current_stream(Object, Mode, Stream) :-
    stream_property(Stream, mode(FullMode)),
    ( FullMode == read -> Mode = read ; Mode = write ),
    (   stream_property(Stream, alias(Alias)),
        nth0(Number, [user_input, user_output, user_error], Alias)
    ->  Object = Number
    ;   stream_property(Stream, file_name(File))
    ->  Object = File
    ;   Object = []
    ).

% stream_position(+Stream, -Old, +New): gives the position of a stream and sets it.
stream_position(Stream, Old, New) :-
    stream_property(Stream, position(Old)),
    (   Old == New
    ->  true
    ;   set_stream_position(Stream, New)
    ).

% skip_line: skips the rest of the line.
skip_line :-
    skip(10).

% skip_line(+Stream): skips the rest of the line.
skip_line(Stream) :-
    skip(Stream, 10).

% compile(:Files): loads files.
compile(Files) :-
    load_files(Files, []).

% atom_char(?Char, ?Code): char_code/2.
atom_char(Char, Code) :-
    char_code(Char, Code).

% midstring(?Whole, ?Middle, ?Rest): taking Middle out of the atom Whole leaves Rest.
midstring(Whole, Middle, Rest) :-
    midstring(Whole, Middle, Rest, _, _, _).

% midstring(?Whole, ?Middle, ?Rest, ?Before): with the length of what stands before.
midstring(Whole, Middle, Rest, Before) :-
    midstring(Whole, Middle, Rest, Before, _, _).

% midstring(?Whole, ?Middle, ?Rest, ?Before, ?Length): with the length of Middle too.
midstring(Whole, Middle, Rest, Before, Length) :-
    midstring(Whole, Middle, Rest, Before, Length, _).

% midstring(?Whole, ?Middle, ?Rest, ?Before, ?Length, ?After): with the length of what stands behind too.
midstring(Whole, Middle, Rest, Before, Length, After) :-
    (   nonvar(Whole)
    ->  sub_atom(Whole, Before, Length, After, Middle),
        sub_atom(Whole, 0, Before, _, Left),
        sub_atom(Whole, _, After, 0, Right),
        atom_concat(Left, Right, Rest)
    ;   must_be(nonvar, Middle),
        must_be(nonvar, Rest),
        sub_atom(Rest, Before, 0, After, ''),
        atom_length(Middle, Length),
        sub_atom(Rest, 0, Before, _, Left),
        sub_atom(Rest, _, After, 0, Right),
        atomic_list_concat([Left, Middle, Right], Whole)
    ).

% raise_exception(+Ball): throw/1.
raise_exception(Ball) :-
    throw(Ball).

% on_exception(?Ball, :Goal, :Recovery): catch/3 with the ball first.
on_exception(Ball, Goal, Recovery) :-
    catch(Goal, Ball, Recovery).

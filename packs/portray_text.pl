% Lists of character codes are printed as text by print/1 and ~p.
:- module(portray_text, [
    portray_text/1,
    set_portray_text/2,
    set_portray_text/3
]).

:- multifile
    user:portray/1,
    is_text_code/1.

:- dynamic
    user:portray/1,
    is_text_code/1,
    setting_value/2.

setting_value(enabled, false).
setting_value(min_length, 3).
setting_value(ellipsis, 30).

% portray_text(+OnOff): true turns printing lists of codes as text on, false off.
portray_text(OnOff) :-
    set_portray_text(enabled, OnOff).

% set_portray_text(+Key, +Value): sets enabled, min_length, the fewest codes that are text, or ellipsis, how many are shown.
set_portray_text(Key, Value) :-
    set_portray_text(Key, _, Value).

% set_portray_text(+Key, -Old, +New): gives a value and sets it.
set_portray_text(Key, Old, New) :-
    must_be(atom, Key),
    (   setting_value(Key, Value)
    ->  Old = Value
    ;   domain_error(portray_text_option, Key)
    ),
    (   New == Value
    ->  true
    ;   ( Key == enabled -> must_be(boolean, New) ; must_be(nonneg, New) ),
        retractall(setting_value(Key, _)),
        assertz(setting_value(Key, New))
    ).

user:portray(Codes) :- portray_text:text(Codes).

text(Codes) :-
    setting_value(enabled, true),
    is_list(Codes),
    setting_value(min_length, Least),
    length(Codes, Length),
    Length >= Least,
    forall(member(Code, Codes), text_code(Code)),
    setting_value(ellipsis, Most),
    (   Length > Most
    ->  Shown is Most - 5,
        length(First, Shown),
        append(First, Rest, Codes),
        length(Last, 5),
        append(_, Last, Rest),
        atom_codes(A, First),
        atom_codes(B, Last),
        quoted(A, TextA),
        quoted(B, TextB),
        format('`~w...~w`', [TextA, TextB])
    ;   atom_codes(A, Codes),
        quoted(A, Text),
        format('`~w`', [Text])
    ).

text_code(Code) :-
    integer(Code),
    (   memberchk(Code, `\t\n\r`)
    ->  true
    ;   is_text_code(Code)
    ->  true
    ;   Code >= 0'\s,
        Code =< 0x10ffff,
        \+ between(0xd800, 0xdfff, Code),
        code_type(Code, print)
    ).

quoted(Atom, Text) :-
    foldl(escaped, [["\\", "\\\\"], ["\n", "\\n"], ["\t", "\\t"], ["\r", "\\r"], ["`", "\\`"]], Atom, Text).

escaped([From, To], Text0, Text) :-
    atomic_list_concat(Parts, From, Text0),
    atomic_list_concat(Parts, To, Text).

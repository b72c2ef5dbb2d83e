% Formatted output as old programs have it: % and a letter stand for an argument, \ and a letter for a character.
:- module(writef, [
    writef/1,
    writef/2,
    swritef/2,
    swritef/3
]).

% writef(+Format): writes the text, in which \n and \l end lines.
writef(Format) :-
    writef(Format, []).

% writef(+Format, +Arguments): %w writes the next argument, %p prints it, %d writes it, %q quotes it, %s takes a list of codes, %Nl, %Nc and %Nr a field of N columns and one blank at least; %f flushes.
writef(Format, Arguments) :-
    must_be(nonvar, Format),
    text_to_string(Format, String),
    string_codes(String, Codes),
    write_parts(Codes, Arguments).

% swritef(-String, +Format): the text of writef/1 as a string.
swritef(String, Format) :-
    swritef(String, Format, []).

% swritef(-String, +Format, +Arguments): the text of writef/2 as a string.
swritef(String, Format, Arguments) :-
    with_output_to(string(String), writef(Format, Arguments)).

write_parts([], _).
write_parts([Code|Codes0], Arguments0) :-
    (   Code == 0'%,
        argument_part(Codes0, Codes, Arguments0, Arguments, Goal)
    ->  call(Goal)
    ;   Code == 0'\\,
        escaped(Codes0, Codes, Written)
    ->  put_char(Written),
        Arguments = Arguments0
    ;   put_code(Code),
        Codes = Codes0,
        Arguments = Arguments0
    ),
    write_parts(Codes, Arguments).

% argument_part(+Codes0, -Codes, +Arguments0, -Arguments, -Goal): what stands behind a percent sign, and the goal that writes it.
argument_part([0'f|Codes], Codes, Arguments, Arguments, flush_output).
argument_part([Code|Codes], Codes, [Argument|Arguments], Arguments, Goal) :-
    char_code(Letter, Code),
    plain_part(Letter, Argument, Goal).
argument_part([Digit|Codes0], Codes, [Argument|Arguments], Arguments, Goal) :-
    code_type(Digit, digit),
    field_width([Digit|Codes0], Width, [Code|Codes]),
    char_code(Letter, Code),
    downcase_atom(Letter, Side),
    format(string(Text), '~w', [Argument]),
    string_length(Text, Length),
    Blanks is max(1, Width - Length),
    blanks_before(Side, Blanks, Before),
    After is Blanks - Before,
    Goal = format('~*c~s~*c', [Before, 0'\s, Text, After, 0'\s]).

plain_part(w, Argument, write(Argument)).
plain_part(d, Argument, write(Argument)).
plain_part(p, Argument, print(Argument)).
plain_part(q, Argument, writeq(Argument)).
plain_part(s, Argument, format('~s', [Argument])) :-
    ( is_list(Argument) ; string(Argument) ),
    !.

field_width(Codes, Width, Rest) :-
    append(Digits, Rest, Codes),
    Rest = [Code|_],
    \+ code_type(Code, digit),
    !,
    number_codes(Width, Digits).

blanks_before(l, _, 0).
blanks_before(r, Blanks, Blanks).
blanks_before(c, Blanks, Before) :- Before is (Blanks + 1) // 2.

escaped([0'n|Codes], Codes, '\n').
escaped([0'l|Codes], Codes, '\n').
escaped([0'r|Codes], Codes, '\r').
escaped([0't|Codes], Codes, '\t').
escaped([0'\\|Codes], Codes, '\\').
escaped(Codes0, Codes, Char) :-
    member(Count, [3, 2, 1]),
    length(Digits, Count),
    append(Digits, Codes, Codes0),
    maplist(digit_code, Digits),
    !,
    number_codes(Number, Digits),
    char_code(Char, Number).

digit_code(Code) :-
    code_type(Code, digit).

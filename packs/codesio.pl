% Reading and writing of terms to and from lists of character codes.
:- module(codesio, [
    format_to_codes/3,
    format_to_codes/4,
    write_to_codes/2,
    write_to_codes/3,
    write_term_to_codes/3,
    write_term_to_codes/4,
    read_from_codes/2,
    read_term_from_codes/3,
    open_codes_stream/2,
    with_output_to_codes/2,
    with_output_to_codes/3,
    with_output_to_codes/4
]).

:- meta_predicate
    format_to_codes(+, :, -),
    format_to_codes(+, :, -, ?),
    with_output_to_codes(0, -),
    with_output_to_codes(0, -, ?),
    with_output_to_codes(0, -, -, ?).

% format_to_codes(+Format, :Arguments, -Codes): the text of format/2 as codes.
format_to_codes(Format, Arguments, Codes) :-
    format(codes(Codes), Format, Arguments).

% format_to_codes(+Format, :Arguments, -Codes, ?Tail): the text of format/2 as codes in front of Tail.
format_to_codes(Format, Arguments, Codes, Tail) :-
    format(codes(Codes, Tail), Format, Arguments).

% write_to_codes(+Term, -Codes): the text of write/1 as codes.
write_to_codes(Term, Codes) :-
    format(codes(Codes), '~w', [Term]).

% write_to_codes(+Term, -Codes, ?Tail): the text of write/1 as codes in front of Tail.
write_to_codes(Term, Codes, Tail) :-
    format(codes(Codes, Tail), '~w', [Term]).

% write_term_to_codes(+Term, -Codes, +Options): the text of write_term/2 as codes.
write_term_to_codes(Term, Codes, Options) :-
    format(codes(Codes), '~W', [Term, Options]).

% write_term_to_codes(+Term, -Codes, ?Tail, +Options): the text of write_term/2 as codes in front of Tail.
write_term_to_codes(Term, Codes, Tail, Options) :-
    format(codes(Codes, Tail), '~W', [Term, Options]).

% read_from_codes(+Codes, -Term): reads the term of a text.
read_from_codes(Codes, Term) :-
    term_from_codes(Codes, Term, []).

% read_term_from_codes(+Codes, -Term, +Options): reads the term of a text, with the options of read_term/2.
read_term_from_codes(Codes, Term, Options) :-
    term_from_codes(Codes, Term, Options).

% A full stop at the end may be left out.
term_from_codes(Codes, Term, _) :-
    text_to_string(Codes, Text),
    split_string(Text, "", " \t\r\n", [""]),
    !,
    Term = end_of_file.
term_from_codes(Codes, Term, Options) :-
    text_to_string(Codes, Text),
    string_concat(Text, "\n.", String),
    setup_call_cleanup(
        open_string(String, Stream),
        read_term(Stream, Term0, Options),
        close(Stream)),
    Term = Term0.

% open_codes_stream(+Codes, -Stream): a stream that reads the text.
open_codes_stream(Codes, Stream) :-
    open_string(Codes, Stream).

% with_output_to_codes(:Goal, -Codes): what Goal prints as codes.
with_output_to_codes(Goal, Codes) :-
    with_output_to(codes(Codes), Goal).

% with_output_to_codes(:Goal, -Codes, ?Tail): what Goal prints as codes in front of Tail.
with_output_to_codes(Goal, Codes, Tail) :-
    with_output_to(codes(Codes, Tail), Goal).

% with_output_to_codes(:Goal, -Stream, -Codes, ?Tail): as with_output_to_codes/3, with Stream the current output while Goal runs.
with_output_to_codes(Goal, Stream, Codes, Tail) :-
    with_output_to(codes(Codes, Tail), codesio:on_stream(Stream, Goal)).

on_stream(Stream, Goal) :-
    current_output(Stream),
    call(Goal).

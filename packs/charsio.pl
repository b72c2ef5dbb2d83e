% Reading and writing of terms to and from lists of character codes, under the names of Quintus Prolog.
:- module(charsio, [
    format_to_chars/3,
    format_to_chars/4,
    write_to_chars/2,
    write_to_chars/3,
    atom_to_chars/2,
    atom_to_chars/3,
    number_to_chars/2,
    number_to_chars/3,
    read_from_chars/2,
    read_term_from_chars/3,
    open_chars_stream/2,
    with_output_to_chars/2,
    with_output_to_chars/3,
    with_output_to_chars/4
]).

:- meta_predicate
    format_to_chars(+, :, -),
    format_to_chars(+, :, -, ?),
    with_output_to_chars(0, -),
    with_output_to_chars(0, -, ?),
    with_output_to_chars(0, -, -, ?).

% format_to_chars(+Format, :Arguments, -Codes): the text of format/2 as codes.
format_to_chars(Format, Arguments, Codes) :-
    format_to_codes(Format, Arguments, Codes).

% format_to_chars(+Format, :Arguments, -Codes, ?Tail): the text of format/2 as codes in front of Tail.
format_to_chars(Format, Arguments, Codes, Tail) :-
    format_to_codes(Format, Arguments, Codes, Tail).

% write_to_chars(+Term, -Codes): the text of write/1 as codes.
write_to_chars(Term, Codes) :-
    write_to_codes(Term, Codes).

% write_to_chars(+Term, -Codes, ?Tail): the text of write/1 as codes in front of Tail.
write_to_chars(Term, Codes, Tail) :-
    write_to_codes(Term, Codes, Tail).

% atom_to_chars(+Atom, -Codes): the codes of something atomic.
atom_to_chars(Atom, Codes) :-
    atom_codes(Atom, Codes).

% atom_to_chars(+Atom, -Codes, ?Tail): the codes of something atomic in front of Tail.
atom_to_chars(Atom, Codes, Tail) :-
    must_be(nonvar, Atom),
    write_to_codes(Atom, Codes, Tail).

% number_to_chars(+Number, -Codes): the codes of a number.
number_to_chars(Number, Codes) :-
    must_be(number, Number),
    number_codes(Number, Codes).

% number_to_chars(+Number, -Codes, ?Tail): the codes of a number in front of Tail.
number_to_chars(Number, Codes, Tail) :-
    must_be(number, Number),
    write_to_codes(Number, Codes, Tail).

% read_from_chars(+Codes, -Term): reads the term of a text.
read_from_chars(Codes, Term) :-
    read_from_codes(Codes, Term).

% read_term_from_chars(+Codes, -Term, +Options): reads the term of a text, with the options of read_term/2.
read_term_from_chars(Codes, Term, Options) :-
    read_term_from_codes(Codes, Term, Options).

% open_chars_stream(+Codes, -Stream): a stream that reads the text.
open_chars_stream(Codes, Stream) :-
    open_codes_stream(Codes, Stream).

% with_output_to_chars(:Goal, -Codes): what Goal prints as codes.
with_output_to_chars(Goal, Codes) :-
    with_output_to_codes(Goal, Codes).

% with_output_to_chars(:Goal, -Codes, ?Tail): what Goal prints as codes in front of Tail.
with_output_to_chars(Goal, Codes, Tail) :-
    with_output_to_codes(Goal, Codes, Tail).

% with_output_to_chars(:Goal, -Stream, -Codes, ?Tail): as with_output_to_chars/3, with Stream the current output while Goal runs.
with_output_to_chars(Goal, Stream, Codes, Tail) :-
    with_output_to_codes(Goal, Stream, Codes, Tail).

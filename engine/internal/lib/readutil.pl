% Reading lines, streams and files at once.
:- module(readutil, [
    read_line_to_string/2,
    read_line_to_codes/2,
    read_line_to_codes/3,
    read_stream_to_codes/2,
    read_stream_to_codes/3,
    read_file_to_codes/3,
    read_file_to_string/3,
    read_file_to_terms/3
]).

:- meta_predicate
    with_file(+, +, -, 0).

% read_line_to_string(+Stream, -Line): without the end of line; end_of_file at the end of the stream.
read_line_to_string(Stream, Line) :-
    '$read_line'(Stream, Line).

% read_line_to_codes(+Stream, -Line): -1 at the end of the stream.
read_line_to_codes(Stream, Line) :-
    '$read_line'(Stream, Text),
    (   Text == end_of_file
    ->  Line = -1
    ;   string_codes(Text, Codes),
        Line = Codes
    ).

% read_line_to_codes(+Stream, -Line, ?Tail): a difference list that keeps the end of line. At the
% end of the stream Tail is [].
read_line_to_codes(Stream, Line, Tail) :-
    get_code(Stream, Code),
    (   Code == -1
    ->  Line = Tail,
        Tail = []
    ;   keep_line(Code, Stream, Line, Tail)
    ).

keep_line(-1, _, Tail, Tail) :-
    !,
    Tail = [].
keep_line(0'\n, _, [0'\n|Tail], Tail) :-
    !.
keep_line(Code, Stream, [Code|Codes], Tail) :-
    get_code(Stream, Next),
    keep_line(Next, Stream, Codes, Tail).

% read_stream_to_codes(+Stream, -Codes): the rest of a stream as codes.
read_stream_to_codes(Stream, Codes) :-
    read_stream_to_codes(Stream, Codes, []).

% read_stream_to_codes(+Stream, -Codes, ?Tail): the same, ending in Tail.
read_stream_to_codes(Stream, Codes, Tail) :-
    get_code(Stream, Code),
    stream_codes(Code, Stream, Codes, Tail).

stream_codes(-1, _, Tail, Tail) :-
    !.
stream_codes(Code, Stream, [Code|Codes], Tail) :-
    get_code(Stream, Next),
    stream_codes(Next, Stream, Codes, Tail).

% read_file_to_codes(+File, -Codes, +Options): option tail(Tail) makes Codes a difference list.
read_file_to_codes(File, Codes, Options) :-
    must_be(list, Options),
    (   select_option(tail(Tail), Options, OpenOptions)
    ->  true
    ;   Tail = [],
        OpenOptions = Options
    ),
    with_file(File, OpenOptions, Stream, read_stream_to_codes(Stream, Codes, Tail)).

% read_file_to_string(+File, -String, +Options): the text of a file.
read_file_to_string(File, String, Options) :-
    must_be(list, Options),
    with_file(File, Options, Stream, read_string(Stream, _, String)).

% read_file_to_terms(+File, -Terms, +Options): the terms of a file.
read_file_to_terms(File, Terms, Options) :-
    must_be(list, Options),
    (   select_option(tail(Tail), Options, OpenOptions)
    ->  true
    ;   Tail = [],
        OpenOptions = Options
    ),
    with_file(File, OpenOptions, Stream, read_terms(Stream, Terms, Tail)).

read_terms(Stream, Terms, Tail) :-
    read_term(Stream, Term, []),
    (   Term == end_of_file
    ->  Terms = Tail
    ;   Terms = [Term|Terms1],
        read_terms(Stream, Terms1, Tail)
    ).

with_file(File, Options, Stream, Goal) :-
    setup_call_cleanup(open(File, read, Stream, Options),
                       Goal,
                       close(Stream)).

% Rows of comma-separated values (RFC 4180), read and written.
:- module(csv, [
    csv//1,
    csv//2,
    csv_read_file/2,
    csv_read_file/3,
    csv_read_stream/3,
    csv_read_file_row/3,
    csv_read_row/3,
    csv_options/2,
    csv_write_file/2,
    csv_write_file/3,
    csv_write_stream/3
]).

% csv(?Rows)//: a whole text of rows, each a term row(Field, ...). Ground rows are written; otherwise rows are read.
csv(Rows) -->
    csv(Rows, []).

% csv(?Rows, +Options)//: the same with options: separator, strip, ignore_quotes, convert, case, functor, arity,
% match_arity and skip_header. The defaults are in compiled/3.
csv(Rows, Options) -->
    { csv_options(How, Options) },
    (   { ground(Rows) }
    ->  written_rows(Rows, How)
    ;   skipped_header(How),
        read_rows(Rows, How)
    ).

% csv_read_file(+File, -Rows): the rows of a file; fields of a .tsv file stand between tabs.
csv_read_file(File, Rows) :-
    csv_read_file(File, Rows, []).

% csv_read_file(+File, -Rows, +Options): the same with the options of csv//2 and those of open/4.
csv_read_file(File, Rows, Options) :-
    file_options(File, Options, How, OpenOptions),
    setup_call_cleanup(open(File, read, Stream, OpenOptions),
                       stream_rows(Stream, How, Rows),
                       close(Stream)).

% csv_read_stream(+Stream, -Rows, +Options): the rows of the rest of a stream.
csv_read_stream(Stream, Rows, Options) :-
    csv_options(How, Options),
    stream_rows(Stream, How, Rows).

stream_rows(Stream, How, Rows) :-
    skip_header_lines(Stream, How),
    remaining_rows(Stream, How, Read),
    Rows = Read.

remaining_rows(Stream, How, Rows) :-
    csv_read_row(Stream, Row, How),
    (   Row == end_of_file
    ->  Rows = []
    ;   Rows = [Row|Rest],
        remaining_rows(Stream, How, Rest)
    ).

% csv_read_file_row(+File, -Row, +Options): each row of a file in turn. Option line(Number) is the number of the row.
% Rows may differ in length, unless the option arity(Columns) gives their length.
csv_read_file_row(File, Row, Options) :-
    file_options(File, Options, How, Rest),
    (   select_option(line(Line), Rest, OpenOptions)
    ->  true
    ;   OpenOptions = Rest
    ),
    setup_call_cleanup(open(File, read, Stream, OpenOptions),
                       row_of_stream(Stream, How, 1, Line, Row),
                       close(Stream)).

row_of_stream(Stream, How, Number, Line, Row) :-
    copy_term(How, RowHow),
    csv_read_row(Stream, Read, RowHow),
    Read \== end_of_file,
    (   at_end_of_stream(Stream)
    ->  Line-Row = Number-Read
    ;   Line-Row = Number-Read
    ;   Next is Number + 1,
        row_of_stream(Stream, How, Next, Line, Row)
    ).

% csv_read_row(+Stream, -Row, +Compiled): the next row, or end_of_file. Compiled comes from csv_options/2.
csv_read_row(Stream, Row, How) :-
    separator(How, Separator),
    (   quotes(How)
    ->  Quotes = true
    ;   Quotes = false
    ),
    '$read_record'(Stream, Separator, Quotes, Record),
    (   Record == end_of_file
    ->  Row = end_of_file
    ;   record_values(Record, How, Values),
        row_term(Values, How, Read),
        Row = Read
    ).

record_values(Record, How, Values) :-
    (   \+ strips(How),
        \+ ( quotes(How), sub_string(Record, _, _, _, "\"") )
    ->  separator(How, Separator),
        char_code(Char, Separator),
        split_string(Record, Char, "", Fields),
        field_values(Fields, How, Values)
    ;   string_codes(Record, Codes),
        phrase(read_fields(Values, How), Codes)
    ).

field_values([], _, []).
field_values([Field|Fields], How, [Value|Values]) :-
    field_value(Field, How, Value),
    field_values(Fields, How, Values).

skip_header_lines(Stream, How) :-
    (   header_lead(How, Lead)
    ->  skip_lead_lines(Stream, Lead),
        skip_blank_lines(Stream)
    ;   true
    ).

skip_lead_lines(Stream, Lead) :-
    length(Lead, Length),
    peek_string(Stream, Length, Text),
    (   string_codes(Text, Codes),
        append(Lead, _, Codes)
    ->  skip(Stream, 0'\n),
        skip_lead_lines(Stream, Lead)
    ;   true
    ).

skip_blank_lines(Stream) :-
    peek_code(Stream, Code),
    (   memberchk(Code, [0'\n, 0'\r])
    ->  get_code(Stream, _),
        skip_blank_lines(Stream)
    ;   true
    ).

% csv_options(-Compiled, +Options): options of csv//2, checked once for csv_read_row/3.
csv_options(How, Options) :-
    compiled(Options, How, _).

file_options(File, Options, How, Rest) :-
    compiled(Options, How0, Rest),
    (   \+ option(separator(_), Options),
        file_name_extension(_, Extension, File),
        downcase_atom(Extension, tsv)
    ->  setarg(1, How0, 0'\t)
    ;   true
    ),
    How = How0.

compiled(Options, csv(Separator, Strip, Ignore, Convert, Case, Functor, Arity, Match, Lead), Rest) :-
    taken([separator-integer-Separator-0',, strip-boolean-Strip-false, ignore_quotes-boolean-Ignore-false,
           convert-boolean-Convert-true, case-oneof([down, preserve, up])-Case-preserve, functor-atom-Functor-row,
           arity-integer-Arity-_, match_arity-boolean-Match-true, skip_header-atom-Lead-_], Options, Rest).

taken([], Options, Options).
taken([Name-Type-Value-Default|Known], Options, Rest) :-
    Option =.. [Name, Value],
    (   select_option(Option, Options, Options1)
    ->  must_be(Type, Value)
    ;   Value = Default,
        Options1 = Options
    ),
    taken(Known, Options1, Rest).

separator(How, Separator) :- arg(1, How, Separator).

strips(How) :- arg(2, How, true).

quotes(How) :- arg(3, How, false).

header_lead(How, Codes) :-
    arg(9, How, Lead),
    nonvar(Lead),
    atom_codes(Lead, Codes).

skipped_header(How) -->
    (   { header_lead(How, Lead) }
    ->  skipped_lead(Lead),
        skipped_blank
    ;   []
    ).

skipped_lead(Lead) -->
    (   Lead
    ->  rest_of_line,
        skipped_lead(Lead)
    ;   []
    ).

rest_of_line --> end_of_line, !.
rest_of_line --> [_], rest_of_line.

skipped_blank --> line_break, !, skipped_blank.
skipped_blank --> [].

line_break --> "\r\n", !.
line_break --> "\n", !.
line_break --> "\r".

end_of_line --> line_break, !.
end_of_line([], []).

read_rows([], _, [], Rest) :- !, Rest = [].
read_rows([Row|Rows], How) -->
    read_row(Row, How),
    read_rows(Rows, How).

read_row(Row, How) -->
    read_fields(Fields, How),
    { row_term(Fields, How, Row) }.

row_term(Fields, csv(_, _, _, _, _, Functor, Arity, Match, _), Row) :-
    length(Fields, Found),
    (   Arity = Found
    ->  true
    ;   Match == false
    ->  true
    ;   domain_error(row_arity(Arity), Found)
    ),
    compound_name_arguments(Row, Functor, Fields).

read_fields([Value|Values], How) -->
    read_field(Codes, How),
    { field_value(Codes, How, Value) },
    (   { separator(How, Separator) },
        [Separator]
    ->  read_fields(Values, How)
    ;   end_of_line,
        { Values = [] }
    ).

read_field(Codes, How) -->
    (   "\"",
        { quotes(How) }
    ->  quoted(Codes)
    ;   { strips(How) }
    ->  blanks_and_tabs,
        { separator(How, Separator) },
        plain(Padded, Separator),
        { append(Codes, Blanks, Padded), phrase(blanks_and_tabs, Blanks) -> true }
    ;   { separator(How, Separator) },
        plain(Codes, Separator)
    ).

blanks_and_tabs --> " ", !, blanks_and_tabs.
blanks_and_tabs --> "\t", !, blanks_and_tabs.
blanks_and_tabs --> [].

% The text up to the closing quote, in which two quotes stand for one.
quoted(Codes) -->
    [Code],
    (   { Code \== 0'" }
    ->  { Codes = [Code|Rest] },
        quoted(Rest)
    ;   "\""
    ->  { Codes = [0'"|Rest] },
        quoted(Rest)
    ;   { Codes = [] }
    ).

plain(Codes, Separator, Text0, Text) :-
    (   Text0 = [Code|Text1],
        Code \== Separator,
        Code \== 0'\n,
        Code \== 0'\r
    ->  Codes = [Code|Rest],
        plain(Rest, Separator, Text1, Text)
    ;   Codes = [],
        Text = Text0
    ).

% A field is a string or codes.
field_value(Field, csv(_, _, _, Convert, Case, _, _, _, _), Value) :-
    (   Convert == true,
        name(Number, Field),
        number(Number)
    ->  Value = Number
    ;   atom_codes(Atom, Field),
        cased(Case, Atom, Value)
    ).

cased(preserve, Atom, Atom).
cased(down, Atom, Lower) :- downcase_atom(Atom, Lower).
cased(up, Atom, Upper) :- upcase_atom(Atom, Upper).

% csv_write_file(+File, +Rows): fields of a .tsv file are written between tabs.
csv_write_file(File, Rows) :-
    csv_write_file(File, Rows, []).

% csv_write_file(+File, +Rows, +Options): the same with the options of csv//2 and those of open/4.
csv_write_file(File, Rows, Options) :-
    must_be(list, Rows),
    file_options(File, Options, How, OpenOptions),
    setup_call_cleanup(open(File, write, Stream, OpenOptions),
                       write_rows(Rows, Stream, How),
                       close(Stream)).

% csv_write_stream(+Stream, +Rows, +Options): writes rows, each with a line end of carriage return and line feed.
csv_write_stream(Stream, Rows, Options) :-
    must_be(list, Rows),
    csv_options(How, Options),
    write_rows(Rows, Stream, How).

write_rows([], _, _).
write_rows([Row|Rows], Stream, How) :-
    phrase(written_rows([Row], How), Codes),
    format(Stream, '~s', [Codes]),
    write_rows(Rows, Stream, How).

written_rows([], _) --> [].
written_rows([Row|Rows], How) -->
    { Row =.. [_|Fields] },
    written_fields(Fields, How),
    "\r\n",
    written_rows(Rows, How).

written_fields([], _) --> [].
written_fields([Field|Fields], How) -->
    { separator(How, Separator) },
    written_field(Field, Separator),
    more_fields(Fields, How, Separator).

more_fields([], _, _) --> [].
more_fields([Field|Fields], How, Separator) -->
    [Separator],
    written_fields([Field|Fields], How).

written_field(Field, Separator) -->
    (   { text_field(Field) }
    ->  { format(codes(Codes), '~w', [Field]) },
        written_text(Codes, Separator)
    ;   { number_codes(Field, Codes) },
        Codes
    ).

text_field(Field) :- atom(Field), !.
text_field(Field) :- string(Field), !.
text_field(Field) :- Field == [].

written_text(Codes, Separator) -->
    (   { member(Special, [0'", 0'\n, 0'\r, Separator]), memberchk(Special, Codes) }
    ->  "\"",
        doubled_quotes(Codes),
        "\""
    ;   Codes
    ).

doubled_quotes([]) --> [].
doubled_quotes([Code|Codes]) -->
    ( { Code == 0'" } -> "\"\"" ; [Code] ),
    doubled_quotes(Codes).

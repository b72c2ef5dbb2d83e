% Text of several lines: splitting, indenting, and filling in values.
:- module(strings, [
    string_lines/2,
    split_lines/2,
    dedent_lines/3,
    indent_lines/3,
    indent_lines/4,
    interpolate_string/4,
    write_length/3
]).

:- meta_predicate
    indent_lines(1, +, +, -).

% string_lines(?String, ?Lines): one of both must be known. A final end of line opens no further line.
string_lines(String, Lines) :-
    (   var(String)
    ->  must_be(list, Lines),
        atomic_list_concat(Lines, '\n', Text),
        string_concat(Text, "\n", String0),
        String = String0
    ;   split_lines(String, Lines0),
        Lines = Lines0
    ).

% split_lines(+Text, -Lines): Lines are the lines of Text as strings.
split_lines(String, Lines) :-
    split_string(String, "\n", "", Parts),
    drop_last_empty(Parts, Lines).

drop_last_empty([""], []) :-
    !.
drop_last_empty([Line|Lines0], [Line|Lines]) :-
    drop_last_empty(Lines0, Lines).
drop_last_empty([], []).

% dedent_lines(+Text, -Dedented, +Options): takes the white space common to the begin of all lines away. Option tab(N):
% the distance of tab stops (8). Lines of white space only become empty and do not count.
dedent_lines(Text, Dedented, Options) :-
    must_be(list, Options),
    option(tab(Tab), Options, 8),
    split_string(Text, "\n", "", Lines),
    expand_all(Lines, Tab, Expanded),
    common_indent(Expanded, none, Common),
    ( Common = indent(Indent) -> true ; Indent = 0 ),
    remove_indents(Expanded, Indent, Removed),
    join_lines(Removed, Dedented).

expand_all([], _, []).
expand_all([Line|Lines], Tab, [Expanded|Rest]) :-
    string_codes(Line, Codes),
    expand_indent(Codes, 0, Tab, ExpandedCodes),
    string_codes(Expanded, ExpandedCodes),
    expand_all(Lines, Tab, Rest).

expand_indent([0'\s|Codes], Column, Tab, [0'\s|Expanded]) :-
    !,
    Column1 is Column + 1,
    expand_indent(Codes, Column1, Tab, Expanded).
expand_indent([0'\t|Codes], Column, Tab, Expanded) :-
    !,
    Column1 is (Column // Tab + 1) * Tab,
    Blanks is Column1 - Column,
    length(Spaces, Blanks),
    all_blank(Spaces),
    append(Spaces, Expanded1, Expanded),
    expand_indent(Codes, Column1, Tab, Expanded1).
expand_indent(Codes, _, _, Codes).

all_blank([]).
all_blank([0'\s|Codes]) :-
    all_blank(Codes).

common_indent([], Common, Common).
common_indent([Line|Lines], Common0, Common) :-
    (   blank_line(Line)
    ->  Common1 = Common0
    ;   line_indent(Line, Indent),
        less_indent(Common0, Indent, Common1)
    ),
    common_indent(Lines, Common1, Common).

less_indent(none, Indent, indent(Indent)).
less_indent(indent(Indent0), Indent1, indent(Indent)) :-
    Indent is min(Indent0, Indent1).

blank_line(Line) :-
    split_string(Line, "", " \t", [""]).

line_indent(Line, Indent) :-
    string_codes(Line, Codes),
    count_blanks(Codes, 0, Indent).

count_blanks([0'\s|Codes], N0, N) :-
    !,
    N1 is N0 + 1,
    count_blanks(Codes, N1, N).
count_blanks(_, N, N).

remove_indents([], _, []).
remove_indents([Line|Lines], Indent, [Removed|Rest]) :-
    (   blank_line(Line)
    ->  Removed = ""
    ;   sub_string(Line, Indent, _, 0, Removed)
    ),
    remove_indents(Lines, Indent, Rest).

join_lines(Lines, String) :-
    atomic_list_concat(Lines, '\n', Atom),
    atom_string(Atom, String).

% indent_lines(+Prefix, +Text, -Indented): the prefix goes before each line that is not empty.
indent_lines(Prefix, Text, Indented) :-
    indent_lines(filled_line, Prefix, Text, Indented).

filled_line(Line) :-
    \+ blank_line(Line).

% indent_lines(:Filter, +Prefix, +Text, -Indented): before each line for which Filter succeeds.
indent_lines(Filter, Prefix, Text, Indented) :-
    split_string(Text, "\n", "", Lines),
    prefix_lines(Lines, Filter, Prefix, Prefixed),
    join_lines(Prefixed, Indented).

prefix_lines([], _, _, []).
prefix_lines([Line|Lines], Filter, Prefix, [Prefixed|Rest]) :-
    (   call(Filter, Line)
    ->  string_concat(Prefix, Line, Prefixed)
    ;   Prefixed = Line
    ),
    prefix_lines(Lines, Filter, Prefix, Rest).

% interpolate_string(+Text, -Filled, +Values, +Options): {Name} is replaced by the value of Name in Values, a list of Name = Value;
% {Name,Default} by the default when there is none.
interpolate_string(Text, Filled, Values, Options) :-
    must_be(list, Options),
    string_codes(Text, Codes),
    fill_in(Codes, Values, Parts),
    atomic_list_concat(Parts, Atom),
    atom_string(Atom, Filled).

fill_in([], _, []).
fill_in([Code|Codes], Values, [Part|Parts]) :-
    (   Code == 0'{,
        append(Inside, [0'}|Rest], Codes),
        field_value(Inside, Values, Value)
    ->  format(atom(Part), '~w', [Value])
    ;   char_code(Part, Code),
        Rest = Codes
    ),
    fill_in(Rest, Values, Parts).

field_value(Inside, Values, Value) :-
    (   append(NameCodes, [0',|DefaultCodes], Inside)
    ->  atom_codes(Default, DefaultCodes)
    ;   NameCodes = Inside,
        Default = none
    ),
    NameCodes = [First|_],
    code_type(First, csymf),
    atom_codes(Name, NameCodes),
    (   memberchk(Name = Value0, Values)
    ->  Value = Value0
    ;   Default \== none,
        Value = Default
    ).

% write_length(?Term, -Length, +Options): how many characters write_term/2 writes; fails when max_length(Max) is less.
write_length(Term, Length, Options) :-
    (   select(max_length(Max), Options, WriteOptions)
    ->  true
    ;   WriteOptions = Options
    ),
    with_output_to(string(String), write_term(Term, WriteOptions)),
    string_length(String, Length0),
    (   var(Max)
    ->  true
    ;   Length0 =< Max
    ),
    Length = Length0.

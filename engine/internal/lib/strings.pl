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
    indent_lines(1, +, +, -),
    interpolate_string(:, -, +, +).

% string_lines(?String, ?Lines): Lines are the lines of String; one of the two must be known. No empty line follows a
% final end of line.
string_lines(String, Lines) :-
    (   var(String)
    ->  must_be(list, Lines),
        append(Lines, [''], Ended),
        join_lines(Ended, String)
    ;   split_string(String, "\n", "", Full),
        (   append(Short, [""], Full),
            Lines = Short
        ->  true
        ;   Lines = Full
        )
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

% dedent_lines(+Text, -Dedented, +Options): removes the white space with which all lines begin. Lines of white space
% only do not count; they lose as much white space as they have. With tab(N), a tab at the beginning of a line stands
% for blanks up to the next tab stop.
dedent_lines(Text, Dedented, Options) :-
    must_be(list, Options),
    split_string(Text, "\n", "", Strings),
    maplist(string_codes, Strings, Lines0),
    (   option(tab(Tab), Options)
    ->  maplist(expand_indent(0, Tab), Lines0, Lines)
    ;   Lines = Lines0
    ),
    maplist(indent_of, Lines, Indents0),
    exclude(==(none), Indents0, Indents),
    common_prefix(Indents, Prefix),
    maplist(without_indent(Prefix), Lines, Dedented0),
    join_lines(Dedented0, Dedented).

expand_indent(Column, Tab, [Code|Codes], Expanded) :-
    (   Code == 0'\s
    ->  Column1 is Column + 1,
        Expanded = [0'\s|Expanded1]
    ;   Code == 0'\t
    ->  Column1 is (Column // Tab + 1) * Tab,
        Count is Column1 - Column,
        length(Blanks, Count),
        maplist(=(0'\s), Blanks),
        append(Blanks, Expanded1, Expanded)
    ),
    !,
    expand_indent(Column1, Tab, Codes, Expanded1).
expand_indent(_, _, Codes, Codes).

% The white space at the beginning of a line, none if the line has nothing else.
indent_of(Codes, Indent) :-
    (   append(Indent0, [Code|_], Codes),
        \+ code_type(Code, white)
    ->  Indent = Indent0
    ;   Indent = none
    ).

common_prefix([], all).
common_prefix([Indent|Indents], Prefix) :-
    foldl(shared_prefix, Indents, Indent, Prefix).

shared_prefix([C|Cs], [D|Ds], Prefix) :-
    C == D,
    !,
    Prefix = [C|Prefix1],
    shared_prefix(Cs, Ds, Prefix1).
shared_prefix(_, _, []).

% A line of white space only loses as much of it as it has.
without_indent(Prefix, Codes, Rest) :-
    (   append(Prefix, Rest0, Codes)
    ->  atom_codes(Rest, Rest0)
    ;   Rest = ''
    ).

blank_line(Line) :-
    split_string(Line, "", " \t", [""]).

join_lines(Lines, String) :-
    atomic_list_concat(Lines, '\n', Atom),
    atom_string(Atom, String).

% indent_lines(+Prefix, +Text, -Indented): the prefix goes before each line that is not empty.
indent_lines(Prefix, Text, Indented) :-
    indent_lines(filled_line, Prefix, Text, Indented).

filled_line(Line) :-
    \+ blank_line(Line).

% indent_lines(:Filter, +Prefix, +Text, -Indented): the prefix goes before each line for which Filter succeeds.
indent_lines(Filter, Prefix, Text, Indented) :-
    split_string(Text, "\n", "", Lines),
    prefix_lines(Lines, Filter, Prefix, Prefixed),
    join_lines(Prefixed, Indented).

% An empty text after the last end of line does not count as a line.
prefix_lines([], _, _, []).
prefix_lines([""], _, _, [""]) :-
    !.
prefix_lines([Line|Lines], Filter, Prefix, [Prefixed|Rest]) :-
    (   call(Filter, Line)
    ->  string_concat(Prefix, Line, Prefixed)
    ;   Prefixed = Line
    ),
    prefix_lines(Lines, Filter, Prefix, Rest).

% interpolate_string(+Text, -Filled, +Values, +Options): replaces {Name}, written like a variable, by the value of
% Name in Values, a list of Name = Value; {Name,Default} by the default if there is no value; and, with
% the option goals(true), {@Goal} by the output of Goal.
interpolate_string(Template, Filled, Values, Options) :-
    strip_module(Template, Module, Text),
    option(goals(Goals), Options, false),
    string_codes(Text, Codes),
    template_parts(Codes, Goals, Parts),
    maplist(filled_part(Module, Values), Parts, Texts),
    atomics_to_string(Texts, String),
    Filled = String.

% The texts and patterns of a template. A brace that begins no pattern is text.
template_parts([], _, []).
template_parts([0'{|Codes], Goals, [Pattern|Parts]) :-
    append(Inside, [0'}|Rest], Codes),
    !,
    (   template_pattern(Inside, Goals, Pattern)
    ->  template_parts(Rest, Goals, Parts)
    ;   Pattern = "{",
        template_parts(Codes, Goals, Parts)
    ).
template_parts([Code|Codes], Goals, [Text|Parts]) :-
    (   append(Before, [0'{|_], Codes)
    ->  append(Before, Rest, Codes)
    ;   Before = Codes,
        Rest = []
    ),
    string_codes(Text, [Code|Before]),
    template_parts(Rest, Goals, Parts).

template_pattern([0'@|Codes], true, goal(Text)) :-
    !,
    string_codes(Text, Codes).
template_pattern(Codes, _, Pattern) :-
    (   append(NameCodes, [0',|DefaultCodes], Codes)
    ->  string_codes(Default, DefaultCodes),
        Pattern = var(Name, Default)
    ;   NameCodes = Codes,
        Pattern = var(Name)
    ),
    NameCodes = [First|More],
    code_type(First, prolog_var_start),
    forall(member(Code, More), code_type(Code, prolog_identifier_continue)),
    atom_codes(Name, NameCodes).

filled_part(_, Values, var(Name), Text) :-
    !,
    (   memberchk(Name = Value, Values)
    ->  format(string(Text), '~w', [Value])
    ;   existence_error(template_var, Name)
    ).
filled_part(_, Values, var(Name, Default), Text) :-
    !,
    (   memberchk(Name = Value, Values)
    ->  format(string(Text), '~w', [Value])
    ;   Text = Default
    ).
filled_part(Module, _, goal(Written), Text) :-
    !,
    term_string(Goal, Written),
    with_output_to(string(Text), Module:Goal).
filled_part(_, _, Text, Text).

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

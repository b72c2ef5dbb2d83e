% JSON text and Prolog terms.
%
% Reading gives an object the form asked for by the option form(Form): json([k=v, ...]) for classic, {k-v, ...} for
% curly ({} when empty), json([k-v, ...]) for dash. Writing takes all of them, with k:v and k(v) for pairs
% as well. Arrays are lists, constants @(true), @(false) and @(null).
:- module(json, [
    json_parse_text/3,
    json_read/2,
    json_read/3,
    atom_json_term/3,
    atom_json_dict/3,
    json_read_dict/2,
    json_read_dict/3,
    json_write_dict/2,
    json_write_dict/3,
    json_write/2,
    json_write/3,
    json_write_term/3,
    json_write_text/3,
    term_to_json/2,
    is_json_term/1,
    is_json_term/2
]).

% json_parse_text(+Text, -Term, +Options): Text holds one JSON value. Options:
%   form(curly|classic|dash)          objects; curly unless said otherwise
%   string(atom|string|codes|chars)   strings; atom unless said otherwise
%   null(T), true(T), false(T)        what stands for the constants
%   end_of_file(T)                    what empty text reads as, instead of an error
json_parse_text(Text, Term, Options) :-
    must_be(list, Options),
    form_options(Options, curly, Settings),
    text_codes(Text, Codes),
    parse_codes(Codes, Settings, Options, Term0),
    Term = Term0.

text_codes(Text, Codes) :-
    must_be(nonvar, Text),
    (   atom(Text)
    ->  atom_string(Text, String),
        string_codes(String, Codes)
    ;   text_to_string(Text, String)
    ->  string_codes(String, Codes)
    ;   type_error(text, Text)
    ).

form_options(Options, DefaultForm, settings(Form, String, Null, True, False)) :-
    option(form(Form), Options, DefaultForm),
    must_be(oneof([curly, classic, dash]), Form),
    string_option(Options, String),
    must_be(oneof([atom, string, codes, chars]), String),
    option(null(Null), Options, @(null)),
    option(true(True), Options, @(true)),
    option(false(False), Options, @(false)).

string_option(Options, String) :-
    (   option(string(String0), Options)
    ->  String = String0
    ;   option(value_string_as_atom(false), Options)
    ->  String = string
    ;   String = atom
    ).

parse_codes(Codes, Settings, Options, Term) :-
    skip_layout(Codes, Codes1),
    (   Codes1 == [],
        option(end_of_file(End), Options)
    ->  Term = End
    ;   value(Codes1, Settings, Term, Rest),
        skip_layout(Rest, Rest1),
        (   Rest1 == []
        ->  true
        ;   illegal(illegal_json)
        )
    ).

illegal(What) :-
    syntax_error(json(What)).

skip_layout([Code|Codes], Rest) :-
    layout(Code),
    !,
    skip_layout(Codes, Rest).
skip_layout(Codes, Codes).

layout(0'\s).
layout(0'\n).
layout(0'\t).
layout(0'\r).

% value(+Codes, +Settings, -Term, -Rest)
value([], _, _, _) :-
    illegal(unexpected_end_of_file).
value([Code|Codes], Settings, Term, Rest) :-
    (   value_start(Code, Kind)
    ->  value_of(Kind, Code, Codes, Settings, Term, Rest)
    ;   illegal(illegal_json)
    ).

value_start(0'{, object).
value_start(0'[, array).
value_start(0'", string).
value_start(0'-, number).
value_start(0't, constant).
value_start(0'f, constant).
value_start(0'n, constant).
value_start(Code, number) :-
    digit(Code).

digit(Code) :-
    Code >= 0'0,
    Code =< 0'9.

value_of(object, _, Codes, Settings, Term, Rest) :-
    skip_layout(Codes, Codes1),
    members_start(Codes1, Settings, Members, Rest),
    Settings = settings(Form, _, _, _, _),
    object_term(Form, Members, Term).
value_of(array, _, Codes, Settings, Term, Rest) :-
    skip_layout(Codes, Codes1),
    elements_start(Codes1, Settings, Term, Rest).
value_of(string, _, Codes, Settings, Term, Rest) :-
    string_codes_of(Codes, Text, Rest),
    Settings = settings(_, String, _, _, _),
    text_term(String, Text, Term).
value_of(number, Code, Codes, _, Term, Rest) :-
    number_text([Code|Codes], Text, Rest),
    number_codes(Term, Text).
value_of(constant, Code, Codes, Settings, Term, Rest) :-
    constant(Code, Name, Text),
    (   strip_prefix(Text, Codes, Rest0)
    ->  Rest = Rest0,
        constant_term(Name, Settings, Term)
    ;   illegal(json_expected(Name))
    ).

constant(0't, true, [0'r, 0'u, 0'e]).
constant(0'f, false, [0'a, 0'l, 0's, 0'e]).
constant(0'n, null, [0'u, 0'l, 0'l]).

constant_term(null, settings(_, _, Null, _, _), Null).
constant_term(true, settings(_, _, _, True, _), True).
constant_term(false, settings(_, _, _, _, False), False).

strip_prefix([], Rest, Rest).
strip_prefix([Code|Codes], [Code|Codes1], Rest) :-
    strip_prefix(Codes, Codes1, Rest).

text_term(atom, Codes, Atom) :- atom_codes(Atom, Codes).
text_term(string, Codes, String) :- string_codes(String, Codes).
text_term(codes, Codes, Codes).
text_term(chars, Codes, Chars) :-
    atom_codes(Atom, Codes),
    atom_chars(Atom, Chars).

elements_start([0']|Rest], _, [], Rest) :-
    !.
elements_start(Codes, Settings, [Term|Terms], Rest) :-
    value(Codes, Settings, Term, Codes1),
    skip_layout(Codes1, Codes2),
    elements(Codes2, Settings, Terms, Rest).

elements([0']|Rest], _, [], Rest) :-
    !.
elements([0',|Codes], Settings, [Term|Terms], Rest) :-
    !,
    skip_layout(Codes, Codes1),
    value(Codes1, Settings, Term, Codes2),
    skip_layout(Codes2, Codes3),
    elements(Codes3, Settings, Terms, Rest).
elements(_, _, _, _) :-
    illegal(illegal_array).

members_start([0'}|Rest], _, [], Rest) :-
    !.
members_start(Codes, Settings, [Key-Term|Members], Rest) :-
    member(Codes, Settings, Key, Term, Codes1),
    members(Codes1, Settings, Members, Rest).

members([0'}|Rest], _, [], Rest) :-
    !.
members([0',|Codes], Settings, [Key-Term|Members], Rest) :-
    !,
    skip_layout(Codes, Codes1),
    member(Codes1, Settings, Key, Term, Codes2),
    members(Codes2, Settings, Members, Rest).
members(_, _, _, _) :-
    illegal(illegal_object).

member([0'"|Codes], Settings, Key, Term, Rest) :-
    !,
    string_codes_of(Codes, Text, Codes1),
    atom_codes(Key, Text),
    skip_layout(Codes1, Codes2),
    (   Codes2 = [0':|Codes3]
    ->  skip_layout(Codes3, Codes4),
        value(Codes4, Settings, Term, Codes5),
        skip_layout(Codes5, Rest)
    ;   illegal(illegal_json)
    ).
member(_, _, _, _, _) :-
    illegal(illegal_json).

object_term(classic, Members, json(Pairs)) :-
    equal_pairs(Members, Pairs).
object_term(dash, Members, json(Members)).
object_term(dict(TagKey, Default), Members, Dict) :-
    (   TagKey \== '',
        selectchk(TagKey-Text, Members, Others)
    ->  dict_tag(Text, Tag)
    ;   Others = Members,
        copy_term(Default, Tag)
    ),
    dict_create(Dict, Tag, Others).
object_term(curly, Members, Term) :-
    curly_term(Members, Term).

dict_tag(Text, Tag) :-
    (   string(Text)
    ->  atom_string(Tag, Text)
    ;   Tag = Text
    ).

equal_pairs([], []).
equal_pairs([Key-Value|Members], [Key=Value|Pairs]) :-
    equal_pairs(Members, Pairs).

curly_term([], {}).
curly_term([Member|Members], {Conjunction}) :-
    conjunction(Members, Member, Conjunction).

conjunction([], Member, Member).
conjunction([Next|Members], Member, (Member, Conjunction)) :-
    conjunction(Members, Next, Conjunction).

% string_codes_of(+Codes, -Text, -Rest): what follows the opening quote.
string_codes_of([], _, _) :-
    illegal(eof_in_string).
string_codes_of([Code|Codes], Text, Rest) :-
    (   Code == 0'"
    ->  Text = [],
        Rest = Codes
    ;   Code == 0'\\
    ->  escape(Codes, Text, Text1, Codes1),
        string_codes_of(Codes1, Text1, Rest)
    ;   Text = [Code|Text1],
        string_codes_of(Codes, Text1, Rest)
    ).

escape([0'u|Codes], [Code|Text], Text, Rest) :-
    !,
    hex4(Codes, Code0, Codes1),
    surrogate(Code0, Codes1, Code, Rest).
escape([Escape|Codes], [Code|Text], Text, Codes) :-
    escaped(Escape, Code),
    !.
escape([], _, _, _) :-
    !,
    illegal(eof_in_string).
escape(_, _, _, _) :-
    illegal(illegal_string_escape).

escaped(0'", 0'").
escaped(0'\\, 0'\\).
escaped(0'/, 0'/).
escaped(0'b, 0'\b).
escaped(0'f, 0'\f).
escaped(0'n, 0'\n).
escaped(0'r, 0'\r).
escaped(0't, 0'\t).

hex4([A,B,C,D|Rest], Code, Rest) :-
    hex_digit(A, VA),
    hex_digit(B, VB),
    hex_digit(C, VC),
    hex_digit(D, VD),
    !,
    Code is VA << 12 \/ VB << 8 \/ VC << 4 \/ VD.
hex4(_, _, _) :-
    illegal(illegal_string_escape).

hex_digit(Code, Value) :-
    (   digit(Code)
    ->  Value is Code - 0'0
    ;   Code >= 0'a, Code =< 0'f
    ->  Value is Code - 0'a + 10
    ;   Code >= 0'A, Code =< 0'F
    ->  Value is Code - 0'A + 10
    ).

% Two surrogates make one character; a lonely one is no character and reads as U+FFFD.
surrogate(High, [0'\\, 0'u|Codes], Code, Rest) :-
    High >= 0xD800,
    High =< 0xDBFF,
    hex4(Codes, Low, Rest0),
    Low >= 0xDC00,
    Low =< 0xDFFF,
    !,
    Rest = Rest0,
    Code is 0x10000 + ((High - 0xD800) << 10) + Low - 0xDC00.
surrogate(Code0, Rest, Code, Rest) :-
    (   Code0 >= 0xD800, Code0 =< 0xDFFF
    ->  Code = 0xFFFD
    ;   Code = Code0
    ).

% number_text(+Codes, -Text, -Rest): Text is in Prolog's syntax, in which a float has a fraction.
number_text([0'-|Codes], [0'-|Text], Rest) :-
    !,
    unsigned(Codes, Text, Rest).
number_text(Codes, Text, Rest) :-
    unsigned(Codes, Text, Rest).

unsigned(Codes, Text, Rest) :-
    digits(Codes, Text, Tail, Codes1),
    (   Text = [0'0,Next|_],
        nonvar(Next)
    ->  illegal(illegal_number)
    ;   true
    ),
    fraction(Codes1, Tail, Rest).

digits([Code|Codes], [Code|Text], Tail, Rest) :-
    digit(Code),
    !,
    more_digits(Codes, Text, Tail, Rest).
digits(_, _, _, _) :-
    illegal(illegal_number).

more_digits([Code|Codes], [Code|Text], Tail, Rest) :-
    digit(Code),
    !,
    more_digits(Codes, Text, Tail, Rest).
more_digits(Codes, Tail, Tail, Codes).

fraction([0'.|Codes], [0'.|Text], Rest) :-
    !,
    digits(Codes, Text, Tail, Codes1),
    exponent(Codes1, Tail, Rest).
fraction([E|Codes], [0'.,0'0|Text], Rest) :-
    exponent_mark(E),
    !,
    exponent([E|Codes], Text, Rest).
fraction(Codes, [], Codes).

exponent([E|Codes], [0'e|Text], Rest) :-
    exponent_mark(E),
    !,
    exponent_sign(Codes, Text, Text1, Codes1),
    digits(Codes1, Text1, [], Rest).
exponent(Codes, [], Codes).

exponent_mark(0'e).
exponent_mark(0'E).

exponent_sign([0'-|Codes], [0'-|Text], Text, Codes) :- !.
exponent_sign([0'+|Codes], Text, Text, Codes) :- !.
exponent_sign(Codes, Text, Text, Codes).

% json_read(+Stream, -Term, +Options): one value; what follows it stays in the stream. Objects are classic
% unless the options say otherwise.
% json_read(+Stream, -Term): reads a JSON value as json([Name=Value, ...]) and lists.
json_read(Stream, Term) :-
    json_read(Stream, Term, []).

json_read(Stream, Term, Options) :-
    must_be(list, Options),
    form_options(Options, classic, Settings),
    value_text(Stream, Codes),
    parse_codes(Codes, Settings, Options, Term0),
    Term = Term0.

% value_text(+Stream, -Codes): the text of the next value, found by its brackets and quotes alone.
value_text(Stream, Codes) :-
    peek_code(Stream, Code),
    (   layout(Code)
    ->  get_code(Stream, _),
        value_text(Stream, Codes)
    ;   value_text(Code, Stream, Codes)
    ).

value_text(-1, _, []) :-
    !.
value_text(Code, Stream, Codes) :-
    nesting(Code, _),
    !,
    nested_text(Code, 0, Stream, Codes).
value_text(_, Stream, Codes) :-
    token_text(Stream, Codes).

nesting(0'{, 1).
nesting(0'[, 1).
nesting(0'}, -1).
nesting(0'], -1).
nesting(0'", 0).

nested_text(-1, _, _, []) :-
    !.
nested_text(Code, Depth, Stream, [Code|Codes]) :-
    get_code(Stream, _),
    (   Code == 0'"
    ->  quoted_text(Stream, Codes, Codes1),
        Depth1 = Depth
    ;   nesting(Code, Step)
    ->  Depth1 is Depth + Step,
        Codes1 = Codes
    ;   Depth1 = Depth,
        Codes1 = Codes
    ),
    (   Depth1 > 0
    ->  peek_code(Stream, Next),
        nested_text(Next, Depth1, Stream, Codes1)
    ;   Codes1 = []
    ).

quoted_text(Stream, Codes, Tail) :-
    get_code(Stream, Code),
    quoted_code(Code, Stream, Codes, Tail).

quoted_code(-1, _, Tail, Tail) :-
    !.
quoted_code(0'", _, [0'"|Tail], Tail) :-
    !.
quoted_code(0'\\, Stream, [0'\\|Codes], Tail) :-
    !,
    get_code(Stream, Code),
    (   Code == -1
    ->  Codes = Tail
    ;   Codes = [Code|Codes1],
        quoted_text(Stream, Codes1, Tail)
    ).
quoted_code(Code, Stream, [Code|Codes], Tail) :-
    quoted_text(Stream, Codes, Tail).

token_text(Stream, Codes) :-
    peek_code(Stream, Code),
    (   token_end(Code)
    ->  Codes = []
    ;   get_code(Stream, _),
        Codes = [Code|Codes1],
        token_text(Stream, Codes1)
    ).

token_end(-1).
token_end(0',).
token_end(0':).
token_end(Code) :- layout(Code).
token_end(Code) :- nesting(Code, _).

% atom_json_term(?Text, ?Term, +Options): parses Text, or writes Term when Text is unbound; option as(Type)
% then chooses the type of the text.
atom_json_term(Text, Term, Options) :-
    must_be(list, Options),
    (   var(Text)
    ->  must_be(nonvar, Term),
        option(as(Type), Options, atom),
        json_write_text(Term, String, Options),
        string_as(Type, String, Text)
    ;   form_options(Options, classic, Settings),
        text_codes(Text, Codes),
        parse_codes(Codes, Settings, Options, Term0),
        Term = Term0
    ).

string_as(Type, String, Text) :-
    must_be(oneof([atom, string, codes, chars]), Type),
    string_codes(String, Codes),
    text_term(Type, Codes, Text).

% json_read_dict(+Stream, -Dict): reads a JSON value, with dicts for objects and strings for strings.
json_read_dict(Stream, Dict) :-
    json_read_dict(Stream, Dict, []).

% json_read_dict(+Stream, -Dict, +Options): as json_read_dict/2. Options: tag(Key) (the key whose value is the tag),
% default_tag(Tag), null(T), true(T), false(T), end_of_file(T).
json_read_dict(Stream, Dict, Options) :-
    must_be(list, Options),
    dict_options(Options, Settings),
    value_text(Stream, Codes),
    parse_codes(Codes, Settings, Options, Dict0),
    Dict = Dict0.

dict_options(Options, settings(dict(TagKey, Tag), string, Null, True, False)) :-
    option(tag(TagKey), Options, ''),
    must_be(atom, TagKey),
    option(default_tag(Tag), Options, _),
    option(null(Null), Options, null),
    option(true(True), Options, true),
    option(false(False), Options, false).

% atom_json_dict(?Text, ?Dict, +Options): parses Text into dicts, or writes Dict when Text is unbound; options are those
% of json_read_dict/3 and json_write_dict/3, and as(Type) for the type of the text.
atom_json_dict(Text, Dict, Options) :-
    must_be(list, Options),
    (   var(Text)
    ->  must_be(nonvar, Dict),
        option(as(Type), Options, atom),
        json_write_text(Dict, String, ['$dicts'(true)|Options]),
        string_as(Type, String, Text)
    ;   dict_options(Options, Settings),
        text_codes(Text, Codes),
        parse_codes(Codes, Settings, Options, Dict0),
        Dict = Dict0
    ).

% json_write_dict(+Stream, +Dict): writes a term with dicts as JSON.
json_write_dict(Stream, Dict) :-
    json_write_dict(Stream, Dict, []).

% json_write_dict(+Stream, +Dict, +Options): as json_write/3; option tag(Key) writes the tag of a dict under that key.
json_write_dict(Stream, Dict, Options) :-
    must_be(list, Options),
    json_write(Stream, Dict, ['$dicts'(true)|Options]).

% json_write(+Stream, +Term, +Options): on one line when it fits the width, else a line for each
% member. Options: width(W) (72; 0 for one line always), step(Indent) (2), null(T), true(T), false(T),
% serialize_unknown(Bool) (write what has no JSON form as a string instead of an error).
% json_write(+Stream, +Term): writes a term as JSON.
json_write(Stream, Term) :-
    json_write(Stream, Term, []).

json_write(Stream, Term, Options) :-
    json_write_text(Term, String, Options),
    write(Stream, String).

% json_write_term(+Stream, +Term, +Options): writes a term as JSON with options width(W), tab(N), step(N).
json_write_term(Stream, Term, Options) :-
    json_write(Stream, Term, Options).

% json_write_text(+Term, -String, +Options): String is the text of a term as JSON.
json_write_text(Term, String, Options) :-
    must_be(list, Options),
    option(width(Width), Options, 72),
    must_be(nonneg, Width),
    option(step(Step), Options, 2),
    option(null(Null), Options, null),
    option(true(True), Options, true),
    option(false(False), Options, false),
    option(serialize_unknown(Unknown), Options, false),
    option(tag(TagKey), Options, ''),
    option('$dicts'(Dicts), Options, false),
    json_tree(Term, words(Null, True, False, Unknown, TagKey, Dicts), Tree),
    tree_parts(Tree, layout(Width, Step), 0, 0, Parts, []),
    atomics_to_string(Parts, String).

atomics_to_string(Parts, String) :-
    atomic_list_concat(Parts, Atom),
    atom_string(Atom, String).

% json_tree(+Term, +Words, -Tree): Tree is leaf(Text, Width), or list(Trees, Width) or object(Members, Width)
% with members Key-Tree, Width being that of the text on one line.
json_tree(Term, _, _) :-
    var(Term),
    !,
    instantiation_error(Term).
json_tree(Term, Words, Tree) :-
    constant_word(Term, Words, Text),
    !,
    leaf(Text, Tree).
json_tree([], _, list([], 2)) :-
    !.
json_tree(Term, Words, list(Trees, Width)) :-
    Term = [_|_],
    !,
    (   is_list(Term)
    ->  true
    ;   type_error(json_term, Term)
    ),
    element_trees(Term, Words, 3, Trees, Width).
json_tree(Term, Words, object(Members, Width)) :-
    object_members(Term, Words, Pairs),
    !,
    member_trees(Pairs, Words, 2, Members, Width).
json_tree(Term, Words, Tree) :-
    plain_text(Term, Words, Text),
    leaf(Text, Tree).

leaf(Text, leaf(Text, Width)) :-
    atom_length(Text, Width).

constant_word(@(Name), _, Name) :-
    nonvar(Name),
    memberchk(Name, [true, false, null]),
    !.
constant_word(Term, words(Null, True, False, _, _, Dicts), Text) :-
    (   special(Null, null, Term, Dicts)
    ->  Text = null
    ;   special(True, true, Term, Dicts)
    ->  Text = true
    ;   special(False, false, Term, Dicts)
    ->  Text = false
    ).

% The words themselves are the defaults of the options and then mean nothing special, but for terms with dicts.
special(Given, Default, Term, Dicts) :-
    ( Dicts == true -> true ; Given \== Default ),
    Given == Term.

object_members({}, _, []).
object_members({Conjunction}, _, Pairs) :-
    conjunction_pairs(Conjunction, Pairs).
object_members(json(List), _, Pairs) :-
    must_be(list, List),
    list_pairs(List, Pairs).
object_members(Dict, words(_, _, _, _, TagKey, _), Pairs) :-
    is_dict(Dict),
    dict_pairs(Dict, Tag, Pairs0),
    (   TagKey \== '',
        nonvar(Tag)
    ->  Pairs = [TagKey-Tag|Pairs0]
    ;   Pairs = Pairs0
    ).

conjunction_pairs(Term, _) :-
    var(Term),
    !,
    instantiation_error(Term).
conjunction_pairs((Member, Conjunction), [Pair|Pairs]) :-
    !,
    member_pair(Member, Pair),
    conjunction_pairs(Conjunction, Pairs).
conjunction_pairs(Member, [Pair]) :-
    member_pair(Member, Pair).

list_pairs([], []).
list_pairs([Member|Members], [Pair|Pairs]) :-
    member_pair(Member, Pair),
    list_pairs(Members, Pairs).

member_pair(Member, _) :-
    var(Member),
    !,
    instantiation_error(Member).
member_pair(Key-Value, Pair) :- !, Pair = Key-Value.
member_pair(Key=Value, Pair) :- !, Pair = Key-Value.
member_pair(Key:Value, Pair) :- !, Pair = Key-Value.
member_pair(Member, Key-Value) :-
    compound(Member),
    functor(Member, Key, 1),
    !,
    arg(1, Member, Value).
member_pair(Member, _) :-
    type_error(pair, Member).

% A composite element or value has a blank of its own before it.
element_trees([], _, Width, [], Width).
element_trees([Term|Terms], Words, Width0, [Tree|Trees], Width) :-
    json_tree(Term, Words, Tree),
    tree_width(Tree, TreeWidth),
    Width1 is Width0 + TreeWidth + 2,
    element_trees(Terms, Words, Width1, Trees, Width).

member_trees([], _, Width, [], Width).
member_trees([Key-Term|Pairs], Words, Width0, [Text-Tree|Members], Width) :-
    must_be(atomic, Key),
    quoted(Key, Text),
    json_tree(Term, Words, Tree),
    tree_width(Tree, TreeWidth),
    atom_length(Text, TextWidth),
    Width1 is Width0 + TextWidth + TreeWidth + 3,
    member_trees(Pairs, Words, Width1, Members, Width).

tree_width(leaf(_, Width), Width).
tree_width(list(_, Width), Spaced) :- Spaced is Width + 1.
tree_width(object(_, Width), Spaced) :- Spaced is Width + 1.

plain_text(Term, _, Text) :-
    number(Term),
    !,
    number_word(Term, Text).
plain_text(Term, _, Text) :-
    ( atom(Term) ; string(Term) ),
    !,
    quoted(Term, Text).
plain_text(Term, words(_, _, _, true, _, _), Text) :-
    !,
    format(atom(Written), '~q', [Term]),
    quoted(Written, Text).
plain_text(Term, _, _) :-
    type_error(json_term, Term).

% JSON has no infinities and no NaN, and of a fraction the nearest float.
number_word(Number, Text) :-
    (   float(Number),
        ( Number =\= Number ; abs(Number) =:= inf )
    ->  type_error(json_term, Number)
    ;   rational(Number),
        \+ integer(Number)
    ->  Float is float(Number),
        atom_number(Text, Float)
    ;   atom_number(Text, Number)
    ).

quoted(Text, Quoted) :-
    atom_codes(Text, Codes),
    quoted_codes(Codes, 0, Escaped),
    atom_codes(Quoted, [0'"|Escaped]).

% The code before is kept, because </ is written <\/ so that the text may stand in a page's script.
quoted_codes([], _, [0'"]).
quoted_codes([Code|Codes], Last, Escaped) :-
    (   escaped_code(Code, Last, Escape)
    ->  append(Escape, Escaped1, Escaped)
    ;   Escaped = [Code|Escaped1]
    ),
    quoted_codes(Codes, Code, Escaped1).

escaped_code(0'", _, [0'\\, 0'"]).
escaped_code(0'\\, _, [0'\\, 0'\\]).
escaped_code(0'\b, _, [0'\\, 0'b]).
escaped_code(0'\f, _, [0'\\, 0'f]).
escaped_code(0'\n, _, [0'\\, 0'n]).
escaped_code(0'\r, _, [0'\\, 0'r]).
escaped_code(0'\t, _, [0'\\, 0't]).
escaped_code(0'/, 0'<, [0'\\, 0'/]).
escaped_code(Code, _, Escape) :-
    ( Code < 0x20 ; Code =:= 0x7f ),
    !,
    format(codes(Escape), '\\u~|~`0t~16r~4+', [Code]).

% tree_parts(+Tree, +Layout, +Column, +Indent, -Parts, ?Tail): the atoms that make up the text. Column is where the
% text begins.
tree_parts(leaf(Text, _), _, _, _, [Text|Tail], Tail).
tree_parts(list(Trees, Width), Layout, Column, Indent, Parts, Tail) :-
    (   Trees == []
    ->  Parts = ['[]'|Tail]
    ;   fits(Layout, Column, Width)
    ->  Parts = ['['|Parts1],
        line_elements(Trees, '', Parts1, [' ]'|Tail])
    ;   deeper(Layout, Indent, Indent1, Break),
        Parts = ['['|Parts1],
        broken_elements(Trees, Layout, Indent1, Break, '', Parts1, Parts2),
        line_break(Indent, Close),
        Parts2 = [Close, ']'|Tail]
    ).
tree_parts(object(Members, Width), Layout, Column, Indent, Parts, Tail) :-
    (   fits(Layout, Column, Width)
    ->  Parts = ['{'|Parts1],
        line_members(Members, '', Parts1, ['}'|Tail])
    ;   deeper(Layout, Indent, Indent1, Break),
        Parts = ['{'|Parts1],
        broken_members(Members, Layout, Indent1, Break, '', Parts1, Parts2),
        line_break(Indent, Close),
        Parts2 = [Close, '}'|Tail]
    ).

fits(layout(0, _), _, _) :-
    !.
fits(layout(Width, _), Column, TreeWidth) :-
    Column + TreeWidth =< Width.

deeper(layout(_, Step), Indent, Indent1, Break) :-
    Indent1 is Indent + Step,
    line_break(Indent1, Break).

line_break(Indent, Break) :-
    format(atom(Break), '~n~*c', [Indent, 0'\s]).

line_elements([], _, Tail, Tail).
line_elements([Tree|Trees], Comma, [Comma, Blank|Parts], Tail) :-
    blank_before(Tree, Blank),
    tree_parts(Tree, layout(0, 0), 0, 0, Parts, Parts1),
    line_elements(Trees, ', ', Parts1, Tail).

line_members([], _, Tail, Tail).
line_members([Key-Tree|Members], Comma, [Comma, Key, ':', Blank|Parts], Tail) :-
    blank_before(Tree, Blank),
    tree_parts(Tree, layout(0, 0), 0, 0, Parts, Parts1),
    line_members(Members, ', ', Parts1, Tail).

broken_elements([], _, _, _, _, Tail, Tail).
broken_elements([Tree|Trees], Layout, Indent, Break, Comma, [Comma, Break|Parts], Tail) :-
    tree_parts(Tree, Layout, Indent, Indent, Parts, Parts1),
    broken_elements(Trees, Layout, Indent, Break, ',', Parts1, Tail).

broken_members([], _, _, _, _, Tail, Tail).
broken_members([Key-Tree|Members], Layout, Indent, Break, Comma, [Comma, Break, Key, ':', Blank|Parts], Tail) :-
    blank_before(Tree, Blank),
    atom_length(Key, KeyWidth),
    Column is Indent + KeyWidth + 2,
    tree_parts(Tree, Layout, Column, Indent, Parts, Parts1),
    broken_members(Members, Layout, Indent, Break, ',', Parts1, Tail).

blank_before(leaf(_, _), '') :- !.
blank_before(_, ' ').

% term_to_json(+Term, -JSON): any term as a classic JSON term. Atoms, numbers, strings and lists stay, json(Pairs) is
% gone through, a compound becomes an object with functor and args, a variable its name or _.
term_to_json(Term, JSON) :-
    copy_term_nat(Term, Copy),
    numbervars(Copy, 0, _, [singletons(true)]),
    to_json(Copy, JSON).

to_json(Term, Term) :-
    atomic(Term),
    !.
to_json(@(Name), Name) :-
    nonvar(Name),
    memberchk(Name, [true, false, null]),
    !.
to_json(Term, JSON) :-
    is_list(Term),
    !,
    list_to_json(Term, JSON).
to_json(json(Pairs0), json(Pairs)) :-
    is_list(Pairs0),
    !,
    pairs_to_json(Pairs0, Pairs).
to_json('$VAR'(Name), String) :-
    !,
    format(string(String), '~W', ['$VAR'(Name), [numbervars(true)]]).
to_json(Term, json([functor = Name, args = Args])) :-
    Term =.. [Name|Args0],
    list_to_json(Args0, Args).

list_to_json([], []).
list_to_json([Term|Terms], [JSON|JSONs]) :-
    to_json(Term, JSON),
    list_to_json(Terms, JSONs).

pairs_to_json([], []).
pairs_to_json([Pair|Pairs0], [Key=JSON|Pairs]) :-
    member_pair(Pair, Key-Value),
    to_json(Value, JSON),
    pairs_to_json(Pairs0, Pairs).

% is_json_term(@Term), is_json_term(@Term, +Options): Term can be written as JSON.
is_json_term(Term) :-
    is_json_term(Term, []).

is_json_term(Term, Options) :-
    option(null(Null), Options, null),
    option(true(True), Options, true),
    option(false(False), Options, false),
    catch(json_tree(Term, words(Null, True, False, false, '', false), _), error(_, _), fail).

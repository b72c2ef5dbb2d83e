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
%   form(curly|classic|dash)          objects; curly by default
%   string(atom|string|codes|chars)   strings; atom by default
%   null(T), true(T), false(T)        the terms for the constants
%   end_of_file(T)                    the term for empty text, instead of an error
json_parse_text(Text, Term, Options) :-
    must_be(list, Options),
    form_options(Options, curly, Settings),
    text_term(Text, Settings, Options, Term).

% text_term(+Text, +Settings, +Options, -Term): Text holds one value.
text_term(Text, Settings, Options, Term) :-
    must_be(nonvar, Text),
    (   atom(Text)
    ->  atom_string(Text, String)
    ;   text_to_string(Text, String)
    ->  true
    ;   type_error(text, Text)
    ),
    end_term(Options, End),
    '$json_text'(String, Settings, End, Term).

% end_term(+Options, -End): End is a list of the term for empty text, or [] if empty text is an error.
end_term(Options, End) :-
    (   option(end_of_file(Term), Options)
    ->  End = [Term]
    ;   End = []
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

% json_read(+Stream, -Term, +Options): one value; what follows it stays in the stream. Objects are classic
% unless the options say otherwise.
% json_read(+Stream, -Term): reads a JSON value as json([Name=Value, ...]) and lists.
json_read(Stream, Term) :-
    json_read(Stream, Term, []).

json_read(Stream, Term, Options) :-
    must_be(list, Options),
    form_options(Options, classic, Settings),
    stream_term(Stream, Settings, Options, Term).

% stream_term(+Stream, +Settings, +Options, -Term): Term is the next value of the stream.
stream_term(Stream, Settings, Options, Term) :-
    end_term(Options, End),
    '$read_json'(Stream, Settings, End, Term).

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
        text_term(Text, Settings, Options, Term)
    ).

string_as(Type, String, Text) :-
    must_be(oneof([atom, string, codes, chars]), Type),
    as_type(Type, String, Text).

as_type(atom, String, Atom) :- atom_string(Atom, String).
as_type(string, String, String).
as_type(codes, String, Codes) :- string_codes(String, Codes).
as_type(chars, String, Chars) :- string_chars(String, Chars).

% json_read_dict(+Stream, -Dict): reads a JSON value, with dicts for objects and strings for strings.
json_read_dict(Stream, Dict) :-
    json_read_dict(Stream, Dict, []).

% json_read_dict(+Stream, -Dict, +Options): as json_read_dict/2. Options: tag(Key) (the key whose value is the tag),
% default_tag(Tag), null(T), true(T), false(T), end_of_file(T).
json_read_dict(Stream, Dict, Options) :-
    must_be(list, Options),
    dict_options(Options, Settings),
    stream_term(Stream, Settings, Options, Dict).

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
        text_term(Text, Settings, Options, Dict)
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

% The words true, false and null are the defaults of the options. They then have no special meaning, except in terms
% with dicts.
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

% A composite element or value has its own blank before it.
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

% JSON has no infinities and no NaN. A fraction is written as the nearest float.
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

% term_to_json(+Term, -JSON): any term as a classic JSON term. Atoms, numbers, strings and lists stay, the values in
% json(Pairs) are converted, a compound becomes an object with functor and args, and a variable its name or _.
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

% Regular expressions under the names of library(pcre). They are those of RE2: their time is linear in the text, and there are no references back and no looking ahead or behind.
:- module(pcre, [
    re_match/2,
    re_match/3,
    re_matchsub/3,
    re_matchsub/4,
    re_foldl/6,
    re_split/3,
    re_split/4,
    re_replace/4,
    re_replace/5,
    re_compile/3,
    re_flush/0,
    re_config/1
]).

:- meta_predicate
    re_foldl(3, +, +, ?, ?, +).

% re_match(+Regex, +Text): Regex, a text or Text/Flags, matches somewhere in Text.
re_match(Regex, Text) :-
    re_match(Regex, Text, []).

% re_match(+Regex, +Text, +Options): the options are start(From), anchored, caseless, dotall, extended, multiline and ungreedy.
re_match(Regex, Text, Options) :-
    first_match(Regex, Text, Options, _, _).

% re_matchsub(+Regex, +Text, -Match): re_matchsub/4 without options.
re_matchsub(Regex, Text, Match) :-
    re_matchsub(Regex, Text, Match, []).

% re_matchsub(+Regex, +Text, -Match, +Options): Match is a dict with the whole match for the key 0
% and the text of each group for its number or name.
re_matchsub(Regex, Text, Match, Options) :-
    first_match(Regex, Text, Options, Compiled, Groups),
    match(Compiled, Groups, Match).

first_match(Regex, Text, Options, Compiled, Groups) :-
    compiled(Regex, Options, Compiled),
    Compiled = regex(Pattern, Flags, _),
    option(start(Start), Options, 0),
    '$regex_match'(Pattern, Flags, Text, Start, Groups).

% re_foldl(:Goal, +Regex, +Text, ?V0, ?V, +Options): calls Goal(Match, V0, V1) for each match in turn, Match as in re_matchsub/4.
re_foldl(Goal, Regex, Text, V0, V, Options) :-
    compiled(Regex, Options, Compiled),
    matches(true, Compiled, Text, Options, Matches, _),
    foldl(folded(Goal, Compiled), Matches, V0, V).

folded(Goal, Compiled, _-Groups, V0, V) :-
    match(Compiled, Groups, Match),
    call(Goal, Match, V0, V).

% matches(+All, +Compiled, +Text, +Options, -Matches, -Rest): Matches has the first match or all matches, each after
% the text before it. Rest is the text after the last match.
matches(All, regex(Pattern, Flags, _), Text, Options, Matches, Rest) :-
    option(start(Start), Options, 0),
    (   All == true
    ->  '$regex_matches'(Pattern, Flags, Text, Start, Matches, Rest)
    ;   '$regex_match'(Pattern, Flags, Text, Start, Match)
    ->  Match = [group(At, Length, _)|_],
        Matches = [Skipped-Match],
        Before is At - Start,
        End is At + Length,
        sub_string(Text, Start, Before, _, Skipped),
        sub_string(Text, End, _, 0, Rest)
    ;   Matches = [],
        sub_string(Text, Start, _, 0, Rest)
    ).

% re_split(+Regex, +Text, -Parts): re_split/4 without options.
re_split(Regex, Text, Parts) :-
    re_split(Regex, Text, Parts, []).

% re_split(+Regex, +Text, -Parts, +Options): Parts has the texts between the matches and the matches in turn. They are
% strings, or of the type in capture_type(Type).
re_split(Regex, Text, Parts, Options) :-
    compiled(Regex, Options, Compiled),
    matches(true, Compiled, Text, Options, Matches, Rest),
    Compiled = regex(_, _, keys(Type, _)),
    split_parts(Matches, Type, Rest, Parts).

split_parts([], Type, Rest, [Part]) :-
    split_value(Type, Rest, Part).
split_parts([Skipped-[group(_, _, Match)|_]|Matches], Type, Rest, [Part, Found|Parts]) :-
    split_value(Type, Skipped, Part),
    split_value(Type, Match, Found),
    split_parts(Matches, Type, Rest, Parts).

split_value(string, String, String) :- !.
split_value(atom, String, Atom) :- !, atom_string(Atom, String).
split_value(Type, String, Value) :-
    Type == number,
    (   number_string(Value0, String)
    ->  Value = Value0
    ;   atom_string(Value, String)
    ),
    !.
split_value(_, String, String).

% re_replace(+Regex, +With, +Text, -Result): re_replace/5 without options.
re_replace(Regex, With, Text, Result) :-
    re_replace(Regex, With, Text, Result, []).

% re_replace(+Regex, +With, +Text, -Result, +Options): replaces the first match, with the flag g all; \N, $N, ${Name} and \Name stand for groups in With.
re_replace(Regex, With, Text, Result, Options) :-
    compiled(Regex, Options, Compiled),
    Compiled = regex(_, _, keys(Type, Keys)),
    replaces_all(Regex, All),
    matches(All, Compiled, Text, Options, Matches, Rest),
    option(start(Start), Options, 0),
    sub_string(Text, 0, Start, _, Before),
    template(With, Template),
    foldl(replaced(Keys, Template), Matches, Parts, [Rest]),
    atomic_list_concat([Before|Parts], Atom),
    ( Type == atom -> Result = Atom ; atom_string(Atom, Result) ).

replaces_all(Regex, true) :-
    nonvar(Regex),
    ( Regex = _/Flags ; Regex = '$regex'(_, Flags, _) ),
    sub_atom(Flags, _, _, _, g),
    !.
replaces_all(_, false).

replaced(Keys, Template, Skipped-Groups, [Skipped|Parts], Rest) :-
    foldl(inserted(Keys, Groups), Template, Parts, Rest).

inserted(_, _, text(Text), [Text|Rest], Rest).
inserted(Keys, Groups, group(Key), [Text|Rest], Rest) :-
    (   nth0(N, Keys, key(Key, _))
    ->  nth0(N, Groups, Group),
        group_text(Group, Text)
    ;   existence_error(key, Key)
    ).

group_text(none, "").
group_text(group(_, _, Text), Text).

% template(+With, -Template): a list of text(Codes) and group(Key).
template(With, Template) :-
    text_to_string(With, String),
    string_codes(String, Codes),
    phrase(template_parts(Template), Codes).

template_parts([group(Key)|Parts]) -->
    ( "\\" ; "$" ),
    reference(Key),
    !,
    template_parts(Parts).
template_parts([text(Text)|Parts]) -->
    ( "\\\\" -> { Text = "\\" } ; "$$" -> { Text = "$" } ),
    !,
    template_parts(Parts).
template_parts([text(Text)|Parts]) -->
    [Code],
    !,
    { string_codes(Text, [Code]) },
    template_parts(Parts).
template_parts([]) -->
    [].

reference(Key) -->
    "{",
    name_codes(csym, Codes),
    "}",
    !,
    { reference_key(Codes, Key) }.
reference(Key) -->
    name_codes(digit, Codes),
    { Codes = [_|_] },
    !,
    { number_codes(Key, Codes) }.
reference(Key) -->
    name_codes(csym, Codes),
    { Codes = [_|_],
      atom_codes(Key, Codes)
    }.

reference_key(Codes, Key) :-
    (   maplist([Code]>>code_type(Code, digit), Codes)
    ->  number_codes(Key, Codes)
    ;   atom_codes(Key, Codes)
    ).

name_codes(Type, [Code|Codes]) -->
    [Code],
    { code_type(Code, Type) },
    !,
    name_codes(Type, Codes).
name_codes(_, []) -->
    [].

% re_compile(+Pattern, -Regex, +Options): Regex can be used in the place of a text and its flags; the options are those of re_match/3, optimise and capture_type(Type).
re_compile(Pattern, '$regex'(Text, Flags, Keys), Options) :-
    compiled(Pattern, Options, regex(Text, Flags0, Keys)),
    ( replaces_all(Pattern, true) -> atom_concat(Flags0, g, Flags) ; Flags = Flags0 ).

% re_flush: does nothing: compiled patterns are freed automatically.
re_flush.

% re_config(?Property): utf8(true), unicode_properties(true) or version(Text) of the regular expressions.
re_config(Property) :-
    must_be(nonvar, Property),
    config(Property).

config(utf8(true)).
config(unicode_properties(true)).
config(jit(false)).
config(version('RE2')).

% compiled(+Regex, +Options, -Compiled): Compiled is regex(Pattern, Flags, keys(Type, Keys)), with key(Key, Type) for the match and each group.
compiled(Regex, _, _) :-
    var(Regex),
    !,
    instantiation_error(Regex).
compiled('$regex'(Pattern, Flags0, Keys), _, regex(Pattern, Flags, Keys)) :-
    !,
    atomic_list_concat(Parts, g, Flags0),
    atomic_list_concat(Parts, Flags).
compiled(Regex, Options, regex(Pattern, Flags, keys(Type, Keys))) :-
    (   Regex = Pattern/Letters
    ->  atom_chars(Letters, Chars)
    ;   Pattern = Regex,
        Chars = []
    ),
    must_be(list, Options),
    foldl(flag_letter, Chars, []-string, Flags1-Type0),
    findall(Flag, ( member(Option, Options), option_flag(Option, Flag) ), Flags2),
    append(Flags1, Flags2, Flags3),
    sort(Flags3, FlagList),
    atomic_list_concat(FlagList, Flags),
    option(capture_type(Type), Options, Type0),
    '$regex_groups'(Pattern, Flags, Names),
    foldl(group_key(Type), Names, Keys0, 1, _),
    Keys = [key(0, Type)|Keys0].

flag_letter(Char, Flags-Type, Flags1-Type1) :-
    (   memberchk(Char, [i, m, s, x])
    ->  Flags1 = [Char|Flags],
        Type1 = Type
    ;   memberchk(Char-NewType, [a-atom, n-number, r-range, t-term])
    ->  Flags1 = Flags,
        Type1 = NewType
    ;   Char == g
    ->  Flags1 = Flags,
        Type1 = Type
    ;   existence_error(re_flag, Char)
    ).

option_flag(Option, Flag) :-
    (   Option =.. [Name, true]
    ->  true
    ;   Option = greedy(false),
        Name = ungreedy
    ),
    memberchk(Name-Flag, [anchored-'A', caseless-i, dotall-s, extended-x, multiline-m, ungreedy-'U']).

% A name may end in a letter that says the type of its group.
group_key(Type0, Name0, key(Key, Type), N0, N) :-
    N is N0 + 1,
    (   Name0 == none
    ->  Key = N0,
        Type = Type0
    ;   atomic_list_concat([_, _|_], '_', Name0),
        sub_atom(Name0, Before, 2, 0, Suffix),
        Before > 0,
        suffix_type(Suffix, Type1)
    ->  sub_atom(Name0, 0, Before, _, Key),
        Type = Type1
    ;   Key = Name0,
        Type = Type0
    ).

suffix_type('_S', string).
suffix_type('_A', atom).
suffix_type('_I', integer).
suffix_type('_F', float).
suffix_type('_N', number).
suffix_type('_T', term).
suffix_type('_R', range).

% match(+Compiled, +Groups, -Match): groups that have matched nothing are empty; at the end they are left out.
match(regex(_, _, keys(_, Keys)), Groups0, Match) :-
    without_last(Groups0, Groups),
    take_pairs(Groups, Keys, Pairs),
    dict_pairs(Match, re_match, Pairs).

without_last(Groups0, Groups) :-
    (   append(Groups1, [none], Groups0)
    ->  without_last(Groups1, Groups)
    ;   Groups = Groups0
    ).

take_pairs([], _, []).
take_pairs([Group|Groups], [key(Key, Type)|Keys], [Key-Value|Pairs]) :-
    (   Group == none
    ->  Value = ""
    ;   group_value(Type, Group, Value)
    ),
    take_pairs(Groups, Keys, Pairs).

group_value(string, group(_, _, Text), Text).
group_value(atom, group(_, _, Text), Value) :- atom_string(Value, Text).
group_value(integer, group(_, _, Text), Value) :- number_string(Value, Text), must_be(integer, Value).
group_value(float, group(_, _, Text), Value) :- number_string(Value0, Text), Value is float(Value0).
group_value(number, group(_, _, Text), Value) :- number_string(Value, Text).
group_value(term, group(_, _, Text), Value) :- term_string(Value, Text).
group_value(range, group(Start, Length, _), Start-Length).

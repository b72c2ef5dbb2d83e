% Predicates that are built into SWI-Prolog and that few programs call.
:- module(seldom, [
    float_class/2,
    float_parts/4,
    bounded_number/3,
    expand_file_search_path/2,
    fill_buffer/1,
    read_pending_codes/3,
    read_pending_chars/3,
    fast_term_serialized/2,
    fast_read/2,
    fast_write/2,
    setlocale/3,
    current_locale/1,
    locale_create/3,
    locale_destroy/1,
    locale_property/2,
    set_locale/1,
    tty_size/2,
    with_tty_raw/1,
    wait_for_input/3,
    prompt1/1,
    dynamic/2,
    initialization/1,
    initialization/2,
    public/1,
    volatile/1,
    noprofile/1,
    non_terminal/1,
    compiling/0,
    compile_aux_clauses/1,
    cancel_halt/1,
    current_flag/1,
    message_queue_set/2,
    sig_pending/1,
    sig_remove/2,
    prolog_alert_signal/2,
    atomic_concat/3,
    atomics_to_string/3,
    tabled_call/1,
    dwim_match/2,
    dwim_match/3,
    random_property/1,
    trim_heap/0,
    fast_read/1,
    fast_write/1,
    fast_write_to_string/3,
    atom_prefix/2,
    call_dcg/3,
    rule/2,
    rule/3,
    expand_phrase/2,
    expand_phrase/4,
    size_abstract_term/3,
    radial_restraint/0,
    answer_count_restraint/0,
    expand_term/4,
    expand_goal/4,
    redefine_system_predicate/1,
    set_prolog_gc_thread/1,
    nb_link_dict/3,
    abolish_monotonic_tables/0,
    abolish_nonincremental_tables/0,
    abolish_nonincremental_tables/1,
    message_to_string/2,
    thread_initialization/1,
    expects_dialect/1,
    require_prolog_version/2,
    version/0,
    version/1
]).

:- meta_predicate
    call_dcg(//, ?, ?),
    rule(:, -),
    rule(:, -, -),
    redefine_system_predicate(:),
    thread_initialization(0),
    expand_file_search_path(:, -),
    with_tty_raw(0),
    dynamic(:, +),
    initialization(0),
    initialization(0, +),
    compile_aux_clauses(:),
    tabled_call(0),
    expand_goal(:, ?, -, ?).

:- multifile
    user:file_search_path/2.

% float_class(+Float, -Class): Class is nan, infinite, zero, subnormal or normal.
float_class(Float, Class) :-
    must_be(float, Float),
    (   Float =\= Float
    ->  Class = nan
    ;   abs(Float) =:= inf
    ->  Class = infinite
    ;   Float =:= 0
    ->  Class = zero
    ;   abs(Float) < 2.2250738585072014e-308
    ->  Class = subnormal
    ;   Class = normal
    ).

% float_parts(+Number, -Mantissa, -Base, -Exponent): Number is Mantissa * Base ** Exponent, as a float; Base is 2 and Mantissa
% from 0.5 to 1, or Number itself with the exponent 0 if it is zero, infinite or not a number.
float_parts(Number, Mantissa, 2, Exponent) :-
    (   rational(Number)
    ->  Float is float(Number)
    ;   Float = Number
    ),
    float_class(Float, Class),
    (   memberchk(Class, [normal, subnormal])
    ->  Exponent0 is floor(log2(abs(Float))) + 1,
        halved(Float, Exponent0, Mantissa, Exponent)
    ;   Mantissa = Float,
        Exponent = 0
    ).

% The logarithm may be off by one. The power is taken in two steps, for it may be beyond the range of floats.
halved(Float, Exponent0, Mantissa, Exponent) :-
    Half is Exponent0 // 2,
    Other is Exponent0 - Half,
    Mantissa0 is Float * 2.0 ** (-Half) * 2.0 ** (-Other),
    (   abs(Mantissa0) >= 1
    ->  Mantissa is Mantissa0 / 2,
        Exponent is Exponent0 + 1
    ;   abs(Mantissa0) < 0.5
    ->  Mantissa is Mantissa0 * 2,
        Exponent is Exponent0 - 1
    ;   Mantissa = Mantissa0,
        Exponent = Exponent0
    ).

% bounded_number(?Low, ?High, +Number): Number is greater than Low and less than High; bounds that are unbound become its neighbours.
bounded_number(Low, High, Number) :-
    must_be(number, Number),
    lower_bound(Low, Number),
    upper_bound(High, Number).

lower_bound(Low, Number) :-
    (   nonvar(Low)
    ->  must_be(number, Low),
        Low < Number
    ;   integer(Number)
    ->  Low is Number - 1
    ;   Low is nexttoward(Number, -inf)
    ).

upper_bound(High, Number) :-
    (   nonvar(High)
    ->  must_be(number, High),
        High > Number
    ;   integer(Number)
    ->  High is Number + 1
    ;   High is nexttoward(Number, inf)
    ).

% expand_file_search_path(:Spec, -Path): Path is a path for a Spec such as Alias(Name) by file_search_path/2, or Spec
% itself if it has no alias.
expand_file_search_path(Spec0, Path) :-
    '$strip_module'(Spec0, Module, Spec),
    must_be(nonvar, Spec),
    expanded_path(Spec, Module, 16, Path).

expanded_path(Spec, Module, Depth, Path) :-
    (   compound(Spec),
        functor(Spec, Alias, 1)
    ->  Depth > 0,
        Depth1 is Depth - 1,
        arg(1, Spec, Segments),
        search_folder(Module, Alias, Folder0),
        expanded_path(Folder0, Module, Depth1, Folder),
        segments_text(Segments, Name),
        (   Name == '.'
        ->  Path = Folder
        ;   atomic_list_concat([Folder, /, Name], Path)
        )
    ;   segments_text(Spec, Path)
    ).

search_folder(Module, Alias, Folder) :-
    (   Module \== user,
        catch(Module:file_search_path(Alias, _), _, fail)
    ->  Module:file_search_path(Alias, Folder)
    ;   catch(user:file_search_path(Alias, Folder), error(existence_error(_, _), _), fail)
    ).

segments_text(A/B, Text) :-
    !,
    segments_text(A, TextA),
    segments_text(B, TextB),
    atomic_list_concat([TextA, /, TextB], Text).
segments_text(Text, Atom) :-
    atom_string(Atom, Text).

% fill_buffer(+Stream): waits until a character can be read from Stream, or its end.
fill_buffer(Stream) :-
    stream_property(Stream, type(Type)),
    !,
    ( Type == binary -> peek_byte(Stream, _) ; peek_char(Stream, _) ).

% read_pending_codes(+Stream, -Codes, ?Tail): Codes are the codes that can be read now, some thousand at most,
% followed by Tail; [] at the end.
read_pending_codes(Stream, Codes, Tail) :-
    pending(Stream, String),
    (   String == ""
    ->  Codes = [],
        Tail = []
    ;   string_codes(String, List),
        append(List, Tail, Codes)
    ).

% read_pending_chars(+Stream, -Chars, ?Tail): read_pending_codes/3 with characters.
read_pending_chars(Stream, Chars, Tail) :-
    pending(Stream, String),
    (   String == ""
    ->  Chars = [],
        Tail = []
    ;   string_chars(String, List),
        append(List, Tail, Chars)
    ).

% People type in lines.
pending(Stream, String) :-
    (   stream_property(Stream, alias(user_input))
    ->  peek_char(Stream, Char),
        (   Char == end_of_file
        ->  String = ""
        ;   read_line_to_string(Stream, Line),
            string_concat(Line, "\n", String)
        )
    ;   read_string(Stream, 4096, String)
    ).

% fast_term_serialized(?Term, ?Serialized): Serialized is a string from which Term can be made again.
fast_term_serialized(Term, Serialized) :-
    (   nonvar(Serialized)
    ->  term_string(Term, Serialized)
    ;   format(string(Serialized), '~k', [Term])
    ).

% fast_write(+Stream, +Term): writes Term for fast_read/2.
fast_write(Stream, Term) :-
    format(Stream, '~k.~n', [Term]).

% fast_read(+Stream, -Term): reads a term of fast_write/2.
fast_read(Stream, Term) :-
    read_term(Stream, Term0, []),
    (   Term0 == end_of_file
    ->  throw(error(syntax_error(end_of_file), _))
    ;   Term = Term0
    ).

% setlocale(+Category, -Old, +New): gives the locale of a category, which is 'C' and cannot be changed.
setlocale(Category, Old, New) :-
    must_be(atom, Category),
    (   memberchk(Category, [all, collate, ctype, messages, monetary, numeric, time])
    ->  Old = 'C',
        must_be(atom, New),
        (   memberchk(New, ['C', 'POSIX', ''])
        ->  true
        ;   existence_error(locale, New)
        )
    ;   domain_error(category, Category)
    ).

% current_locale(-Locale): Locale says how ~:d, ~D and kin write numbers.
current_locale(Locale) :- '$locale'(Locale-_).

% '$locale'(-Pair): Pair is Locale-Value of the current locale. format/2 reads it from the same global variable.
'$locale'(Pair) :-
    (   nb_current('$locale', Now)
    ->  Pair = Now
    ;   Pair = default-'$locale'('.', '', [])
    ).

'$locales'(List) :-
    (   nb_current('$locales', Now)
    ->  List = Now
    ;   List = [default-'$locale'('.', '', [])]
    ).

% locale_create(-Locale, +Default, +Options): a locale with the properties alias(A), decimal_point(Text),
% thousands_sep(Text) and grouping(List), where they are given; the others come from the locale Default. The locale of
% the system is always 'C'.
locale_create(Locale, Default, Options) :-
    '$locale_value'(Default, '$locale'(Point0, Separator0, Grouping0)),
    must_be(list, Options),
    option(decimal_point(Point), Options, Point0),
    must_be(atom, Point),
    ( Point == '' -> domain_error(decimal_point, Point) ; true ),
    option(thousands_sep(Separator), Options, Separator0),
    must_be(atom, Separator),
    option(grouping(Grouping), Options, Grouping0),
    must_be(list, Grouping),
    '$must_be_grouping'(Grouping),
    Value = '$locale'(Point, Separator, Grouping),
    (   option(alias(Alias), Options)
    ->  must_be(atom, Alias),
        '$locales'(Locales),
        (   memberchk(Alias-_, Locales)
        ->  permission_error(create, locale, Alias)
        ;   nb_setval('$locales', [Alias-Value|Locales]),
            Locale = Alias
        )
    ;   Locale = Value
    ).

'$must_be_grouping'([]).
'$must_be_grouping'([Item|Items]) :-
    (   nonvar(Item),
        Item = repeat(Size)
    ->  must_be(positive_integer, Size)
    ;   must_be(positive_integer, Item)
    ),
    '$must_be_grouping'(Items).

'$without_locale'([], _, []).
'$without_locale'([A-Value|Rest0], Alias, Rest) :-
    (   A == Alias
    ->  Rest = Rest0
    ;   Rest = [A-Value|Rest1],
        '$without_locale'(Rest0, Alias, Rest1)
    ).

'$locale_value'(Locale, Value) :-
    must_be(nonvar, Locale),
    (   Locale = '$locale'(_, _, _)
    ->  Value = Locale
    ;   Locale == current_locale
    ->  '$locale'(_-Value)
    ;   '$locales'(Locales),
        memberchk(Locale-Value0, Locales)
    ->  Value = Value0
    ;   memberchk(Locale, ['C', 'POSIX', ''])
    ->  Value = '$locale'('.', '', [])
    ;   existence_error(locale, Locale)
    ).

% locale_destroy(+Locale): forgets the alias of Locale.
locale_destroy(Locale) :-
    '$locale_value'(Locale, _),
    '$locales'(Locales0),
    '$without_locale'(Locales0, Locale, Locales),
    nb_setval('$locales', Locales).

% locale_property(?Locale, ?Property): Locale has one of the properties of locale_create/3.
locale_property(Locale, Property) :-
    (   var(Locale)
    ->  '$locales'(Locales),
        member(Locale-Value, Locales),
        Alias = Locale
    ;   '$locale_value'(Locale, Value),
        (   Locale == current_locale
        ->  current_locale(Alias)
        ;   Alias = Locale
        )
    ),
    '$locale_property'(Alias, Value, Property).

'$locale_property'(Alias, _, alias(Alias)) :- atom(Alias).
'$locale_property'(_, '$locale'(Point, _, _), decimal_point(Point)).
'$locale_property'(_, '$locale'(_, Separator, _), thousands_sep(Separator)) :- Separator \== ''.
'$locale_property'(_, '$locale'(_, _, Grouping), grouping(Grouping)) :- Grouping \== [].

% set_locale(+Locale): from now on numbers are written as in Locale.
set_locale(Locale) :-
    '$locale_value'(Locale, Value),
    (   Locale == current_locale
    ->  true
    ;   nb_setval('$locale', Locale-Value)
    ).

% tty_size(-Rows, -Columns): existence_error(terminal, user_output): goals write to no terminal.
tty_size(_, _) :-
    existence_error(terminal, user_output).

% with_tty_raw(:Goal): calls Goal as once/1 does.
with_tty_raw(Goal) :-
    once(Goal).

% wait_for_input(+Streams, -Ready, +Timeout): Ready is Streams, because reading itself waits.
wait_for_input(Streams, Streams, _) :-
    must_be(list, Streams).

% prompt1(+Prompt): does nothing: goals do not prompt.
prompt1(Prompt) :-
    must_be(atomic, Prompt).

% dynamic(:Indicators, +Options): declares the predicates of a list to be dynamic; the options thread, incremental and
% abstract are ignored.
dynamic(Indicators0, Options) :-
    '$strip_module'(Indicators0, Module, Indicators),
    must_be(list, Indicators),
    must_be(list, Options),
    forall(member(Indicator, Indicators), dynamic(Module:Indicator)).

% initialization(:Goal): calls Goal at once, because no file is being loaded.
initialization(Goal) :-
    initialization(Goal, now).

% initialization(:Goal, +When): calls Goal; with main as When the program ends after it.
initialization(Goal, When) :-
    must_be(atom, When),
    (   memberchk(When, [now, after_load, program, restore, restore_state])
    ->  ignore(Goal)
    ;   When == main
    ->  (   catch(Goal, Ball, true)
        ->  ( var(Ball) -> halt ; print_message(error, Ball), halt(2) )
        ;   halt(1)
        )
    ;   domain_error(initialization_type, When)
    ).

% atomics_to_string(?List, +Separator, ?String): String joins the texts of List by Separator; a List that is not known
% has the parts of String, as atoms.
atomics_to_string(List, Separator, String) :-
    (   is_list(List),
        ground(List)
    ->  atomic_list_concat(List, Separator, Atom),
        atom_string(Atom, Joined),
        String = Joined
    ;   atomic_list_concat(List, Separator, String)
    ).

% public(+Indicators), volatile(+Indicators), noprofile(+Indicators), non_terminal(+Indicators): does nothing; these are notes for other tools.
public(_).
volatile(_).
noprofile(_).
non_terminal(_).

% compiling: fails: nothing is compiled to a file.
compiling :-
    fail.

% compile_aux_clauses(:Clauses): adds clauses to the program.
compile_aux_clauses(Clauses0) :-
    '$strip_module'(Clauses0, Module, Clauses),
    must_be(list, Clauses),
    forall(member(Clause, Clauses), assertz(Module:Clause)).

% cancel_halt(+Reason): has no effect on the end of a run.
cancel_halt(Reason) :-
    must_be(nonvar, Reason).

% current_flag(?Key): Key is a key of flag/3.
current_flag(Key) :-
    '$flag_keys'(Keys),
    member(Key, Keys).

% message_queue_set(+Queue, +Property): sets max_size(Most) of a queue.
message_queue_set(Queue, Property) :-
    must_be(nonvar, Property),
    (   Property = max_size(Most)
    ->  must_be(nonneg, Most),
        '$queue_limit'(Queue, Most)
    ;   domain_error(message_queue_property, Property)
    ).

% sig_pending(-Signals): Signals is [].
sig_pending([]).

% sig_remove(?Pattern, -Signals): Signals is [].
sig_remove(_, []).

% prolog_alert_signal(-Old, +New): the signal that wakes threads, which is 0: there is none.
prolog_alert_signal(0, 0).

% atomic_concat(+A, +B, -AB): AB is the atom of the texts of A and B.
atomic_concat(A, B, AB) :-
    atomic_list_concat([A, B], AB).

% tabled_call(:Goal): Goal, whose answers are each given once.
tabled_call(Goal) :-
    distinct(Goal, Goal).

% dwim_match(+A, +B): the texts A and B differ by one mistake of typing.
dwim_match(A, B) :-
    dwim_match(A, B, _).

% dwim_match(+A, +B, -Difference): the texts A and B differ by one mistake of typing: inserted_char, deleted_char, changed_char, transposed_char or case.
dwim_match(A, B, Difference) :-
    atom_codes(A, As),
    atom_codes(B, Bs),
    mistake(As, Bs, Difference),
    !.

mistake(As, Bs, Difference) :-
    append(Prefix, [X|As1], As),
    append(Prefix, Bs1, Bs),
    (   Bs1 = [Y|Bs2], X \== Y
    ->  (   As1 == Bs2
        ->  ( upper_lower_pair(X, Y) -> Difference = case ; Difference = changed_char )
        ;   As1 = [Y|Rest],
            Bs2 = [X|Rest]
        ->  Difference = transposed_char
        ;   As1 == Bs1
        ->  Difference = deleted_char
        ;   [X|As1] == Bs2
        ->  Difference = inserted_char
        )
    ;   Bs1 == [],
        As1 == []
    ->  Difference = deleted_char
    ).
mistake(As, Bs, inserted_char) :-
    append(As, [_], Bs).

upper_lower_pair(X, Y) :-
    char_code(A, X),
    char_code(B, Y),
    downcase_atom(A, Lower),
    downcase_atom(B, Lower).

% random_property(?Property): Property is state(State); set_random(state(State)) repeats the following random numbers.
random_property(state(State)) :-
    '$random_state'(State).

% trim_heap: does nothing.
trim_heap.

% fast_write(+Term): writes Term to the current output for fast_read/1.
fast_write(Term) :-
    current_output(Stream),
    fast_write(Stream, Term).

% fast_read(-Term): reads a term of fast_write/1 from the current input.
fast_read(Term) :-
    current_input(Stream),
    fast_read(Stream, Term).

% fast_write_to_string(+Term, -Codes, ?Tail): Codes are what fast_write/2 writes, in front of Tail.
fast_write_to_string(Term, Codes, Tail) :-
    format(codes(Codes, Tail), '~k.~n', [Term]).

% atom_prefix(+Atom, +Prefix): Atom begins with the characters of Prefix.
atom_prefix(Atom, Prefix) :-
    atom_length(Prefix, Length),
    sub_atom(Atom, 0, Length, _, Start),
    atom_string(Prefix, Text),
    atom_string(Start, Text).

% call_dcg(:Body, ?State0, ?State): calls a grammar body with states that need not be lists.
call_dcg(Body, State0, State) :-
    '$strip_module'(Body, _, Plain),
    (   var(Plain)
    ->  throw(error(instantiation_error, _))
    ;   ( callable(Plain) ; string(Plain) )
    ->  dcg_translate_rule((call_dcg --> Body), (call_dcg(State0, State) :- Goal)),
        call(Goal)
    ;   throw(error(type_error(callable, Plain), _))
    ).

% rule(:Head, -Rule): Rule is a clause as it is written, also one with =>.
rule(Goal, Rule) :-
    rule(Goal, Rule, none).

% rule(:Head, -Rule, -Reference): the same, with the reference of the clause.
rule(Goal, Rule, Reference) :-
    '$strip_module'(Goal, _, Head),
    must_be(callable, Head),
    '$shown_clause'(Goal, Body, Neck, Reference),
    written_rule(Neck, Head, Body, Rule).

written_rule(:-, Head, true, Rule) :- !, Rule = Head.
written_rule(:-, Head, Body, (Head :- Body)).
written_rule(=>, Head, Body, (Head => Body)).
written_rule(=>(Guard), Head, Body, (Head, Guard => Body)).

% expand_phrase(+Phrase, -Goal): Goal does what the call of phrase/2 or phrase/3 does; fails where the body of the grammar is
% not known.
expand_phrase(phrase(Body, List), Goal) :-
    expand_phrase(phrase(Body, List, []), Goal).
expand_phrase(phrase(Body, List, Rest), Goal) :-
    '$strip_module'(Body, _, Plain),
    ( callable(Plain) ; string(Plain) ),
    !,
    dcg_translate_rule((phrase --> Body), (phrase(List, Rest) :- Goal)).

% expand_phrase(+Phrase, ?Layout0, -Goal, -Layout): expand_phrase/2; Layout is unbound.
expand_phrase(Phrase, _, Goal, _) :-
    expand_phrase(Phrase, Goal).

% size_abstract_term(+Size, +Term, -Abstract): Abstract is Term with at most Size compounds in each argument, counted
% from the left; variables replace the others.
size_abstract_term(Size, Term, Abstract) :-
    must_be(integer, Size),
    ( Size < 0 -> domain_error(not_less_than_zero, Size) ; true ),
    (   compound(Term)
    ->  compound_name_arguments(Term, Name, Args0),
        abstract_each(Args0, Size, Args),
        compound_name_arguments(Abstract, Name, Args)
    ;   Abstract = Term
    ).

abstract_each([], _, []).
abstract_each([Arg0|Args0], Size, [Arg|Args]) :-
    abstract_terms([Arg0], Size, _, [Arg]),
    abstract_each(Args0, Size, Args).

abstract_terms([], Left, Left, []).
abstract_terms([Term|Terms], Left0, Left, [Abstract|Abstracts]) :-
    (   \+ compound(Term)
    ->  Abstract = Term,
        Left1 = Left0
    ;   Left0 =:= 0
    ->  Left1 = 0
    ;   compound_name_arguments(Term, Name, Args0),
        Left2 is Left0 - 1,
        abstract_terms(Args0, Left2, Left1, Args),
        compound_name_arguments(Abstract, Name, Args)
    ),
    abstract_terms(Terms, Left1, Left, Abstracts).

% radial_restraint, answer_count_restraint: undefined; in other systems the answers of tables that were cut.
radial_restraint :-
    undefined.

answer_count_restraint :-
    undefined.

% expand_term(+Term0, ?Layout0, -Term, -Layout): expand_term/2; Layout is Layout0 where the term is what it was, else unbound.
expand_term(Term0, Layout0, Term, Layout) :-
    expand_term(Term0, Term),
    ( Term == Term0 -> Layout = Layout0 ; true ).

% expand_goal(+Goal0, ?Layout0, -Goal, -Layout): expand_goal/2; Layout is Layout0 where the goal is what it was, else unbound.
expand_goal(Goal0, Layout0, Goal, Layout) :-
    expand_goal(Goal0, Goal),
    ( Goal == Goal0 -> Layout = Layout0 ; true ).

% redefine_system_predicate(:Head): succeeds for a predicate that a program may define, whose clauses then replace
% those of the library.
redefine_system_predicate(Goal) :-
    '$strip_module'(Goal, _, Head),
    must_be(callable, Head),
    (   predicate_property(system:Head, iso)
    ->  functor(Head, Name, Arity),
        throw(error(permission_error(modify, static_procedure, Name/Arity), _))
    ;   true
    ).

% set_prolog_gc_thread(+How): checks How, which is false, true or stop; garbage is collected by the run itself.
set_prolog_gc_thread(How) :-
    must_be(nonvar, How),
    (   memberchk(How, [false, true, stop])
    ->  true
    ;   throw(error(domain_error(gc_thread, How), _))
    ).

% nb_link_dict(+Key, !Dict, +Value): as nb_set_dict/3; the value is copied.
nb_link_dict(Key, Dict, Value) :-
    nb_set_dict(Key, Dict, Value).

% abolish_monotonic_tables: forgets the tables of the run.
abolish_monotonic_tables :-
    abolish_all_tables.

% abolish_nonincremental_tables: forgets the tables of the run.
abolish_nonincremental_tables :-
    abolish_all_tables.

% abolish_nonincremental_tables(+Options): the same; options are checked and change nothing.
abolish_nonincremental_tables(Options) :-
    must_be(list, Options),
    abolish_all_tables.

% message_to_string(+Message, -Text): Text is the string that print_message/2 would print, without a prefix.
message_to_string(Message, Text) :-
    '$message_lines'(Message, Lines),
    '$lines_text'(Lines, Text).

% thread_initialization(:Goal): calls Goal once, now, for the only thread.
thread_initialization(Goal) :-
    once(Goal).

% expects_dialect(+Dialect): says that the text is written for this system. It has no effect, so predicates of that
% system may be missing.
expects_dialect(Dialect) :-
    must_be(atom, Dialect).

% require_prolog_version(+Version, +Options): throws unless the version of SWI-Prolog that this system is like is at least Version.
require_prolog_version(Version, Options) :-
    must_be(list, Options),
    split_string(Version, ".", "", Parts),
    maplist(number_string, Wanted, Parts),
    current_prolog_flag(version_data, swi(Major, Minor, Patch, _)),
    (   [Major, Minor, Patch] @< Wanted
    ->  atomic_list_concat([Major, Minor, Patch], '.', Here),
        throw(error(prolog_version(Version, Here), _))
    ;   true
    ).

% version: prints what system this is.
version :-
    current_prolog_flag(version_data, swi(Major, Minor, Patch, _)),
    format("mcplogic, in the dialect of SWI-Prolog ~w.~w.~w~n", [Major, Minor, Patch]).

% version(+Message): does nothing: the prompt has no banner that could show Message.
version(_).

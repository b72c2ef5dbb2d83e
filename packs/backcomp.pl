% Old names that programs still use.
:- module(backcomp, [
    concat_atom/2,
    concat_atom/3,
    checklist/2,
    sformat/2,
    sformat/3,
    display/1,
    display/2,
    displayq/1,
    displayq/2,
    flush/0,
    concat/3,
    'C'/3,
    merge/3,
    merge_set/3,
    sublist/3,
    substring/4,
    string_to_list/2,
    free_variables/2,
    hash_term/2,
    proper_list/1,
    write_ln/1,
    get/1,
    get/2,
    get0/1,
    get0/2,
    put/1,
    put/2,
    setup_and_call_cleanup/3,
    nb_linkval/2,
    abort/0,
    del_attrs/1,
    compile_predicates/1,
    at_initialization/1,
    read_clause/1,
    read_variables/2,
    read_variables/3,
    read_pending_input/3,
    feature/2,
    set_feature/2,
    convert_time/2,
    convert_time/8,
    message_queue_size/2,
    current_module/2,
    export_list/2,
    setup_and_call_cleanup/4,
    index/1,
    hash/1,
    set_base_module/1,
    eval_license/0,
    trie_insert_new/3
]).

:- meta_predicate
    checklist(1, ?),
    sublist(1, ?, ?),
    setup_and_call_cleanup(0, 0, 0),
    setup_and_call_cleanup(0, 0, ?, 0),
    at_initialization(0),
    set_base_module(:).

% concat_atom(+List, -Atom): atomic_list_concat/2.
concat_atom(List, Atom) :-
    atomic_list_concat(List, Atom).

% concat_atom(?List, +Separator, ?Atom): atomic_list_concat/3.
concat_atom(List, Separator, Atom) :-
    atomic_list_concat(List, Separator, Atom).

% checklist(:Goal, +List): maplist/2.
checklist(Goal, List) :-
    maplist(Goal, List).

% sformat(-String, +Format): the text of format/1 as a string.
sformat(String, Format) :-
    format(string(String), Format, []).

% sformat(-String, +Format, +Arguments): the text of format/2 as a string.
sformat(String, Format, Arguments) :-
    format(string(String), Format, Arguments).

% display(?Term): writes Term quoted and without operators.
display(Term) :-
    displayq(Term).

% display(+Stream, ?Term): display/1 on a stream.
display(Stream, Term) :-
    displayq(Stream, Term).

% displayq(?Term): display/1.
displayq(Term) :-
    write_term(Term, [ignore_ops(true), quoted(true)]).

% displayq(+Stream, ?Term): display/1 on a stream.
displayq(Stream, Term) :-
    write_term(Stream, Term, [ignore_ops(true), quoted(true)]).

% flush: flush_output/0.
flush :-
    flush_output.

% concat(+A, +B, -AB): atomic_list_concat/2 of two.
concat(A, B, AB) :-
    atomic_list_concat([A, B], AB).

% 'C'(?List, ?Token, ?Rest): List is [Token|Rest].
'C'([Token|Rest], Token, Rest).

% merge(+List1, +List2, -List): the elements of two sorted lists, in order.
merge(List1, List2, List) :-
    append(List1, List2, Both),
    msort(Both, List).

% merge_set(+Set1, +Set2, -Set): ord_union/3.
merge_set(Set1, Set2, Set) :-
    ord_union(Set1, Set2, Set).

% sublist(:Goal, +List, -Sublist): include/3.
sublist(Goal, List, Sublist) :-
    include(Goal, List, Sublist).

% substring(+String, +Start, +Length, -Sub): sub_string/5 with places counted from one.
substring(String, Start, Length, Sub) :-
    Before is Start - 1,
    sub_string(String, Before, Length, _, Sub).

% string_to_list(?String, ?Codes): string_codes/2.
string_to_list(String, Codes) :-
    string_codes(String, Codes).

% free_variables(@Term, -Variables): term_variables/2.
free_variables(Term, Variables) :-
    term_variables(Term, Variables).

% hash_term(+Term, -Hash): term_hash/2.
hash_term(Term, Hash) :-
    term_hash(Term, Hash).

% proper_list(@Term): is_list/1.
proper_list(Term) :-
    is_list(Term).

% write_ln(?Term): writeln/1.
write_ln(Term) :-
    writeln(Term).

% get(?Code): reads the next character that is not blank.
get(Code) :-
    current_input(Stream),
    get(Stream, Code).

% get(+Stream, ?Code): get/1 from a stream.
get(Stream, Code) :-
    get_code(Stream, Code0),
    (   Code0 >= 0,
        code_type(Code0, space)
    ->  get(Stream, Code)
    ;   Code = Code0
    ).

% get0(?Code): get_code/1.
get0(Code) :-
    get_code(Code).

% get0(+Stream, ?Code): get_code/2.
get0(Stream, Code) :-
    get_code(Stream, Code).

% put(+Character): put_char/1, of a code too.
put(Character) :-
    current_output(Stream),
    put(Stream, Character).

% put(+Stream, +Character): put/1 to a stream.
put(Stream, Character) :-
    (   integer(Character)
    ->  put_code(Stream, Character)
    ;   put_char(Stream, Character)
    ).

% setup_and_call_cleanup(:Setup, :Goal, :Cleanup): setup_call_cleanup/3.
setup_and_call_cleanup(Setup, Goal, Cleanup) :-
    setup_call_cleanup(Setup, Goal, Cleanup).

% nb_linkval(+Name, ?Value): nb_setval/2.
nb_linkval(Name, Value) :-
    nb_setval(Name, Value).

% abort: throws '$aborted'.
abort :-
    throw('$aborted').

% del_attrs(?Term): takes all attributes away from a variable.
del_attrs(Term) :-
    (   attvar(Term)
    ->  put_attrs(Term, [])
    ;   true
    ).

% compile_predicates(+Indicators): does nothing: dynamic predicates are compiled as they are called.
compile_predicates(Indicators) :-
    must_be(list, Indicators).

% at_initialization(:Goal): initialization/1.
at_initialization(Goal) :-
    initialization(Goal).

% read_clause(-Clause): reads a clause as clauses of programs are read.
read_clause(Clause) :-
    read_term(Clause, []).

% read_variables(-Term, -Bindings): reads a term, with Name = Variable for each of its variables.
read_variables(Term, Bindings) :-
    read_term(Term, [variable_names(Bindings)]).

% read_variables(+Stream, -Term, -Bindings): read_variables/2 from a stream.
read_variables(Stream, Term, Bindings) :-
    read_term(Stream, Term, [variable_names(Bindings)]).

% read_pending_input(+Stream, -Codes, ?Tail): read_pending_codes/3.
read_pending_input(Stream, Codes, Tail) :-
    read_pending_codes(Stream, Codes, Tail).

% feature(?Name, ?Value): current_prolog_flag/2.
feature(Name, Value) :-
    current_prolog_flag(Name, Value).

% set_feature(+Name, +Value): set_prolog_flag/2.
set_feature(Name, Value) :-
    set_prolog_flag(Name, Value).

% convert_time(+Stamp, -Text): Text is a stamp as a date and time.
convert_time(Stamp, Text) :-
    format_time(string(Text), '%+', Stamp).

% convert_time(+Stamp, -Year, -Month, -Day, -Hour, -Minute, -Second, -Millisecond): the parts of a stamp.
convert_time(Stamp, Year, Month, Day, Hour, Minute, Second, Millisecond) :-
    stamp_date_time(Stamp, date(Year, Month, Day, Hour, Minute, Seconds, _, _, _), local),
    Second is truncate(Seconds),
    Millisecond is truncate((Seconds - Second) * 1000).

% message_queue_size(?Queue, ?Size): Size is the number of messages in a queue.
message_queue_size(Queue, Size) :-
    message_queue_property(Queue, size(Size)).

% current_module(?Module, ?File): Module is a module that was loaded from File.
current_module(Module, File) :-
    current_module(Module),
    module_property(Module, file(File)).

% export_list(+Module, -Indicators): Indicators are those of what a module exports.
export_list(Module, Indicators) :-
    module_property(Module, exports(Indicators)).

% setup_and_call_cleanup(:Setup, :Goal, ?Catcher, :Cleanup): setup_call_catcher_cleanup/4.
setup_and_call_cleanup(Setup, Goal, Catcher, Cleanup) :-
    setup_call_catcher_cleanup(Setup, Goal, Catcher, Cleanup).

% index(+Head), hash(+Indicator): does nothing: indexes are made when a call comes that they help.
index(Head) :-
    must_be(callable, Head).
hash(Indicator) :-
    must_be(nonvar, Indicator).

% set_base_module(:Base): set_module(base(Base)).
set_base_module(Base0) :-
    '$strip_module'(Base0, Module, Base),
    set_module(Module:base(Base)).

% eval_license: does nothing.
eval_license.

% trie_insert_new(+Trie, +Key, -Node): trie_insert/2, with no node.
trie_insert_new(Trie, Key, Node) :-
    Node = Key,
    trie_insert(Trie, Key).

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
    abort/0
]).

:- meta_predicate
    checklist(1, ?),
    sublist(1, ?, ?),
    setup_and_call_cleanup(0, 0, 0).

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

% display(?Term): writes Term without operators.
display(Term) :-
    write_term(Term, [ignore_ops(true)]).

% display(+Stream, ?Term): display/1 on a stream.
display(Stream, Term) :-
    write_term(Stream, Term, [ignore_ops(true)]).

% displayq(?Term): writes Term quoted and without operators.
displayq(Term) :-
    write_term(Term, [ignore_ops(true), quoted(true)]).

% displayq(+Stream, ?Term): displayq/1 on a stream.
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

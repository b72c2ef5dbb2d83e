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
    flush/0
]).

:- meta_predicate
    checklist(1, ?).

concat_atom(List, Atom) :-
    atomic_list_concat(List, Atom).

concat_atom(List, Separator, Atom) :-
    atomic_list_concat(List, Separator, Atom).

checklist(Goal, List) :-
    maplist(Goal, List).

sformat(String, Format) :-
    format(string(String), Format, []).

sformat(String, Format, Arguments) :-
    format(string(String), Format, Arguments).

display(Term) :-
    write_term(Term, [ignore_ops(true)]).

display(Stream, Term) :-
    write_term(Stream, Term, [ignore_ops(true)]).

displayq(Term) :-
    write_term(Term, [ignore_ops(true), quoted(true)]).

displayq(Stream, Term) :-
    write_term(Stream, Term, [ignore_ops(true), quoted(true)]).

flush :-
    flush_output.

% A text for several systems asks in conditions what the one that loads it has.
:- if(current_predicate(string_code/3)).
:- include(strings).
:- else.
first(Text, Code) :- sub_atom(Text, 0, 1, _, Char), char_code(Char, Code).
:- endif.
:- if(\+ current_predicate(format_atom/3)).
format_atom(Format, Arguments, Atom) :- format(atom(Atom), Format, Arguments).
:- endif.
:- if(catch(current_predicate(no_such_predicate/7), _, fail)).
oddity(there).
:- elif(current_prolog_flag(bounded, false)).
oddity(unbounded).
:- else.
oddity(bounded).
:- endif.
:- if(current_prolog_flag(no_such_flag, true)).
flagged(no).
:- else.
flagged(yes).
:- endif.
:- if(( current_op(700, xfx, =@=), \+ current_op(_, _, no_such_operator) )).
variants(yes).
:- endif.
:- if(predicate_property(succ_or(_, _), defined)).
plus_one(N, M) :- succ_or(N, M).
:- else.
plus_one(N, M) :- M is N + 1.
:- endif.
:- if(exists_source(library(lists))).
:- use_module(library(lists), [last/2]).
:- endif.
:- if(exists_source(library(no_such_library))).
:- use_module(library(no_such_library)).
extra(yes).
:- else.
extra(no).
:- endif.
main :-
    first(abc, Code), writeln(Code),
    format_atom("~w-~a", [1, b], Atom), writeln(Atom),
    oddity(O), flagged(T), variants(V), plus_one(2, P), extra(E), writeln([O, T, V, P, E]),
    last([1, 2, 3], Last), writeln(Last).

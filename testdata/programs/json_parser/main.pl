% A parser of JSON as a grammar over codes, a writer, and paths into what was read. Errors name line and column.
:- use_module(library(dcg/basics)).
:- use_module(library(lists)).
:- use_module(library(pairs)).
:- set_prolog_flag(double_quotes, codes).

json(V) --> blanks, value(V), blanks, end.

end, [C] --> [C], !, { throw(json_error([C], 'end of the text')) }.
end --> [].

value(V) --> "{", !, blanks, members(V0), { V = object(V0) }.
value(V) --> "[", !, blanks, elements(V0), { V = array(V0) }.
value(text(A)) --> "\"", !, characters(Cs), { atom_codes(A, Cs) }.
value(true) --> "true", !.
value(false) --> "false", !.
value(null) --> "null", !.
value(number(N)) --> number(N), !.
value(_) --> here(Rest), { throw(json_error(Rest, 'a value')) }.

members([]) --> "}", !.
members([K-V|Ms]) --> member(K, V), more_members(Ms).
more_members([]) --> "}", !.
more_members([K-V|Ms]) --> expect(","), blanks, member(K, V), more_members(Ms).
member(K, V) --> expect("\""), characters(Cs), { atom_codes(K, Cs) }, blanks, expect(":"), blanks, value(V), blanks.

elements([]) --> "]", !.
elements([V|Vs]) --> value(V), blanks, more_elements(Vs).
more_elements([]) --> "]", !.
more_elements([V|Vs]) --> expect(","), blanks, value(V), blanks, more_elements(Vs).

characters([]) --> "\"", !.
characters([C|Cs]) --> "\\", !, escape(C), characters(Cs).
characters([C|Cs]) --> [C], !, characters(Cs).
characters(_) --> { throw(json_error([], 'the end of a string')) }.

escape(C) --> "u", !, xdigit(A), xdigit(B), xdigit(D), xdigit(E), { C is ((A*16 + B)*16 + D)*16 + E }.
escape(0'\n) --> "n", !.
escape(0'\t) --> "t", !.
escape(C) --> [C], { memberchk(C, "\"\\/") }, !.
escape(_) --> here(Rest), { throw(json_error(Rest, 'an escape')) }.

expect(Cs) --> Cs, !.
expect(Cs) --> here(Rest), { atom_codes(What, Cs), throw(json_error(Rest, What)) }.
here(Rest, Rest, Rest).

parse(Text, V) :-
    catch(phrase(json(V), Text), json_error(Rest, What), ( place(Text, Rest, L, C), V = error(L, C, What) )).

place(Text, Rest, Line, Column) :-
    append(Before, Rest, Text), !,
    foldl([X, L0-C0, L-C]>>( X == 0'\n -> L is L0+1, C = 1 ; L = L0, C is C0+1 ), Before, 1-1, Line-Column).

write_json(object(Ms)) :- !, write('{'), pairs(Ms), write('}').
write_json(array(Vs)) :- !, write('['), list(Vs), write(']').
write_json(text(A)) :- !, format('"~w"', [A]).
write_json(number(N)) :- !, write(N).
write_json(X) :- write(X).
pairs([]).
pairs([K-V|Ms]) :- format('"~w":', [K]), write_json(V), ( Ms == [] -> true ; write(','), pairs(Ms) ).
list([]).
list([V|Vs]) :- write_json(V), ( Vs == [] -> true ; write(','), list(Vs) ).

at([], V, V).
at([K|Ks], object(Ms), V) :- atom(K), memberchk(K-V0, Ms), at(Ks, V0, V).
at([I|Is], array(Vs), V) :- integer(I), nth0(I, Vs, V0), at(Is, V0, V).

main :-
    Text = "{\"name\": \"Zo\\u00eb\", \"tags\": [1, 2.5, -3e2, true, null, []],\n \"of\": {\"a\": {\"b\": \"x\\ny\"}}}",
    parse(Text, V), write_json(V), nl,
    forall(member(P, [[name], [tags, 2], [of, a], [of, z], [tags, 9]]), ( at(P, V, X) -> print(P-X), nl ; print(P-none), nl )),
    forall(member(T, ["[1,]", "{\"a\" 1}", "[1 2]", "\"abc", "{\"a\":\n  tru}", "[] x", "\"\\q\"", ""]),
           ( parse(T, E), atom_codes(A, T), format("~q: ~p~n", [A, E]) )).

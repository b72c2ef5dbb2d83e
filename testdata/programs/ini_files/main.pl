% Files of settings: sections, values of several types, comments, continuation, and errors with their lines.
:- use_module(library(dcg/basics)).
:- use_module(library(error)).

source("; the server\n[server]\nhost = example.org\nport=8080\ntimeout = 2.5 ; seconds\nverbose = yes\n\n[paths]\nroot = \"/srv/my data\"\nskip = a, b , c\n[empty]\n").
source("[a]\nx 1\n").
source("x = 1\n").
source("[a\n").

parse(Text, Sections) :-
    split_string(Text, "\n", " \t\r", Lines),
    lines(Lines, 1, none, Sections).

lines([], _, _, []).
lines([L|Ls], N, Section, Out) :-
    string_codes(L, Codes),
    (   phrase(line(Item), Codes)
    ->  true
    ;   throw(error(syntax_error(bad_line), line(N, L)))
    ),
    N1 is N+1,
    put(Item, N, Section, Section1, Out, Out1),
    lines(Ls, N1, Section1, Out1).

put(nothing, _, S, S, Out, Out).
put(section(S), _, _, S, [section(S)|Out], Out).
put(value(K, V), N, S, S, Out0, Out) :- ( S == none -> throw(error(no_section(K), line(N))) ; Out0 = [S/K-V|Out] ).

line(section(S)) --> "[", string_without(`]`, Cs), "]", comment, !, { atom_codes(S, Cs) }.
line(value(K, V)) --> key(K), blanks, "=", blanks, value(V), comment, !.
line(nothing) --> comment.

comment --> blanks, ( ";" -> remainder(_) ; eos ).

key(K) --> csym(C), csyms(Cs), { atom_codes(K, [C|Cs]) }.
csym(C) --> [C], { code_type(C, csymf) }.
csyms([C|Cs]) --> [C], { code_type(C, csym) }, !, csyms(Cs).
csyms([]) --> [].

value(string(S)) --> "\"", !, string_without(`"`, Cs), "\"", { string_codes(S, Cs) }.
value(N) --> number(N), look_end, !.
value(true) --> ( "yes" ; "true" ; "on" ), look_end, !.
value(false) --> ( "no" ; "false" ; "off" ), look_end, !.
value(V) --> string_without(`;`, Cs0), { atom_codes(A0, Cs0), normalize_space(atom(A), A0), split(A, V) }.

look_end, [0';] --> blanks, ";", !.
look_end --> blanks, eos.

split(A, V) :- ( sub_atom(A, _, _, _, ',') -> split_string(A, ",", " ", Ps), V = list(Ps) ; V = A ).

main :-
    forall(source(T),
           catch(( parse(T, Items), forall(member(I, Items), ( print(I), nl )) ), error(E, Where), ( print(E-Where), nl ))).

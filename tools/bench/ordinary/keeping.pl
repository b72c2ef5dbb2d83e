% State and text that grow: global variables below many choice points, strings that are appended to, grammars with arguments.

bench :-
    length(List, 20000),
    choices(List),
    nb_setval(best, best(0, [])),
    improve(200000),
    !,
    nb_getval(best, best(Best, _)),
    append_to("", 20000, Text),
    string_length(Text, Length),
    numlist(1, 600000, Numbers),
    phrase(items(ints, Numbers0), Numbers, []),
    length(Numbers0, Count),
    Sum is Best + Length + Count,
    write(checksum(Sum)), nl.

choices([]).
choices([_|Xs]) :- ( true ; fail ), choices(Xs).

improve(N) :-
    between(1, N, I),
    nb_getval(best, best(Old, _)),
    New is max(Old, I * 7 mod 1009),
    nb_setval(best, best(New, [I])),
    I >= N.

append_to(Text, 0, Text) :- !.
append_to(Text0, N, Text) :-
    string_concat(Text0, "abc", Text1),
    M is N - 1,
    append_to(Text1, M, Text).

items(Kind, [X|Xs]) --> call(Kind, X), !, items(Kind, Xs).
items(_, []) --> [].

ints(X) --> [X], { integer(X) }.

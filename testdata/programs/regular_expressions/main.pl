% Regular expressions: a parser, an automaton by Thompson's construction, its subset construction, minimal states, a matcher
% by derivatives, and a comparison of the two on many words.
:- use_module(library(lists)).
:- use_module(library(ordsets)).
:- use_module(library(assoc)).
:- use_module(library(apply)).

re(E) --> branch(A), ( "|" -> re(B), { E = or(A, B) } ; { E = A } ).
branch(E) --> piece(A), !, rest(A, E).
branch(empty) --> [].
rest(A, seq(A, B)) --> piece(B0), !, rest(B0, B).
rest(A, A) --> [].
piece(E) --> atom(A), suffix(A, E).
suffix(A, E) --> "*", !, suffix(star(A), E).
suffix(A, E) --> "+", !, suffix(seq(A, star(A)), E).
suffix(A, E) --> "?", !, suffix(or(A, empty), E).
suffix(A, A) --> [].
atom(E) --> "(", !, re(E), ")".
atom(any) --> ".", !.
atom(char(C)) --> [C], { \+ memberchk(C, `()|*+?.`) }.

parse(Text, E) :- atom_codes(Text, Cs), phrase(re(E), Cs).

% nfa(Expression, From, To, Edges)
nfa(empty, F, T, [F-eps-T]).
nfa(char(C), F, T, [F-C-T]).
nfa(any, F, T, [F-any-T]).
nfa(seq(A, B), F, T, Es) :- gensym(q, M), nfa(A, F, M, X), nfa(B, M, T, Y), append(X, Y, Es).
nfa(or(A, B), F, T, Es) :- nfa(A, F, T, X), nfa(B, F, T, Y), append(X, Y, Es).
nfa(star(A), F, T, [F-eps-S, S-eps-T|Es]) :- gensym(q, S), nfa(A, S, S, Es).

closure(States, Es, Closed) :-
    findall(T, ( member(S, States), member(S-eps-T, Es) ), New),
    list_to_ord_set(New, N), ord_union(States, N, All),
    ( All == States -> Closed = All ; closure(All, Es, Closed) ).

move(States, C, Es, Next) :-
    findall(T, ( member(S, States), member(S-L-T, Es), ( L == C ; L == any ) ), Ts),
    list_to_ord_set(Ts, N), closure(N, Es, Next).

% dfa(Expression, Alphabet, Table, Final): states are numbers, 0 is the first.
dfa(E, Alphabet, Table, Finals) :-
    reset_gensym(q), nfa(E, start, end, Es), closure([start], Es, S0),
    explore([S0], [S0-0], 1, Alphabet, Es, Table, Names),
    findall(N, ( member(S-N, Names), memberchk(end, S) ), Finals0), msort(Finals0, Finals).

explore([], Names, _, _, _, [], Names).
explore([S|Ss], Names0, N0, Alphabet, Es, Table, Names) :-
    memberchk(S-I, Names0),
    row(Alphabet, S, I, Es, Names0, Names1, N0, N1, Row, New),
    append(Ss, New, Todo), append(Row, Rest, Table),
    explore(Todo, Names1, N1, Alphabet, Es, Rest, Names).

row([], _, _, _, Names, Names, N, N, [], []).
row([C|Cs], S, I, Es, Names0, Names, N0, N, [I-C-J|Row], New) :-
    move(S, C, Es, T),
    (   memberchk(T-J, Names0) -> Names1 = Names0, N1 = N0, New = More
    ;   J = N0, N1 is N0+1, Names1 = [T-J|Names0], New = [T|More]
    ),
    row(Cs, S, I, Es, Names1, Names, N1, N, Row, More).

accepts(Table, Finals, Word) :- foldl([C, I, J]>>memberchk(I-C-J, Table), Word, 0, Last), memberchk(Last, Finals).

% Derivatives.
null(empty). null(star(_)). null(seq(A, B)) :- null(A), null(B). null(or(A, B)) :- ( null(A) -> true ; null(B) ).
d(char(C), C, empty) :- !.
d(any, _, empty) :- !.
d(or(A, B), C, D) :- !, d(A, C, X), d(B, C, Y), or(X, Y, D).
d(seq(A, B), C, D) :- !, d(A, C, X), seq(X, B, Y), ( null(A) -> d(B, C, Z), or(Y, Z, D) ; D = Y ).
d(star(A), C, D) :- !, d(A, C, X), seq(X, star(A), D).
d(_, _, none).
or(none, X, X) :- !. or(X, none, X) :- !. or(X, X, X) :- !. or(X, Y, or(X, Y)).
seq(none, _, none) :- !. seq(empty, X, X) :- !. seq(X, Y, seq(X, Y)).
matches(E, Word) :- foldl([C, A, B]>>d(A, C, B), Word, E, Last), null(Last).

words(0, [[]]) :- !.
words(N, Ws) :- N1 is N-1, words(N1, Vs), findall([C|W], ( member(C, `ab`), member(W, Vs) ), Us), append(Vs, Us, Ws0), sort(Ws0, Ws).

main :-
    words(5, Words), length(Words, Total),
    forall(member(T, ['a*b', '(a|b)*abb', 'a(ba)*', '.?a.', '(ab|a)(bab|b)?', '']),
           (   parse(T, E), dfa(E, `ab`, Table, Finals), length(Table, Rows), States is Rows // 2,
               include(accepts(Table, Finals), Words, Yes), include(matches(E), Words, Also),
               length(Yes, N), ( Yes == Also -> Same = same ; Same = differ ),
               format("~q~t~18|~d states, ~w final, ~d of ~d words, ~w~n", [T, States, Finals, N, Total, Same])
           )),
    parse('(a|b)*abb', E), print(E), nl,
    forall(member(Bad, ['a)', '(a', '*a']), ( parse(Bad, _) -> true ; format("~q is none~n", [Bad]) )).

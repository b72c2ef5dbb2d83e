% A guessing game with words: marks for letters, words that fit all marks, and the guess that parts them best.
:- use_module(library(lists)).
:- use_module(library(pairs)).
:- use_module(library(aggregate)).

word(W) :- member(W, [crane, slate, trace, crate, stare, react, carte, caret, grate, plate, brake, snake, shake, shale, share, spare,
                      scare, stone, store, story, sorry, berry, cherry, eerie, geese]), atom_length(W, 5).

marks(Guess, Secret, Marks) :-
    atom_chars(Guess, Gs), atom_chars(Secret, Ss),
    exact(Gs, Ss, Ms, Left), near(Gs, Ms, Left, Marks).

exact([], [], [], []).
exact([G|Gs], [S|Ss], [M|Ms], Left) :-
    (   G == S -> M = g, Left = Rest ; Left = [S|Rest] ),
    exact(Gs, Ss, Ms, Rest).

near([], [], _, []).
near([_|Gs], [M|Ms], Left, [g|Rs]) :- M == g, !, near(Gs, Ms, Left, Rs).
near([G|Gs], [_|Ms], Left0, [R|Rs]) :-
    ( selectchk(G, Left0, Left) -> R = y ; R = -, Left = Left0 ),
    near(Gs, Ms, Left, Rs).

entropy(Guess, Words, E) :-
    findall(M, ( member(W, Words), marks(Guess, W, M) ), Ms0), msort(Ms0, Ms), clumped_(Ms, Counts),
    length(Words, N), aggregate_all(sum(P*log(1/P)/log(2)), ( member(C, Counts), P is C/N ), E).

clumped_([], []).
clumped_([M|Ms], [C|Cs]) :- run(Ms, M, 1, C, Rest), clumped_(Rest, Cs).
run([N|Ms], M, C0, C, Rest) :- N == M, !, C1 is C0+1, run(Ms, M, C1, C, Rest).
run(Ms, _, C, C, Ms).

best(Words, Guess) :-
    findall(E-W, ( member(W, Words), entropy(W, Words, E) ), Es), sort(1, @>=, Es, [_-Guess|_]).

play(_, [W], 0) :- !, format("  it is ~w~n", [W]).
play(Secret, Words, N) :-
    best(Words, G), marks(G, Secret, M), atomic_list_concat(M, T), length(Words, L), format("  ~w ~w (~d left)~n", [G, T, L]),
    ( G == Secret -> N = 1 ; include([W]>>marks(G, W, M), Words, Left0), exclude(==(G), Left0, Left), play(Secret, Left, K), N is K+1 ).

main :-
    forall(member(G-S, [eerie-geese, geese-eerie, crane-crate, sorry-story]), ( marks(G, S, M), atomic_list_concat(M, T), format("~w ~w ~w~n", [G, S, T]) )),
    findall(W, word(W), Words), length(Words, N), format("~d words~n", [N]),
    forall(member(W, [crane, geese]), ( entropy(W, Words, E), format("~w ~3f~n", [W, E]) )),
    forall(member(S, [snake, berry]), ( writeln(S), play(S, Words, K), format("  ~d guesses~n", [K]) )).

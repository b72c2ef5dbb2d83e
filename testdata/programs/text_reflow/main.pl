% Paragraphs are filled, justified, numbered and searched: strings, codes, columns and string streams.
:- use_module(library(readutil)).
:- use_module(library(strings)).

source("The   quick brown fox jumps over the lazy dog.\nPack my box with five dozen liquor jugs;\nhow vexingly quick daft zebras jump!\n\n  Second\tparagraph, with a verylongwordthatdoesnotfit in it.\n\n\n- last one").

paragraphs(Text, Ps) :-
    split_string(Text, "\n", " \t", Lines),
    group(Lines, Groups),
    findall(Words, ( member(G, Groups), atomics_to_words(G, Words) ), Ps).

group([], []).
group([""|Ls], Gs) :- !, group(Ls, Gs).
group(Ls, [G|Gs]) :- filled(Ls, G, Rest), group(Rest, Gs).

filled([L|Ls], [L|G], Rest) :- L \== "", !, filled(Ls, G, Rest).
filled(Ls, [], Ls).

atomics_to_words(Lines, Words) :-
    atomic_list_concat(Lines, ' ', Atom),
    split_string(Atom, " \t", " \t", Parts),
    exclude(==(""), Parts, Words).

fill([], _, []).
fill([W|Ws], Width, [[W|Line]|Lines]) :-
    string_length(W, L), Left is Width-L,
    take(Ws, Left, Line, Rest),
    fill(Rest, Width, Lines).

take([W|Ws], Left, [W|Line], Rest) :-
    string_length(W, L), Left1 is Left-L-1, Left1 >= 0, !,
    take(Ws, Left1, Line, Rest).
take(Ws, _, [], Ws).

justify([W], _, W) :- !.
justify(Words, Width, Text) :-
    maplist(string_length, Words, Ls), sum_list(Ls, Used), length(Words, N),
    Gaps is N-1, Blanks is max(Gaps, Width-Used), Each is Blanks // Gaps, More is Blanks mod Gaps,
    gaps(Words, Each, More, Parts), atomic_list_concat(Parts, Text).

gaps([W], _, _, [W]) :- !.
gaps([W|Ws], Each, More, [W, Gap|Parts]) :-
    ( More > 0 -> N is Each+1 ; N = Each ), length(Cs, N), maplist(=(0' ), Cs), string_codes(Gap, Cs),
    More1 is More-1, gaps(Ws, Each, More1, Parts).

lines_of(String, Lines) :-
    setup_call_cleanup(open_string(String, In), read_all(In, Lines), close(In)).

read_all(In, Lines) :-
    read_line_to_string(In, Line),
    (   Line == end_of_file -> Lines = []
    ;   line_count(In, N), Lines = [N-Line|More], read_all(In, More)
    ).

capitalised(Word, Upper) :-
    sub_string(Word, 0, 1, _, F), string_upper(F, U), sub_string(Word, 1, _, 0, R), string_concat(U, R, Upper).

main :-
    source(Text), once(paragraphs(Text, Ps)), length(Ps, Count), writeln(Count),
    forall(nth1(I, Ps, Words),
           (   format("~`=t ~d ~`=t~26|~n", [I]), fill(Words, 24, Lines),
               append(Init, [Last], Lines),
               forall(member(L, Init), ( justify(L, 24, T), format("|~w~t~25||~n", [T]) )),
               atomic_list_concat(Last, ' ', End), format("|~t~w~t~25||~n", [End]) )),
    lines_of(Text, Numbered), forall(member(N-L, Numbered), ( string_length(L, Len), format("~t~d~3| ~q ~d~n", [N, L, Len]) )),
    Ps = [First|_], maplist(capitalised, First, Caps), print(Caps), nl,
    findall(B-Len2, sub_string("quick fox quick", B, Len2, _, "quick"), Found), print(Found), nl,
    dedent_lines("    a\n      b\n    c", Dedented, []), print(Dedented), nl,
    with_output_to(string(S), ( format("~a~t~w~10|~e", [left, right, 1.5]), nl )), print(S), nl,
    format("~c~c ~8|~i~w ~*c ~8r~n", [104, 105, skipped, shown, 3, 0'z, 10]).

% Grammars in two files: tokens with places, pushback, call//N with lambdas, trees, and where the text is wrong.
:- use_module(tokens).
:- use_module(trees, [tree//1, value/3]).
calculate(Text) :-
    string_codes(Text, Codes),
    phrase(tokens(Tokens), Codes),
    (   phrase(tree(Tree), Tokens, Rest),
        Rest == []
    ->  value(Tree, [x-10], Value),
        format("~s = ~w by ~q~n", [Codes, Value, Tree])
    ;   furthest(Tokens, Place),
        format("~s: wrong at ~d~n", [Codes, Place])
    ).
furthest(Tokens, Place) :-
    aggregate_all(max(P), ( phrase(tree(_), Tokens, Rest), Rest = [t(P, _)|_] ), Place),
    !.
furthest([t(Place, _)|_], Place).
main :-
    maplist(calculate, ["1 + 2 * 3", "(1+2)*x", "4 - -x", "2 3", "x * ", "10 - 3 - 2"]),
    phrase(tokens(Tokens), `a<=1`, Rest), writeln(Tokens-Rest),
    ( phrase(doubled, `abab`) -> writeln(doubled) ; writeln(single) ),
    once(phrase(spaced(Words), `to  be or`)), writeln(Words).
doubled --> call([S0, S]>>once(( append(Part, S1, S0), Part \== [], append(Part, S, S1) ))).
spaced([Word|Words]) --> word(Codes), { Codes \== [], atom_codes(Word, Codes) }, blank0, ( spaced(Words) | { Words = [] } ).
word([C|Cs]) --> [C], { code_type(C, alpha) }, !, word(Cs).
word([]), "" --> "".
blank0 --> " ", !, blank0.
blank0 --> [].

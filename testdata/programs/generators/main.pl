% Engines as generators, made in one module and asked in another.
:- use_module(streams).
:- use_module(tokens).

main :-
    naturals(N),
    taken(5, N, Five),
    writeln(Five),
    taken(2, N, Two),
    writeln(Two),
    engine_destroy(N),
    text_tokens("let x = 10 + y", Tokens),
    all(Tokens, List),
    writeln(List),
    summer(S),
    maplist([X, Y]>>engine_post(S, X, Y), [1, 2, 3, 4], Sums),
    writeln(Sums),
    merged([1, 4, 9], [2, 3, 10], Merged),
    writeln(Merged).

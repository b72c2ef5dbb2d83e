:- module(tokens, [text_tokens/2]).

text_tokens(Text, E) :-
    string_codes(Text, Codes),
    engine_create(T, tokens(Codes, T), E).

tokens(Codes, T) :-
    phrase(token(T0, Rest), Codes),
    (   T = T0
    ;   tokens(Rest, T)
    ).

token(T, Rest) --> blanks, chars(Cs), { Cs = [_|_], atom_codes(A, Cs), ( atom_number(A, N) -> T = number(N) ; T = A ) }, rest(Rest).

blanks --> [0' ], !, blanks.
blanks --> [].

chars([C|Cs]) --> [C], { C \== 0'  }, !, chars(Cs).
chars([]) --> [].

rest(R, R, []).

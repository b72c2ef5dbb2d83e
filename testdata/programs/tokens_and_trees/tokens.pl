:- module(tokens, [tokens//1]).
:- use_module(library(dcg/basics)).
tokens(Tokens) --> at(0), tokens_(Tokens), skipped.
at(N), [place(N)] --> [].
skipped, [] --> [place(_)].
tokens_([]), [place(N)] --> [place(N)], end.
tokens_(Tokens), [place(M)] --> [place(N)], blank, !, { M is N + 1 }, rest(M, Tokens).
tokens_([t(N, Token)|Tokens]), [place(M)] --> [place(N)], token(Token, Length), { M is N + Length }, rest(M, Tokens).
rest(M, Tokens) --> push(M), tokens_(Tokens), skipped.
push(M), [place(M)] --> [].
end, [] --> call([S, S]>>( S == [] )).
token(N, Length) --> digits([D|Ds]), { number_codes(N, [D|Ds]), length([D|Ds], Length) }.
token(Name, Length) --> [C], { code_type(C, alpha) }, string_without(` +-*()<=`, Cs), { atom_codes(Name, [C|Cs]), length([C|Cs], Length) }.
token(<=, 2) --> "<=", !.
token(Op, 1) --> [C], { memberchk(C, `+-*()`), char_code(Op, C) }.

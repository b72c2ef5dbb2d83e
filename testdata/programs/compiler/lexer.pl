:- module(lexer, [tokens/2]).
:- use_module(library(dcg/basics)).
tokens(Text, Tokens) :- string_codes(Text, Codes), phrase(lex(Tokens), Codes).
lex(Ts) --> blanks, ( eos -> { Ts = [] } ; token(T), { Ts = [T|Ts0] }, lex(Ts0) ).
token(num(N)) --> number(N), !.
token(T) --> [C], { code_type(C, csymf) }, !, name_rest(Cs), { atom_codes(A, [C|Cs]), ( memberchk(A, [let, in]) -> T = A ; T = id(A) ) }.
token(A) --> [C], { char_code(A, C) }.
name_rest([C|Cs]) --> [C], { code_type(C, csym) }, !, name_rest(Cs).
name_rest([]) --> [].

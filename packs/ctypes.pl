% Kinds of character codes, as old programs ask for them.
:- module(ctypes, [
    is_alnum/1,
    is_alpha/1,
    is_ascii/1,
    is_cntrl/1,
    is_csym/1,
    is_csymf/1,
    is_digit/1,
    is_digit/3,
    is_endfile/1,
    is_endline/1,
    is_graph/1,
    is_lower/1,
    is_newline/1,
    is_newpage/1,
    is_paren/2,
    is_period/1,
    is_print/1,
    is_punct/1,
    is_quote/1,
    is_space/1,
    is_upper/1,
    is_white/1,
    to_lower/2,
    to_upper/2,
    upper_lower/2
]).

% is_alnum(+Code): a letter or digit.
is_alnum(C) :- code_type(C, alnum).
% is_alpha(+Code): a letter.
is_alpha(C) :- code_type(C, alpha), C =\= 0'_.
% is_ascii(+Code): a code below 128.
is_ascii(C) :- integer(C), C >= 0, C =< 127.
% is_cntrl(+Code): a control character.
is_cntrl(C) :- code_type(C, cntrl).
% is_csym(+Code): a letter, digit or underscore.
is_csym(C) :- code_type(C, csym).
% is_csymf(+Code): a letter or underscore.
is_csymf(C) :- code_type(C, csymf).
% is_digit(+Code): a decimal digit.
is_digit(C) :- between(0'0, 0'9, C).
% is_digit(?Code, +Base, ?Weight): Code is a digit of a base up to 36, with that weight.
is_digit(C, Base, Weight) :-
    (   integer(C)
    ->  code_type(C, alnum),
        upcase_atom_code(C, U),
        (   U =< 0'9
        ->  W is U - 0'0
        ;   W is U - 0'A + 10
        ),
        W >= 0,
        W < Base,
        Weight = W
    ;   Top is Base - 1,
        between(0, Top, Weight),
        (   Weight < 10
        ->  C is 0'0 + Weight
        ;   C is 0'a + Weight - 10
        )
    ).

upcase_atom_code(C, U) :- ( C >= 0'a, C =< 0'z -> U is C - 32 ; U = C ).

% is_endfile(+Code): -1, which stands for the end of a file.
is_endfile(-1).
% is_endline(+Code): a character that ends a line.
is_endline(C) :- code_type(C, end_of_line).
% is_graph(+Code): a character that leaves ink on paper.
is_graph(C) :- code_type(C, graph).
% is_lower(+Code): a lower-case letter.
is_lower(C) :- code_type(C, lower).
% is_newline(+Code): the code of a new line.
is_newline(10).
% is_newpage(+Code): the code of a new page.
is_newpage(12).
% is_paren(?Open, ?Close): a pair of brackets.
is_paren(0'(, 0')).
is_paren(0'[, 0']).
is_paren(0'{, 0'}).
% is_period(+Code): a character that ends a sentence.
is_period(0'.).
is_period(0'?).
is_period(0'!).
% is_print(+Code): the same as is_graph/1.
is_print(C) :- is_graph(C).
% is_punct(+Code): a character with ink that is no letter or digit.
is_punct(C) :- code_type(C, punct).
% is_quote(+Code): a quote.
is_quote(0'').
is_quote(0'").
is_quote(0'`).
% is_space(+Code): white space.
is_space(C) :- code_type(C, space).
% is_upper(+Code): an upper-case letter.
is_upper(C) :- code_type(C, upper).
% is_white(+Code): a blank or tab.
is_white(0' ).
is_white(9).
% to_lower(+Upper, ?Lower): Lower is the lower-case code of Upper, or Upper.
to_lower(U, L) :- integer(U), char_code(A, U), downcase_atom(A, B), char_code(B, L).
% to_upper(+Lower, ?Upper): Upper is the upper-case code of Lower, or Lower.
to_upper(L, U) :- integer(L), char_code(A, L), upcase_atom(A, B), atom_codes(B, [U]).
% upper_lower(?Upper, ?Lower): Upper is an upper-case code and Lower its lower-case code.
upper_lower(U, L) :-
    (   integer(U)
    ->  to_lower(U, L)
    ;   to_upper(L, U)
    ).

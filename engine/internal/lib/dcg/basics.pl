% Grammar rules for common pieces of text, over lists of codes.
:- module(dcg_basics, [
    white//0,
    whites//0,
    nonblank//1,
    nonblanks//1,
    blank//0,
    blanks//0,
    blanks_to_nl//0,
    string//1,
    string_without//2,
    alpha_to_lower//1,
    digits//1,
    digit//1,
    integer//1,
    float//1,
    number//1,
    xdigits//1,
    xdigit//1,
    xinteger//1,
    eos//0,
    eol//0,
    remainder//1,
    prolog_symbol//1,
    csym//1,
    csyms//0,
    prolog_var_name//1,
    atom//1
]).

% The shortest first; longer ones on backtracking.
% string(-Codes)//: as few characters as will do.
string([]) -->
    [].
string([C|Cs]) -->
    [C],
    string(Cs).

% string_without(+End, -Codes)//: as long as no code of End comes.
string_without(End, Codes) -->
    { string_ends(End, Ends) },
    codes_without(Ends, Codes).

string_ends(End, Ends) :-
    (   string(End)
    ->  string_codes(End, Ends)
    ;   Ends = End
    ).

codes_without(Ends, [C|Cs]) -->
    [C],
    { \+ memberchk(C, Ends) },
    !,
    codes_without(Ends, Cs).
codes_without(_, []) -->
    [].

% alpha_to_lower(?Lower)//: reads a letter of either case as its lower case; writes it as it is.
alpha_to_lower(Lower) -->
    [C],
    { alpha_lower(C, Lower) }.

alpha_lower(C, Lower) :-
    (   var(C)
    ->  C = Lower
    ;   code_type(C, alpha),
        char_code(Char, C),
        downcase_atom(Char, LowerChar),
        char_code(LowerChar, Lower)
    ).

% blank//: a character of white space.
blank -->
    [C],
    { nonvar(C), code_type(C, space) }.

% blanks//: as much white space as there is.
blanks -->
    blank,
    !,
    blanks.
blanks -->
    [].

% white//: a blank or tab.
white -->
    [C],
    { nonvar(C), code_type(C, white) }.

% whites//: as many blanks and tabs as there are.
whites -->
    white,
    !,
    whites.
whites -->
    [].

% nonblank(-Code)//: a visible character.
nonblank(C) -->
    [C],
    { code_type(C, graph) }.

% nonblanks(-Codes)//: as many visible characters as there are.
nonblanks([C|Cs]) -->
    [C],
    { code_type(C, graph) },
    !,
    nonblanks(Cs).
nonblanks([]) -->
    [].

% blanks_to_nl//: white space up to and with the end of the line, or to the end of the text.
blanks_to_nl -->
    [C],
    { C \== 0'\n, nonvar(C), code_type(C, space) },
    !,
    blanks_to_nl.
blanks_to_nl -->
    "\n",
    !.
blanks_to_nl, [] -->
    eos.

% digits(-Codes)//: as many digits as there are.
digits([C|Cs]) -->
    digit(C),
    !,
    digits(Cs).
digits([]) -->
    [].

% digit(-Code)//: a digit.
digit(C) -->
    [C],
    { code_type(C, digit) }.

% integer(?Integer)//: writes when Integer is known, else reads an optional sign and digits.
integer(I, Head, Tail) :-
    nonvar(I),
    !,
    must_be(integer, I),
    number_codes(I, Codes),
    append(Codes, Tail, Head).
integer(I) -->
    integer_codes(Codes),
    { number_codes(I, Codes) }.

integer_codes([0'-,D0|D]) -->
    "-",
    !,
    digits_of(D0, D).
integer_codes([D0|D]) -->
    ( "+" -> [] ; [] ),
    digits_of(D0, D).

digits_of(D0, D) -->
    digit(D0),
    digits(D).

float(F, Head, Tail) :-
    nonvar(F),
    !,
    must_be(float, F),
    format(codes(Head, Tail), '~w', [F]).
% float(?Float)//: a float, or an integer read as one.
float(F) -->
    number(F0),
    { float(F0), F = F0 }.

number(N, Head, Tail) :-
    nonvar(N),
    !,
    must_be(number, N),
    format(codes(Head, Tail), '~w', [N]).
% number(?Number)//: an integer or a float.
number(N) -->
    { var(N) },
    !,
    integer_codes(I),
    (   ".",
        digit(D0),
        digits(D)
    ->  { Fraction = [0'.,D0|D] }
    ;   { Fraction = [] }
    ),
    (   exponent(Exponent)
    ->  []
    ;   { Exponent = [] }
    ),
    { number_of(I, Fraction, Exponent, N) }.

exponent([0'e|Codes]) -->
    ( "e" ; "E" ),
    !,
    integer_codes(Codes).

number_of(I, Fraction, Exponent, N) :-
    (   Fraction == [],
        Exponent \== []
    ->  Middle = [0'.,0'0]
    ;   Middle = Fraction
    ),
    append(Middle, Exponent, Rest),
    append(I, Rest, Codes),
    number_codes(N, Codes).

xinteger(I, Head, Tail) :-
    nonvar(I),
    !,
    must_be(integer, I),
    format(codes(Head, Tail), '~16r', [I]).
% xinteger(?Integer)//: an integer in hexadecimal digits.
xinteger(I) -->
    xdigit(D0),
    xdigits(D),
    { weigh([D0|D], 0, I) }.

weigh([], I, I).
weigh([D|Ds], I0, I) :-
    I1 is I0 * 16 + D,
    weigh(Ds, I1, I).

% xdigits(-Weights)//: hexadecimal digits as their values.
xdigits([W|Ws]) -->
    xdigit(W),
    !,
    xdigits(Ws).
xdigits([]) -->
    [].

% xdigit(-Weight)//: a hexadecimal digit as its value.
xdigit(W) -->
    [C],
    { nonvar(C), code_type(C, xdigit(W)) }.

% eos//: the end of the list.
eos([], []).

% eol//: the end of a line or of the list.
eol -->
    "\n",
    !.
eol -->
    "\r\n",
    !.
eol -->
    eos.

% remainder(-Rest)//: all that follows.
remainder(Rest, Rest, []).

% prolog_symbol(-Atom)//: an atom of symbol characters.
prolog_symbol(Symbol) -->
    [C],
    { code_type(C, prolog_symbol) },
    symbol_codes(Cs),
    { atom_codes(Symbol, [C|Cs]) }.

symbol_codes([C|Cs]) -->
    [C],
    { code_type(C, prolog_symbol) },
    !,
    symbol_codes(Cs).
symbol_codes([]) -->
    [].

% csyms//: as many letters, digits and underscores as there are.
csyms -->
    csym(_),
    !,
    csyms.
csyms -->
    [].

% csym(-Code)//: a letter, digit or underscore.
csym(C) -->
    [C],
    { code_type(C, csym) }.

% prolog_var_name(-Name)//: the name of a variable.
prolog_var_name(Name) -->
    [C],
    { code_type(C, prolog_var_start) },
    !,
    name_codes(Cs),
    { atom_codes(Name, [C|Cs]) }.

name_codes([C|Cs]) -->
    [C],
    { code_type(C, csym) },
    !,
    name_codes(Cs).
name_codes([]) -->
    [].

% atom(++Atomic)//: writes only.
atom(Atomic, Head, Tail) :-
    must_be(nonvar, Atomic),
    format(codes(Head, Tail), '~a', [Atomic]).

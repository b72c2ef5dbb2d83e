% Base64 (RFC 4648).
:- module(base64, [
    base64/2,
    base64url/2,
    base64_encoded/3,
    base64//1,
    base64url//1,
    base64_encoded//2
]).

% base64(?Text, ?Encoded): Encoded is Text, whose characters are bytes, in Base64 with padding; the one found is an atom.
base64(Text, Encoded) :-
    base64_encoded(Text, Encoded, [encoding(octet), as(atom)]).

% base64url(?Text, ?Encoded): Base64 of UTF-8 with the alphabet that is safe in URLs, without padding.
base64url(Text, Encoded) :-
    base64_encoded(Text, Encoded, [charset(url), as(atom)]).

% base64_encoded(?Text, ?Encoded, +Options): base64/2 with options as(Type), charset(classic or url), encoding(E) and padding(Bool).
base64_encoded(Text, Encoded, Options) :-
    option(charset(Charset), Options, classic),
    option(encoding(Encoding), Options, utf8),
    option(as(As), Options, string),
    ( Charset == url -> Default = false ; Default = true ),
    option(padding(Padding), Options, Default),
    (   nonvar(Text)
    ->  text_to_string(Text, String),
        string_bytes(String, Bytes, Encoding),
        phrase(encoded(Bytes, Charset, Padding), Codes),
        text_as(As, Codes, Encoded)
    ;   nonvar(Encoded)
    ->  decode(Encoded, Charset, Padding, Bytes),
        string_bytes(Decoded, Bytes, Encoding),
        string_codes(Decoded, Codes),
        text_as(As, Codes, Text)
    ;   instantiation_error(Encoded)
    ).

% base64(?Codes)//: the Base64 of a list of bytes; where Codes is unbound, the bytes of the Base64 that stands here.
base64(Codes) -->
    bytes_encoded(Codes, classic, true).

% base64url(?Codes)//: as base64//1, with the alphabet that is safe in URLs and without padding.
base64url(Codes) -->
    bytes_encoded(Codes, url, false).

% base64_encoded(?Codes, +Options)//: as base64//1, with the options charset and padding of base64_encoded/3.
base64_encoded(Codes, Options) -->
    { option(charset(Charset), Options, classic),
      option(padding(Padding), Options, true) },
    bytes_encoded(Codes, Charset, Padding).

bytes_encoded(Codes, Charset, Padding) -->
    { nonvar(Codes) },
    !,
    { must_be(list(integer), Codes) },
    encoded(Codes, Charset, Padding).
bytes_encoded(Codes, Charset, Padding) -->
    { symbol_values(Charset, Values) },
    numbers_here(Values, Padding, Numbers),
    { phrase(decoded(Numbers), Codes) }.

% The values of the groups of four symbols that stand here; the last one may be shorter and padded.
numbers_here(Values, Padding, [A, B|Numbers]) -->
    symbol_here(Values, A),
    symbol_here(Values, B),
    (   symbol_here(Values, C)
    ->  (   symbol_here(Values, D)
        ->  { Numbers = [C, D|Rest] },
            numbers_here(Values, Padding, Rest)
        ;   { Numbers = [C] },
            padding(Padding, "=")
        )
    ;   { Numbers = [] },
        padding(Padding, "==")
    ),
    !.
numbers_here(_, _, []) -->
    [].

symbol_here(Values, Value) -->
    [Code],
    { get_assoc(Code, Values, Value) }.

text_as(atom, Codes, Text) :- !, atom_codes(Text, Codes).
text_as(codes, Codes, Text) :- !, Text = Codes.
text_as(_, Codes, Text) :- string_codes(Text, Codes).

encoded([], _, _) -->
    [].
encoded([A], Charset, Padding) -->
    { Bits is A << 16 },
    symbols(Bits, 2, Charset),
    padding(Padding, "==").
encoded([A, B], Charset, Padding) -->
    { Bits is A << 16 + B << 8 },
    symbols(Bits, 3, Charset),
    padding(Padding, "=").
encoded([A, B, C|Bytes], Charset, Padding) -->
    { Bits is A << 16 + B << 8 + C },
    symbols(Bits, 4, Charset),
    encoded(Bytes, Charset, Padding).

padding(true, String) --> { string_codes(String, Codes) }, Codes.
padding(false, _) --> [].

% The first Count of the four symbols of 24 bits.
symbols(_, 0, _) -->
    !.
symbols(Bits, Count, Charset) -->
    { Value is Bits >> 18 /\ 63, symbol(Charset, Value, Code), Rest is Bits << 6 /\ 0xffffff, Count1 is Count - 1 },
    [Code],
    symbols(Rest, Count1, Charset).

symbol(Charset, Value, Code) :-
    alphabet(Charset, Alphabet),
    Index is Value + 1,
    string_code(Index, Alphabet, Code).

alphabet(classic, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/").
alphabet(url, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_").

% Padding that is demanded makes the number of symbols a multiple of four.
decode(Encoded, Charset, Padding, Bytes) :-
    text_to_string(Encoded, String),
    split_string(String, "", " \n\r\t", [Bare]),
    string_length(Bare, Length),
    split_string(Bare, "", "=", [Digits]),
    string_codes(Digits, Codes),
    symbol_values(Charset, Values),
    maplist(symbol_value(Values, Charset), Codes, Numbers),
    ( Padding == true -> Length mod 4 =:= 0 ; true ),
    phrase(decoded(Numbers), Bytes).

symbol_values(Charset, Values) :-
    alphabet(Charset, Alphabet),
    string_codes(Alphabet, Symbols),
    nth_pairs(Symbols, 0, Pairs),
    list_to_assoc(Pairs, Values).

nth_pairs([], _, []).
nth_pairs([Code|Codes], N, [Code-N|Pairs]) :-
    N1 is N + 1,
    nth_pairs(Codes, N1, Pairs).

decoded([A, B, C, D|Numbers]) -->
    !,
    { Bits is A << 18 + B << 12 + C << 6 + D, X is Bits >> 16, Y is Bits >> 8 /\ 255, Z is Bits /\ 255 },
    [X, Y, Z],
    decoded(Numbers).
decoded([A, B, C]) -->
    { Bits is A << 10 + B << 4 + C >> 2, X is Bits >> 8, Y is Bits /\ 255 },
    [X, Y].
decoded([A, B]) -->
    { X is A << 2 + B >> 4 },
    [X].
decoded([]) -->
    [].

symbol_value(Values, Charset, Code, Value) :-
    (   get_assoc(Code, Values, Value)
    ->  true
    ;   syntax_error(base64_char(Charset, Code))
    ).

% Base64 (RFC 4648).
:- module(base64, [
    base64/2,
    base64url/2,
    base64_encoded/3,
    base64//1,
    base64url//1,
    base64_encoded//2
]).

% base64(?Text, ?Encoded): Encoded is Text, whose characters are bytes, in Base64 with padding; the argument that is
% computed is an atom.
base64(Text, Encoded) :-
    base64_encoded(Text, Encoded, [encoding(octet), as(atom)]).

% base64url(?Text, ?Encoded): Base64 of UTF-8 with the alphabet that is safe in URLs, without padding.
base64url(Text, Encoded) :-
    base64_encoded(Text, Encoded, [charset(url), as(atom)]).

% base64_encoded(?Text, ?Encoded, +Options): base64/2 with options as(Type), charset(classic or url), encoding(E) and padding(Bool).
base64_encoded(Text, Encoded, Options) :-
    option(charset(Charset), Options, classic),
    memberchk(Charset, [classic, url]),
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

% base64(?Codes)//: the Base64 of a list of bytes; if Codes is unbound, it becomes the bytes of the Base64 text that
% is read.
base64(Codes) -->
    bytes_encoded(Codes, classic, true).

% base64url(?Codes)//: as base64//1, with the alphabet that is safe in URLs and without padding.
base64url(Codes) -->
    bytes_encoded(Codes, url, false).

% base64_encoded(?Codes, +Options)//: as base64//1, with the options charset and padding of base64_encoded/3.
base64_encoded(Codes, Options) -->
    { option(charset(Charset), Options, classic),
      memberchk(Charset, [classic, url]),
      option(padding(Padding), Options, true) },
    bytes_encoded(Codes, Charset, Padding).

bytes_encoded(Codes, Charset, Padding) -->
    { nonvar(Codes) },
    !,
    { must_be(list(integer), Codes) },
    encoded(Codes, Charset, Padding).
bytes_encoded(Codes, Charset, Padding) -->
    numbers_here(Charset, Padding, Numbers),
    { phrase(decoded(Numbers), Codes) }.

% Reads groups of four symbols as their values; the last group may be shorter and padded.
numbers_here(Charset, Padding, [A, B, C, D|Numbers]) -->
    symbol_here(Charset, A),
    symbol_here(Charset, B),
    symbol_here(Charset, C),
    symbol_here(Charset, D),
    !,
    numbers_here(Charset, Padding, Numbers).
numbers_here(Charset, Padding, [A, B|Numbers]) -->
    symbol_here(Charset, A),
    symbol_here(Charset, B),
    (   symbol_here(Charset, C)
    ->  { Numbers = [C] },
        padding(Padding, "=")
    ;   { Numbers = [] },
        padding(Padding, "==")
    ),
    !.
numbers_here(_, _, []) -->
    [].

symbol_here(Charset, Value) -->
    [Code],
    { integer(Code), symbol_value(Charset, Code, Value) }.

text_as(atom, Codes, Text) :- !, atom_codes(Text, Codes).
text_as(codes, Codes, Text) :- !, Text = Codes.
text_as(_, Codes, Text) :- string_codes(Text, Codes).

encoded([], _, _) -->
    [].
encoded([A], Charset, Padding) -->
    { Bits is A << 4 },
    symbols([Bits >> 6, Bits], Charset),
    padding(Padding, "==").
encoded([A, B], Charset, Padding) -->
    { Bits is A << 10 + B << 2 },
    symbols([Bits >> 12, Bits >> 6, Bits], Charset),
    padding(Padding, "=").
encoded([A, B, C|Bytes], Charset, Padding) -->
    { Bits is A << 16 + B << 8 + C, I is Bits >> 18, J is Bits >> 12 /\ 63, K is Bits >> 6 /\ 63, L is Bits /\ 63,
      symbol(I, Charset, W), symbol(J, Charset, X), symbol(K, Charset, Y), symbol(L, Charset, Z) },
    [W, X, Y, Z],
    encoded(Bytes, Charset, Padding).

padding(true, String) --> { string_codes(String, Codes) }, Codes.
padding(false, _) --> [].

symbols([], _) -->
    [].
symbols([Bits|More], Charset) -->
    { Value is Bits /\ 63, symbol(Value, Charset, Code) },
    [Code],
    symbols(More, Charset).

symbol(Value, Charset, Code) :-
    (   Value < 26
    ->  Code is 0'A + Value
    ;   Value < 52
    ->  Code is 0'a + Value - 26
    ;   Value < 62
    ->  Code is 0'0 + Value - 52
    ;   last_symbol(Charset, Value, Code),
        !
    ).

symbol_value(Charset, Code, Value) :-
    (   Code >= 0'a, Code =< 0'z
    ->  Value is Code - 0'a + 26
    ;   Code >= 0'A, Code =< 0'Z
    ->  Value is Code - 0'A
    ;   Code >= 0'0, Code =< 0'9
    ->  Value is Code - 0'0 + 52
    ;   last_symbol(Charset, Value, Code),
        !
    ).

last_symbol(classic, 62, 0'+).
last_symbol(classic, 63, 0'/).
last_symbol(url, 62, 0'-).
last_symbol(url, 63, 0'_).

% If padding is required, the number of symbols is a multiple of four.
decode(Encoded, Charset, Padding, Bytes) :-
    text_to_string(Encoded, String),
    split_string(String, "", " \n\r\t", [Bare]),
    string_length(Bare, Length),
    split_string(Bare, "", "=", [Digits]),
    string_codes(Digits, Codes),
    numbers(Codes, Charset, Numbers),
    ( Padding == true -> Length mod 4 =:= 0 ; true ),
    phrase(decoded(Numbers), Bytes).

numbers([], _, []).
numbers([Code|Codes], Charset, [Number|Numbers]) :-
    (   symbol_value(Charset, Code, Number)
    ->  true
    ;   syntax_error(base64_char(Charset, Code))
    ),
    numbers(Codes, Charset, Numbers).

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

% Base32 (RFC 4648).
:- module(base32, [
    base32/2,
    base32//1
]).

% base32(?Text, ?Encoded): Encoded is Text, whose characters are bytes, in Base32 with padding; the one found is an atom.
base32(Text, Encoded) :-
    (   nonvar(Text)
    ->  text_to_string(Text, String),
        string_bytes(String, Bytes, octet),
        groups(Bytes, Codes, []),
        atom_codes(Encoded, Codes)
    ;   nonvar(Encoded)
    ->  text_to_string(Encoded, String),
        string_codes(String, Codes),
        ungroup(Codes, Bytes),
        atom_codes(Text, Bytes)
    ;   instantiation_error(Encoded)
    ).

% base32(?Bytes)//: the text is the list of bytes in Base32.
base32(Bytes) -->
    { nonvar(Bytes) },
    !,
    groups(Bytes).
base32(Bytes, Codes, Rest) :-
    append(Symbols, Rest, Codes),
    \+ ( Rest = [Code|_], symbol_value(Code, _) ),
    ungroup(Symbols, Bytes).

groups([]) -->
    !.
groups(Bytes) -->
    { first_five(Bytes, 5, Group, Rest, Missing),
      foldl([Byte, N0, N]>>(N is (N0 << 8) \/ Byte), Group, 0, Bits),
      pads(Missing, Pads)
    },
    symbols(8, Pads, Bits),
    groups(Rest).

% first_five(+Bytes, +Count, -Group, -Rest, -Missing): Group is the first Count bytes, with zeros for those that are missing.
first_five(Rest, 0, [], Rest, 0) :-
    !.
first_five([], Count, Zeros, [], Count) :-
    !,
    length(Zeros, Count),
    maplist(=(0), Zeros).
first_five([Byte|Bytes], Count, [Byte|Group], Rest, Missing) :-
    must_be(between(0, 255), Byte),
    Count1 is Count - 1,
    first_five(Bytes, Count1, Group, Rest, Missing).

% pads(?MissingBytes, ?PaddingSymbols)
pads(0, 0).
pads(1, 1).
pads(2, 3).
pads(3, 4).
pads(4, 6).

symbols(Pads, Pads, _) -->
    !,
    padding(Pads).
symbols(Count, Pads, Bits) -->
    { Count1 is Count - 1,
      Value is Bits >> (5 * Count1) /\ 31,
      ( Value < 26 -> Code is Value + 0'A ; Code is Value - 26 + 0'2 )
    },
    [Code],
    symbols(Count1, Pads, Bits).

padding(0) -->
    !.
padding(Count) -->
    "=",
    { Count1 is Count - 1 },
    padding(Count1).

symbol_value(0'=, pad).
symbol_value(Code, Value) :-
    (   between(0'A, 0'Z, Code) -> Value is Code - 0'A
    ;   between(0'2, 0'7, Code) -> Value is Code - 0'2 + 26
    ).

ungroup([], []).
ungroup([A, B, C, D, E, F, G, H|Codes], Bytes) :-
    maplist(symbol_value, [A, B, C, D, E, F, G, H], Values),
    append(Digits, PadList, Values),
    maplist(==(pad), PadList),
    \+ last(Digits, pad),
    !,
    maplist(integer, Digits),
    length(PadList, Pads),
    pads(Missing, Pads),
    foldl([V, N0, N]>>(N is (N0 << 5) \/ V), Digits, 0, Bits0),
    Bits is Bits0 << (5 * Pads),
    Count is 5 - Missing,
    leading_bytes(Count, 32, Bits, Bytes, Rest),
    ( Pads =:= 0 -> true ; Codes == [] ),
    ungroup(Codes, Rest).

leading_bytes(0, _, _, Rest, Rest) :-
    !.
leading_bytes(Count, Shift, Bits, [Byte|Bytes], Rest) :-
    Byte is Bits >> Shift /\ 255,
    Count1 is Count - 1,
    Shift1 is Shift - 8,
    leading_bytes(Count1, Shift1, Bits, Bytes, Rest).

% UTF-8 as a grammar over lists of bytes.
:- module(utf8, [
    utf8_codes//1
]).

% utf8_codes(?Codes)//: the bytes are those of Codes in UTF-8; each code is at most 0x10ffff. What bytes there are is
% decoded, and Codes may then be a partial list.
utf8_codes(Codes, Bytes, Rest) :-
    nonvar(Codes),
    \+ begins_known(Bytes),
    !,
    encoded(Codes, Bytes, Rest).
utf8_codes([Code|Codes]) -->
    [Byte],
    { integer(Byte) },
    !,
    decoded(Byte, Code),
    utf8_codes(Codes).
utf8_codes([]) -->
    [].

begins_known(Bytes) :-
    nonvar(Bytes),
    Bytes = [Byte|_],
    integer(Byte).

encoded([]) -->
    [].
encoded([Code|Codes]) -->
    bytes(Code),
    encoded(Codes).

bytes(Code) -->
    { Code < 0x80 },
    !,
    [Code].
bytes(Code) -->
    { Code < 0x800 },
    !,
    { Lead is 0xc0 \/ (Code >> 6) },
    [Lead],
    continuation(Code, 0).
bytes(Code) -->
    { Code < 0x10000 },
    !,
    { Lead is 0xe0 \/ (Code >> 12) },
    [Lead],
    continuation(Code, 6),
    continuation(Code, 0).
bytes(Code) -->
    { must_be(between(0, 0x10ffff), Code),
      Lead is 0xf0 \/ (Code >> 18)
    },
    [Lead],
    continuation(Code, 12),
    continuation(Code, 6),
    continuation(Code, 0).

continuation(Code, Shift) -->
    { Byte is 0x80 \/ ((Code >> Shift) /\ 0x3f) },
    [Byte].

decoded(Byte, Byte) -->
    { Byte < 0x80 },
    !.
decoded(Lead, Code) -->
    { Lead /\ 0xe0 =:= 0xc0 },
    !,
    { Code0 is Lead /\ 0x1f },
    more(1, Code0, Code).
decoded(Lead, Code) -->
    { Lead /\ 0xf0 =:= 0xe0 },
    !,
    { Code0 is Lead /\ 0x0f },
    more(2, Code0, Code).
decoded(Lead, Code) -->
    { Lead /\ 0xf8 =:= 0xf0,
      Code0 is Lead /\ 0x07
    },
    more(3, Code0, Code).

more(0, Code, Code) -->
    !.
more(Count, Code0, Code) -->
    [Byte],
    { Byte /\ 0xc0 =:= 0x80,
      Code1 is (Code0 << 6) \/ (Byte /\ 0x3f),
      Count1 is Count - 1
    },
    more(Count1, Code1, Code).

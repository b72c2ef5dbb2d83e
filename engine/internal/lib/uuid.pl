% Universally unique identifiers (RFC 9562).
:- module(uuid, [
    uuid/1,
    uuid/2,
    uuid_property/2
]).

% uuid(-UUID): a new identifier made of random bits, as an atom. They come from random/1, so that a call with a seed
% can be repeated.
uuid(UUID) :-
    uuid(UUID, []).

% uuid(-UUID, +Options): version(V) is 1 (time), 3 or 5 (a name, given by dns(Name), url(Name), oid(Name) or x500(Name)), 4 (random, the default) or 7 (time); format(atom) or format(integer).
uuid(UUID, Options) :-
    must_be(list, Options),
    option(format(Format), Options, atom),
    '$one_of'(uuid_format, [atom, integer], Format),
    (   option(version(Version), Options)
    ->  true
    ;   name_option(Options, _, _)
    ->  Version = 5
    ;   Version = 4
    ),
    must_be(integer, Version),
    (   memberchk(Version, [1, 3, 4, 5, 7])
    ->  bits(Version, Options, Bits0)
    ;   domain_error(uuid_version, Version)
    ),
    Bits is Bits0 /\ \(0xf << 76) /\ \(3 << 62) \/ (Version << 76) \/ (2 << 62),
    ( Format == integer -> UUID = Bits ; text_of(Bits, UUID) ).

bits(4, _, Bits) :-
    random_bits(16, Bits).
bits(7, _, Bits) :-
    get_time(Now),
    random_bits(10, Random),
    Bits is (truncate(Now * 1000) << 80) \/ Random.
bits(1, _, Bits) :-
    get_time(Now),
    Ticks is truncate(Now * 10000000) + 0x01b21dd213814000,
    random_bits(8, Random),
    Bits is ((Ticks /\ 0xffffffff) << 96) \/ (((Ticks >> 32) /\ 0xffff) << 80) \/ (((Ticks >> 48) /\ 0xfff) << 64)
        \/ Random \/ (1 << 40).
bits(3, Options, Bits) :-
    name_bits(md5, Options, Bits).
bits(5, Options, Bits) :-
    name_bits(sha1, Options, Bits).

random_bits(Count, Bits) :-
    Bits is random(1 << (8 * Count)).

bytes_bits(Bytes, Bits) :-
    foldl([Byte, N0, N]>>(N is (N0 << 8) \/ Byte), Bytes, 0, Bits).

name_bits(Algorithm, Options, Bits) :-
    (   name_option(Options, Space, Name)
    ->  true
    ;   existence_error(option, name)
    ),
    hex_bytes(Space, SpaceBytes),
    text_to_string(Name, String),
    string_bytes(String, NameBytes, utf8),
    append(SpaceBytes, NameBytes, Bytes),
    '$digest'(Algorithm, none, Bytes, Hexadecimal),
    sub_atom(Hexadecimal, 0, 32, _, First),
    hex_bytes(First, Digest),
    bytes_bits(Digest, Bits).

name_option(Options, Space, Name) :-
    space(Option, Name, Space),
    memberchk(Option, Options),
    !.

space(dns(Name), Name, '6ba7b8109dad11d180b400c04fd430c8').
space(url(Name), Name, '6ba7b8119dad11d180b400c04fd430c8').
space(oid(Name), Name, '6ba7b8129dad11d180b400c04fd430c8').
space(x500(Name), Name, '6ba7b8149dad11d180b400c04fd430c8').

text_of(Bits, UUID) :-
    A is Bits >> 96,
    B is (Bits >> 80) /\ 0xffff,
    C is (Bits >> 64) /\ 0xffff,
    D is (Bits >> 48) /\ 0xffff,
    E is Bits /\ 0xffffffffffff,
    format(atom(UUID), '~`0t~16r~8|-~`0t~16r~13|-~`0t~16r~18|-~`0t~16r~23|-~`0t~16r~36|', [A, B, C, D, E]).

% uuid_property(+UUID, ?Property): version(V), and of those made of time also time(Stamp).
uuid_property(UUID, Property) :-
    (   integer(UUID)
    ->  Bits = UUID
    ;   must_be(nonvar, UUID),
        atomic_list_concat(Parts, -, UUID),
        atomic_list_concat(Parts, Hexadecimal),
        hex_bytes(Hexadecimal, Bytes),
        length(Bytes, 16),
        bytes_bits(Bytes, Bits)
    ),
    Version is (Bits >> 76) /\ 15,
    property(Property, Version, Bits).

property(version(Version), Version, _).
property(time(Stamp), 1, Bits) :-
    Ticks is (((Bits >> 64) /\ 0xfff) << 48) \/ (((Bits >> 80) /\ 0xffff) << 32) \/ (Bits >> 96),
    Stamp is (Ticks - 0x01b21dd213814000) / 10000000.
property(time(Stamp), 7, Bits) :-
    Stamp is (Bits >> 80) / 1000.

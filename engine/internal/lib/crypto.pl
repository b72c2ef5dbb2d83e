% Digests, keys made of secrets, random bytes and prime numbers. Ciphers and signatures are left to a host in Go.
:- module(crypto, [
    crypto_data_hash/3,
    crypto_file_hash/3,
    crypto_context_new/2,
    crypto_data_context/3,
    crypto_context_hash/2,
    crypto_password_hash/2,
    crypto_password_hash/3,
    crypto_data_hkdf/4,
    crypto_n_random_bytes/2,
    crypto_modular_inverse/3,
    crypto_generate_prime/3,
    crypto_is_prime/2,
    hex_bytes/2
]).

% crypto_data_hash(+Text, -Hash, +Options): Hash is the digest of a text, in hexadecimal digits. Options are algorithm(A), sha256 by default, encoding(E) and hmac(Key).
crypto_data_hash(Text, Hash, Options) :-
    crypto_context_new(Context0, Options),
    crypto_data_context(Text, Context0, Context),
    crypto_context_hash(Context, Hash).

% crypto_file_hash(+File, -Hash, +Options): Hash is the digest of the bytes of a file. Options as for crypto_data_hash/3.
crypto_file_hash(File, Hash, Options0) :-
    setup_call_cleanup(
        open(File, read, Stream, [type(binary)]),
        read_stream_to_codes(Stream, Codes),
        close(Stream)),
    merge_options([encoding(octet)], Options0, Options),
    crypto_data_hash(Codes, Hash, Options).

% crypto_context_new(-Context, +Options): a context in which a text is hashed in parts. Options as for crypto_data_hash/3.
crypto_context_new('$hash'(Algorithm, Encoding, Key, []), Options) :-
    must_be(list, Options),
    option(algorithm(Algorithm), Options, default),
    ( var(Algorithm) -> Algorithm = sha256 ; true ),
    '$one_of'(algorithm, [default, md5, sha1, sha224, sha256, sha384, sha512, sha3_224, sha3_256, sha3_384, sha3_512,
                          blake2s256, blake2b512], Algorithm),
    option(encoding(Encoding), Options, utf8),
    '$one_of'(encoding, [utf8, octet], Encoding),
    (   option(hmac(Key0), Options)
    ->  encoded_bytes(Encoding, Key0, Key)
    ;   Key = none
    ).

% crypto_data_context(+Text, +Context0, -Context): adds Text to a context.
crypto_data_context(Text, '$hash'(Algorithm, Encoding, Key, Parts), '$hash'(Algorithm, Encoding, Key, [String|Parts])) :-
    must_be(nonvar, Text),
    text_to_string(Text, String).

% crypto_context_hash(+Context, -Hash): the digest of all that was added to a context.
crypto_context_hash('$hash'(Algorithm0, Encoding, Key, Parts), Hash) :-
    ( Algorithm0 == default -> Algorithm = sha256 ; Algorithm = Algorithm0 ),
    reverse(Parts, All),
    atomics_to_string(All, Whole),
    encoded_bytes(Encoding, Whole, Bytes),
    '$digest'(Algorithm, Key, Bytes, Hash).

encoded_bytes(octet, Text, Text).
encoded_bytes(utf8, Text, Bytes) :-
    must_be(nonvar, Text),
    text_to_string(Text, String),
    string_bytes(String, Bytes, utf8).

% crypto_password_hash(+Password, ?Hash): makes a hash of a password that can be stored, or checks whether Hash is a
% hash of Password.
crypto_password_hash(Password, Hash) :-
    (   var(Hash)
    ->  crypto_password_hash(Password, Hash, [])
    ;   parsed_hash(Hash, Iterations, Salt, Key),
        encoded_bytes(utf8, Password, Bytes),
        length(Key, Length),
        '$password_key'(Bytes, Salt, Iterations, Length, Hexadecimal),
        hex_bytes(Hexadecimal, Key)
    ).

% crypto_password_hash(+Password, -Hash, +Options): Hash is made with 2^C rounds, C given by the option cost(C), 17 by default.
crypto_password_hash(Password, Hash, Options) :-
    option(cost(Cost), Options, 17),
    must_be(between(1, 20), Cost),
    encoded_bytes(utf8, Password, Bytes),
    (   option(salt(Salt), Options)
    ->  true
    ;   crypto_n_random_bytes(16, Salt)
    ),
    Iterations is 1 << Cost,
    '$password_key'(Bytes, Salt, Iterations, 64, Hexadecimal),
    hex_bytes(Hexadecimal, Key),
    unpadded(Salt, SaltText),
    unpadded(Key, KeyText),
    format(atom(Hash), '$pbkdf2-sha512$t=~d$~w$~w', [Iterations, SaltText, KeyText]).

unpadded(Bytes, Text) :-
    string_codes(String, Bytes),
    base64_encoded(String, Text, [encoding(octet), padding(false), as(atom)]).

parsed_hash(Hash, Iterations, Salt, Key) :-
    atomic_list_concat(['', 'pbkdf2-sha512', Rounds, SaltText, KeyText], $, Hash),
    atom_concat('t=', Number, Rounds),
    atom_number(Number, Iterations),
    must_be(between(1, 1048576), Iterations),
    padded(SaltText, Salt),
    padded(KeyText, Key).

padded(Text, Bytes) :-
    atom_length(Text, Length),
    Missing is -Length mod 4,
    length(Pads, Missing),
    maplist(=(=), Pads),
    atomic_list_concat([Text|Pads], Full),
    base64_encoded(Octets, Full, [encoding(octet), as(codes)]),
    Bytes = Octets.

% crypto_data_hkdf(+Secret, +Length, -Bytes, +Options): Bytes is a key of Length bytes derived from Secret. Options
% are algorithm(A), salt(Text) and info(Text).
crypto_data_hkdf(Secret, Length, Bytes, Options) :-
    option(algorithm(Algorithm0), Options, sha256),
    ( memberchk(Algorithm0, [default]) -> Algorithm = sha256 ; Algorithm = Algorithm0 ),
    option(encoding(Encoding), Options, utf8),
    option(salt(Salt), Options, ""),
    option(info(Info), Options, ""),
    maplist(encoded_bytes(Encoding), [Secret, Salt, Info], [A, B, C]),
    '$derived_key'(Algorithm, A, B, C, Length, Hexadecimal),
    hex_bytes(Hexadecimal, Bytes).

% crypto_n_random_bytes(+Count, -Bytes): a list of unpredictable bytes.
crypto_n_random_bytes(Count, Bytes) :-
    must_be(integer, Count),
    ( Count < 0 -> domain_error(not_less_than_zero, Count) ; true ),
    '$random_bytes'(Count, Bytes).

% crypto_modular_inverse(+X, +Modulus, -Y): X*Y mod Modulus is 1.
crypto_modular_inverse(X, M, Y) :-
    must_be(integer, X),
    must_be(positive_integer, M),
    X0 is X mod M,
    euclid(M, X0, 0, 1, Y0, Gcd),
    Gcd =:= 1,
    Y is Y0 mod M.

euclid(Gcd, 0, Y, _, Y, Gcd) :-
    !.
euclid(A, B, Y0, Y1, Y, Gcd) :-
    Quotient is A // B,
    C is A - Quotient * B,
    Y2 is Y0 - Quotient * Y1,
    euclid(B, C, Y1, Y2, Y, Gcd).

% crypto_generate_prime(+Bits, -Prime, +Options): an unpredictable prime number of so many bits. With safe(true),
% (Prime-1)/2 is a prime number too.
crypto_generate_prime(Bits, Prime, Options) :-
    must_be(between(2, 8192), Bits),
    option(safe(Safe), Options, false),
    Count is (Bits + 7) // 8,
    repeat,
    crypto_n_random_bytes(Count, Bytes),
    foldl([Byte, N0, N]>>(N is N0 * 256 + Byte), Bytes, 0, Random),
    Prime is (Random /\ ((1 << Bits) - 1)) \/ (1 << (Bits - 1)) \/ 1,
    crypto_is_prime(Prime, []),
    ( Safe == true -> Half is Prime // 2, crypto_is_prime(Half, []) ; true ),
    !.

% crypto_is_prime(+N, +Options): N is a prime number, with a probability of error below 4^-R; R is given by rounds(R),
% 32 by default.
crypto_is_prime(N, Options) :-
    must_be(integer, N),
    must_be(list, Options),
    option(rounds(Rounds0), Options, 32),
    ( integer(Rounds0) -> Rounds = Rounds0 ; Rounds = 32 ),
    (   N < 4
    ->  N >= 2
    ;   N mod 2 =:= 1,
        odd_part(N - 1, Odd, Twos),
        forall(( member(Small, [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37]), Small < N ),
               witnesses(Small, N, Odd, Twos)),
        forall(( N > 1000000, between(1, Rounds, _) ),
               ( random_between(2, N, Base0), Base is min(Base0, N - 2), witnesses(Base, N, Odd, Twos) ))
    ).

odd_part(Expression, Odd, Twos) :-
    Even is Expression,
    Twos is lsb(Even),
    Odd is Even >> Twos.

% witnesses(+Base, +N, +Odd, +Twos): by the test of Miller and Rabin, Base does not prove that N is composite.
witnesses(Base, N, Odd, Twos) :-
    X is powm(Base, Odd, N),
    (   X =:= 1
    ->  true
    ;   squares(Twos, X, N)
    ).

squares(Count, X, N) :-
    Count > 0,
    (   X =:= N - 1
    ->  true
    ;   Count1 is Count - 1,
        Square is X * X mod N,
        squares(Count1, Square, N)
    ).

% hex_bytes(?Hexadecimal, ?Bytes): Hexadecimal is an atom, or another text when it is known, of two digits for each byte.
hex_bytes(Hexadecimal, Bytes) :-
    (   nonvar(Hexadecimal)
    ->  text_to_string(Hexadecimal, String),
        string_chars(String, Chars),
        (   digit_pairs(Chars, Bytes0)
        ->  Bytes = Bytes0
        ;   domain_error(hex_encoding, Hexadecimal)
        )
    ;   must_be(list, Bytes),
        maplist(must_be(between(0, 255)), Bytes),
        foldl([Byte, [A, B|Rest], Rest]>>( High is Byte >> 4, Low is Byte /\ 15,
                                           digit_char(High, A), digit_char(Low, B) ),
              Bytes, Chars, []),
        atom_chars(Hexadecimal, Chars)
    ).

digit_char(Weight, Char) :-
    sub_atom('0123456789abcdef', Weight, 1, _, Char).

digit_pairs([], []).
digit_pairs([A, B|Chars], [Byte|Bytes]) :-
    char_type(A, xdigit(High)),
    char_type(B, xdigit(Low)),
    Byte is High * 16 + Low,
    digit_pairs(Chars, Bytes).

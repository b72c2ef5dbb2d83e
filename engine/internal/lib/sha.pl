% Secure hash algorithms (FIPS 180-4) and HMAC (RFC 2104).
:- module(sha, [
    sha_hash/3,
    sha_new_ctx/2,
    sha_hash_ctx/4,
    hmac_sha/4,
    file_sha1/2,
    hash_atom/2
]).

% sha_hash(+Text, -Bytes, +Options): Bytes is the digest of a text, a list. Options are algorithm(A): sha1, sha224, sha256, sha384 or sha512, and encoding(E): utf8 or octet.
sha_hash(Text, Bytes, Options) :-
    digest_options(Options, Algorithm, Encoding),
    digest_bytes(Algorithm, none, Encoding, Text, Bytes).

digest_options(Options, Algorithm, Encoding) :-
    must_be(list, Options),
    option(algorithm(Algorithm), Options, sha1),
    '$one_of'(algorithm, [sha1, sha224, sha256, sha384, sha512], Algorithm),
    option(encoding(Encoding), Options, utf8),
    '$one_of'(encoding, [utf8, octet], Encoding).

digest_bytes(Algorithm, Key, Encoding, Text, Bytes) :-
    encoded_bytes(Encoding, Text, Data),
    '$digest'(Algorithm, Key, Data, Hexadecimal),
    hex_bytes(Hexadecimal, Bytes).

encoded_bytes(octet, Text, Text).
encoded_bytes(utf8, Text, Bytes) :-
    must_be(nonvar, Text),
    text_to_string(Text, String),
    string_bytes(String, Bytes, utf8).

% sha_new_ctx(-Context, +Options): a context in which a text is hashed in parts.
sha_new_ctx('$sha'(Algorithm, Encoding, []), Options) :-
    digest_options(Options, Algorithm, Encoding).

% sha_hash_ctx(+Context0, +Text, -Context, -Bytes): adds Text to a context; Bytes is the digest of all texts so far.
sha_hash_ctx('$sha'(Algorithm, Encoding, Parts), Text, '$sha'(Algorithm, Encoding, [String|Parts]), Bytes) :-
    must_be(nonvar, Text),
    text_to_string(Text, String),
    reverse([String|Parts], All),
    atomics_to_string(All, Whole),
    digest_bytes(Algorithm, none, Encoding, Whole, Bytes).

% hmac_sha(+Key, +Text, -Bytes, +Options): Bytes is the authentication code (HMAC) of Text with Key. Options as for
% sha_hash/3.
hmac_sha(Key, Text, Bytes, Options) :-
    digest_options(Options, Algorithm, Encoding),
    encoded_bytes(Encoding, Key, KeyBytes),
    digest_bytes(Algorithm, KeyBytes, Encoding, Text, Bytes).

% file_sha1(+File, -Hash): Hash is the SHA1 digest of the bytes of a file, in hexadecimal digits.
file_sha1(File, Hash) :-
    setup_call_cleanup(
        open(File, read, Stream, [type(binary)]),
        read_stream_to_codes(Stream, Codes),
        close(Stream)),
    '$digest'(sha1, none, Codes, Hash).

% hash_atom(+Bytes, -Hexadecimal): an atom of two hexadecimal digits for each byte.
hash_atom(Bytes, Hexadecimal) :-
    must_be(list, Bytes),
    maplist([Byte]>>is_of_type(between(0, 255), Byte), Bytes),
    hex_bytes(Hexadecimal, Bytes).

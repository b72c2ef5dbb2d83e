% MD5 digests (RFC 1321). They tell texts apart and protect nothing.
:- module(md5, [
    md5_hash/3
]).

% md5_hash(+Text, -Hash, +Options): Hash is the MD5 digest of a text, in hexadecimal digits. Option encoding(Encoding) is utf8 or octet.
md5_hash(Text, Hash, Options) :-
    must_be(list, Options),
    option(encoding(Encoding), Options, utf8),
    must_be(oneof([utf8, octet]), Encoding),
    encoded_bytes(Encoding, Text, Bytes),
    '$digest'(md5, none, Bytes, Hash).

encoded_bytes(octet, Text, Text).
encoded_bytes(utf8, Text, Bytes) :-
    must_be(nonvar, Text),
    (   text_to_string(Text, String)
    ->  true
    ;   type_error(text, Text)
    ),
    string_bytes(String, Bytes, utf8).

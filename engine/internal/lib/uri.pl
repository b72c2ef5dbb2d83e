% Uniform resource identifiers (RFC 3986), and those with other characters (RFC 3987).
:- module(uri, [
    uri_components/2,
    uri_data/3,
    uri_data/4,
    uri_normalized/2,
    iri_normalized/2,
    uri_normalized_iri/2,
    uri_normalized/3,
    iri_normalized/3,
    uri_normalized_iri/3,
    uri_resolve/3,
    uri_is_global/1,
    uri_query_components/2,
    uri_authority_components/2,
    uri_authority_data/3,
    uri_encoded/3,
    uri_file_name/2,
    uri_iri/2
]).

% uri_components(?URI, ?Components): Components is uri_components(Scheme, Authority, Path, Search, Fragment); missing
% parts are unbound. Nothing is escaped.
uri_components(URI, Components) :-
    (   nonvar(URI)
    ->  split(URI, Components)
    ;   nonvar(Components),
        Components = uri_components(Scheme, Authority, Path, Search0, Fragment)
    ->  search_text(Search0, Search),
        joined(Scheme, Authority, Path, Search, Fragment, URI)
    ;   instantiation_error(URI)
    ).

split(URI, uri_components(Scheme, Authority, Path, Search, Fragment)) :-
    '$uri_parts'(URI, Scheme, Authority, Path, Search, Fragment).

% A list of Name=Value is text of a query.
search_text(Search0, Search) :-
    (   is_list(Search0),
        Search0 \== []
    ->  uri_query_components(Search, Search0)
    ;   Search = Search0
    ).

joined(Scheme, Authority, Path, Search, Fragment, URI) :-
    part(Scheme, '', ':', A),
    part(Authority, '//', '', B),
    part(Path, '', '', C),
    part(Search, '?', '', D),
    part(Fragment, #, '', E),
    append([A, B, C, D, E], Texts),
    atomic_list_concat(Texts, URI).

part(Part, Before, After, Texts) :-
    (   var(Part)
    ->  Texts = []
    ;   must_be(atomic, Part),
        Texts = [Before, Part, After]
    ).

% uri_data(?Field, +Components, ?Value): Value is the scheme, authority, path, search or fragment.
uri_data(Field, Components, Value) :-
    field(Field, N),
    arg(N, Components, Value).

field(scheme, 1).
field(authority, 2).
field(path, 3).
field(search, 4).
field(fragment, 5).

% uri_data(+Field, +Components0, ?Value, -Components): Components is Components0 with another value.
uri_data(Field, uri_components(A, B, C, D, E), Value, Components) :-
    field(Field, N),
    nth1(N, [A, B, C, D, E], _, Others),
    nth1(N, Parts, Value, Others),
    Components =.. [uri_components|Parts].

% uri_normalized(+URI, -Normalized): scheme and host in lower case, no dots in the path, and only necessary escapes.
uri_normalized(URI, Normalized) :-
    normalized(URI, uri, Normalized).

% iri_normalized(+IRI, -Normalized): uri_normalized/2 that leaves characters beyond ASCII and escapes alone.
iri_normalized(IRI, Normalized) :-
    split(IRI, Components),
    normalized_parts(Components, plain, Normalized0),
    '$uri_escape'(iri, Normalized0, Normalized).

% uri_normalized_iri(+URI, -Normalized): uri_normalized/2 with characters beyond ASCII instead of their escapes.
uri_normalized_iri(URI, Normalized) :-
    normalized(URI, iri, Normalized).

% uri_normalized(+URI, +Base, -Normalized): resolves URI and normalizes it.
uri_normalized(URI, Base, Normalized) :-
    uri_resolve(URI, Base, Full),
    uri_normalized(Full, Normalized).

% iri_normalized(+IRI, +Base, -Normalized): resolves IRI and normalizes it as iri_normalized/2 does.
iri_normalized(IRI, Base, Normalized) :-
    uri_resolve(IRI, Base, Full),
    iri_normalized(Full, Normalized).

% uri_normalized_iri(+URI, +Base, -Normalized): resolves URI and normalizes it as uri_normalized_iri/2 does.
uri_normalized_iri(URI, Base, Normalized) :-
    uri_resolve(URI, Base, Full),
    uri_normalized_iri(Full, Normalized).

normalized(URI, Form, Normalized) :-
    split(URI, Components),
    normalized_parts(Components, recoded, Normalized0),
    (   Form == iri
    ->  '$uri_unescape'(iri, Normalized0, Normalized)
    ;   Normalized = Normalized0
    ).

normalized_parts(uri_components(Scheme0, Authority0, Path0, Search0, Fragment0), How, URI) :-
    lowered(Scheme0, Scheme),
    lowered_host(Authority0, Authority),
    recoded(How, path, Path0, Path1),
    '$uri_remove_dots'(Path1, Path),
    recoded_search(How, Search0, Search),
    recoded(How, fragment, Fragment0, Fragment),
    joined(Scheme, Authority, Path, Search, Fragment, URI).

lowered(Text, Lower) :-
    (   var(Text)
    ->  true
    ;   downcase_atom(Text, Lower)
    ).

lowered_host(Authority0, Authority) :-
    (   var(Authority0)
    ->  true
    ;   uri_authority_components(Authority0, uri_authority(User, Password, Host0, Port)),
        lowered(Host0, Host),
        uri_authority_components(Authority, uri_authority(User, Password, Host, Port))
    ).

recoded(How, Part, Text0, Text) :-
    (   var(Text0)
    ->  true
    ;   How == plain
    ->  Text = Text0
    ;   '$uri_unescape'(Part, Text0, Plain),
        '$uri_escape'(Part, Plain, Text)
    ).

% Names and values are split before they are decoded: an escaped separator does not separate.
recoded_search(How, Search0, Search) :-
    (   ( var(Search0) ; How == plain )
    ->  Search = Search0
    ;   atomic_list_concat(Fields0, &, Search0),
        maplist(recoded_field, Fields0, Fields),
        atomic_list_concat(Fields, &, Search)
    ).

recoded_field(Field0, Field) :-
    atomic_list_concat(Texts0, =, Field0),
    maplist([Text0, Text]>>( '$uri_unescape'(path, Text0, Plain), '$uri_escape'(query_value, Plain, Text) ),
            Texts0, Texts),
    atomic_list_concat(Texts, =, Field).

% uri_resolve(+URI, +Base, -Full): Full is a reference resolved against Base.
uri_resolve(URI, Base, Full) :-
    split(URI, uri_components(Scheme, Authority, Path, Search, Fragment)),
    (   nonvar(Scheme)
    ->  '$uri_remove_dots'(Path, Path1),
        joined(Scheme, Authority, Path1, Search, Fragment, Full)
    ;   split(Base, uri_components(BaseScheme, BaseAuthority, BasePath, BaseSearch, _)),
        resolved(Authority, Path, Search, BaseAuthority, BasePath, BaseSearch, Authority1, Path1, Search1),
        joined(BaseScheme, Authority1, Path1, Search1, Fragment, Full)
    ).

resolved(Authority, Path0, Search, _, _, _, Authority, Path, Search) :-
    nonvar(Authority),
    !,
    '$uri_remove_dots'(Path0, Path).
resolved(_, '', Search0, Authority, Path, BaseSearch, Authority, Path, Search) :-
    !,
    ( var(Search0) -> Search = BaseSearch ; Search = Search0 ).
resolved(_, Path0, Search, Authority, BasePath, _, Authority, Path, Search) :-
    (   sub_atom(Path0, 0, _, _, /)
    ->  Merged = Path0
    ;   BasePath == '',
        nonvar(Authority)
    ->  atom_concat(/, Path0, Merged)
    ;   sub_atom(BasePath, Before, 1, After, /),
        \+ ( sub_atom(BasePath, _, After, 0, Rest), sub_atom(Rest, _, _, _, /) )
    ->  Length is Before + 1,
        sub_atom(BasePath, 0, Length, _, Folder),
        atom_concat(Folder, Path0, Merged)
    ;   Merged = Path0
    ),
    '$uri_remove_dots'(Merged, Path).

% uri_is_global(+URI): URI begins with a scheme of two characters at least.
uri_is_global(URI) :-
    '$uri_parts'(URI, Scheme, _, _, _, _),
    nonvar(Scheme),
    atom_codes(Scheme, [First, Second|Codes]),
    code_type(First, alpha),
    First < 128,
    forall(member(Code, [Second|Codes]), scheme_code(Code)).

scheme_code(Code) :-
    Code < 128,
    (   code_type(Code, alnum)
    ->  true
    ;   memberchk(Code, `+-.`)
    ).

% uri_query_components(?Query, ?Values): Values is the list of Name=Value that a query stands for.
uri_query_components(Query, Values) :-
    (   nonvar(Query)
    ->  text_to_string(Query, String),
        split_string(String, "&;", "", Fields),
        (   Fields == [""]
        ->  Values = []
        ;   maplist(query_field, Fields, Values)
        )
    ;   must_be(list, Values),
        maplist(query_text, Values, Texts),
        atomic_list_concat(Texts, &, Query)
    ).

query_field(Field, Name=Value) :-
    (   sub_string(Field, Before, 1, After, "=")
    ->  sub_string(Field, 0, Before, _, Name0),
        sub_string(Field, _, After, 0, Value0),
        '$uri_unescape'(query_value, Name0, Name),
        '$uri_unescape'(query_value, Value0, Value)
    ;   throw(error(syntax_error(illegal_uri_query), _))
    ).

query_text(Pair, Text) :-
    must_be(nonvar, Pair),
    (   Pair = (Name=Value)
    ->  true
    ;   Pair = Name-Value
    ->  true
    ;   compound(Pair),
        Pair =.. [Name, Value]
    ->  true
    ;   type_error(name_value, Pair)
    ),
    must_be(atomic, Value),
    '$uri_escape'(query_value, Name, NameText),
    '$uri_escape'(query_value, Value, ValueText),
    atomic_list_concat([NameText, =, ValueText], Text).

% uri_authority_components(?Authority, ?Components): Components is uri_authority(User, Password, Host, Port); missing
% parts are unbound.
uri_authority_components(Authority, Components) :-
    (   nonvar(Authority)
    ->  ( number(Authority) -> type_error(text, Authority) ; atom_string(Atom, Authority) ),
        split_authority(Atom, Components)
    ;   Components = uri_authority(User, Password, Host, Port),
        part(User, '', '', A),
        part(Password, ':', '', B),
        ( A == [], B == [] -> C = [] ; C = [@] ),
        part(Host, '', '', D),
        part(Port, ':', '', E),
        append([A, B, C, D, E], Texts),
        atomic_list_concat(Texts, Authority)
    ).

split_authority(Authority, uri_authority(User, Password, Host, Port)) :-
    (   sub_atom(Authority, Before, 1, After, @)
    ->  sub_atom(Authority, 0, Before, _, Login),
        sub_atom(Authority, _, After, 0, Place),
        (   sub_atom(Login, Before1, 1, After1, :)
        ->  sub_atom(Login, 0, Before1, _, User),
            sub_atom(Login, _, After1, 0, Password)
        ;   User = Login
        )
    ;   Place = Authority
    ),
    host_and_port(Place, Host0, Port),
    ( Host0 == '' -> true ; Host = Host0 ).

% The colons of an address in brackets are its own.
host_and_port(Place, Host, Port) :-
    (   sub_atom(Place, Before, 1, After, :),
        sub_atom(Place, _, After, 0, PortText),
        \+ sub_atom(PortText, _, _, _, ']'),
        \+ sub_atom(PortText, _, _, _, :)
    ->  sub_atom(Place, 0, Before, _, Host),
        (   atom_number(PortText, Port0),
            integer(Port0)
        ->  Port = Port0
        ;   PortText == ''
        ->  true
        ;   Port = PortText
        )
    ;   Host = Place
    ).

% uri_authority_data(?Field, +Components, ?Value): Value is the user, password, host or port.
uri_authority_data(Field, Components, Value) :-
    nth1(N, [user, password, host, port], Field),
    arg(N, Components, Value).

% uri_encoded(+Part, ?Text, ?Escaped): Escaped is Text as it stands in a query_value, fragment, path or segment.
uri_encoded(Part, Text, Escaped) :-
    must_be(atom, Part),
    (   memberchk(Part, [query_value, fragment, path, segment])
    ->  true
    ;   domain_error(uri_component, Part)
    ),
    (   nonvar(Text)
    ->  '$uri_escape'(Part, Text, Escaped)
    ;   must_be(nonvar, Escaped),
        '$uri_unescape'(Part, Escaped, Text)
    ).

% uri_file_name(?URI, ?File): URI is that of a file with an absolute path.
uri_file_name(URI, File) :-
    (   nonvar(URI)
    ->  '$uri_parts'(URI, Scheme, Authority, Path, _, _),
        Scheme == file,
        ( var(Authority) -> true ; memberchk(Authority, ['', localhost]) ),
        '$uri_unescape'(path, Path, File)
    ;   nonvar(File),
        '$uri_escape'(path, File, Path),
        atom_concat('file://', Path, URI)
    ).

% uri_iri(?URI, ?IRI): IRI is URI with characters beyond ASCII instead of their escapes.
uri_iri(URI, IRI) :-
    (   nonvar(URI)
    ->  '$uri_unescape'(iri, URI, IRI)
    ;   must_be(nonvar, IRI),
        '$uri_escape'(uri, IRI, URI)
    ).

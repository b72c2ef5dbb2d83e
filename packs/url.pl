% URLs as lists of attributes: protocol(P), user(U), host(H), port(N), path(P), search(List) and fragment(F). library(uri) is the newer one.
:- module(url, [
    parse_url/2,
    parse_url/3,
    is_absolute_url/1,
    global_url/3,
    http_location/2,
    www_form_encode/2,
    parse_url_search/2,
    url_iri/2,
    file_name_to_url/2,
    set_url_encoding/2
]).

% parse_url(?URL, ?Attributes): Attributes are those of an absolute URL, without escapes.
parse_url(URL, Attributes) :-
    (   nonvar(URL)
    ->  attributes(URL, Attributes0),
        Attributes = Attributes0
    ;   must_be(list, Attributes),
        url_text(Attributes, URL)
    ).

attributes(URL, [protocol(Scheme)|Attributes]) :-
    '$uri_parts'(URL, Scheme0, Authority, Path0, Search, Fragment),
    nonvar(Scheme0),
    downcase_atom(Scheme0, Scheme),
    '$uri_unescape'(path, Path0, Path1),
    ( Path1 == '', nonvar(Authority) -> Path = / ; Path = Path1 ),
    place_attributes(Authority, Attributes, [path(Path)|Rest0]),
    (   var(Search)
    ->  Rest0 = Rest1
    ;   uri_query_components(Search, Values),
        Rest0 = [search(Values)|Rest1]
    ),
    (   var(Fragment)
    ->  Rest1 = []
    ;   '$uri_unescape'(fragment, Fragment, Text),
        Rest1 = [fragment(Text)]
    ).

place_attributes(Authority, Attributes, Rest) :-
    (   ( var(Authority) ; Authority == '' )
    ->  Attributes = Rest
    ;   uri_authority_components(Authority, uri_authority(User, Password, Host0, Port0)),
        (   var(User)
        ->  Attributes = Attributes1
        ;   var(Password)
        ->  Attributes = [user(User)|Attributes1]
        ;   atomic_list_concat([User, :, Password], Login),
            Attributes = [user(Login)|Attributes1]
        ),
        ( var(Host0) -> Host = '' ; Host = Host0 ),
        Attributes1 = [host(Host)|Attributes2],
        ( var(Port0) -> Attributes2 = Rest ; Attributes2 = [port(Port0)|Rest] )
    ).

url_text(Attributes, URL) :-
    option(protocol(Scheme), Attributes, http),
    place(Attributes, Scheme, Authority),
    (   option(path(Path0), Attributes)
    ->  '$uri_escape'(path, Path0, Path)
    ;   true
    ),
    (   option(search(Values), Attributes)
    ->  uri_query_components(Search, Values)
    ;   true
    ),
    (   option(fragment(Fragment0), Attributes)
    ->  '$uri_escape'(fragment, Fragment0, Fragment)
    ;   true
    ),
    uri_components(URL, uri_components(Scheme, Authority, Path, Search, Fragment)).

place(Attributes, Scheme, Authority) :-
    (   option(host(Host), Attributes)
    ->  option(user(User), Attributes, _),
        ( option(port(Port0), Attributes), Scheme-Port0 \== http-80 -> Port = Port0 ; true ),
        uri_authority_components(Authority, uri_authority(User, _, Host, Port))
    ;   Scheme == file
    ->  Authority = ''
    ;   true
    ).

% parse_url(?URL, +Base, ?Attributes): Attributes are those of a URL relative to Base, which is a URL or a list of attributes.
parse_url(URL, Base, Attributes) :-
    (   is_list(Base)
    ->  parse_url(BaseURL, Base)
    ;   BaseURL = Base
    ),
    (   nonvar(URL)
    ->  global_url(URL, BaseURL, Global),
        parse_url(Global, Attributes)
    ;   parse_url(URL, Attributes)
    ).

% is_absolute_url(+URL): URL begins with a protocol.
is_absolute_url(URL) :-
    uri_is_global(URL).

% global_url(+URL, +Base, -Global): Global is what URL stands for on the page Base.
global_url(URL, Base, Global) :-
    uri_resolve(URL, Base, Global).

% http_location(?Attributes, ?Codes): Codes are path, search and fragment as they stand in a request.
http_location(Attributes, Codes) :-
    (   nonvar(Codes)
    ->  attributes_of_location(Codes, Attributes)
    ;   exclude([Attribute]>>memberchk(Attribute, [protocol(_), user(_), host(_), port(_)]), Attributes, Local),
        url_text([protocol(x)|Local], Text),
        atom_concat('x:', Location, Text),
        atom_codes(Location, Codes)
    ).

attributes_of_location(Codes, Attributes) :-
    atom_codes(Location, Codes),
    atom_concat('http://h', Location, URL),
    attributes(URL, [_, _|Attributes]).

% www_form_encode(?Value, ?Encoded): Encoded is Value as it stands in a form.
www_form_encode(Value, Encoded) :-
    (   nonvar(Value)
    ->  '$uri_escape'(form, Value, Encoded)
    ;   must_be(nonvar, Encoded),
        '$uri_unescape'(form, Encoded, Value)
    ).

% parse_url_search(?Codes, ?Values): Values is the list of Name=Value that a search stands for.
parse_url_search(Codes, Values) :-
    (   is_list(Values)
    ->  uri_query_components(Query, Values),
        atom_codes(Query, Codes)
    ;   atom_codes(Query, Codes),
        uri_query_components(Query, Values)
    ).

% url_iri(?URL, ?IRI): IRI is URL with characters beyond ASCII instead of their escapes.
url_iri(URL, IRI) :-
    uri_iri(URL, IRI).

% file_name_to_url(?File, ?URL): URL is that of a file with an absolute path.
file_name_to_url(File, URL) :-
    uri_file_name(URL, File).

% set_url_encoding(-Old, +New): the encoding of escapes, which is always utf8.
set_url_encoding(utf8, utf8).

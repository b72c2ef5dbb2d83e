% HTML from terms: html//1 translates them to a list of tokens, which print_html/1 prints. What stands in them as text is escaped.
:- module(html_write, [
    html//1,
    html//2,
    page//1,
    page//2,
    page//3,
    html_begin//1,
    html_end//1,
    html_quoted//1,
    html_quoted_attribute//1,
    html_post//2,
    html_receive//1,
    html_receive//2,
    html_root_attribute//2,
    print_html/1,
    print_html/2,
    html_print_length/2,
    reply_html_page/2,
    reply_html_page/3,
    html_set_options/1,
    html_current_option/1,
    html_meta/1,
    xhtml_ns//2,
    op(1150, fx, html_meta)
]).

:- meta_predicate
    html_meta(:),
    html(:, ?, ?),
    page(:, ?, ?),
    page(:, :, ?, ?),
    page(+, :, :, ?, ?),
    html_post(+, :, ?, ?),
    html_receive(+, 3, ?, ?),
    reply_html_page(:, :),
    reply_html_page(+, :, :).

:- multifile
    expand/3,
    expand_attribute_value/3,
    page_style/4.

:- dynamic
    expand/3,
    expand_attribute_value/3,
    page_style/4,
    chosen_option/1.

default_option(dialect(html5)).
default_option(doctype('html')).
default_option(content_type('text/html; charset=UTF-8')).

html_option(Option) :-
    default_option(Default),
    functor(Default, Name, 1),
    functor(Known, Name, 1),
    ( chosen_option(Known) -> true ; Known = Default ),
    Option = Known.

% html_set_options(+Options): sets dialect(D), doctype(Text) and content_type(Text) of pages.
html_set_options(Options) :-
    must_be(list, Options),
    forall(member(Option, Options), set_option(Option)).

set_option(Option) :-
    must_be(nonvar, Option),
    functor(Option, Name, Arity),
    (   memberchk(Name/Arity, [dialect/1, doctype/1, content_type/1])
    ->  functor(Old, Name, 1),
        retractall(chosen_option(Old)),
        assertz(chosen_option(Option))
    ;   domain_error(html_option, Option)
    ).

% html_current_option(?Option): Option is one of html_set_options/1 with its value.
html_current_option(Option) :-
    html_option(Option).

% html_meta(:Heads): declares predicates and grammar rules as meta_predicate/1 does; an argument html is what html//1 takes, and belongs
% to the module of the caller.
html_meta(Spec) :-
    '$strip_module'(Spec, Module, Heads0),
    html_heads(Heads0, Heads),
    meta_predicate(Module:Heads).

html_heads(Spec, _) :-
    var(Spec),
    !,
    instantiation_error(Spec).
html_heads((Spec0, Specs0), (Spec, Specs)) :-
    !,
    html_heads(Spec0, Spec),
    html_heads(Specs0, Specs).
html_heads(Module:Spec0, Module:Spec) :-
    !,
    html_heads(Spec0, Spec).
html_heads(Head0, Head) :-
    must_be(callable, Head0),
    Head0 =.. [Name|Args0],
    maplist(html_argument, Args0, Args),
    Head =.. [Name|Args].

html_argument(Arg0, Arg) :-
    (   Arg0 == html
    ->  Arg = (:)
    ;   Arg = Arg0
    ).

% html(:Spec)//: the tokens of Spec: a text, Format-Arguments, &(Entity), Tag(Content), Tag(Attributes, Content), \Grammar, or a list of these.
html(Spec0) -->
    { '$strip_module'(Spec0, Module, Spec) },
    tokens(Spec, Module).

% html(+Spec, +Module)//: html//1 for a module.
html(Spec, Module) -->
    tokens(Spec, Module).

tokens(Spec, _) -->
    { var(Spec),
      !,
      instantiation_error(Spec)
    }.
tokens([], _) -->
    !.
tokens([Spec|Specs], Module) -->
    !,
    tokens(Spec, Module),
    tokens(Specs, Module).
tokens(Module:Spec, _) -->
    { atom(Module) },
    !,
    tokens(Spec, Module).
tokens(Spec, _) -->
    expand(Spec),
    !.
tokens(Raw, _) -->
    { Raw = \List,
      is_list(List)
    },
    !,
    List.
tokens(\Grammar, Module) -->
    !,
    call_grammar(Grammar, Module).
tokens(Format-Arguments, _) -->
    !,
    { format(string(Text), Format, Arguments) },
    html_quoted(Text).
tokens(&(Entity), _) -->
    !,
    { ( integer(Entity) -> format(string(Text), '&#~d;', [Entity]) ; format(string(Text), '&~w;', [Entity]) ) },
    [Text].
tokens(Text, _) -->
    { atomic(Text) },
    !,
    html_quoted(Text).
tokens(Element, Module) -->
    { compound_name_arguments(Element, Tag, Arguments) },
    element(Arguments, Tag, Module),
    !.
tokens(Spec, _) -->
    { domain_error(html, Spec) }.

call_grammar(Grammar, Module, Tokens, Rest) :-
    must_be(callable, Grammar),
    call(Module:Grammar, Tokens, Rest).

element([Attributes], Tag, Module) -->
    { layout(Tag, _, empty) },
    !,
    element([Attributes, []], Tag, Module).
element([Content], Tag, Module) -->
    element([[], Content], Tag, Module).
element([Attributes, Content], Tag, Module) -->
    begin(Tag, Attributes),
    (   { layout(Tag, _, empty) }
    ->  []
    ;   content(Tag, Content, Module),
        html_end(Tag)
    ).

% The text of a script is not escaped.
content(Tag, Content, Module) -->
    { memberchk(Tag, [script, style]) },
    !,
    { phrase(raw_tokens(Content, Module), Raw) },
    Raw.
content(_, Content, Module) -->
    tokens(Content, Module).

raw_tokens(Content, _) -->
    { var(Content),
      !,
      instantiation_error(Content)
    }.
raw_tokens([], _) -->
    !.
raw_tokens([Content|Contents], Module) -->
    !,
    raw_tokens(Content, Module),
    raw_tokens(Contents, Module).
raw_tokens(\Grammar, Module) -->
    !,
    (   { is_list(Grammar) }
    ->  Grammar
    ;   call_grammar(Grammar, Module)
    ).
raw_tokens(Format-Arguments, _) -->
    !,
    { format(string(Text), Format, Arguments) },
    [Text].
raw_tokens(Text, _) -->
    { must_be(atomic, Text) },
    [Text].

% html_begin(+Element)//: the tokens that open Tag or Tag(Attribute, ...).
html_begin(Element) -->
    { must_be(callable, Element),
      ( atom(Element) -> Tag = Element, Attributes = [] ; compound_name_arguments(Element, Tag, Attributes) )
    },
    begin(Tag, Attributes).

begin(Tag, Attributes) -->
    { layout(Tag, Before-After, _) },
    !,
    [nl(Before), <, Tag],
    attributes(Attributes),
    [>, nl(After)].
begin(Tag, Attributes) -->
    [<, Tag],
    attributes(Attributes),
    [>].

% html_end(+Tag)//: the tokens that close an element.
html_end(Tag) -->
    { layout(Tag, _, Before-After) },
    !,
    [nl(Before), </, Tag, >, nl(After)].
html_end(Tag) -->
    [</, Tag, >].

% layout(?Tag, ?Open, ?Close): the ends of lines before and after the tag that opens an element, and the one that closes it: inline when
% there are none, empty when there is no such tag.
layout(Tag, Open, Close) :-
    layout_group(Tags, Open, Close),
    memberchk(Tag, Tags).

layout_group([html, head, body, ul, caption, select, iframe, map, applet, script, style], 1-1, 1-1).
layout_group([div], 1-0, 0-1).
layout_group([title, li, tr, option], 1-0, 0-1).
layout_group([base, link, meta, hr, frame], 1-1, empty).
layout_group([p], 2-1, inline).
layout_group([h1, h2, h3, h4], 2-0, 0-2).
layout_group([ol, dl, form, center, blockquote, address, frameset, table], 2-1, 1-2).
layout_group([dt], 1-0, inline).
layout_group([dd], 0-0, inline).
layout_group([col, input, img, source, track, wbr, embed], 0-0, empty).
layout_group([td], 0-0, 0-0).
layout_group([textarea], 1-1, 0-1).
layout_group([pre], 2-1, 0-2).
layout_group([br], 0-1, empty).
layout_group([param, area], 1-0, empty).

attributes(Attributes) -->
    { var(Attributes) },
    !.
attributes([]) -->
    !.
attributes([Attribute|Attributes]) -->
    !,
    attribute(Attribute),
    attributes(Attributes).
attributes(Attribute) -->
    attribute(Attribute).

attribute(Attribute) -->
    { must_be(nonvar, Attribute) },
    (   { atom(Attribute) }
    ->  [' ', Attribute]
    ;   { Attribute = (Name=Value) ; compound(Attribute), Attribute =.. [Name, Value] }
    ->  { must_be(atom, Name) },
        [' ', Name, '="'],
        attribute_value(Value),
        ['"']
    ;   { domain_error(html_attribute, Attribute) }
    ).

attribute_value(Value) -->
    { var(Value),
      !,
      instantiation_error(Value)
    }.
attribute_value([Value|Values]) -->
    !,
    attribute_value(Value),
    (   { Values == [] }
    ->  []
    ;   [' '],
        attribute_value(Values)
    ).
attribute_value(A+B) -->
    !,
    attribute_value(A),
    (   { is_list(B), B \== [] }
    ->  { uri_query_components(Query, B) },
        [?],
        html_quoted_attribute(Query)
    ;   attribute_value(B)
    ).
attribute_value(encode(Value)) -->
    !,
    { uri_encoded(query_value, Value, Encoded) },
    [Encoded].
attribute_value(Format-Arguments) -->
    !,
    { format(string(Text), Format, Arguments) },
    html_quoted_attribute(Text).
attribute_value(Value) -->
    expand_attribute_value(Value),
    !.
attribute_value(Value) -->
    { must_be(atomic, Value) },
    html_quoted_attribute(Value).

% html_quoted(+Text)//: Text with <, > and & escaped.
html_quoted(Text) -->
    { escaped(Text, `<>&`, Escaped) },
    [Escaped].

% html_quoted_attribute(+Text)//: Text with <, >, & and double quotes escaped.
html_quoted_attribute(Text) -->
    { escaped(Text, `<>&"`, Escaped) },
    [Escaped].

escaped(Text, Special, Escaped) :-
    must_be(atomic, Text),
    atom_codes(Text, Codes),
    (   member(Code, Codes),
        memberchk(Code, Special)
    ->  phrase(escapes(Codes, Special), Parts),
        atom_codes(Escaped, Parts)
    ;   Escaped = Text
    ).

escapes([], _) -->
    [].
escapes([Code|Codes], Special) -->
    (   { memberchk(Code, Special) }
    ->  entity(Code)
    ;   [Code]
    ),
    escapes(Codes, Special).

entity(0'<) --> `&lt;`.
entity(0'>) --> `&gt;`.
entity(0'&) --> `&amp;`.
entity(0'") --> `&quot;`.

% page(:Content)//: a page of the elements head and body, or of html.
page(Content0) -->
    { '$strip_module'(Content0, Module, Content),
      html_option(doctype(Type))
    },
    ['<!DOCTYPE ', Type, '>', nl(1)],
    tokens(html(Content), Module).

% page(:Head, :Body)//: a page with what stands in its head and in its body.
page(Head, Body) -->
    page(default, Head, Body).

% page(+Style, :Head, :Body)//: page//2 in a style, for which page_style(Style, Head, Body, Page) may give the term of the page.
page(Style, Head0, Body0) -->
    { '$strip_module'(Head0, HeadModule, Head),
      '$strip_module'(Body0, BodyModule, Body),
      html_option(content_type(Type)),
      html_option(doctype(Doctype)),
      ( page_style(Style, HeadModule:Head, BodyModule:Body, Page) -> true
      ; Page = [ head([HeadModule:Head, \[nl(2)], meta(['http-equiv'('content-type'), content(Type)]), \[nl(2)],
                       \html_receive(head)]),
                 body([BodyModule:Body, \html_receive(script)])
               ]
      )
    },
    ['<!DOCTYPE ', Doctype, '>', nl(1)],
    tokens(html(Page), html_write).

% html_root_attribute(?Name, ?Value)//: has no effect: attributes of the element html are given to html//1.
html_root_attribute(_, _) -->
    [].

% xhtml_ns(+Name, +URI)//: has no effect: pages are HTML.
xhtml_ns(_, _) -->
    [].

% html_post(+Box, :Content)//: puts content into a box, which is printed where html_receive//1 of the box stands.
html_post(Box, Content0) -->
    { '$strip_module'(Content0, Module, Content),
      phrase(tokens(Content, Module), Tokens)
    },
    [post(Box, Tokens)].

% html_receive(+Box)//: what was posted to a box, each thing once.
html_receive(Box) -->
    [receive(Box, none)].

% html_receive(+Box, :Handler)//: the tokens that call(Handler, Posted) gives, Posted being the list of what was posted to a box.
html_receive(Box, Handler0) -->
    { '$strip_module'(Handler0, Module, Handler) },
    [receive(Box, Module:Handler)].

delivered(Tokens0, Tokens) :-
    (   memberchk(receive(_, _), Tokens0)
    ->  findall(Box-Posted, member(post(Box, Posted), Tokens0), Pairs),
        foldl(deliver(Pairs), Tokens0, Tokens, [])
    ;   exclude([Token]>>(nonvar(Token), Token = post(_, _)), Tokens0, Tokens)
    ).

deliver(_, post(_, _), Tokens, Tokens) :-
    !.
deliver(Pairs, receive(Box, Handler), Tokens, Rest) :-
    !,
    findall(Posted, member(Box-Posted, Pairs), Posts0),
    list_to_set(Posts0, Posts),
    (   Handler == none
    ->  append(Posts, All)
    ;   phrase(call(Handler, Posts), All)
    ),
    append(All, Rest, Tokens).
deliver(_, Token, [Token|Rest], Rest).

% print_html(+Tokens): prints the tokens of html//1; of ends of lines that follow one another the most are printed.
print_html(Tokens) :-
    current_output(Stream),
    print_html(Stream, Tokens).

% print_html(+Stream, +Tokens): print_html/1 on a stream.
print_html(Stream, Tokens0) :-
    must_be(list, Tokens0),
    delivered(Tokens0, Tokens),
    printed(Tokens, 0, Stream).

printed([], Lines, Stream) :-
    end_lines(Lines, Stream).
printed([Token|Tokens], Lines0, Stream) :-
    (   Token = nl(Count)
    ->  Lines is max(Lines0, Count)
    ;   end_lines(Lines0, Stream),
        write(Stream, Token),
        Lines = 0
    ),
    printed(Tokens, Lines, Stream).

end_lines(Count, Stream) :-
    forall(between(1, Count, _), nl(Stream)).

% html_print_length(+Tokens, -Length): how many characters print_html/1 prints.
html_print_length(Tokens, Length) :-
    with_output_to(string(String), print_html(Tokens)),
    string_length(String, Length).

% reply_html_page(:Head, :Body): prints a page//2 with the type of its content in front, as CGI has it.
reply_html_page(Head, Body) :-
    reply_html_page(default, Head, Body).

% reply_html_page(+Style, :Head, :Body): reply_html_page/2 in a style.
reply_html_page(Style, Head, Body) :-
    html_option(content_type(Type)),
    phrase(page(Style, Head, Body), Tokens),
    format('Content-type: ~w~n~n', [Type]),
    print_html(Tokens).

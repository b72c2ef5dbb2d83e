% A small Markdown to HTML: blocks by lines, spans by a grammar on codes.
:- use_module(library(dcg/basics)).
:- use_module(library(lists)).

text("# Bread\n\nMix *flour* and **water**, then `knead`.\nWait & see.\n\n- one hour\n- or _two_ <more>\n\n## Notes\n\n1. first\n2. second\n\n> quoted").

blocks(Lines, Blocks) :- phrase(blocks(Blocks), Lines).

blocks([B|Bs]) --> blanks_, block(B), !, blocks(Bs).
blocks([]) --> blanks_.

blanks_ --> [""], !, blanks_.
blanks_ --> [].

block(heading(N, Text)) --> [L], { heading(L, N, Text) }.
block(list(ul, [I|Is])) --> item(ul, I), !, items(ul, Is).
block(list(ol, [I|Is])) --> item(ol, I), !, items(ol, Is).
block(quote(T)) --> [L], { string_concat("> ", T, L) }.
block(para(Text)) --> [L], { L \== "" }, para(Ls), { atomic_list_concat([L|Ls], ' ', Text) }.

para([L|Ls]) --> [L], { L \== "", \+ heading(L, _, _), \+ starts_item(L) }, !, para(Ls).
para([]) --> [].

items(K, [I|Is]) --> item(K, I), !, items(K, Is).
items(_, []) --> [].

item(ul, T) --> [L], { string_concat("- ", T, L) }.
item(ol, T) --> [L], { string_codes(L, Cs), phrase(( integer(_), ". ", remainder(R) ), Cs), string_codes(T, R) }.

starts_item(L) :- phrase(item(_, _), [L]).

heading(L, N, Text) :-
    sub_string(L, B, 1, _, " "), sub_string(L, 0, B, _, Marks),
    string_chars(Marks, Cs), Cs = [_|_], maplist(==(#), Cs), !,
    length(Cs, N), After is B+1, sub_string(L, After, _, 0, Text).

spans([S|Ss]) --> span(S), !, spans(Ss).
spans([]) --> [].

span(el(strong, T)) --> "**", string_without(`*`, Cs), "**", { Cs = [_|_], string_codes(T, Cs) }.
span(el(em, T)) --> "*", string_without(`*`, Cs), "*", { Cs = [_|_], string_codes(T, Cs) }.
span(el(em, T)) --> "_", string_without(`_`, Cs), "_", { Cs = [_|_], string_codes(T, Cs) }.
span(el(code, T)) --> "`", string_without(`\``, Cs), "`", { string_codes(T, Cs) }.
span(char(C)) --> [C].

html(heading(N, T)) :- inline(T, H), format("<h~d>~s</h~d>~n", [N, H, N]).
html(para(T)) :- inline(T, H), format("<p>~s</p>~n", [H]).
html(quote(T)) :- inline(T, H), format("<blockquote>~s</blockquote>~n", [H]).
html(list(K, Is)) :-
    format("<~w>~n", [K]), forall(member(I, Is), ( inline(I, H), format("  <li>~s</li>~n", [H]) )), format("</~w>~n", [K]).

inline(Text, Codes) :- string_codes(Text, Cs), phrase(spans(Ss), Cs), foldl([S, A, B]>>( out(S, X), append(A, X, B) ), Ss, [], Codes).

out(el(E, T), Cs) :- format(codes(Cs), "<~w>~w</~w>", [E, T, E]).
out(char(0'<), Cs) :- !, string_codes("&lt;", Cs).
out(char(0'>), Cs) :- !, string_codes("&gt;", Cs).
out(char(0'&), Cs) :- !, string_codes("&amp;", Cs).
out(char(C), [C]).

main :- text(T), split_string(T, "\n", "", Lines), blocks(Lines, Blocks), maplist(html, Blocks), !.

% Cross references of a text that is not loaded: library(prolog_xref).
:- use_module(library(prolog_xref)).
show(T) :- \+ \+ ( numbervars(T, 0, _), print(T), nl ).
all(T, G) :- findall(T, G, L0), sort(L0, L), forall(member(X, L), show(X)).

main :-
    xref_source('shop.pl'),
    all(module(M), xref_module('shop.pl', M)),
    all(exported(H), xref_exported('shop.pl', H)),
    all(defined(H, How), ( xref_defined('shop.pl', H, How), How \= imported(_) )),
    all(imported(H), ( xref_defined('shop.pl', H, imported(F)), sub_atom(F, _, _, 0, 'xb.pl') )),
    ( xref_defined('shop.pl', append(_, _, _), imported(_)) -> writeln(append) ; writeln(none) ),
    all(called(C, By), ( xref_called('shop.pl', C, By), \+ xref_built_in(C) )),
    all(O, xref_op('shop.pl', O)),
    all(uses(S), xref_uses_file('shop.pl', S, _)),
    all(flag(F, V, N), xref_prolog_flag('shop.pl', F, V, N)),
    all(meta(Called), xref_meta('shop.pl', each(g, l), Called)),
    all(line(N), ( xref_defined('shop.pl', last, How), xref_definition_line(How, N) )),
    all(public(E), xref_public_list(xb, 'shop.pl', [exports(E)])),
    xref_clean('shop.pl'),
    ( xref_module('shop.pl', _) -> writeln(still) ; writeln(gone) ).

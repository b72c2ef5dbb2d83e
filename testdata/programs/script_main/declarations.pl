:- license(gpl).
:- predicate_options(p/2, 2, [opt(atom)]).
:- set_prolog_flag(double_quotes, codes).
:- style_check(-singleton).
declared :- style_check(-discontiguous), X = "ab", writeln(X), license(mit).

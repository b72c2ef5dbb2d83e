% user:file_search_path/2, with aliases that lead to others, and library/1 for the program's own folders.
:- multifile user:file_search_path/2, user:library_directory/1.
:- dynamic user:file_search_path/2, user:library_directory/1.
user:file_search_path(app, '.').
user:file_search_path(src, app(source)).
user:file_search_path(src, more).
user:file_search_path(library, mylib).
user:library_directory(oldlib).
:- use_module(src(alpha)).
:- use_module(src(beta)).
:- use_module(library(own)).
:- use_module(library(older)).
:- ensure_loaded(src(deep/gamma)).
:- if(exists_source(library(own))).
seen(own).
:- endif.
:- if(exists_source(library(nowhere_at_all))).
seen(nowhere).
:- endif.
:- if(exists_source(src(beta))).
seen(beta).
:- endif.
:- if(\+ exists_source(src(omega))).
seen(no_omega).
:- endif.
:- if(exists_source(library(lists))).
seen(lists).
:- endif.
main :- alpha(A), writeln(A), beta(B), writeln(B), own(O), writeln(O), older(P), writeln(P), gamma(G), writeln(G),
    forall(seen(S), writeln(S)),
    catch(use_module(src(omega)), error(existence_error(K, _), _), (print(K), nl)).

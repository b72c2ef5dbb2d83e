% Conditions of texts for several systems: flags and sources that are not there, and nested branches.
:- if(current_prolog_flag(no_such_flag_at_all, true)).
v(flag).
:- elif(\+ catch(current_prolog_flag(another_one, _), _, true)).
v(no_flag).
:- else.
v(thrown).
:- endif.
:- if(current_prolog_flag(bounded, false)).
v(unbounded).
:- if(fail).
v(inner).
:- else.
v(inner_else).
:- endif.
:- endif.
:- if((current_prolog_flag(emscripten, true) ; exists_source(library(nope)))).
:- use_module(library(nope)).
:- endif.
:- if(predicate_property(append(_, _, _), _)).
v(append).
:- endif.
main :- forall(v(X), writeln(X)).

% A module whose macros expand rules, enumerations and goals of the program.
:- op(1180, xfx, ::=).
:- use_module(macros).
enum(color, [red, green, blue]).
happy(X) ::= rich(X) + healthy(X) \/ wise(X).
rich(a). healthy(a). wise(b). rich(c). healthy(d).
t(X) :- unless(X > 3, writeln(small)), repeat_n(2, write(x)), nl.
:- dynamic count/1.
:- ( \+ catch(count(_), _, fail) -> assertz(count(0)) ; true ).
:- if(\+ catch(current_predicate(nope/3), _, fail)).
cond(no_nope).
:- else.
cond(nope).
:- endif.
:- if(current_op(_, _, ::=)). 
cond(op).
:- elif(true).
cond(never).
:- endif.
main :- forall(color(C, I), ( print(C=I), nl )), findall(X, happy(X), L), print(L), nl, t(1), t(5), findall(C, cond(C), Cs), print(Cs), nl,
  ( catch(last_one, _, fail) -> writeln(last) ; writeln(nolast) ), expand_goal(unless(p, q), G), print(G), nl,
  prolog_load_context(directory, _) -> true ; writeln(not_loading).

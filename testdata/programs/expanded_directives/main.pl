% term_expansion/2 sees directives, facts it makes of them, and the end of the file.
:- dynamic declared/1.
term_expansion((:- entity(Name)), [entity(Name), (:- assertz(declared(Name)))]).
term_expansion((:- quiet), []).
term_expansion(rules(L), L).
term_expansion(end_of_file, [last_clause(F), end_of_file]) :- prolog_load_context(source, S), file_base_name(S, F).
goal_expansion(shout(X), writeln(loud(X))).
:- entity(cat).
:- entity(dog).
:- quiet.
rules([r(1), (r(X) :- X = 2), (:- assertz(declared(by_rule)))]).
:- shout(directive).
:- consult(other).
main :- forall(entity(E), writeln(E)), forall(declared(D), writeln(D)), forall(r(X), writeln(X)), shout(main),
    forall(last_clause(C), writeln(C)), forall(other(O), writeln(O)).
:- multifile last_clause/1.
:- discontiguous entity/1.
:- discontiguous last_clause/1.

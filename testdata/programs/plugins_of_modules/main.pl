% Plug-ins register goals of their modules and add clauses to hooks of the core.
:- use_module(core).
:- use_module([pa, pb]).
:- multifile user:portray/1.
:- register(user, even).
even(X) :- 0 =:= X mod 2.
main :- run_all(4), print([secret(1), open]), nl, format("~p ~w~n", [secret(2), secret(2)]), writeq(secret(3)), nl,
   ( predicate_property(core:core_hook(_, _), number_of_clauses(N)) -> print(N) ; true ), nl,
   findall(P, ( predicate_property(core:core_hook(_, _), P), memberchk(P, [dynamic, multifile, exported, defined, static]) ), Ps), msort(Ps, Ps1), print(Ps1), nl.

:- module(core, [register/2, run_all/1, core_hook/2]).
:- multifile core_hook/2.
:- dynamic core_hook/2, plugin/2.
:- meta_predicate register(+, 1).
register(N, G) :- assertz(plugin(N, G)).
run_all(X) :- forall(plugin(N, G), ( call(G, X) -> format("~w ok~n", [N]) ; format("~w no~n", [N]) )), forall(core_hook(A, B), ( print(A-B), nl )), forall(plugin(_, M:_), ( print(M), nl )).

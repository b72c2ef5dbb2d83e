:- module(core, [register/2, plugin/1, apply_all/3]).
:- meta_predicate register(+, 2).
:- dynamic plugin_goal/2.
register(Name, Goal) :- assertz(plugin_goal(Name, Goal)).
plugin(Name) :- plugin_goal(Name, _).
apply_all([], X, X).
apply_all([P|Ps], X0, X) :-
    (   plugin_goal(P, G)
    ->  call(G, X0, X1)
    ;   X1 = skipped(P, X0)
    ),
    apply_all(Ps, X1, X).

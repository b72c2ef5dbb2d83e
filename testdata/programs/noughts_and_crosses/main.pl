% Noughts and crosses: values of positions are kept in a dynamic predicate.
:- dynamic cache/3.
win(P, B) :- line(L), maplist([I]>>arg(I, B, P), L).
line([1,2,3]). line([4,5,6]). line([7,8,9]). line([1,4,7]). line([2,5,8]). line([3,6,9]). line([1,5,9]). line([3,5,7]).
other(x, o). other(o, x).
value(B, P, V) :- cache(B, P, V), !.
value(B, P, V) :- other(P, Q), ( win(Q, B) -> V = -1 ; \+ ( arg(_, B, e) ) -> V = 0 ; findall(W, ( move(B, P, B2), value(B2, Q, W0), W is -W0 ), Ws), max_list(Ws, V) ), assertz(cache(B, P, V)).
move(B, P, B2) :- arg(I, B, e), B =.. [F|As], nth1(I, As, _, Rest), nth1(I, As2, P, Rest), B2 =.. [F|As2].
best(B, P, M) :- other(P, Q), findall(W-B2, ( move(B, P, B2), value(B2, Q, W0), W is -W0 ), L), keysort(L, S), last(S, _-M).
show(B) :- B =.. [_|As], rows(As).
rows([]). rows([A,B,C|T]) :- format("~w ~w ~w~n", [A,B,C]), rows(T).
play(B, P, N) :- ( other(P, Q), win(Q, B) -> format("~w wins~n", [Q]) ; \+ arg(_, B, e) -> writeln(draw) ; best(B, P, B2), other(P, Q), N1 is N+1, play(B2, Q, N1) ).
main :- functor(B, b, 9), B =.. [_|As], maplist(=(e), As), As = [_|_], B3 = b(x,o,x,o,o,e,e,x,e), show(B3), best(B3, x, M), show(M), value(b(x,e,e,e,o,e,e,e,x), o, V), print(V), nl, aggregate_all(count, cache(_, _, _), C), print(C), nl, play(b(x,o,e,e,x,e,e,e,o), x, 0), retractall(cache(_, _, _)), predicate_property(cache(_, _, _), number_of_clauses(N)), print(N), nl, statistics(inferences, I), integer(I), !.

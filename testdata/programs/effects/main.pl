% Effects by delimited continuations: state, a generator and a log, each with its handler.
:- use_module(handlers).
main :-
    run_state(counter, 5, S), print(S), nl,
    collect(walk([1,[2,[3]],4]), L), print(L), nl,
    with_log(work(3), R, Log), print(R-Log), nl,
    ( collect(( member(X, [1,2]), yield(X) ), L2) -> print(L2) ; print(no) ), nl,
    catch(yield(1), error(E, _), ( print(E), nl )),
    run_state(( collect(both, L3), put(L3) ), 0, S3), print(S3), nl.
counter :- get(N), M is N * 2, put(M), get(K), ( K > 20 -> true ; counter ).
walk([]).
walk([X|Xs]) :- ( is_list(X) -> walk(X) ; yield(X) ), walk(Xs).
work(0, done) :- !, log(end).
work(N, R) :- log(N), M is N - 1, work(M, R).
both :- get(X), yield(X), Y is X + 1, put(Y), yield(Y).

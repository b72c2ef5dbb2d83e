% A shell of an expert system that reads its rules from a file, proves goals and shows the proofs.
:- op(800, fx, if).
:- op(800, fx, fact).
:- op(700, xfx, then).
:- op(300, xfy, and).
:- op(200, fy, not).
:- dynamic rule/2, known/1.
load(File) :-
    setup_call_cleanup(open(File, read, S), rules(S), close(S)).
rules(S) :-
    read_term(S, T, [variable_names(Vs), term_position(P)]),
    (   T == end_of_file
    ->  true
    ;   stream_position_data(line_count, P, L),
        length(Vs, N),
        store(T, L, N),
        rules(S)
    ).
store(if C then A, L, N) :- !, assertz(rule(A, C)), format("line ~w: rule with ~w variables: ", [L, N]), shown(A).
shown(T) :- \+ \+ ( numbervars(T, 0, _), print(T), nl ).
store(fact F, L, _) :- !, assertz(known(F)), format("line ~w: ~p~n", [L, F]).
store(T, L, _) :- print_message(error, format("line ~w: ~q?", [L, T])).
prove(A and B, and(PA, PB)) :- !, prove(A, PA), prove(B, PB).
prove(not A, absent(A)) :- !, \+ prove(A, _).
prove(G, fact(G)) :- known(G).
prove(G, by(G, P)) :- rule(G, B), prove(B, P).
show(fact(G), D) :- tab(D), writeq(G), writeln(' (given)').
show(absent(G), D) :- tab(D), print(\+ G), nl.
show(by(G, P), D) :- tab(D), print(G), writeln(' because'), D1 is D+2, show(P, D1).
show(and(A, B), D) :- show(A, D), show(B, D).
main :-
    load('rules.pl'),
    forall(prove(kind(X, K), P), ( format("~w is a ~w~n", [X, K]), show(P, 2) )),
    print(if a and b then c), nl, writeq(not not a and b), nl, write_canonical(fact f(X1, _Y, X1)), nl.

% First and follow sets by tabling, the table of an LL(1) parser, its conflicts, and a run of it.
:- use_module(library(lists)).
:- use_module(library(apply)).
:- table first/2, follow/2, nullable/1.

production(1, e, [t, e1]).
production(2, e1, [+, t, e1]).
production(3, e1, []).
production(4, t, [f, t1]).
production(5, t1, [*, f, t1]).
production(6, t1, []).
production(7, f, ['(', e, ')']).
production(8, f, [id]).
production(9, stmt, [if, e, then, stmt, opt]).
production(10, stmt, [id]).
production(11, opt, [else, stmt]).
production(12, opt, []).

nonterminal(N) :- production(_, N, _).
terminal(X) :- \+ nonterminal(X).

nullable(N) :- production(_, N, Body), forall_nullable(Body).
forall_nullable([]).
forall_nullable([X|Xs]) :- nullable(X), forall_nullable(Xs).

first(X, X) :- atom(X), terminal(X).
first(N, T) :- production(_, N, Body), first_of(Body, T).
first_of([X|_], T) :- first(X, T).
first_of([X|Xs], T) :- nullable(X), first_of(Xs, T).

follow(e, '$').
follow(stmt, '$').
follow(N, T) :- production(_, _, Body), append(_, [N|After], Body), first_of(After, T).
follow(N, T) :- production(_, M, Body), append(_, [N|After], Body), forall_nullable(After), follow(M, T).

entry(N, T, P) :- production(P, N, Body), first_of(Body, T).
entry(N, T, P) :- production(P, N, Body), forall_nullable(Body), follow(N, T).

conflicts(List) :-
    setof(N-T, P^Q^( entry(N, T, P), entry(N, T, Q), P < Q ), List), !.
conflicts([]).

run([], ['$'], []).
run([X|Stack], [X|Input], Used) :- terminal(X), !, run(Stack, Input, Used).
run([N|Stack], [T|Input], [P|Used]) :-
    nonterminal(N), entry(N, T, P), !,
    production(P, N, Body), append(Body, Stack, Stack1),
    run(Stack1, [T|Input], Used).

main :-
    setof(N, P^B^production(P, N, B), Ns),
    forall(member(N, Ns),
           ( findall(T, first(N, T), F0), sort(F0, F), findall(T, follow(N, T), G0), sort(G0, G),
             ( nullable(N) -> E = ' eps' ; E = '' ), format("~w: ~w~w / ~w~n", [N, F, E, G]) )),
    conflicts(Cs), format("conflicts: ~w~n", [Cs]),
    forall(member(I, [[id, +, id, *, id], ['(', id, ')'], [id, +], [id, id]]),
           ( append(I, ['$'], J), ( run([e], J, Used) -> format("~w: ~w~n", [I, Used]) ; format("~w: refused~n", [I]) ) )).

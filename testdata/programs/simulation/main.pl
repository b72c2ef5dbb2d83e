% A simulation driven by a heap of events; its jobs are records and its settings options.
:- use_module(library(heaps)).
:- use_module(library(option)).
:- use_module(library(record)).
:- record job(id:integer, start:integer=0, len:integer=1).
run(H0, T, Log, Log0) :-
    (   get_from_heap(H0, P, Ev, H1)
    ->  handle(Ev, P, H1, H2, Log, Log1), T1 is max(T, P), run(H2, T1, Log1, Log0)
    ;   Log = [end(T)|Log0]
    ).
handle(arrive(J), P, H, H2, [P-arrive(I)|L], L) :- job_id(J, I), job_len(J, Len), E is P+Len, add_to_heap(H, E, leave(I), H2).
handle(leave(I), P, H, H, [P-leave(I)|L], L).
opts(Os) :- option(speed(S), Os, 1), ( option(name(N), Os) -> true ; N = none ), select_option(mode(M), Os, Rest, slow), print([S, N, M, Rest]), nl.
main :-
    make_job([id(1), len(5)], J1), default_job(J2), set_id_of_job(2, J2, J3), print(J1/J3), nl,
    list_to_heap([1-arrive(J1), 3-arrive(J3)], H), heap_size(H, Sz), print(Sz), nl,
    run(H, 0, Log, []), forall(member(E, Log), ( print(E), nl )),
    opts([]), opts([speed(2), name(a), mode(fast), x(1)]), opts([speed=3, mode=z]),
    merge_options([a(1), b(2)], [b(3), c(4)], Mo), print(Mo), nl,
    catch(make_job([id(x)], _), error(Er, _), ( print(Er), nl )),
    catch(( option(foo(F), [foo(1)]), print(F), nl ), _, true),
    dict_options(Dict, [a(1), b(x)]), get_dict(b, Dict, Db), print(Db), nl,
    heap_to_list(H, HL), print(HL), nl, priority_peek(H).
priority_peek(H) :- min_of_heap(H, P, K), print(P-K), nl, empty_heap(E), ( get_from_heap(E, _, _, _) -> true ; writeln(empty) ).

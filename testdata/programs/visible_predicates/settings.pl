:- module(settings, [ask/0, inventory/0]).
:- dynamic option/1.
:- discontiguous spread/1.
own(1).
own(1, 2).

ask :-
    forall(member(P, [own/1, own/2, own/3, option/1, spread/1, shared/1, ask/0]),
           ( current_predicate(P) -> writeln(P-yes) ; writeln(P-no) )).
inventory :-
    findall(A, current_predicate(own/A), As), msort(As, Sorted), writeln(Sorted),
    forall(member(H, [own(_), option(_), shared(_), spread(_)]),
           ( findall(P, ( member(P, [dynamic, static, discontiguous, imported_from(_)]),
                          predicate_property(H, P) ), Ps),
             functor(H, N, _), writeln(N-Ps) )),
    ( current_predicate(own, own(_)) -> writeln(yes) ; writeln(no) ).

% Arguments declared in meta_predicate reach a predicate with exactly one module, from user and from modules.
:- use_module(events).
:- meta_predicate show(:), apply_it(1, ?), twice(0).
show(M:X) :- writeln(M-X).
apply_it(G, X) :- G = M:_, writeln(M), call(G, X).
twice(G) :- call(G), call(G).
:- dynamic note/1.
:- meta_predicate note(:).
note(M:X) :- writeln(note(M, X)).
hello(X) :- writeln(hello(X)).

main :-
    show(a), show(m:a), show(m2:m1:a), show("text"), show([x]),
    apply_it(hello, 1), apply_it(events:shout, 2),
    twice(writeln(again)),
    maplist(show, [p, q:r]),
    note(direct), G = note(called), call(G),
    listen(tick, hello), listen(tock, events:shout), fire(tick), fire(tock),
    p(R), writeln(R), inside.

ready.
p(R) :- call_cleanup(ready, R, true).

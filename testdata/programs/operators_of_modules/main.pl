% Which operators an import brings: the second file that imports them, lists with op/3, except/1, reexport/1.
:- use_module(first).
:- use_module(arrows, [p/1 as arrow, op(_, _, ===>)]).

second(x ===> y).

tried(M) :-
    findall(N, ( member(N, [===>, &&, below, above]), current_op(_, xfx, M:N) ), Xfx),
    findall(N, current_op(_, xfy, M:(&&)), Xfy),
    length(Xfy, Count),
    writeln(M-Xfx-Count),
    ( N = none -> true ; true ).

main :-
    tried(user),
    second(S), writeq(S), nl,
    shown(F), print(F), nl,
    arrow(A), writeq(A), nl,
    b:use_module(arrows), tried(b),
    c:use_module(arrows, [p/1]), tried(c),
    d:use_module(arrows, [p/1, op(_, _, ===>)]), tried(d),
    e:use_module(arrows, except([p/1])), tried(e),
    f:use_module(again), tried(f),
    g:use_module(arrows, [op(_, xfy, _)]), tried(g),
    h:use_module(arrows, except([op(_, xfx, _)])), tried(h),
    i:ensure_loaded(arrows), tried(i),
    j:use_module(again, [z/0]), tried(j),
    forall(member(M, [arrows, again, first, b, user, lists]),
           ( module_property(M, exported_operators(L)) -> writeq(M-L), nl ; true )),
    forall(current_op(P, T, nomod:(+)), writeln(P-T)),
    catch(current_op(_, _, _:(+)), error(type_error(E, _), _), ( print(E), nl )).

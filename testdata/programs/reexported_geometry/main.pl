% Modules of a folder that one module exports again, with an operator, a hook and predicates under other names.
:- use_module(all).
:- multifile shape_hook/2.
shape_hook(circle(R), A) :- A is R*R*3.
main :-
    area(3 by 4, A), print(A), nl, area(tri(3, 4), B), print(B), nl, area(circle(2), C), print(C), nl,
    phrase(describe(2 by 2), L), print(L), nl, hidden(H), print(H), nl,
    catch(perimeter(1 by 2, _), error(E, _), ( print(E), nl )),
    shapes:perimeter(1 by 2, P), print(P), nl,
    ( catch(secret(_), error(E2, _), ( print(E2), nl )) -> true ; true ),
    ( predicate_property(area(_, _), imported_from(M)) -> print(M) ; print(none) ), nl,
    module_property(shapes, exports(Es)), msort(Es, Es1), print(Es1), nl,
    findall(X, ( member(X, [a, b]), assertz(store:item(X)) ), _), findall(Y, store:item(Y), Ys), print(Ys), nl,
    @(context(X3), shapes), print(X3), nl,
    maplist(geo_util:half, [2, 4], Hs), print(Hs), nl,
    ( current_op(Pr, T, by) -> print(Pr-T) ; print(noop) ), nl,
    findall(Md, ( member(Md, [shapes, geo_util, all, nomod]), current_module(Md) ), Mds), print(Mds), nl,
    strip_module(shapes:area(1, 2), Mo, G), print(Mo-G), nl.
:- module_transparent context/1.
context(M) :- context_module(M).

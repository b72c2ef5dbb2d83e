:- module(shapes, [area/2, op(200, xfx, by), describe//1, perimeter/2]).
:- use_module(geo_util, [half/2 as halve, double/2]).
:- multifile user:shape_hook/2.
:- discontiguous area/2.
area(A by B, R) :- R is A*B.
perimeter(A by B, P) :- double(A, X), double(B, Y), P is X+Y.
area(tri(B, H), R) :- X is B*H, halve(X, R).
area(S, R) :- user:shape_hook(S, R).
describe(S) --> { area(S, R) }, [S, has, area, R].

:- module(all, []).
:- reexport(geo/shapes, except([perimeter/2])).
:- reexport(geo/geo_util, [secret/1 as hidden]).

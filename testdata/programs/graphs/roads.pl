:- module(roads, [road/3]).
road(a, b, 4).
road(a, c, 1).
road(c, b, 2).
road(b, d, 5).
road(c, d, 8).
road(d, e, 3).

:- module(older, [older/1]).
older(oldlib).

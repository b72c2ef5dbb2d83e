:- module(ops, [op(700, xfx, user:(===>)), op(700, xfx, =>>)]).

:- module(arrows, [p/1, op(700, xfx, ===>), op(200, xfy, &&), op(0, xfx, zzz), op(700, xfx, below), op(700, xfx, above)]).
p(a ===> b).

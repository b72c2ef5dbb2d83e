:- module(helpers, [helped/1]).
'$append'(L) :- append([a], [b], L).
'$pred_info'(b, c).
helped([L|Pairs]) :- '$append'(L), findall(X-Y, '$pred_info'(X, Y), Pairs).

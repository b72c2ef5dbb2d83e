:- discontiguous item/4.
item(hammer, 12, 9.5, a).
item(nails, 2500, 0.01, b).
item(saw, 3, 14.25, a).

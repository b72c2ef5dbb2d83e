:- module(beds, [beds/1]).
:- create_prolog_flag(garden_soil, sand, [keep(true)]).
beds(Beds) :-
    current_prolog_flag(garden_size, N),
    numlist(1, N, Numbers),
    maplist([I, bed(I)]>>true, Numbers, Beds).

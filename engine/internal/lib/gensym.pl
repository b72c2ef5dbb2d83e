% Fresh atoms: a base followed by a number.
:- module(gensym, [
    gensym/2,
    reset_gensym/1,
    reset_gensym/0,
    get_flag/2,
    set_flag/2
]).

% gensym(+Base, -Atom): the counters live in global variables, one for each base, and their list in another.
gensym(Base, Atom) :-
    must_be(nonvar, Base),
    counter_key(Base, Key),
    (   nb_current(Key, Last)
    ->  N is Last + 1
    ;   N = 1,
        remember(Key)
    ),
    nb_setval(Key, N),
    atom_concat(Base, N, Atom).

counter_key(Base, Key) :-
    atom_concat('$gensym_', Base, Key).

remember(Key) :-
    known(Keys),
    (   memberchk(Key, Keys)
    ->  true
    ;   nb_setval('$gensym_keys', [Key|Keys])
    ).

known(Keys) :-
    (   nb_current('$gensym_keys', Keys0)
    ->  Keys = Keys0
    ;   Keys = []
    ).

% reset_gensym(+Base): gensym/2 begins with Base1 again.
reset_gensym(Base) :-
    must_be(nonvar, Base),
    counter_key(Base, Key),
    nb_setval(Key, 0),
    remember(Key).

% reset_gensym: gensym/2 begins with 1 for all bases again.
reset_gensym :-
    known(Keys),
    reset_keys(Keys).

reset_keys([]).
reset_keys([Key|Keys]) :-
    nb_setval(Key, 0),
    reset_keys(Keys).

% get_flag(+Key, -Value): the value that flag/3 keeps under Key.
get_flag(Key, Value) :-
    flag(Key, Value0, Value0),
    Value = Value0.

% set_flag(+Key, +Value): keeps a number or an atom under Key.
set_flag(Key, Value) :-
    flag(Key, _, Value).

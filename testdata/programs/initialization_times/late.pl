:- initialization(nb_setval(late_value, 7)).
:- initialization((late(X), writeln(init(X)))).
late(X) :- nb_getval(late_value, X).

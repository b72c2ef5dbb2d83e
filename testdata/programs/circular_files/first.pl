:- ensure_loaded(second).
a(X) :- b(X).

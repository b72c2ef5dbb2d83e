:- ensure_loaded(first).
b(1).
c(X) :- a(X).

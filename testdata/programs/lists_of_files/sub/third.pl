:- load_files([helper], []).
c(X) :- helper(X).

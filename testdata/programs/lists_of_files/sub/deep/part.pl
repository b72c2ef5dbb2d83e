:- ensure_loaded('../helper').
part(2).

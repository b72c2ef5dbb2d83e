in_broken(1).
in_broken(2.
in_broken(3).
:- throw(error(type_error(t, v), _)).
in_broken(4).

:- quiet.
other(1).

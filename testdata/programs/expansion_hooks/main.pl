% The hooks of system and those of four arguments; a module's own hook comes before that of user, and that before system's.
:- multifile system:term_expansion/2, system:goal_expansion/2, user:term_expansion/4, user:goal_expansion/4.
:- dynamic system:term_expansion/2, system:goal_expansion/2, user:term_expansion/4, user:goal_expansion/4.
system:term_expansion(record(N), [rec(N), made_by(system)]).
system:goal_expansion(sysgoal(X), writeln(system(X))).
user:term_expansion(point(X, Y), P, point(x(X), y(Y)), P).
user:term_expansion(chain(1), P, record(chained), P).
user:goal_expansion(usergoal(X), P, writeln(user(X)), P).
record(first).
point(1, 2).
chain(1).
:- discontiguous rec/1, made_by/1.
:- use_module(inner).
main :- forall(rec(X), writeln(X)), forall(made_by(X), writeln(X)), forall(point(X, Y), writeln(X-Y)),
    sysgoal(1), usergoal(2), inner_main.

% The hooks of library(plunit): clauses of predicates of other modules.

:- multifile
    prolog:assertion_failed/2.

:- dynamic
    prolog:assertion_failed/2.

% A failed assertion does not end a test, but the test counts as failed.
prolog:assertion_failed(Reason, Goal) :-
    plunit:running,
    !,
    ( '$caller'(File, Line) -> Place = File:Line ; Place = unknown ),
    '$strip_module'(Goal, _, Plain),
    assertz(plunit:failed_assertion(Plain, Reason, Place)).

% The hooks of library(quickcheck): clauses of predicates of other modules.

:- multifile
    prolog:error_message/3.

prolog:error_message(counterexample(_:Goal, Reason), [Line|Lines], Lines) :-
    (   Reason = threw(Ball)
    ->  Line = '~q throws ~p'-[Goal, Ball]
    ;   Line = '~q does not hold'-[Goal]
    ).
prolog:error_message(existence_error(test_values, _:Name), [Line|Lines], Lines) :-
    Line = 'the goal of given/1 in ~q fails for nearly all values'-[Name].

% Transactions that goals begin. The machine keeps them.
:- module(system, [
    snapshot/1,
    transaction/1,
    transaction/2,
    transaction/3,
    current_transaction/1
]).

:- meta_predicate
    snapshot(0),
    transaction(0),
    transaction(0, +),
    transaction(0, 0, +),
    current_transaction(:).

% snapshot(:Goal): calls Goal as once/1 does and undoes its changes of the database.
snapshot(Goal) :- '$transaction'(Goal, false).

% transaction(:Goal): calls Goal as once/1 does; if it fails or throws, its changes of the database are undone.
transaction(Goal) :- '$transaction'(Goal, true).

% transaction(:Goal, +Options): the same; the options have no effect.
transaction(Goal, Options) :-
    (   is_list(Options)
    ->  '$transaction'(Goal, true)
    ;   throw(error(type_error(list, Options), _))
    ).

% transaction(:Goal, :Constraint, +Mutex): the same; Constraint is called after Goal with Mutex locked, and has to be
% true.
transaction(Goal, Constraint, Mutex) :-
    '$transaction'(( once(Goal), with_mutex(Mutex, Constraint) ), true).

'$transaction'(Goal, Keep) :-
    '$strip_module'(Goal, _, Plain),
    '$must_be_callable'(Plain),
    '$tx_begin'(Goal, Transaction),
    (   catch(Goal, Ball, ( '$tx_end'(Transaction, false), throw(Ball) ))
    ->  '$tx_end'(Transaction, Keep)
    ;   '$tx_end'(Transaction, false),
        fail
    ).

% current_transaction(?Goal): Goal is the goal of a transaction/1 or snapshot/1 around the call, the innermost first.
current_transaction(Spec) :-
    '$strip_module'(Spec, Module, Goal),
    '$transactions'(Goals),
    '$member'(Own, Goals),
    untraced(Own, Home, Plain),
    (   Home == Module
    ->  Goal = Plain
    ;   Goal = Home:Plain
    ).

% untraced(:Goal, -Module, -Plain): the goal of a transaction, which an interpreter wraps.
untraced(Own, Home, Plain) :-
    '$strip_module'(Own, Home0, Plain0),
    (   Home0 == explain_interpreter,
        Plain0 = closure(_, _, Traced)
    ->  '$strip_module'(Traced, Home, Plain)
    ;   Home = Home0,
        Plain = Plain0
    ).

% The limit of the depth of a goal.
:- module(depth_limit, [
    call_with_depth_limit/3
]).

:- meta_predicate call_with_depth_limit(0, +, -).

:- use_module(library(explain/interpreter)).

% call_with_depth_limit(:Goal, +Limit, -Result): calls Goal; a branch fails if it needs calls nested deeper than
% Limit. Result is the greatest depth since the previous answer, or depth_limit_exceeded if there are no more answers
% but branches failed at the limit since the last one.
%
% To count, the clauses of the program and of the list libraries are interpreted. Other predicates count as one call;
% goals among their arguments are interpreted again.
call_with_depth_limit(Goal, Limit, Result) :-
    must_be(integer, Limit),
    (   Limit < 0
    ->  throw(error(domain_error(not_less_than_zero, Limit), _))
    ;   true
    ),
    State = depth(0),
    (   call_cleanup(closed(depth(1, Limit, State), Goal), Last = true),
        arg(1, State, Result0),
        (   Last == true
        ->  !
        ;   true
        ;   nb_setarg(1, State, 1),
            fail
        ),
        Result = Result0
    ;   arg(1, State, Reached),
        Reached > Limit,
        Result = depth_limit_exceeded
    ).

% goal(+Goal, +Module, +State, +I, -Node): calls a goal of a body. Some goals are instructions and do not count as
% calls. call/N counts as the call of its goal. State is depth(Level, Limit, Reached).
goal(Goal, M0, State, _, _) :-
    '$strip_module'(M0:Goal, M, G),
    (   instruction(G)
    ->  call(M:G)
    ;   functor(G, call, _),
        stands_for(G, M, Full)
    ->  closed(State, Full)
    ;   closed(State, M:G)
    ).

instruction(G) :- var(G), !, fail.
instruction(_ = _).
instruction(_ \= _).
instruction(_ == _).
instruction(_ \== _).
instruction(var(_)).
instruction(nonvar(_)).

% closed(+State, :Goal): calls a goal.
closed(depth(Level, Limit, Reached), Goal) :-
    '$strip_module'(Goal, M, Plain),
    '$must_be_callable'(Plain),
    entered(Level, Limit, Reached),
    '$plain_goal'(Plain, G),
    Inner is Level + 1,
    called(G, M, depth(Inner, Limit, Reached)).

entered(Level, Limit, Reached) :-
    (   arg(1, Reached, Before),
        Level =< Before
    ->  true
    ;   nb_setarg(1, Reached, Level)
    ),
    Level =< Limit.

called(G, M, State) :-
    (   ( control(G) ; G = (\+ _) )
    ->  walk(G, M, ports(depth_limit, State), 1, _, 0, _, _, Body),
        call(Body)
    ;   G = call_with_depth_limit(_, _, _)
    ->  State = depth(Level, Limit, Reached),
        entered(Level, Limit, Reached),
        call(M:G)
    ;   '$pred_info'(M:G, Properties),
        '$cc_interpreted'(Properties, [apply, lists], M, Home)
    ->  '$cc_qualified'(Properties, M, G, Qualified),
        '$choice_point'(Frame),
        '$program_clause'(Properties, Home:Qualified, Body0),
        walk(Body0, Home, ports(depth_limit, State), 1, _, 0, _, _, Body),
        '$body'(Body, Frame)
    ;   '$pred_info'(M:G, Properties),
        memberchk(meta_predicate(Meta), Properties),
        closures(Meta, G, M, depth_limit, State, Closures)
    ->  call(M:Closures)
    ;   call(M:G)
    ).

% Changes of facts that tables depend on. What a change makes out of date is forgotten, which here is all tables, and calculated anew.
:- module(increval, [
    incr_assert/1,
    incr_asserta/1,
    incr_assertz/1,
    incr_retractall/1,
    incr_retract/1,
    is_incremental_subgoal/1,
    incr_invalidate_call/1,
    incr_invalidate_calls/1,
    incr_is_invalid/1,
    incr_invalid_subgoals/1,
    incr_propagate_calls/1,
    incr_table_update/0
]).

:- meta_predicate
    incr_assert(:),
    incr_asserta(:),
    incr_assertz(:),
    incr_retractall(:),
    incr_retract(:),
    is_incremental_subgoal(:),
    incr_invalidate_call(:),
    incr_invalidate_calls(:),
    incr_is_invalid(:),
    incr_propagate_calls(:).

% incr_assert(:Clause): assertz/1 that forgets tables.
incr_assert(Clause) :-
    incr_assertz(Clause).

% incr_asserta(:Clause): asserta/1 that forgets tables.
incr_asserta(Clause) :-
    asserta(Clause),
    abolish_all_tables.

% incr_assertz(:Clause): assertz/1 that forgets tables.
incr_assertz(Clause) :-
    assertz(Clause),
    abolish_all_tables.

% incr_retractall(:Head): retractall/1 that forgets tables.
incr_retractall(Head) :-
    retractall(Head),
    abolish_all_tables.

% incr_retract(:Clause): retract/1 that forgets tables.
incr_retract(Clause) :-
    retract(Clause),
    abolish_all_tables.

% is_incremental_subgoal(:Goal): there is a table of calls that unify with Goal.
is_incremental_subgoal(Goal0) :-
    '$strip_module'(Goal0, Module, Goal),
    current_table(Module:Goal1, _),
    Goal1 = Goal.

% incr_invalidate_call(:Goal), incr_invalidate_calls(:Goal), incr_propagate_calls(:Goal): forgets all tables.
incr_invalidate_call(Goal) :-
    abolish_table_subgoals(Goal).

incr_invalidate_calls(Goal) :-
    abolish_table_subgoals(Goal).

incr_propagate_calls(Goal) :-
    abolish_table_subgoals(Goal).

% incr_is_invalid(:Goal): fails: a table that is out of date is gone.
incr_is_invalid(_) :-
    fail.

% incr_invalid_subgoals(-Goals): Goals is []: tables that are out of date are gone.
incr_invalid_subgoals([]).

% incr_table_update: does nothing: tables are calculated when they are asked for.
incr_table_update.

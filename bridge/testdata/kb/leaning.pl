% Tools whose answers lean on a question in different ways.
:- use_module(library(mcp)).
capabilities([tools, elicitation]).
tools([
    tool(earns, earns, 1),
    tool(poor, poor, 1),
    tool(every, every, 1),
    tool(none, none, 1),
    tool(tabled, tabled, 1),
    tool(thrown, thrown, 1),
    tool(later, later, 1),
    tool(bound, bound, 1),
    tool(pair, pair, 1),
    tool(typed, typed, 1),
    tool(own, own, 1),
    tool(mine, mine, 1),
    tool(behind, behind, 1),
    tool(turned, turned, 1),
    tool(refuses, refuses, 1)
]).
:- info(earns/1, [comment is 'Leans on an answer.', argnames is [who]]).
:- info(poor/1, [comment is 'Leans on an answer.', argnames is [who]]).
:- info(every/1, [comment is 'Leans on an answer.', argnames is [who]]).
:- info(none/1, [comment is 'Leans on an answer.', argnames is [who]]).
:- info(tabled/1, [comment is 'Leans on an answer.', argnames is [who]]).
:- info(thrown/1, [comment is 'Leans on an answer.', argnames is [who]]).
:- info(later/1, [comment is 'Leans on an answer.', argnames is [who]]).
:- info(bound/1, [comment is 'Leans on an answer.', argnames is [who]]).
:- info(pair/1, [comment is 'Leans on an answer.', argnames is [who]]).
:- info(typed/1, [comment is 'Leans on an answer.', argnames is [who]]).
:- info(own/1, [comment is 'Leans on an answer.', argnames is [who]]).
:- info(mine/1, [comment is 'Leans on an answer.', argnames is [who]]).
:- info(behind/1, [comment is 'Leans on an answer.', argnames is [who]]).
:- info(turned/1, [comment is 'Leans on an answer.', argnames is [who]]).
:- info(refuses/1, [comment is 'Leans on an answer.', argnames is [who]]).
:- mode(earns(+atom), zero_or_one).
:- mode(poor(+atom), zero_or_one).
:- mode(every(+atom), zero_or_one).
:- mode(none(-atom), zero_or_more).
:- mode(tabled(+atom), zero_or_one).
:- mode(thrown(+atom), zero_or_one).
:- mode(later(-atom), zero_or_more).
:- mode(bound(+atom), zero_or_one).
:- mode(pair(+atom), zero_or_one).
:- mode(typed(+atom), zero_or_one).
:- mode(own(-atom), one).
:- mode(mine(+atom), zero_or_one).
:- mode(behind(+atom), zero_or_one).
:- mode(turned(+atom), zero_or_one).
:- mode(refuses(+atom), zero_or_one).
:- dynamic(noted/1).

schema({type-object, properties-{income-{type-integer}}, required-[income]}).

income(P, I) :- schema(S), mcp_elicit(P, S, accept({income-I})).

earns(P) :- income(P, I), I > 9000.

poor(P) :- \+ earns(P).

every(_) :- forall(member(P, [a, b]), \+ earns(P)).

none(P) :- findall(Q, ( member(Q, [a, b]), \+ earns(Q) ), L), member(P, L).

:- table t/1.
t(P) :- income(P, I), I > 9000.
tabled(P) :- ( t(P) -> true ; assertz(noted(P)) ).

thrown(P) :- ( earns(P) -> true ; throw(broke) ).

later(first).
later(P) :- member(P, [a, b]), earns(P).

bound(_) :- X = accept({income-_}), schema(S), \+ mcp_elicit(a, S, X).

pair(_) :- schema(S), \+ mcp_elicit_all([ask(a, a, S)], [a-accept({income-_})]).

typed(P) :- \+ ( mcp_ask(P, integer, I), I > 9000 ).

% These have a case for a user who does not answer.
own(R) :- schema(S), mcp_elicit(x, S, A), ( A = accept(_) -> R = yes ; R = A ).

mine(P) :- schema(S), mcp_elicit(P, S, A), A = accept({income-_}).

% What is expected right behind the question is known to it.
behind(P) :- schema(S), \+ ( mcp_elicit(P, S, A), A = accept({income-_}) ).

turned(P) :- schema(S), forall(member(Q, [P]), \+ ( mcp:mcp_elicit_all([ask(x, Q, S)], L), [x-accept(_)] = L )).

% The schema does not say that the goal needs the income.
refuses(_) :- \+ mcp_elicit(a, {type-object, properties-{income-{type-integer}}}, accept({income-_})).

% A ledger with transactions, rational shares, formatted columns and errors with contexts.
:- use_module(library(aggregate)).
:- use_module(library(error)).
:- use_module(library(lists)).
:- dynamic balance/2, entry/4, next_id/1.

:- multifile prolog:message//1.
prolog:message(ledger(overdrawn(Who, Missing))) --> [ '~w lacks ~2f'-[Who, Missing] ].

next_id(1).

id(N) :- retract(next_id(N)), succ(N, M), assertz(next_id(M)).

open_account(Who, Sum) :-
    must_be(atom, Who), must_be(nonneg, Sum),
    (   balance(Who, _) -> permission_error(open, account, Who) ; true ),
    assertz(balance(Who, Sum)).

move(From, To, Sum) :-
    must_be(positive_integer, Sum),
    transaction(( change(From, -Sum), change(To, Sum), id(N), assertz(entry(N, From, To, Sum)) )).

change(Who, By) :-
    (   retract(balance(Who, Old)) -> true ; existence_error(account, Who) ),
    New is Old + By,
    (   New < 0
    ->  Missing is -New/100, throw(error(ledger(overdrawn(Who, Missing)), context(move/3, _)))
    ;   assertz(balance(Who, New))
    ).

try(Goal) :-
    catch(( Goal -> Result = yes ; Result = no ), error(Formal, _), Result = Formal),
    format("~p: ~p~n", [Goal, Result]).

statement(Who) :-
    format("~w~n~`-t~40|~n", [Who]),
    forall(entry(N, A, B, Sum),
           (   A == Who -> Amount is -Sum/100, line(N, B, Amount)
           ;   B == Who -> Amount is Sum/100, line(N, A, Amount)
           ;   true
           )),
    balance(Who, Balance), Cents is Balance/100,
    format("~t~w~10|~t~2f~30+~n", [balance, Cents]).

line(N, Who, Amount) :- format("~t~d~4|  ~w~t~20|~t~2f~20+~n", [N, Who, Amount]).

shares(Total, Weights, Shares) :-
    sum_list(Weights, Sum),
    findall(S-R, ( member(W, Weights), S is Total*W // Sum, R is Total*W mod Sum ), Parts),
    findall(S, member(S-_, Parts), Floors), sum_list(Floors, Given), Left is Total-Given,
    give(Left, Parts, Shares).

give(0, Parts, Shares) :- !, findall(S, member(S-_, Parts), Shares).
give(N, Parts, Shares) :-
    findall(R, member(_-R, Parts), Rs), max_list(Rs, Max),
    nth0(I, Parts, S-Max), !,
    S1 is S+1, nth0(I, Parts, _, Rest), nth0(I, New, S1-(-1), Rest),
    N1 is N-1, give(N1, New, Shares).

main :-
    maplist([W-S]>>open_account(W, S), [ann-10000, bob-2500, cy-0]),
    maplist(try, [ move(ann, bob, 1999), move(bob, cy, 9900), move(bob, cy, 4499), move(cy, dan, 10), move(cy, ann, -4),
                   move(cy, ann, x), move(_, ann, 1), open_account(bob, 1), open_account("eve", 1), open_account(eve, -1),
                   move(cy, ann, 1234) ]),
    forall(member(W, [ann, bob, cy]), statement(W)),
    aggregate_all(sum(S), balance(_, S), Total), aggregate_all(count, entry(_, _, _, _), Count),
    aggregate_all(max(S, W), balance(W, S), Richest), print([Total, Count, Richest]), nl,
    next_id(Next), writeln(next(Next)),
    forall(member(T-Ws, [100-[1,1,1], 10-[3,3,1], 7-[1,2,4], 0-[1,1], 99-[5]]), ( shares(T, Ws, Ss), print(T-Ws-Ss), nl )),
    ( aggregate(bag(N-S), F^entry(N, F, To, S), L), print(To-L), nl, fail ; true ),
    message_to_codes_text(ledger(overdrawn(bob, 1.5))).

message_to_codes_text(M) :-
    phrase(prolog:message(M), Lines), print(Lines), nl,
    print_message_lines(user_output, 'ledger: ', Lines), nl.

% library(explain): how far the clauses of a grammar have read a text.
:- module(explain_grammar, [
    marked_clause/5,
    marked_body/4,
    unmarked/2,
    with_unread/3,
    same_member/2,
    '$terminal'/3
]).

:- use_module(library(explain/interpreter)).

% marked_clause(+Goal, +Home, -Body, -At, -Text): a clause whose head fits. If the clause looks like the translation
% of a grammar rule, each unification with the text becomes '$terminal'(Text, Want, N), where N items are the terminal
% itself. The argument Text of the predicate is then the text that the goal reads; for other clauses it is none. The
% unifications are found before the goal binds the variables that pass the text on. Afterwards unifications of other
% goals could look the same.
marked_clause(G, Home, Body, At, Text) :-
    (   compound(G),
        G =.. [Name|Args],
        append(Others, [List, Rest], Args),
        is_list(List)
    ->  append(Others, [Text0, Rest0], OpenArgs),
        Open =.. [Name|OpenArgs],
        '$explain_clause'(Home:Open, Body0, At, _),
        (   marked_body(Body0, Text0, Rest0, Body)
        ->  Text = List
        ;   Body = Body0,
            Text = none
        ),
        Text0 = List,
        Rest0 = Rest
    ;   Text = none,
        '$explain_clause'(Home:G, Body, At, _)
    ).

% marked_body(+Body0, +Text, +Rest, -Body): the goals pass variables on from Text to Rest.
marked_body(Body0, Text, Rest, Body) :-
    var(Text),
    var(Rest),
    Text \== Rest,
    mark(Body0, [Text], Texts, Body),
    same_member(Rest, Texts).

same_member(V, [X|Xs]) :- ( V == X -> true ; same_member(V, Xs) ).

% mark(+Body0, +Texts0, -Texts, -Body): Texts are the variables for the rest of the text.
mark(V, Ts, Ts, V) :- var(V), !.
mark((A, B), Ts0, Ts, (A1, B1)) :- !, mark(A, Ts0, Ts1, A1), mark(B, Ts1, Ts, B1).
mark((A ; B), Ts0, Ts, Or) :- !,
    mark(A, Ts0, Ts1, A1),
    mark(B, Ts1, Ts, B1),
    ( either_of((A ; B)) -> Or = (A1 '|' B1) ; Or = (A1 ; B1) ).
mark((C -> A), Ts0, Ts, (C -> A1)) :- !, mark(C, Ts0, Ts1, _), mark(A, Ts1, Ts, A1).
mark((C *-> A), Ts0, Ts, (C *-> A1)) :- !, mark(C, Ts0, Ts1, _), mark(A, Ts1, Ts, A1).
mark((X = Y), Ts, [Rest|Ts], explain_grammar:'$terminal'(X, Y, N)) :-
    var(X),
    same_member(X, Ts),
    '$skip_list'(N, Y, Rest),
    var(Rest),
    !.
mark((X = Y), Ts, [X|Ts], explain_grammar:'$terminal'(Y, X, 0)) :-
    var(X),
    var(Y),
    same_member(Y, Ts),
    !.
mark(G, Ts, [Rest|Ts], G) :-
    compound(G),
    functor(G, _, Arity),
    Arity >= 2,
    Before is Arity - 1,
    arg(Before, G, Text),
    var(Text),
    same_member(Text, Ts),
    arg(Arity, G, Rest),
    var(Rest),
    !.
mark(G, Ts, Ts, G).

% unmarked(+Body0, -Body): the body as it was before.
unmarked(V, V) :- var(V), !.
unmarked((A, B), (A1, B1)) :- !, unmarked(A, A1), unmarked(B, B1).
unmarked((A '|' B), (A1 ; B1)) :- !, unmarked(A, A1), unmarked(B, B1).
unmarked((A ; B), (A1 ; B1)) :- !, unmarked(A, A1), unmarked(B, B1).
unmarked((C -> A), (C -> A1)) :- !, unmarked(A, A1).
unmarked((C *-> A), (C *-> A1)) :- !, unmarked(A, A1).
unmarked(explain_grammar:'$terminal'(X, Y, _), X = Y) :- !.
unmarked(G, G).

% '$terminal'(?Text, ?Want, +N): the rest of a text begins with a terminal.
'$terminal'(Text, Text, _).

% with_unread(+Text, +Miss0, -Miss): adds to the miss of a grammar clause how many items of the text were unread at
% the farthest place.
with_unread(none, Miss, Miss) :- !.
with_unread(Text, Miss0, miss(Kind, Goal, At, Held, Total, Failed, [unread(N)|Because])) :-
    Miss0 = miss(Kind, Goal, At, Held, Total, Failed, Because),
    length(Text, All),
    findall(Left, ( member(G, [Failed|Held]), left_behind(G, Left) ), Lefts, Deeper),
    findall(Left, ( member(miss(_, _, _, _, _, _, Within), Because), memberchk(unread(Left), Within) ), Deeper),
    min_list([All|Lefts], N).

left_behind(G0, Left) :-
    '$strip_module'(G0, _, G),
    (   G = '$terminal'(Text, Want, Read)
    ->  is_list(Text),
        length(Text, All),
        common_items(Read, Text, Want, Common),
        Left is All - Common
    ;   compound(G),
        G =.. [_|Args],
        append(_, [Text, Rest], Args),
        is_list(Text),
        is_list(Rest),
        append(_, Tail, Text),
        Tail == Rest
    ->  length(Rest, Left)
    ).

common_items(N, Text, Want, Common) :-
    (   N > 0,
        Text = [X|Xs],
        Want = [Y|Ys],
        \+ X \= Y
    ->  N1 is N - 1,
        common_items(N1, Xs, Ys, Common1),
        Common is Common1 + 1
    ;   Common = 0
    ).

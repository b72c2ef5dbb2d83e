% Jugs by breadth first search with the visited states in an AVL tree; the answer is a list of readable steps.
:- use_module(library(assoc)).
:- use_module(library(lists)).
:- use_module(library(apply)).

capacity(a, 8).
capacity(b, 5).
capacity(c, 3).

start([a-8, b-0, c-0]).

pour(State, From-To-Amount, Next) :-
    select(From-X, State, Rest0), X > 0,
    select(To-Y, Rest0, Rest),
    capacity(To, Max), Room is Max-Y, Room > 0,
    Amount is min(X, Room),
    X1 is X-Amount, Y1 is Y+Amount,
    msort([From-X1, To-Y1|Rest], Next).

search(Goal, Steps, Visited) :-
    start(S), list_to_assoc([S-start], Seen),
    wave([S], Seen, Goal, End, Seen1),
    assoc_to_keys(Seen1, Keys), length(Keys, Visited),
    back(End, Seen1, [], Steps).

wave(States, Seen, Goal, End, Seen) :- member(End, States), memberchk(_-Goal, End), !.
wave(States, Seen0, Goal, End, Seen) :-
    States = [_|_],
    foldl(expand, States, Seen0-[], Seen1-New),
    reverse(New, Next),
    wave(Next, Seen1, Goal, End, Seen).

expand(S, Seen0-New0, Seen-New) :-
    findall(T-M, pour(S, M, T), All),
    foldl(add(S), All, Seen0-New0, Seen-New).

add(S, T-M, Seen0-New0, Seen-New) :-
    (   get_assoc(T, Seen0, _)
    ->  Seen = Seen0, New = New0
    ;   put_assoc(T, Seen0, from(S, M), Seen), New = [T|New0]
    ).

back(State, Seen, Steps, All) :-
    get_assoc(State, Seen, How),
    (   How = from(Before, M)
    ->  back(Before, Seen, [M-State|Steps], All)
    ;   All = Steps
    ).

main :-
    forall(between(1, 8, Goal),
           (   search(Goal, Steps, Visited)
           ->  length(Steps, N), format("~d litres: ~d steps, ~d states~n", [Goal, N, Visited]),
               forall(member(From-To-Amount-State, Steps),
                      ( pairs_values(State, Levels), atomic_list_concat(Levels, /, Text),
                        format("    ~w -> ~w: ~w~t~20|~w~n", [From, To, Amount, Text]) ))
           ;   format("~d litres: impossible~n", [Goal])
           )).

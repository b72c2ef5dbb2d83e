% Stacks of crates drawn in text, orders to move them, by two cranes, and the drawing of the end.
:- use_module(library(dcg/basics)).
:- use_module(library(lists)).
:- use_module(library(pairs)).

drawing(["    [D]    ", "[N] [C]    ", "[Z] [M] [P]", " 1   2   3 "]).
orders("move 1 from 2 to 1\nmove 3 from 1 to 3\nmove 2 from 2 to 1\nmove 1 from 1 to 2\n").

stacks(Stacks) :-
    drawing(Rows), append(Crates, [Labels], Rows),
    split_string(Labels, " ", " ", Ps0), exclude(==(""), Ps0, Ps),
    findall(N-Stack,
            ( member(L, Ps), number_string(N, L), At is 4*N-3,
              findall(C, ( member(Row, Crates), sub_string(Row, At, 1, _, C), C \== " " ), Stack) ),
            Stacks).

orders([order(N, A, B)|Os]) --> "move ", integer(N), " from ", integer(A), " to ", integer(B), "\n", !, orders(Os).
orders([]) --> [].

apply_order(Crane, order(N, A, B), S0, S) :-
    memberchk(A-As, S0), memberchk(B-Bs, S0),
    length(Moved, N), append(Moved, Left, As),
    ( Crane == one -> reverse(Moved, Put) ; Put = Moved ),
    append(Put, Bs, Bs1),
    replace_one(A-As, S0, A-Left, S1), replace_one(B-Bs, S1, B-Bs1, S).

replace_one(X, Xs, Y, Ys) :- select(X, Xs, Y, Ys), !.

tops(Stacks, Text) :- findall(T, ( member(_-S, Stacks), ( S = [T|_] -> true ; T = "-" ) ), Ts), atomic_list_concat(Ts, Text).

draw(Stacks) :-
    aggregate_all(max(L), ( member(_-S, Stacks), length(S, L) ), Max),
    forall(between(1, Max, K),
           ( Level is Max-K,
             forall(member(_-S, Stacks),
                    ( reverse(S, Up), ( nth0(Level, Up, C) -> format("[~w] ", [C]) ; write('    ') ) )), nl )),
    forall(member(N-_, Stacks), format(" ~w  ", [N])), nl.

main :-
    stacks(S0), draw(S0), orders(T), string_codes(T, Cs), phrase(orders(Os), Cs), length(Os, N), format("~d orders~n", [N]),
    forall(member(Crane, [one, many]),
           ( foldl(apply_order(Crane), Os, S0, S), tops(S, Tops), format("~w: ~w~n", [Crane, Tops]), draw(S) )),
    ( foldl(apply_order(one), [order(9, 1, 2)], S0, _) -> true ; writeln('not enough crates') ), !.

% Columns of format/2, also those that their text does not fit into.
item(apple, 3, 1.5).
item('a pineapple from far away', 12, 0.25).
item(fig, 1000000, 7.125).

row(Name, Count, Price) :-
    format("~w~t~12|~t~d~8+~t~2f~10+~n", [Name, Count, Price]).

absolute(Name, Count, Price) :-
    format("~w~t~12|~t~D~20|~t~e~34|;~n", [Name, Count, Price]).

centred(Name, _, _) :-
    format("[~t~w~t~10|~`.t~w~14|]~n", [Name, x]).

main :-
    forall(item(N, C, P), row(N, C, P)),
    forall(item(N, C, P), absolute(N, C, P)),
    forall(item(N, C, P), centred(N, C, P)),
    write(abc),
    format("defgh~5|x~10|y~`-t~30|~n"),
    print_message_lines(user_output, '> ', []),
    print_message_lines(user_output, '> ', ['first', nl, 'second']).

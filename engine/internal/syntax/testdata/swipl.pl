% For each line of the input: the line, the term as writeq/1 writes it, and with operators undone.

:- initialization(main).

main :-
    read_line_to_string(user_input, Line),
    (   Line == end_of_file
    ->  halt
    ;   answer(Line),
        main
    ).

answer(Line) :-
    catch(( term_string(Term, Line),
            with_output_to(string(Written), writeq(Term)),
            with_output_to(string(Canonical),
                           write_term(Term, [quoted(true), ignore_ops(true), brace_terms(true)]))
          ),
          _,
          ( Written = error, Canonical = error )),
    format("~w\t~w\t~w~n", [Line, Written, Canonical]).

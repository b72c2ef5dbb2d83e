
% What both preludes have; it stands behind them.

% All cases are read first: a child that ends may set back the place in the file for us too.
differ_read_all(In, Cases) :-
    read_term(In, Case, []),
    (   Case == end_of_file
    ->  Cases = []
    ;   Cases = [Case|Rest],
        differ_read_all(In, Rest)
    ).

differ_cases([], _).
differ_cases([case(Number, Max, Setup, Goal)|Cases], First) :-
    (   Number >= First
    ->  differ_isolated(Number, Max, Setup, Goal)
    ;   true
    ),
    differ_cases(Cases, First).

differ_error(Ball) :-
    ( Ball = error(Formal, _) -> true ; Formal = Ball ),
    write(user_output, '\1\\2\\1\error '),
    differ_write(Formal),
    nl(user_output).

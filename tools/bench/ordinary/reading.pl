% Terms from texts: term_to_atom/2, read_term_from_atom/3, term_string/2, and read_term/3 from a string.

bench :-
    text(60000, 0, A),
    clauses(60000, 0, B),
    numlist(1, 30000, Numbers),
    with_output_to(string(Text), all(Numbers)),
    open_string(Text, Stream),
    rest(Stream, 0, C),
    Sum is A + B + C,
    write(checksum(Sum)), nl.

text(0, Sum, Sum) :- !.
text(N, Sum0, Sum) :-
    term_to_atom(order(_, Items, _), 'order(C0042, [item("bolt", 12, 0.35), item(\'wing nut\', 7, 1.20)|Rest], X + Y * 2)'),
    size(Items, 0, S1),
    term_string(line(Key, Value), "line(customer_name, f(1, g(2), [a, b, c]))"),
    term_variables(Key-Value, Vars),
    length(Vars, S2),
    Sum1 is Sum0 + S1 + S2,
    M is N - 1,
    text(M, Sum1, Sum).

size(Items, N, N) :- var(Items), !.
size([_|Items], N0, N) :- M is N0 + 1, size(Items, M, N).

clauses(0, Sum, Sum) :- !.
clauses(N, Sum0, Sum) :-
    open_string("may(User, Action) :- role(User, Role), \\+ banned(User), grants(Role, Action). end.", Stream),
    read_term(Stream, (_ :- Body), [variable_names(Names)]),
    read(Stream, End),
    close(Stream),
    length(Names, L),
    ( End == end, Body = (_, _) -> D = 1 ; D = 0 ),
    read_term_from_atom('point(12, -7, 3.5)', point(X, Y, _), []),
    Sum1 is Sum0 + L + D + X + Y,
    M is N - 1,
    clauses(M, Sum1, Sum).

all([]).
all([N|Ns]) :- format("fact(~d, 'some name', [x, ~d], \"text\").~n", [N, N]), all(Ns).

rest(Stream, Sum0, Sum) :-
    read(Stream, Term),
    (   Term = fact(N, _, _, _)
    ->  Sum1 is Sum0 + N,
        rest(Stream, Sum1, Sum)
    ;   close(Stream),
        Sum = Sum0
    ).

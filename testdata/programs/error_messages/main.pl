% Messages that a program words: prolog:error_message//1, prolog:message//1 and prolog:message_context//1.
:- multifile prolog:error_message//1, prolog:message//1, prolog:message_context//1, user:message_hook/3.
:- dynamic user:message_hook/3.

prolog:error_message(type_error(zork, X)) --> ['Zork error: ~w'-[X]].
prolog:error_message(mine) --> ['Mine'].
prolog:message(error(mine2, _)) --> ['Mine2'].
prolog:message(plain(X)) --> ['Plain ~w'-[X], nl, 'second line'].
prolog:message(inner) --> ['Inner'].
prolog:message_context(ctx(X)) --> [' (at ~w)'-[X]].

user:message_hook(_, Kind, Lines) :-
    memberchk(Kind, [error, warning]),
    with_output_to(string(Text), print_message_lines(current_output, kind(Kind), Lines)),
    write(Text).

main :-
    print_message(error, error(type_error(zork, 1), _)),
    print_message(error, error(type_error(integer, a), _)),
    print_message(error, error(mine, _)),
    print_message(error, error(mine2, _)),
    print_message(error, error(inner, _)),
    print_message(error, plain(3)),
    print_message(error, error(mine, ctx(1))),
    print_message(error, error(mine, context(foo/1, 'Extra'))),
    print_message(error, mine),
    print_message(warning, error(mine, _)),
    catch(assertion(1 =:= 2), error(assertion_error(R, G), _), ( print(R-G), nl )).

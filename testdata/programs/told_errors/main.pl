% Errors in the words of the program, and handlers on several levels.
:- use_module(checks).
:- multifile prolog:message//1.
prolog:message(bad_age(N, A)) --> ['~w cannot be ~d years old'-[N, A], nl, 'please mend that'].
:- multifile user:message_hook/3.
user:message_hook(Term, Kind, Lines) :- Kind \== silent, Term \= format(_, _), \+ Term = load_file(_), print_message_lines(user_output, kind(Kind), Lines).
main :-
    forall(member(P, [ann-30, bob-200, cid-old, _-3]),
           catch(( check(P), write(ok), nl ), E, handle(E))),
    catch(( between(1, 3, X), catch(probe(X), odd(Y), ( write(inner(Y)), nl, Y > 2 )), fail ; true ), Z, ( write(outer(Z)), nl )),
    setup_call_cleanup(write(begin), catch(throw(e), e, write(' handled')), ( write(' end'), nl )),
    catch(with_output_to(string(S), ( write(lost), throw(oops) )), oops, S = none), print(S), nl,
    print_message(error, bad_age(zoe, -1)), print_message(informational, bad_age(zoe, -1)).
handle(error(E, _)) :- !, print(E), nl.
handle(bad(M)) :- print_message(warning, M).

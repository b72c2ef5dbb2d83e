% A module whose unknown procedures are warnings, in a program with a hook for exceptions.
:- use_module(lenient).
:- multifile user:exception/3.
:- dynamic user:exception/3, made/1.

user:exception(undefined_predicate, Name/1, retry) :-
    made(Name),
    Head =.. [Name, X],
    assertz((Head :- X = Name)).
user:exception(undefined_global_variable, counter, retry) :-
    nb_setval(counter, 10).

made(fresh).

main :-
    ask(Answer), writeln(ask(Answer)),
    catch(in_user(1), error(Error, _), (print(Error), nl)),
    fresh(X), writeln(X),
    nb_getval(counter, Count), writeln(Count),
    current_prolog_flag(unknown, Value), writeln(Value),
    current_prolog_flag(lenient:unknown, Lenient), writeln(Lenient),
    set_prolog_flag(lenient:unknown, fail),
    ask(Again), writeln(ask(Again)),
    set_prolog_flag(lenient:unknown, error),
    catch(ask(_), error(Strict, _), (print(Strict), nl)).

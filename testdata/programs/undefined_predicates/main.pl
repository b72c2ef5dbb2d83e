% user:exception/3 defines predicates when they are called first, here by facts of another file.
:- multifile user:exception/3.
:- dynamic user:exception/3.
:- use_module(store).
user:exception(undefined_predicate, Module:Name/Arity, retry) :-
    store:known_row(Name, Arity),
    format("making ~w~n", [Module:Name/Arity]),
    store:make(Module, Name, Arity).
tried(Goal) :-
    catch(( call(Goal) -> print(Goal) ; write(no) ), error(Error, _), print(Error)), nl.
main :-
    tried(atlas:river(_, _)),
    forall(atlas:river(Name, Length), ( writeln(Name-Length) )),
    tried(atlas:hill(_)),
    tried(atlas:lake(_)),
    tried(guide:lake(tarn)),
    tried(guide:tour(_)).

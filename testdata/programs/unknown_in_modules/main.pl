% The flag unknown belongs to the module whose file sets it, and errors name the module of a predicate.
:- use_module(lenient).

tried(Goal) :-
    catch(( call(Goal) -> Result = yes ; Result = no ), error(Formal, _), Result = Formal),
    print(Result),
    nl.

main :-
    lenient(X),
    print(X),
    nl,
    tried(nobody_defines_this(1)),
    tried(lenient:nobody_defines_this(1)),
    tried(assertz(lenient(2))),
    tried(retract(lenient:lenient(_))),
    tried(dynamic(atom/1)),
    tried(dynamic(own/1)),
    tried(own(_)).

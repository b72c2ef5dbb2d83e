% main/0 of a module calls main/1 of that module; files of modules without exports are loaded for what they do.
:- use_module(tool, []).
:- use_module(other, []).
main(_) :- writeln(not_this).
main :-
    tool:start,
    @(other:begin, other),
    catch(tool:begin, error(existence_error(_, What), _), ( print(What), nl )).

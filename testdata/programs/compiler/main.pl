% Tokens, syntax and code in modules of their own.
:- use_module(lexer).
:- use_module(grammar).
:- use_module(codegen).
main :-
    forall(member(T, ["1+2*3", "let x = 4 in x*(x-1)", "2*", "let y = 2 in let z = y*y in z+y", "q+1"]),
           (   catch(compile(T, Code, Value), error(E, _), ( format("~s: ~q~n", [T, E]), fail ))
           ->  format("~s = ~w~n", [T, Value]), forall(member(I, Code), format("   ~w~n", [I]))
           ;   true
           )).
compile(Text, Code, Value) :-
    tokens(Text, Tokens),
    ( phrase(expression(Tree), Tokens) -> true ; syntax_error(cannot_parse(Tokens)) ),
    code(Tree, Code),
    run(Code, Value).

% A small stack language: words are compiled to lists of instructions, control words nest.
:- use_module(library(dcg/basics)).
:- use_module(library(assoc)).

program(": square dup * ;
         : cube dup square * ;
         : abs dup 0 < if negate then ;
         : sign dup 0 < if drop -1 else 0 > if 1 else 0 then then ;
         : fact dup 1 > if dup 1 - fact * else drop 1 then ;
         : down begin dup . 1 - dup 0 = until drop ;
         7 square . 3 cube . -9 abs . -5 sign . 0 sign . 4 sign . 10 fact .
         4 down \"all done\" type").

tokens([T|Ts]) --> blanks, token(T), !, tokens(Ts).
tokens([]) --> blanks.

token(text(Text)) --> "\"", string_without(`"`, Codes), "\"", { string_codes(Text, Codes) }.
token(number(N)) --> integer(N), word_end, !.
token(word(W)) --> nonblanks([C|Cs]), { atom_codes(W, [C|Cs]) }.

word_end([], []).
word_end([C|Cs], [C|Cs]) :- code_type(C, space).

% code(-Instructions, -Stop): up to a word that ends a part.
code([], end) --> [].
code(Code, Stop) --> [T], code_after(T, Code, Stop).

code_after(word(W), [], W) --> { memberchk(W, [then, else, until, ;]) }, !.
code_after(word(if), [if(Then, Else)|Code], Stop) --> !,
    code_part(Then, Which),
    (   { Which == else }
    ->  code_part(Else, then)
    ;   { Which = then, Else = [] }
    ),
    code_rest(Code, Stop).
code_after(word(begin), [repeat(Body)|Code], Stop) --> !,
    code_part(Body, until), code_rest(Code, Stop).
code_after(word(:), [define(Name, Body)|Code], Stop) --> !,
    [word(Name)], code_part(Body, ;), code_rest(Code, Stop).
code_after(number(N), [push(N)|Code], Stop) --> !, code_rest(Code, Stop).
code_after(text(T), [push(T)|Code], Stop) --> !, code_rest(Code, Stop).
code_after(word(W), [call(W)|Code], Stop) --> code_rest(Code, Stop).

code_rest(Code, Stop) --> [T], !, code_after(T, Code, Stop).
code_rest([], end) --> [].
code_part(Code, Stop) --> code_rest(Code, Stop).

run([], S, S, D, D).
run([I|Is], S0, S, D0, D) :- step(I, S0, S1, D0, D1), run(Is, S1, S, D1, D).

step(push(X), S, [X|S], D, D).
step(define(N, Body), S, S, D0, D) :- put_assoc(N, D0, Body, D).
step(if(Then, Else), [X|S0], S, D0, D) :-
    ( X =\= 0 -> run(Then, S0, S, D0, D) ; run(Else, S0, S, D0, D) ).
step(repeat(Body), S0, S, D0, D) :-
    run(Body, S0, [X|S1], D0, D1),
    ( X =\= 0 -> S = S1, D = D1 ; step(repeat(Body), S1, S, D1, D) ).
step(call(W), S0, S, D, D) :-
    (   get_assoc(W, D, Body) -> run(Body, S0, S, D, _)
    ;   primitive(W, S0, S) -> true
    ;   throw(error(existence_error(word, W), _))
    ).

primitive(dup, [X|S], [X,X|S]).
primitive(drop, [_|S], S).
primitive(swap, [X,Y|S], [Y,X|S]).
primitive(negate, [X|S], [Y|S]) :- Y is -X.
primitive('.', [X|S], S) :- format("~w ", [X]).
primitive(type, [X|S], S) :- format("~s~n", [X]).
primitive(Op, [Y,X|S], [Z|S]) :- memberchk(Op, [+, -, *, //]), G =.. [Op, X, Y], Z is G.
primitive(Op, [Y,X|S], [Z|S]) :- memberchk(Op, [<, >, =]), ( holds(Op, X, Y) -> Z = 1 ; Z = 0 ).

holds(<, X, Y) :- X < Y.
holds(>, X, Y) :- X > Y.
holds(=, X, Y) :- X =:= Y.

main :-
    program(Text), string_codes(Text, Codes),
    phrase(tokens(Tokens), Codes), length(Tokens, N), format("~d tokens~n", [N]),
    phrase(code_rest(Code, Stop), Tokens), print(Stop), nl,
    forall(( member(define(Name, Body), Code), memberchk(Name, [sign, down]) ), ( print(Name-Body), nl )),
    empty_assoc(D0), run(Code, [], Stack, D0, D), print(Stack), nl,
    assoc_to_keys(D, Keys), print(Keys), nl,
    catch(run([call(nothing)], [], _, D, _), error(E, _), ( print(E), nl )),
    catch(run([call(+)], [1], _, D, _), error(E2, _), ( print(E2), nl )).

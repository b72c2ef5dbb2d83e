% The untyped lambda calculus with de Bruijn's indices: parser, normal order, numerals of Church, and combinators.
:- use_module(library(lists)).

parse(Text, T) :- atom_chars(Text, Cs0), exclude(==(' '), Cs0, Cs), phrase(term([], T), Cs).

term(Env, lam(B)) --> ['\\'], !, [X], ['.'], term([X|Env], B).
term(Env, T) --> atom_(Env, A), apps(Env, A, T).
apps(Env, A, T) --> atom_(Env, B), !, apps(Env, app(A, B), T).
apps(Env, A, app(A, B)) --> peek('\\'), !, term(Env, B).
apps(_, A, A) --> [].
peek(C), [C] --> [C].
atom_(Env, T) --> ['('], !, term(Env, T), [')'].
atom_(Env, T) --> [X], { char_type(X, alpha), ( nth0(I, Env, X) -> T = v(I) ; char_type(X, upper), named(X, D) -> T = D ) }.

named('I', lam(v(0))).
named('K', lam(lam(v(1)))).
named('S', lam(lam(lam(app(app(v(2), v(0)), app(v(1), v(0))))))).
named('P', lam(lam(lam(lam(app(app(v(3), v(1)), app(app(v(2), v(1)), v(0)))))))).
named('M', lam(lam(lam(app(v(2), app(v(1), v(0))))))).
named('Z', lam(lam(v(0)))).

shift(v(I), C, D, v(J)) :- ( I >= C -> J is I+D ; J = I ).
shift(lam(B), C, D, lam(B1)) :- C1 is C+1, shift(B, C1, D, B1).
shift(app(A, B), C, D, app(A1, B1)) :- shift(A, C, D, A1), shift(B, C, D, B1).

subst(v(I), J, S, T) :- ( I =:= J -> T = S ; T = v(I) ).
subst(lam(B), J, S, lam(B1)) :- J1 is J+1, shift(S, 0, 1, S1), subst(B, J1, S1, B1).
subst(app(A, B), J, S, app(A1, B1)) :- subst(A, J, S, A1), subst(B, J, S, B1).

step(app(lam(B), A), T) :- !, shift(A, 0, 1, A1), subst(B, 0, A1, B1), shift(B1, 0, -1, T).
step(app(A, B), app(A1, B)) :- step(A, A1), !.
step(app(A, B), app(A, B1)) :- step(B, B1).
step(lam(B), lam(B1)) :- step(B, B1).

normal(T, Max, N, R) :- ( Max > 0, step(T, T1) -> M is Max-1, normal(T1, M, N0, R), N is N0+1 ; N = 0, R = T ).

church(N, lam(lam(B))) :- church_(N, B).
church_(0, v(0)) :- !.
church_(N, app(v(1), B)) :- M is N-1, church_(M, B).

show(v(I)) --> !, { format(chars(Cs), "~d", [I]) }, Cs.
show(lam(B)) --> !, ['\\'], show(B).
show(app(A, B)) --> left(A), [' '], right(B).
left(lam(B)) --> !, ['('], show(lam(B)), [')'].
left(A) --> show(A).
right(v(I)) --> !, show(v(I)).
right(A) --> ['('], show(A), [')'].

main :-
    forall(member(Text, ['\\x.x', '(\\x.xx)(\\y.y)', 'S K K', '\\x.\\y.(\\z.z y) x', '(\\x.xx)(\\x.xx)', 'K I(\\x.xx)', '\\x.(', 'q']),
           (   parse(Text, T)
           ->  normal(T, 20, N, R), phrase(show(R), Cs), atom_chars(A, Cs), format("~w = ~w in ~d~n", [Text, A, N])
           ;   format("~w: no term~n", [Text]) )),
    church(3, Three), church(4, Four), named('P', Plus), named('M', Times),
    forall(member(Op, [Plus, Times]),
           ( normal(app(app(Op, Three), Four), 1000, N, R), once(( between(0, 20, K), church(K, C), C == R )), format("~d in ~d steps~n", [K, N]) )).

% Goals that throw, and the frames of their backtraces; see TestBacktraceValues. Behind each goal stand the frames,
% innermost first.

:- use_module(library(lists)).
:- use_module(library(apply)).
:- dynamic stock/2, rule/2.

note(_).

% A variable that is needed after the call is known, one that is not is given up.
total([], 0).
total([item(Name, Price)|Items], Total) :-
    total(Items, Rest),
    Total is Rest + Price,
    note(Name).

%? total([item(a,1),item(b,c),item(d,2)],T)
%  total([item(b, c)|_], _) where Rest = 2
%  total([item(a, 1)|_], _)

% Clauses without an environment, and with one that has returned from a call.
first(X, Y) :- atom_length(X, N), Y is N + 1.
second(X, Y) :- note(X), atom_length(X, N), note(N), Y is N + 1.

%? first(_, _)
%  first/2
%? first(f(x), _)
%  first(f(x), _)
%? second(f(x), _)
%  second(f(x), _)

% Branches share slots.
branch(X, Y) :-
    (   X > 10
    ->  Big = yes(X),
        check(Big, Y),
        note(Big)
    ;   Small = no(X),
        check(Small, Y),
        note(Small)
    ),
    note(X).

check(yes(_), Y) :- atom_length(Y, _).
check(no(N), Y) :- Y is N / 0.

%? branch(20, _)
%  check(yes(_), _)
%  branch(20, _) where Big = yes(20)
%? branch(5, _)
%  check(no(5), _)
%  branch(5, _) where Small = no(5)

% Dynamic clauses.
stock(apple, N) :- N is apple + 1.
rule(X, Y) :- note(X), Z = f(X, Y), arg(x, Z, _), note(Z).

%? stock(apple, _)
%  stock(apple, _)
%? rule(a, _)
%  rule(a, _) where Z = f(a, _)

% Frames of libraries are left out.
each(L) :- maplist(half, L, M), note(M).
half(X, Y) :- Y is X / 2.

%? each([1, 2, x])
%  half(x, _)
%  each(_) where M = [0.5, 1, _|_]

% Large values are shown in part.
large(L) :- length(L, N), note(N), numlist(1, 100, M), use(L, M, f(g(h(i(j(k)))))), note(L-M).
use(_, M, T) :- note(M), T > 1, note(M-T).

%? large([a, b, c])
%  use(_, [1, 2, 3, 4, 5, 6, 7, 8|...], f(g(h(i(...)))))
%  large([a, b, c]) where N = 3, M = [1, 2, 3, 4, 5, 6, 7, 8|...]

% Catchers that do not fit undo nothing before the values are noted.
guarded(X) :- catch(inner(X, "text"), no_such_error, true), note(X).
nearly(X) :- catch(inner(X, "text"), oops(b-_), true), note(X).
inner(X, S) :- X = a-S, throw(oops(X)), note(X).

%? guarded(_)
%  inner(a-"text", _)
%  guarded(a-"text")

% Constraints, attributed variables and goals that wake.
waits(X) :- freeze(X, inspect(X)), note(X), X = [1, Y], note(Y).
inspect(X) :- X = [H|_], H > foo, note(H).

%? waits(_)
%  inspect(_) where H = 1

% Grammar rules.
greeting(S0, S) :- phrase(hello(Who), S0, S), note(Who).
hello(Who) --> [hello], name(Who), [!].
name(Who) --> [Who], { atom_length(Who, L), L > big }, [].

%? greeting([hello, bob, !], _)
%  name/3
%  hello/3
%  greeting(_, _) where Who = bob

% A test that throws in a guard, after the head has bound an argument of the caller.
guard(X, small) :- X < 10, !.
guard(_, large).
asks(X) :- guard(X, Y), note(Y).

%? asks(_)
%  guard(_, small)
%  asks(_) where Y = small

% Negation and findall/3.
none(X) :- \+ ( member(Y, X), Y > q ), note(X).
all(X, L) :- findall(Y-Z, ( member(Y, X), Z is Y + 1 ), L), note(L).

%? none([1, b])
%  none([1, b]) where Y = 1
%? all([1, b], _)
%  all([1, b], _) where Y = b

% Strings, big numbers, operators and cyclic terms.
shown(A, B, C) :- note(A), atom_length(B, A), note(A-B-C).
round(X) :- X = f(X), atom_length(X, _), note(X).

%? shown(x, "a b", 100000000000000000000 - (a :- b))
%  shown(x, "a b", 100000000000000000000-(a:-b))
%? round(_)
%  round(f(f(f(f(...)))))

% More variables than registers keep.
many(A, B, C, D, E, F, G, H) :-
    I = g(A), J = g(B), K = g(C), L = g(D), M = g(E), N = g(F), O = g(G), P = g(H),
    note(I), note(J), Q is foo + 1,
    note([A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q]).

%? many(1, 2, 3, 4, 5, 6, 7, 8)
%  many(1, 2, 3, 4, 5, 6, 7, 8) where I = g(1), J = g(2), K = g(3), L = g(4), M = g(5), N = g(6), O = g(7), P = g(8)

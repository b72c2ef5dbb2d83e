% Roman numerals by one grammar in both directions, and numbers in words, German and English.
:- use_module(library(lists)).

roman(N) --> { nonvar(N) }, !, digits(1000, N).
roman(N) --> roman_(1000, 0, N).

digits(_, 0) --> !, [].
digits(Max, N) --> { numeral(V, Cs), V =< Max, V =< N }, !, Cs, { M is N-V }, digits(V, M).

roman_(Max, N0, N) --> { numeral(V, Cs), V =< Max }, Cs, { N1 is N0+V }, roman_(V, N1, N).
roman_(_, N, N) --> [].

numeral(1000, ['M']).
numeral(900, ['C', 'M']).
numeral(500, ['D']).
numeral(400, ['C', 'D']).
numeral(100, ['C']).
numeral(90, ['X', 'C']).
numeral(50, ['L']).
numeral(40, ['X', 'L']).
numeral(10, ['X']).
numeral(9, ['I', 'X']).
numeral(5, ['V']).
numeral(4, ['I', 'V']).
numeral(1, ['I']).

to_roman(N, A) :- phrase(roman(N), Cs), atom_chars(A, Cs).
from_roman(A, N) :- atom_chars(A, Cs), once(phrase(roman(N), Cs)), to_roman(N, A).

english(0, zero) :- !.
english(N, A) :- phrase(words(N), Ws), atomic_list_concat(Ws, ' ', A).

words(N) --> { N >= 1000, !, Q is N // 1000, R is N mod 1000 }, words(Q), [thousand], rest(R).
words(N) --> { N >= 100, !, Q is N // 100, R is N mod 100 }, words(Q), [hundred], rest(R).
words(N) --> { N >= 20, !, T is N // 10, U is N mod 10, tens(T, W), unit(U, W, X) }, [X].
words(N) --> { small(N, W) }, [W].
rest(0) --> !, [].
rest(N) --> { N < 100 }, !, [and], words(N).
rest(N) --> words(N).
unit(0, W, W) :- !.
unit(U, W, X) :- small(U, V), atomic_list_concat([W, V], -, X).
tens(T, W) :- nth0(T, ['', '', twenty, thirty, forty, fifty, sixty, seventy, eighty, ninety], W).
small(N, W) :- nth1(N, [one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen, fourteen,
                        fifteen, sixteen, seventeen, eighteen, nineteen], W).

main :-
    forall(member(N, [1, 4, 9, 14, 40, 90, 400, 1994, 2026, 3999]), ( to_roman(N, A), from_roman(A, M), format("~d ~a ~d~n", [N, A, M]) )),
    forall(member(A, ['IIII', 'IC', 'MCMXCIX', 'ABC']), ( from_roman(A, N) -> format("~a = ~d~n", [A, N]) ; format("~a is none~n", [A]) )),
    forall(member(N, [0, 7, 21, 100, 342, 1001, 99999]), ( english(N, W), format("~D: ~w~n", [N, W]) )),
    aggregate_all(max(L, N), ( between(1, 1000, N), to_roman(N, A), atom_length(A, L) ), max(Max, At)), print(Max-At), nl, !.

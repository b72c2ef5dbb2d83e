% Messages of bits within messages: hexadecimal text to bits, a grammar with counted lengths, sums and values.
:- use_module(library(lists)).

bits(Hex, Bits) :- string_chars(Hex, Cs), foldl(nibble, Cs, Bits, []).
nibble(C, Bits, Rest) :- char_type(C, xdigit(N)), format(chars(Bs), "~`0t~2r~4|", [N]), append(Bs, Rest, Bits).

number_of(Bits, N) :- foldl([B, A, C]>>( B == '1' -> C is A*2+1 ; C is A*2 ), Bits, 0, N).
take(N, Bs) --> { length(Bs, N) }, Bs.
int(N, V) --> take(N, Bs), { number_of(Bs, V) }.

packet(p(V, T, Body)) --> int(3, V), int(3, T), body(T, Body).
body(4, lit(N)) --> !, groups(Bs), { number_of(Bs, N) }.
body(_, subs(Ps)) --> ['0'], !, int(15, L), take(L, Bs), { phrase(packets(Ps), Bs) }.
body(_, subs(Ps)) --> ['1'], int(11, N), counted(N, Ps).
groups(Bs) --> [Flag], take(4, G), ( { Flag == '1' } -> groups(Rest) ; { Rest = [] } ), { append(G, Rest, Bs) }.
packets([P|Ps]) --> packet(P), !, packets(Ps).
packets([]) --> [].
counted(0, []) --> !, [].
counted(N, [P|Ps]) --> packet(P), { M is N-1 }, counted(M, Ps).

versions(p(V, _, lit(_)), V).
versions(p(V, _, subs(Ps)), S) :- maplist(versions, Ps, Vs), sum_list([V|Vs], S).

value(p(_, 4, lit(N)), N) :- !.
value(p(_, T, subs(Ps)), V) :- maplist(value, Ps, Vs), combine(T, Vs, V).
combine(0, Vs, V) :- sum_list(Vs, V).
combine(1, Vs, V) :- foldl([A, B, C]>>( C is A*B ), Vs, 1, V).
combine(2, Vs, V) :- min_list(Vs, V).
combine(3, Vs, V) :- max_list(Vs, V).
combine(5, [A, B], V) :- ( A > B -> V = 1 ; V = 0 ).
combine(6, [A, B], V) :- ( A < B -> V = 1 ; V = 0 ).
combine(7, [A, B], V) :- ( A =:= B -> V = 1 ; V = 0 ).

shape(p(_, 4, lit(N)), N) :- !.
shape(p(_, T, subs(Ps)), S) :- nth0(T, [sum, product, min, max, lit, gt, lt, eq], Name), maplist(shape, Ps, Ss), S =.. [Name|Ss].

main :-
    forall(member(H, ["D2FE28", "38006F45291200", "EE00D40C823060", "8A004A801A8002F478", "C200B40A82", "9C0141080250320F1802104A08", "D2F"]),
           (   bits(H, Bs), phrase(packet(P), Bs, Rest)
           ->  versions(P, S), shape(P, Sh), ( catch(value(P, V), _, fail) -> true ; V = none ), length(Rest, R),
               format("~s: versions ~d, ~w = ~w, ~d bits left~n", [H, S, Sh, V, R])
           ;   format("~s: cut short~n", [H]) )).

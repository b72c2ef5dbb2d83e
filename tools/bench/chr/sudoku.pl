% Sudoku: fields with the values that are left, the fewest tried first.
:- use_module(library(chr)).
:- chr_constraint field(+int,+int,+int,+int,+any), known(+int,+int,+int,+int), solve.
% cells row, column, box; lists of candidates.
known(R,C,_,_) \ field(R,C,_,_,_) <=> true.
field(_,_,_,_,[]) <=> fail.
known(R,_,_,V) \ field(R,C,B,N,L) <=> select(V,L,L1) | N1 is N-1, field(R,C,B,N1,L1).
known(_,C,_,V) \ field(R,C,B,N,L) <=> select(V,L,L1) | N1 is N-1, field(R,C,B,N1,L1).
known(_,_,B,V) \ field(R,C,B,N,L) <=> select(V,L,L1) | N1 is N-1, field(R,C,B,N1,L1).
field(R,C,B,1,[V]) <=> known(R,C,B,V).
solve, field(R,C,B,2,L) <=> member(V,L), known(R,C,B,V), solve.
solve, field(R,C,B,3,L) <=> member(V,L), known(R,C,B,V), solve.
solve, field(R,C,B,_,L) <=> member(V,L), known(R,C,B,V), solve.
solve <=> true.
grid(Rows) :- rows(Rows, 1).
rows([], _).
rows([R|Rs], I) :- cells(R, I, 1), I1 is I+1, rows(Rs, I1).
cells([], _, _).
cells([V|Vs], I, J) :-
    box(I, J, B), ( V =:= 0 -> field(I,J,B,9,[1,2,3,4,5,6,7,8,9]) ; true ),
    J1 is J+1, cells(Vs, I, J1).
box(I, J, B) :- B is (I-1)//3*3 + (J-1)//3 + 1.
givens([], _).
givens([R|Rs], I) :- given(R, I, 1), I1 is I+1, givens(Rs, I1).
given([], _, _).
given([V|Vs], I, J) :-
    box(I, J, B), ( V =:= 0 -> true ; known(I,J,B,V) ),
    J1 is J+1, given(Vs, I, J1).
puzzle([[8,0,0,0,0,0,0,0,0],
    [0,0,3,6,0,0,0,0,0],
    [0,7,0,0,9,0,2,0,0],
    [0,5,0,0,0,7,0,0,0],
    [0,0,0,0,4,5,7,0,0],
    [0,0,0,1,0,0,0,3,0],
    [0,0,1,0,0,0,0,6,8],
    [0,0,8,5,0,0,0,1,0],
    [0,9,0,0,0,0,4,0,0]]).
solution(Values) :-
    puzzle(G), grid(G), givens(G, 1), solve, !,
    findall(r(R,C)-V, find_chr_constraint(known(R,C,_,V)), L0), sort(L0, L), pairs_values(L, Values).

bench :-
    solution(Values), sum_list(Values, Sum), Values = [A,B,C,D|_], write(checksum(Sum-[A,B,C,D])), nl.

% Queens on a board, each pair checked by one rule.
:- use_module(library(chr)).
:- chr_constraint queen(+int,+int), place(+int,+int).
queen(I,C), queen(J,D) ==> I =\= J, ( C =:= D ; abs(C-D) =:= abs(I-J) ) | fail.
place(I,N) <=> I > N | true.
place(I,N) <=> between(1,N,C), queen(I,C), I1 is I+1, place(I1,N).

bench :-
    place(1, 18), !, findall(C, find_chr_constraint(queen(_, C)), Cs), sum_list(Cs, Sum), length(Cs, N),
    write(checksum(N-Sum)), nl.

% Hamming numbers, the least of a set of items again and again.
:- use_module(library(chr)).
:- chr_constraint item(+int), out(+int), want(+int), least(+int,+int), switch(+int,+int).
item(X) \ item(X) <=> true.
want(0) <=> true.
want(N), item(X) <=> least(X,N).
item(Y) \ least(X,N) <=> Y < X | item(X), switch(Y,N).
least(X,N) <=> out(X), A is 2*X, B is 3*X, C is 5*X, item(A), item(B), item(C), M is N-1, want(M).
switch(Y,N), item(Y) <=> least(Y,N).

bench :-
    item(1), want(1500), findall(X, find_chr_constraint(out(X)), Xs), max_list(Xs, Max),
    write(checksum(Max)), nl.

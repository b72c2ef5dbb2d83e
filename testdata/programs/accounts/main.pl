% Transfers that happen as a whole or not at all.
:- use_module(ledger).
main :-
    try(transfer(ann, bob, 30)), show,
    try(transfer(ann, bob, 100)), show,
    try(transfer(ann, zoe, 5)), show,
    try(transaction(( transfer(bob, ann, 10), transfer(bob, ann, 10), fail ))), show,
    try(transaction(( transfer(bob, ann, 10), ignore(transaction(( transfer(ann, bob, 1), fail ))) ))), show,
    forall(log(A, B, N), ( write(A->B:N), write(' ') )), nl.
try(G) :- ( catch(G, E, ( write(E), nl, fail )) -> write(done) ; write(undone) ), write(' ').
show :- findall(A=N, balance(A, N), L0), msort(L0, L), print(L), nl.

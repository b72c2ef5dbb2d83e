% Accounts in dicts, exact shares as rational numbers, resources that are cleaned up.

bench :-
    put_all(3000, accounts{}, Accounts),
    dict_pairs(Accounts, _, Pairs),
    length(Pairs, A),
    shares(150000, 0, Share),
    B is numerator(Share) mod 1009,
    guarded(300000, 0, C),
    updates(300000, account{owner: ada, balance: 0}, Last),
    get_dict(balance, Last, D),
    Sum is A + B + C + D,
    write(checksum(Sum)), nl.

put_all(0, Accounts, Accounts) :- !.
put_all(N, Accounts0, Accounts) :-
    atom_concat(account, N, Key),
    put_dict(Key, Accounts0, N, Accounts1),
    M is N - 1,
    put_all(M, Accounts1, Accounts).

shares(0, Share, Share) :- !.
shares(N, Share0, Share) :-
    Part is 1 rdiv (1 + N mod 11) - 3 rdiv 7,
    ( N mod 16 =:= 0 -> Share1 = Part ; Share1 is Share0 + Part * (2 rdiv 3) ),
    M is N - 1,
    shares(M, Share1, Share).

guarded(0, Sum, Sum) :- !.
guarded(N, Sum0, Sum) :-
    setup_call_cleanup(X = N, Y is X mod 3, true),
    Sum1 is Sum0 + Y,
    M is N - 1,
    guarded(M, Sum1, Sum).

updates(0, Account, Account) :- !.
updates(N, Account0, Account) :-
    get_dict(balance, Account0, Old),
    New is (Old + N) mod 100003,
    put_dict(_{balance: New, last: N}, Account0, Account1),
    M is N - 1,
    updates(M, Account1, Account).

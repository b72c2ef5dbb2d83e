% The towers of Hanoi, counting the moves.
% scale: 8180

bench :- moves(23, a, b, c, 0, N), write(checksum(N)), nl.
small :- moves(10, a, b, c, 0, N), write(checksum(N)), nl.

moves(0, _, _, _, N, N) :- !.
moves(Disks, From, To, Via, N0, N) :-
    Less is Disks - 1,
    moves(Less, From, Via, To, N0, N1),
    N2 is N1 + 1,
    moves(Less, Via, To, From, N2, N).

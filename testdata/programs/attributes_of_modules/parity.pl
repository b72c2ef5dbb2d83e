:- module(parity, [odd/1]).
odd(X) :- var(X), !, put_attr(X, parity, odd).
odd(X) :- 1 is X mod 2.
attr_unify_hook(odd, Other) :-
    (   attvar(Other) -> put_attr(Other, parity, odd)
    ;   var(Other) -> put_attr(Other, parity, odd)
    ;   1 is Other mod 2
    ).

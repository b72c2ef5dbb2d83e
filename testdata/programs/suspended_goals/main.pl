% Goals that wait: freeze/2, when/2, dif/2, and attributes of a module.
:- use_module(domain).
main :-
    freeze(X, ( write(got(X)), nl )), X = 1,
    when(( nonvar(A) ; ground(B-C) ), ( write(woken(B, C)), nl, ( var(A) -> true ; true ) )), B = 2, write(before), nl, C = 3,
    dif(P, Q), ( P = 1, Q = 1 -> write(equal) ; write(different) ), nl,
    in_domain(D, [a, b, c]), in_domain(D, [b, c, d]), domain_of(D, L), print(L), nl,
    ( D = a -> true ; write(refused), nl ),
    findall(D, ( member(D, [a, b, c, d]) ), Ds), print(Ds), nl,
    in_domain(E, [x]), print(E), nl,
    in_domain(F, [p, q]), copy_term(F, G, Goals), ( Goals = [in_domain(G2, Ds2)], G2 == G -> print(Ds2) ; print(Goals) ), nl,
    frozen(H, G0), print(G0), nl.

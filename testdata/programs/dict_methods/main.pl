:- use_module(point).
:- use_module(library(apply)).

person(_{name: "Ann", age: 41, address: _{city: "Graz", zip: 8010}}).
person(_{name: "Bob", age: 17, address: _{city: "Linz", zip: 4020}}).
person(_{name: "Cleo", age: 29}).

city(P, P.address.city).

adult(P) :-
    P.age >= 18.

label(P, Label) :-
    format(string(Label), "~s (~d)", [P.name, P.age]).

older(P0, P) :-
    P = P0.put(age, P0.age + 1).

main :-
    forall(( person(P), adult(P) ), ( label(P, L), writeln(L) )),
    findall(C, ( person(P), catch(city(P, C), error(existence_error(key, K, _), _), C = no(K)) ), Cs),
    writeq(Cs), nl,
    origin(O),
    A = O.moved(3, 4),
    writeq(A), nl,
    writeq(A.distance()), nl,
    writeq(A.doubled().x), nl,
    writeq(A.moved(-10, 0).quadrant()), nl,
    writeq(A.quadrant()), nl,
    person(Ann), !,
    older(Ann, Older),
    Age is Older.age,
    writeq(Age), nl,
    foldl([K-V, D0, D]>>put_dict(K, D0, V, D), [a-1, b-2], point{x: 9}, D),
    writeq(D), nl,
    ( _{a: X} :< D -> writeq(X) ; writeq(none) ), nl,
    writeq(Ann.put(address/street, "Ring").address.street), nl,
    dict_pairs(D, Tag, Pairs),
    writeq(Tag/Pairs), nl.

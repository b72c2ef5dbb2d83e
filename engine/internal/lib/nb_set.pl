% Sets that grow in place and keep their elements on backtracking.
%
% A set is nb_set(Buckets, Size): a hash table whose buckets are lists, doubled when it holds as many elements as
% buckets. Elements that are variants of each other are one element.
:- module(nb_set, [
    empty_nb_set/1,
    add_nb_set/2,
    add_nb_set/3,
    gen_nb_set/2,
    size_nb_set/2,
    nb_set_to_list/2
]).

% empty_nb_set(-Set): Set is empty.
empty_nb_set(nb_set(Buckets, 0)) :-
    new_buckets(16, Buckets).

new_buckets(N, Buckets) :-
    length(Lists, N),
    all_empty(Lists),
    Buckets =.. [buckets|Lists].

all_empty([]).
all_empty([[]|Lists]) :-
    all_empty(Lists).

% add_nb_set(+Key, !Set): adds Key to Set, lastingly.
add_nb_set(Element, Set) :-
    add_nb_set(Element, Set, _).

% add_nb_set(+Element, !Set, ?New): New is true when Element was not in Set, else false.
add_nb_set(Element, Set, New) :-
    arg(1, Set, Buckets),
    bucket_of(Element, Buckets, I),
    arg(I, Buckets, Bucket),
    (   variant_member(Bucket, Element)
    ->  New = false
    ;   New == false
    ->  fail
    ;   insert(Element, I, Bucket, Buckets, Set),
        New = true
    ).

variant_member([X|Xs], Element) :-
    (   X =@= Element
    ->  true
    ;   variant_member(Xs, Element)
    ).

bucket_of(Element, Buckets, I) :-
    hash_key(Element, Hash),
    functor(Buckets, _, N),
    I is (Hash mod N) + 1.

% Variants must meet in one bucket: variables are numbered before hashing.
hash_key(Element, Hash) :-
    (   ground(Element)
    ->  term_hash(Element, Hash)
    ;   copy_term_nat(Element, Copy),
        numbervars(Copy, 0, _),
        term_hash(Copy, Hash)
    ).

insert(Element, I, Bucket, Buckets, Set) :-
    arg(2, Set, Size0),
    Size is Size0 + 1,
    functor(Buckets, _, N),
    nb_setarg(I, Buckets, [Element|Bucket]),
    nb_setarg(2, Set, Size),
    (   Size > N
    ->  rehash(Buckets, N, Set)
    ;   true
    ).

rehash(Buckets, N, Set) :-
    M is N * 2,
    new_buckets(M, New),
    Buckets =.. [_|Lists],
    append(Lists, Elements),
    refill(Elements, New),
    nb_setarg(1, Set, New).

refill([], _).
refill([Element|Elements], Buckets) :-
    bucket_of(Element, Buckets, I),
    arg(I, Buckets, Bucket),
    setarg(I, Buckets, [Element|Bucket]),
    refill(Elements, Buckets).

% nb_set_to_list(+Set, -Keys): the keys in order.
nb_set_to_list(nb_set(Buckets, _), List) :-
    Buckets =.. [_|Lists],
    append(Lists, Elements),
    sort(Elements, List).

% gen_nb_set(+Set, -Key): the keys in order.
gen_nb_set(Set, Element) :-
    nb_set_to_list(Set, List),
    member(Element, List).

% size_nb_set(+Set, -Size): the number of keys.
size_nb_set(nb_set(_, Size), Size).

% Random numbers, choices and permutations, on top of the arithmetic functions random/1 and random_float/0.
:- module(random, [
    random/1,
    random/3,
    random_between/3,
    setrand/1,
    getrand/1,
    maybe/0,
    maybe/1,
    maybe/2,
    random_member/2,
    random_select/3,
    random_perm2/4,
    random_permutation/2,
    random_subseq/3,
    random_numlist/4,
    randseq/3,
    randset/3
]).

% random(-Float): above 0 and below 1.
random(Float) :-
    Float is random_float.

% random(+Low, +High, -Number): a number from Low, included, to High, excluded; an integer if both are integers.
random(Low, High, Number) :-
    (   integer(Low),
        integer(High)
    ->  Number is Low + random(High - Low)
    ;   Number is Low + (High - Low) * random_float
    ).

% random_between(+Low, +High, -Integer): an integer between Low and High, both included; fails if there is none.
random_between(Low, High, Integer) :-
    must_be(integer, Low),
    must_be(integer, High),
    High >= Low,
    Integer is Low + random(High - Low + 1).

% getrand(-State): State is a state to which setrand/1 can return.
getrand(State) :-
    random_property(state(State)).

% setrand(+State): goes back to a state of getrand/1, or begins the random numbers anew with another integer or rand(A, B, C).
setrand(rand(A, B, C)) :-
    !,
    Seed is (A << 32) xor (B << 16) xor C,
    set_random(seed(Seed)).
setrand(Seed) :-
    (   integer(Seed)
    ->  catch(set_random(state(Seed)), error(domain_error(random_state, _), _), set_random(seed(Seed)))
    ;   type_error(state, Seed)
    ).

% maybe: succeeds half of the time.
maybe :-
    random(2) =:= 0.

% maybe(+P): succeeds with probability P.
maybe(Probability) :-
    must_be(between(0.0, 1.0), Probability),
    random_float < Probability.

% maybe(+K, +N): true K times of N.
maybe(K, N) :-
    must_be(nonneg, K),
    must_be(nonneg, N),
    (   K > N
    ->  Left is N - K,
        must_be(nonneg, Left)
    ;   random(N) < K
    ).

% random_member(-X, +List): X is an element of List, each with the same probability.
random_member(Element, List) :-
    must_be(list, List),
    length(List, N),
    N > 0,
    I is random(N),
    nth0(I, List, Element).

% random_select(?X, ?List, ?Rest): X is an element of List, taken at random, Rest the others. If List is unbound, X is
% inserted into Rest at random.
random_select(Element, List, Rest) :-
    (   is_list(List)
    ->  length(List, N)
    ;   must_be(list, Rest),
        length(Rest, Others),
        N is Others + 1
    ),
    N > 0,
    I is random(N),
    nth0(I, List, Element, Rest).

% random_perm2(?A, ?B, ?X, ?Y): X and Y are A and B, in either order.
random_perm2(A, B, X, Y) :-
    (   maybe
    ->  X = A,
        Y = B
    ;   X = B,
        Y = A
    ).

% random_permutation(?List, ?Permutation): Permutation has the elements of List in random order.
random_permutation(List, Permutation) :-
    (   is_list(List)
    ->  permuted(List, Permutation)
    ;   must_be(list, Permutation),
        permuted(Permutation, List)
    ).

permuted(List, Permutation) :-
    random_keys(List, Keyed),
    keysort(Keyed, Sorted),
    pairs_values(Sorted, Permutation).

random_keys([], []).
random_keys([X|Xs], [Key-X|Keyed]) :-
    Key is random_float,
    random_keys(Xs, Keyed).

% random_subseq(+List, -Part, -Rest): each element goes to either with the same chance.
random_subseq([], [], []).
random_subseq([X|Xs], Part, Rest) :-
    (   maybe
    ->  Part = [X|Part1],
        Rest = Rest1
    ;   Part = Part1,
        Rest = [X|Rest1]
    ),
    random_subseq(Xs, Part1, Rest1).

% random_numlist(+Probability, +Low, +High, -List): integers of the range, each taken with that probability.
random_numlist(Probability, Low, High, List) :-
    (   Low > High
    ->  List = []
    ;   Next is Low + 1,
        (   random_float < Probability
        ->  List = [Low|List1]
        ;   List = List1
        ),
        random_numlist(Probability, Next, High, List1)
    ).

% randset(+Count, +Range, -Set): Count different integers from 1 to Range, sorted.
randset(Count, Range, Set) :-
    randseq(Count, Range, List),
    sort(List, Set).

% randseq(+Count, +Range, -List): the same in random order.
randseq(Count, Range, List) :-
    must_be(nonneg, Count),
    must_be(nonneg, Range),
    (   Count > Range
    ->  domain_error(Count =< Range, Count)
    ;   empty_assoc(Taken),
        draw(Count, Range, Taken, List)
    ).

% Drawing without replacement: numbers taken are remembered, and a number that was taken before is drawn again.
draw(0, _, _, []) :-
    !.
draw(Count, Range, Taken0, List) :-
    X is random(Range) + 1,
    (   get_assoc(X, Taken0, _)
    ->  draw(Count, Range, Taken0, List)
    ;   put_assoc(X, Taken0, true, Taken),
        Count1 is Count - 1,
        List = [X|List1],
        draw(Count1, Range, Taken, List1)
    ).

% Grammar rules over grammar rules: sequences, options, generation.
:- module(dcg_high_order, [
    sequence//2,
    sequence//3,
    sequence//5,
    optional//2,
    foreach//2,
    foreach//3
]).

:- meta_predicate
    sequence(3, ?, ?, ?),
    sequence(3, //, ?, ?, ?),
    sequence(//, 3, //, //, ?, ?, ?),
    optional(//, //, ?, ?),
    foreach(0, //, ?, ?),
    foreach(0, //, //, ?, ?).

% sequence(:Element, ?List)//: as many elements as possible first.
sequence(Element, List) -->
    elements(List, Element).

elements(List, _) -->
    { nonvar(List), List == [] },
    !.
elements([X|Xs], Element) -->
    call(Element, X),
    elements(Xs, Element).
elements([], _) -->
    [].

% sequence(:Element, :Separator, ?List)//: elements with separators between them. Reading commits to an element when a
% separator follows it, and requires an element after each separator.
sequence(Element, Separator, List) -->
    separated(List, Element, Separator).

separated(List, Element, Separator) -->
    { var(List) },
    !,
    (   call(Element, X)
    *-> (   Separator
        ->  !,
            { List = [X|Xs] },
            separated_next(Xs, Element, Separator)
        ;   { List = [X] }
        )
    ;   { List = [] }
    ).
separated([], _, _) -->
    [].
separated([X|Xs], Element, Separator) -->
    call(Element, X),
    separated_rest(Xs, Element, Separator).

separated_next([X|Xs], Element, Separator) -->
    call(Element, X),
    (   Separator
    ->  !,
        separated_next(Xs, Element, Separator)
    ;   { Xs = [] }
    ).

separated_rest([], _, _) -->
    !.
separated_rest(Xs, Element, Separator) -->
    Separator,
    separated(Xs, Element, Separator).

% sequence(:Start, :Element, :Separator, :End, ?List)//: commits to the first way through.
sequence(Start, Element, Separator, End, List) -->
    Start,
    separated(List, Element, Separator),
    End,
    !.

% optional(:Match, :Default)//: Match, or Default when that does not match.
optional(Match, _) -->
    Match,
    !.
optional(_, Default) -->
    Default.

% foreach(:Generator, :Element)//, foreach(:Generator, :Element, :Separator)//: writes Element for each solution.
foreach(Generator, Element) -->
    foreach(Generator, Element, []).

foreach(Generator, Element, Separator, Head, Tail) :-
    findall(Element, Generator, Elements),
    write_elements(Elements, Separator, Head, Tail).

write_elements([], _) -->
    [].
write_elements([Element|Elements], Separator) -->
    Element,
    write_rest(Elements, Separator).

write_rest([], _) -->
    [].
write_rest([Element|Elements], Separator) -->
    Separator,
    Element,
    write_rest(Elements, Separator).

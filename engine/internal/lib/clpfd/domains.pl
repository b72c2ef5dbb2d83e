% Domains of library(clpfd): sets of integers as sorted lists of intervals From-To that neither overlap nor touch.
%
% From of the first interval may be inf, To of the last one sup; [] is the empty set. Bounds that may be infinite are
% called extended integers here: integers, inf and sup.
:- module(clpfd_domains, [
    dom_contains/2,
    dom_from/3,
    dom_upto/3,
    dom_remove/3,
    dom_intersection/3,
    dom_union/3,
    dom_complement/2,
    dom_disjoint/2,
    dom_bounds/3,
    dom_size/2,
    dom_shift/3,
    dom_negate/2,
    dom_member/2,
    dom_values/2,
    dom_expression/2,
    expression_dom/2,
    values_dom/2,
    ext_le/2,
    ext_lt/2,
    ext_min/3,
    ext_max/3,
    ext_add/3,
    ext_negate/2,
    ext_times/3
]).

dom_contains([From-To|Dom], V) :-
    (   To \== sup, V > To
    ->  dom_contains(Dom, V)
    ;   From == inf
    ->  true
    ;   V >= From
    ).

% dom_from(+Low, +Dom, -Part): the elements that are not below Low.
dom_from(Low, Dom, Part) :-
    (   Low == inf -> Part = Dom ; dom_from_(Dom, Low, Part) ).

dom_from_([], _, []).
dom_from_([From-To|Dom], Low, Part) :-
    (   To \== sup, To < Low
    ->  dom_from_(Dom, Low, Part)
    ;   From \== inf, From >= Low
    ->  Part = [From-To|Dom]
    ;   Part = [Low-To|Dom]
    ).

% dom_upto(+High, +Dom, -Part): the elements that are not above High.
dom_upto(High, Dom, Part) :-
    (   High == sup -> Part = Dom ; dom_upto_(Dom, High, Part) ).

dom_upto_([], _, []).
dom_upto_([From-To|Dom], High, Part) :-
    (   From \== inf, From > High
    ->  Part = []
    ;   To \== sup, To =< High
    ->  Part = [From-To|Part1],
        dom_upto_(Dom, High, Part1)
    ;   Part = [From-High]
    ).

dom_remove([], _, []).
dom_remove([From-To|Dom], V, Rest) :-
    (   To \== sup, To < V
    ->  Rest = [From-To|Rest1],
        dom_remove(Dom, V, Rest1)
    ;   From \== inf, From > V
    ->  Rest = [From-To|Dom]
    ;   (   From == V -> Rest = Rest1 ; Below is V-1, Rest = [From-Below|Rest1] ),
        (   To == V -> Rest1 = Dom ; Above is V+1, Rest1 = [Above-To|Dom] )
    ).

dom_intersection([], _, []).
dom_intersection([I|Is], Dom, Both) :- dom_intersection_(Dom, I, Is, Both).

dom_intersection_([], _, _, []).
dom_intersection_([C-D|Js], A-B, Is, Both) :-
    ext_max(A, C, From),
    ext_min(B, D, To),
    (   ext_le(From, To) -> Both = [From-To|Both1] ; Both = Both1 ),
    (   ext_lt(B, D)
    ->  dom_intersection(Is, [C-D|Js], Both1)
    ;   dom_intersection_(Js, A-B, Is, Both1)
    ).

dom_disjoint(Dom1, Dom2) :- dom_intersection(Dom1, Dom2, []).

dom_union(Dom1, Dom2, Dom) :-
    merge_intervals(Dom1, Dom2, List),
    join_intervals(List, Dom).

merge_intervals([], Dom, Dom) :- !.
merge_intervals(Dom, [], Dom) :- !.
merge_intervals([A-B|Is], [C-D|Js], List) :-
    (   ext_le(A, C)
    ->  List = [A-B|List1],
        merge_intervals(Is, [C-D|Js], List1)
    ;   List = [C-D|List1],
        merge_intervals([A-B|Is], Js, List1)
    ).

% join_intervals(+List, -Dom): intervals sorted by their lower bounds become a domain.
join_intervals([], []).
join_intervals([I|Is], Dom) :- join_intervals_(Is, I, Dom).

join_intervals_([], I, [I]).
join_intervals_([C-D|Is], A-B, Dom) :-
    (   touching(B, C)
    ->  ext_max(B, D, To),
        join_intervals_(Is, A-To, Dom)
    ;   Dom = [A-B|Dom1],
        join_intervals_(Is, C-D, Dom1)
    ).

touching(sup, _) :- !.
touching(_, inf) :- !.
touching(To, From) :- From =< To+1.

dom_complement(Dom, Complement) :- dom_complement_(Dom, inf, Complement).

dom_complement_([], Low, [Low-sup]).
dom_complement_([From-To|Dom], Low, Complement) :-
    (   From == inf -> Complement = Rest ; Below is From-1, Complement = [Low-Below|Rest] ),
    (   To == sup -> Rest = [] ; Above is To+1, dom_complement_(Dom, Above, Rest) ).

% dom_bounds(+Dom, -Min, -Max): fails for the empty domain.
dom_bounds([Min-To|Dom], Min, Max) :- dom_max(Dom, To, Max).

dom_max([], Max, Max).
dom_max([_-To|Dom], _, Max) :- dom_max(Dom, To, Max).

dom_size(Dom, Size) :- dom_size(Dom, 0, Size).

dom_size([], Size, Size).
dom_size([From-To|Dom], Size0, Size) :-
    (   ( From == inf ; To == sup )
    ->  Size = sup
    ;   Size1 is Size0+To-From+1,
        dom_size(Dom, Size1, Size)
    ).

% dom_shift(+Dom, +K, -Shifted): K is added to each element.
dom_shift([], _, []).
dom_shift([From-To|Dom], K, [From1-To1|Shifted]) :-
    ext_add(From, K, From1),
    ext_add(To, K, To1),
    dom_shift(Dom, K, Shifted).

dom_negate(Dom, Negated) :- dom_negate(Dom, [], Negated).

dom_negate([], Negated, Negated).
dom_negate([From-To|Dom], Negated0, Negated) :-
    ext_negate(From, To1),
    ext_negate(To, From1),
    dom_negate(Dom, [From1-To1|Negated0], Negated).

% dom_member(+Dom, -V): V is an element of a finite domain, the smallest first.
dom_member([From-To|Dom], V) :-
    (   Dom == []
    ->  between(From, To, V)
    ;   (   between(From, To, V) ; dom_member(Dom, V) )
    ).

% dom_values(+Dom, -Vs): the elements of a finite domain.
dom_values([], []).
dom_values([From-To|Dom], Vs) :- interval_values(From, To, Dom, Vs).

interval_values(V, To, Dom, [V|Vs]) :-
    (   V =:= To
    ->  dom_values(Dom, Vs)
    ;   V1 is V+1,
        interval_values(V1, To, Dom, Vs)
    ).

% values_dom(+Vs, -Dom): the set of some integers, in any order.
values_dom(Vs, Dom) :-
    sort(Vs, Sorted),
    points(Sorted, List),
    join_intervals(List, Dom).

points([], []).
points([V|Vs], [V-V|Is]) :- points(Vs, Is).

% dom_expression(+Dom, -Expression): Expression is Dom as written on the right of in/2.
dom_expression([], 1..0).
dom_expression([I|Is], Expression) :-
    interval_expression(I, E),
    dom_expression_(Is, E, Expression).

dom_expression_([], E, E).
dom_expression_([I|Is], E0, E) :-
    interval_expression(I, E1),
    dom_expression_(Is, E0\/E1, E).

interval_expression(From-To, E) :- ( From == To -> E = From ; E = From..To ).

% expression_dom(+Expression, -Dom): Dom is the set that an expression on the right of in/2 denotes.
expression_dom(E, _) :- var(E), !, throw(error(instantiation_error, _)).
expression_dom(E, [E-E]) :- integer(E), !.
expression_dom(From..To, Dom) :- !,
    (   ( var(From) ; var(To) )
    ->  throw(error(instantiation_error, _))
    ;   bound(From), bound(To), From \== sup, To \== inf
    ->  ( ext_le(From, To) -> Dom = [From-To] ; Dom = [] )
    ;   throw(error(domain_error(clpfd_domain, From..To), _))
    ).
expression_dom(A\/B, Dom) :- !,
    expression_dom(A, DomA),
    expression_dom(B, DomB),
    dom_union(DomA, DomB, Dom).
expression_dom(\A, Dom) :- !,
    expression_dom(A, DomA),
    dom_complement(DomA, Dom).
expression_dom(E, _) :- throw(error(domain_error(clpfd_domain, E), _)).

bound(B) :- integer(B), !.
bound(inf).
bound(sup).

ext_le(A, B) :-
    (   integer(A), integer(B) -> A =< B ; A == inf -> true ; B == sup ).

ext_lt(A, B) :-
    (   integer(A), integer(B) -> A < B ; A == B -> fail ; A == inf -> true ; B == sup ).

ext_min(A, B, C) :- ( ext_le(A, B) -> C = A ; C = B ).

ext_max(A, B, C) :- ( ext_le(A, B) -> C = B ; C = A ).

% ext_add(+A, +B, -C): A and B are not infinities of opposite signs.
ext_add(A, B, C) :-
    (   integer(A) -> ( integer(B) -> C is A+B ; C = B ) ; C = A ).

ext_negate(A, B) :-
    (   integer(A) -> B is -A ; A == inf -> B = sup ; B = inf ).

% ext_times(+A, +B, -C): zero times infinity is zero.
ext_times(A, B, C) :-
    (   integer(A), integer(B)
    ->  C is A*B
    ;   ( A == 0 ; B == 0 )
    ->  C = 0
    ;   ext_positive(A)
    ->  ( ext_positive(B) -> C = sup ; C = inf )
    ;   ext_positive(B)
    ->  C = inf
    ;   C = sup
    ).

ext_positive(A) :- ext_lt(0, A).

% Sub-terms and how often they occur.
:- module(occurs, [
    contains_term/2,
    contains_var/2,
    free_of_term/2,
    free_of_var/2,
    occurrences_of_term/3,
    occurrences_of_var/3,
    sub_term/2,
    sub_var/2,
    sub_term_shared_variables/3
]).

% A term "contains" a term that unifies with it or one of its sub-terms; the _var predicates test for identity.

% contains_term(+Sub, ?Term): Sub unifies with a subterm of Term.
contains_term(Sub, Term) :-
    \+ free_of_term(Sub, Term).

% contains_var(+Sub, ?Term): Sub is a subterm of Term.
contains_var(Sub, Term) :-
    \+ free_of_var(Sub, Term).

% free_of_term(+Sub, ?Term): Sub unifies with no subterm of Term.
free_of_term(Sub, Term) :-
    \+ ( sub_term(Part, Term), Part = Sub ).

% free_of_var(+Sub, ?Term): Sub is no subterm of Term.
free_of_var(Sub, Term) :-
    \+ ( sub_term(Part, Term), Part == Sub ).

% occurrences_of_term(+Sub, ?Term, -Count): how many subterms of Term unify with Sub.
occurrences_of_term(Sub, Term, Count) :-
    findall(x, sub_term(Sub, Term), Found),
    length(Found, Count).

% occurrences_of_var(+Sub, ?Term, -Count): how many subterms of Term are Sub.
occurrences_of_var(Sub, Term, Count) :-
    findall(x, ( sub_term(Part, Term), Part == Sub ), Found),
    length(Found, Count).

% sub_term(-Sub, +Term): Term itself, then its arguments and theirs, from left to right.
sub_term(Term, Term).
sub_term(Sub, Term) :-
    compound(Term),
    arg(_, Term, Arg),
    sub_term(Sub, Arg).

% sub_var(?Sub, ?Term): the same as sub_term/2, but Sub is not bound.
sub_var(Sub, Term) :-
    sub_term(Part, Term),
    Part == Sub,
    !.

% sub_term_shared_variables(+Sub, +Term, -Vars): variables of Sub that also occur in Term outside it.
sub_term_shared_variables(Sub, Term, Vars) :-
    term_variables(Sub, SubVars),
    outside_variables(Term, Sub, [], Outside),
    keep_identical(SubVars, Outside, Vars).

outside_variables(Term, Sub, Vars, Vars) :-
    Term == Sub,
    !.
outside_variables(Term, _, Vars, [Term|Vars]) :-
    var(Term),
    !.
outside_variables(Term, Sub, Vars0, Vars) :-
    compound(Term),
    !,
    compound_name_arguments(Term, _, Args),
    outside_all(Args, Sub, Vars0, Vars).
outside_variables(_, _, Vars, Vars).

outside_all([], _, Vars, Vars).
outside_all([Arg|Args], Sub, Vars0, Vars) :-
    outside_variables(Arg, Sub, Vars0, Vars1),
    outside_all(Args, Sub, Vars1, Vars).

keep_identical([], _, []).
keep_identical([Var|Vars], Others, Kept) :-
    (   member(Other, Others),
        Other == Var
    ->  Kept = [Var|Kept1]
    ;   Kept = Kept1
    ),
    keep_identical(Vars, Others, Kept1).

% Comparing, generalising and mapping terms.
:- module(terms, [
    term_size/2,
    variant/2,
    subsumes/2,
    subsumes_chk/2,
    term_subsumer/3,
    mapargs/3,
    mapsubterms/3,
    mapsubterms_var/3,
    foldsubterms/4,
    foldsubterms/5,
    same_functor/2,
    same_functor/3,
    same_functor/4,
    is_most_general_term/1,
    term_singletons/2,
    term_factorized/3,
    var_number/2
]).

:- meta_predicate
    mapargs(2, ?, ?),
    mapsubterms(2, ?, ?),
    mapsubterms_var(2, ?, ?),
    foldsubterms(3, ?, ?, ?),
    foldsubterms(4, ?, ?, ?, ?).

% term_size(@Term, -Cells): a cell for each compound, a cell for each of its arguments, and the cells of strings and
% of numbers that do not fit in a cell.
term_size(Term, Cells) :-
    size_of(Term, 0, Cells).

size_of(Term, Cells0, Cells) :-
    (   compound(Term)
    ->  compound_name_arguments(Term, _, Args),
        length(Args, Arity),
        Cells1 is Cells0 + Arity + 1,
        sizes_of(Args, Cells1, Cells)
    ;   blob_cells(Term, Blob)
    ->  Cells is Cells0 + Blob
    ;   Cells = Cells0
    ).

% blob_cells(@Term, -Cells): the cells of the value and the two cells that mark its ends.
blob_cells(Term, Cells) :-
    (   float(Term)
    ->  Cells = 3
    ;   string(Term)
    ->  string_bytes(Term, Bytes, utf8),
        length(Bytes, Length),
        Cells is 3 + (Length + 1) // 8
    ;   integer(Term)
    ->  integer_cells(Term, Cells)
    ;   rational(Term, Numerator, Denominator),
        words(Numerator, Above),
        words(Denominator, Below),
        Cells is 4 + Above + Below
    ).

integer_cells(Integer, Cells) :-
    (   Integer >= -(1 << 60),
        Integer < 1 << 60
    ->  Cells = 0
    ;   Integer >= -(1 << 63),
        Integer < 1 << 63
    ->  Cells = 3
    ;   words(Integer, Words),
        Cells is 3 + Words
    ).

words(Integer, Words) :-
    Words is msb(abs(Integer)) // 64 + 1.

sizes_of([], Cells, Cells).
sizes_of([Arg|Args], Cells0, Cells) :-
    size_of(Arg, Cells0, Cells1),
    sizes_of(Args, Cells1, Cells).

% variant(?A, ?B): the terms are equal but for the names of variables.
variant(Term1, Term2) :-
    Term1 =@= Term2.

% subsumes_chk(?General, ?Specific): subsumes_term/2.
subsumes_chk(General, Specific) :-
    subsumes_term(General, Specific).

% subsumes(?General, ?Specific): makes General equal to Specific by binding only variables of General.
subsumes(General, Specific) :-
    subsumes_term(General, Specific),
    General = Specific.

% term_subsumer(+Term1, +Term2, -General): General is the most specific term that subsumes both. Equal pairs of
% differing sub-terms get the same variable.
term_subsumer(Term1, Term2, General) :-
    generalise(Term1, Term2, General, [], _).

generalise(Term1, Term2, General, Seen, Seen) :-
    Term1 == Term2,
    !,
    General = Term1.
generalise(Term1, Term2, General, Seen0, Seen) :-
    compound(Term1),
    compound(Term2),
    same_functor(Term1, Term2),
    !,
    compound_name_arguments(Term1, Name, Args1),
    compound_name_arguments(Term2, _, Args2),
    generalise_all(Args1, Args2, Args, Seen0, Seen),
    compound_name_arguments(General, Name, Args).
generalise(Term1, Term2, General, Seen, Seen) :-
    seen_pair(Seen, Term1, Term2, General0),
    !,
    General = General0.
generalise(Term1, Term2, Var, Seen, [pair(Term1, Term2, Var)|Seen]).

generalise_all([], [], [], Seen, Seen).
generalise_all([X|Xs], [Y|Ys], [Z|Zs], Seen0, Seen) :-
    generalise(X, Y, Z, Seen0, Seen1),
    generalise_all(Xs, Ys, Zs, Seen1, Seen).

seen_pair([pair(X, Y, Var0)|Seen], Term1, Term2, Var) :-
    (   X == Term1,
        Y == Term2
    ->  Var = Var0
    ;   seen_pair(Seen, Term1, Term2, Var)
    ).

% same_functor(?Term1, ?Term2): terms of the same name and arity; one may be unbound.
same_functor(Term1, Term2) :-
    same_functor(Term1, Term2, _, _).

% same_functor(?A, ?B, ?Arity): the terms have the same name and arity.
same_functor(Term1, Term2, Arity) :-
    same_functor(Term1, Term2, _, Arity).

% same_functor(?A, ?B, ?Name, ?Arity): the terms have the same name and arity.
same_functor(Term1, Term2, Name, Arity) :-
    (   nonvar(Term1)
    ->  functor(Term1, Name, Arity, Type),
        functor(Term2, Name, Arity, Type)
    ;   functor(Term2, Name, Arity, Type),
        functor(Term1, Name, Arity, Type)
    ).

% mapargs(:Goal, ?Term1, ?Term2): call(Goal, A1, A2) for the arguments at each place.
mapargs(Goal, Term1, Term2) :-
    same_functor(Term1, Term2, Arity),
    map_args(1, Arity, Goal, Term1, Term2).

map_args(I, Arity, Goal, Term1, Term2) :-
    (   I =< Arity
    ->  arg(I, Term1, A1),
        arg(I, Term2, A2),
        call(Goal, A1, A2),
        I1 is I + 1,
        map_args(I1, Arity, Goal, Term1, Term2)
    ;   true
    ).

% mapsubterms(:Goal, +Term1, -Term2): the outermost sub-terms for which Goal succeeds are replaced by its answer.
mapsubterms(Goal, Term1, Term2) :-
    (   var(Term1)
    ->  Term2 = Term1
    ;   call(Goal, Term1, Term2)
    ->  true
    ;   compound(Term1)
    ->  compound_name_arguments(Term1, Name, Args1),
        map_subterms(Args1, Goal, Args2),
        compound_name_arguments(Term2, Name, Args2)
    ;   Term2 = Term1
    ).

map_subterms([], _, []).
map_subterms([X|Xs], Goal, [Y|Ys]) :-
    mapsubterms(Goal, X, Y),
    map_subterms(Xs, Goal, Ys).

% The same, offering variables to Goal too.
% mapsubterms_var(:Goal, +Term0, -Term): mapsubterms/3 that asks for variables too.
mapsubterms_var(Goal, Term1, Term2) :-
    (   call(Goal, Term1, Term2)
    ->  true
    ;   compound(Term1)
    ->  compound_name_arguments(Term1, Name, Args1),
        map_subterms_var(Args1, Goal, Args2),
        compound_name_arguments(Term2, Name, Args2)
    ;   Term2 = Term1
    ).

map_subterms_var([], _, []).
map_subterms_var([X|Xs], Goal, [Y|Ys]) :-
    mapsubterms_var(Goal, X, Y),
    map_subterms_var(Xs, Goal, Ys).

% foldsubterms(:Goal, +Term, +State0, -State): call(Goal, Sub, S0, S) on the outermost sub-terms for which it succeeds.
foldsubterms(Goal, Term, State0, State) :-
    (   call(Goal, Term, State0, State1)
    ->  State = State1
    ;   compound(Term)
    ->  compound_name_arguments(Term, _, Args),
        fold_subterms(Args, Goal, State0, State)
    ;   State = State0
    ).

fold_subterms([], _, State, State).
fold_subterms([X|Xs], Goal, State0, State) :-
    foldsubterms(Goal, X, State0, State1),
    fold_subterms(Xs, Goal, State1, State).

% foldsubterms(:Goal, +Term1, -Term2, +State0, -State): replaces and folds at once.
foldsubterms(Goal, Term1, Term2, State0, State) :-
    (   call(Goal, Term1, Term3, State0, State1)
    ->  Term2 = Term3,
        State = State1
    ;   compound(Term1)
    ->  compound_name_arguments(Term1, Name, Args1),
        fold_subterms(Args1, Goal, Args2, State0, State),
        compound_name_arguments(Term2, Name, Args2)
    ;   Term2 = Term1,
        State = State0
    ).

fold_subterms([], _, [], State, State).
fold_subterms([X|Xs], Goal, [Y|Ys], State0, State) :-
    foldsubterms(Goal, X, Y, State0, State1),
    fold_subterms(Xs, Goal, Ys, State1, State).

% is_most_general_term(@Term): an atom, a compound whose arguments are distinct variables, or a list of such variables.
is_most_general_term(Term) :-
    is_list(Term),
    !,
    distinct_variables(Term).
is_most_general_term(Term) :-
    compound(Term),
    !,
    Term \= [_|_],
    compound_name_arguments(Term, _, Args),
    distinct_variables(Args).
is_most_general_term(Term) :-
    atom(Term).

distinct_variables(Args) :-
    maplist(var, Args),
    \+ ( member(Arg, Args), attvar(Arg) ),
    length(Args, Count),
    term_variables(Args, Vars),
    length(Vars, Count).

% term_singletons(@Term, -Variables): the variables that occur once in Term.
term_singletons(Term, Singletons) :-
    variable_occurrences(Term, Occurrences, []),
    msort(Occurrences, Sorted),
    single(Sorted, Single),
    term_variables(Term, Vars),
    keep_members(Vars, Single, Singletons).

variable_occurrences(Term, [Term|Vars], Vars) :-
    var(Term),
    !.
variable_occurrences(Term, Vars0, Vars) :-
    compound(Term),
    !,
    compound_name_arguments(Term, _, Args),
    foldl(variable_occurrences, Args, Vars0, Vars).
variable_occurrences(_, Vars, Vars).

single([], []).
single([X, Y|Rest], Single) :-
    X == Y,
    !,
    drop_equal(Rest, X, Rest1),
    single(Rest1, Single).
single([X|Rest], [X|Single]) :-
    single(Rest, Single).

drop_equal([Y|Rest], X, Left) :-
    X == Y,
    !,
    drop_equal(Rest, X, Left).
drop_equal(Left, _, Left).

keep_members([], _, []).
keep_members([Var|Vars], Set, Kept) :-
    (   ord_memberchk(Var, Set)
    ->  Kept = [Var|Kept1]
    ;   Kept = Kept1
    ),
    keep_members(Vars, Set, Kept1).

% term_factorized(+Term, -Skeleton, -Substitutions): Skeleton is Term with a variable for each compound that occurs more
% than once; Substitutions say Variable=Compound.
term_factorized(Term, Skeleton, Substitutions) :-
    '$factorize'(Term, equal, Skeleton, Substitutions).

% var_number(@Term, -Number): Term is '$VAR'(Number), as numbervars/3 makes it.
var_number(Term, Number) :-
    nonvar(Term),
    Term = '$VAR'(Number0),
    nonvar(Number0),
    Number = Number0.

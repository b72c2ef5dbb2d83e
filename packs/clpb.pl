% Constraints over Boolean variables.
%
% What is known about variables that depend on one another is one decision diagram, which their common root holds. A
% diagram is 0, 1 or n(Id, V, Low, High), where V is the record v(Index, Table, X, Atom) of a variable; indexes grow
% from the top to the bottom. Table has all diagrams that begin with the variable, so that equal diagrams are the same
% term. The attribute clpb of a variable is b(V, Root); Root is root(Link, Diagram, Formula, Universal, Shown), and what
% is linked to another root has all its parts there. An atom stands for every value: a hidden variable has its record.
:- module(clpb, [
    op(300, fy, ~),
    op(500, yfx, #),
    sat/1,
    taut/2,
    labeling/1,
    sat_count/2,
    weighted_maximum/3,
    random_labeling/2
]).

% sat(+Expression): Expression is true. Its variables are bound or made equal where nothing else is possible.
sat(Expression) :-
    diagram_of(Expression, F, Roots),
    joined(Roots, Root, F, D0),
    satisfiable(D0, Root),
    setarg(2, Root, D0),
    arg(3, Root, Formula),
    setarg(3, Root, Formula*Expression),
    settle(Root).

% taut(+Expression, ?T): T is 1 if Expression is true for all values that the constraints leave, 0 if for none.
taut(Expression, T) :-
    diagram_of(Expression, F, Roots),
    known(Roots, 1, D, no, Universal),
    conjunction(D, F, True),
    (   impossible(True, Universal)
    ->  T = 0
    ;   negation(F, G),
        conjunction(D, G, False),
        impossible(False, Universal),
        T = 1
    ).

% labeling(+Variables): each of them becomes 0 or 1.
labeling(Variables) :-
    boolean_list(Variables),
    values(Variables).

values([]).
values([X|Xs]) :-
    (   var(X)
    ->  ( X = 0 ; X = 1 )
    ;   true
    ),
    values(Xs).

boolean_list(Xs) :-
    must_be(list, Xs),
    (   member(X, Xs), \+ var(X), X \== 0, X \== 1
    ->  domain_error(clpb_variable, X)
    ;   true
    ).

% sat_count(+Expression, -Count): how many values its variables may have such that Expression is true.
sat_count(Expression, Count) :-
    findall(N, counted_models(Expression, N), [Count]).

counted_models(Expression, Count) :-
    diagram_of(Expression, F, Roots),
    known(Roots, 1, D0, no, _),
    conjunction(D0, F, D1),
    term_variables(Expression, Xs),
    ordered_records(Xs, Vs),
    project(D1, Vs, D),
    empty_table(Counts),
    models(Vs, D, Counts, Count).

% weighted_maximum(+Weights, +Variables, -Maximum): the largest sum of the integers Weights of Variables that are 1, and
% on backtracking all values of Variables that have it.
weighted_maximum(Weights, Variables, Maximum) :-
    must_be(list(integer), Weights),
    boolean_list(Variables),
    weighted(Weights, Variables, 0, Constant, Pairs0),
    keysort(Pairs0, Pairs),
    weights(Pairs, Vs, Ws),
    roots(Vs, [], Roots),
    known(Roots, 1, D0, no, _),
    project(D0, Vs, D),
    empty_table(Best),
    best(Vs, Ws, D, Best, Max),
    Maximum is Max+Constant,
    optimum(Vs, Ws, D, Best, Max, Values),
    bind(Vs, Values).

% random_labeling(+Seed, +Variables): Variables get one of the values that they may have, each with the same chance.
random_labeling(Seed, Variables) :-
    ( integer(Seed) -> true ; type_error(seed, Seed) ),
    boolean_list(Variables),
    term_variables(Variables, Xs),
    ordered_records(Xs, Vs),
    roots(Vs, [], Roots),
    known(Roots, 1, D0, no, _),
    project(D0, Vs, D),
    empty_table(Counts),
    models(Vs, D, Counts, Count),
    Random0 is (Seed*2862933555777941757+3037000493) mod (1<<64),
    drawn(Vs, D, Counts, Count, Random0, Values),
    bind(Vs, Values),
    !.

bind([], []).
bind([V|Vs], [Value|Values]) :-
    arg(3, V, Value),
    bind(Vs, Values).

% Expressions.

% diagram_of(+Expression, -Diagram, -Roots): Roots are those of its variables and atoms.
diagram_of(Expression, F, Roots) :-
    (   expression(Expression, Atoms0, [])
    ->  true
    ;   domain_error(clpb_expr, Expression)
    ),
    term_variables(Expression, Xs),
    records(Xs, Vs0),
    sort(Atoms0, Atoms),
    atom_records(Atoms, Us),
    append(Us, Vs0, Vs),
    roots(Vs, [], Roots),
    diagram(Expression, F).

% expression(+E, -Atoms, ?Tail): E is well formed and has these atoms.
expression(E, As, As) :- var(E), !.
expression(0, As, As) :- !.
expression(1, As, As) :- !.
expression(E, [E|As], As) :- atom(E), !, E \== [].
expression(X^E, As0, As) :- !, var(X), expression(E, As0, As).
expression(card(Is, Es), As0, As) :-
    !,
    must_be(list(ground), Is),
    must_be(list, Es),
    expressions(Es, As0, As).
expression(+Es, As0, As) :- !, must_be(list, Es), expressions(Es, As0, As).
expression(*(Es), As0, As) :- !, must_be(list, Es), expressions(Es, As0, As).
expression(~E, As0, As) :- !, expression(E, As0, As).
expression(E, As0, As) :-
    compound(E),
    E =.. [Name, A, B],
    connective(Name),
    expression(A, As0, As1),
    expression(B, As1, As).

expressions([], As, As).
expressions([E|Es], As0, As) :-
    expression(E, As0, As1),
    expressions(Es, As1, As).

connective(+).
connective(*).
connective(#).
connective(=:=).
connective(=\=).
connective(=<).
connective(>=).
connective(<).
connective(>).

% diagram(+Expression, -Diagram): of a well formed one.
diagram(X, F) :- var(X), !, record(X, V), node(V, 0, 1, F).
diagram(0, 0).
diagram(1, 1).
diagram(A, F) :- atom(A), atom_record(A, V), node(V, 0, 1, F).
diagram(~A, F) :- diagram(A, G), negation(G, F).
diagram(A+B, F) :- diagram(A, G), diagram(B, H), disjunction(G, H, F).
diagram(A*B, F) :- diagram(A, G), diagram(B, H), conjunction(G, H, F).
diagram(A#B, F) :- diagram(A, G), diagram(B, H), difference(G, H, F).
diagram(A=\=B, F) :- diagram(A#B, F).
diagram(A=:=B, F) :- diagram(A#B, G), negation(G, F).
diagram(A=<B, F) :- diagram(~A+B, F).
diagram(A>=B, F) :- diagram(A+(~B), F).
diagram(A<B, F) :- diagram(~A*B, F).
diagram(A>B, F) :- diagram(A*(~B), F).
diagram(X^E, F) :-
    copy_term_nat(X^E, Y^C),
    term_variables(X^E, [X|Xs]),
    term_variables(Y^C, [Y|Xs]),
    diagram(C, G),
    record(Y, V),
    del_attr(Y, clpb),
    exists(V, G, F).
diagram(+Es, F) :- any(Es, 0, F).
diagram(*(Es), F) :- all(Es, 1, F).
diagram(card(Is, Es), F) :-
    length(Es, N),
    findall(Bit, ( between(0, N, K), ( counted(Is, K) -> Bit = 1 ; Bit = 0 ) ), Row),
    reverse(Es, Rs),
    cardinality(Rs, Row, F).

any([], F, F).
any([E|Es], F0, F) :- diagram(E, G), disjunction(F0, G, F1), any(Es, F1, F).

all([], F, F).
all([E|Es], F0, F) :- diagram(E, G), conjunction(F0, G, F1), all(Es, F1, F).

counted(Is, K) :-
    member(I, Is),
    (   I = L-H
    ->  must_be(integer, L), must_be(integer, H), K >= L, K =< H
    ;   K == I
    ),
    !.

% cardinality(+Es, +Row, -Diagram): the element K of Row is the diagram for K true expressions before the last of Es.
cardinality([], [F|_], F).
cardinality([E|Es], Row0, F) :-
    diagram(E, C),
    choices(Row0, C, Row),
    cardinality(Es, Row, F).

choices([_], _, []) :- !.
choices([F0,F1|Fs], C, [F|Row]) :-
    if_then_else(C, F1, F0, F),
    choices([F1|Fs], C, Row).

% Records and roots.

record(X, V) :-
    (   get_attr(X, clpb, b(V0, _))
    ->  V = V0
    ;   V = v(_, _, X, none),
        new_record(V, no, X)
    ).

new_record(V, Universal, X) :-
    ( catch(nb_getval('$clpb_index', Index0), _, Index0 = 0) -> true ; true ),
    Index is Index0+1,
    nb_setval('$clpb_index', Index),
    empty_table(Table),
    arg(1, V, Index),
    arg(2, V, Table),
    put_attr(X, clpb, b(V, root(none, 1, 1, Universal, no))).

ordered_records(Xs, Vs) :-
    records(Xs, Vs0),
    indexed(Vs0, Pairs0),
    keysort(Pairs0, Pairs),
    pairs_values(Pairs, Vs).

indexed([], []).
indexed([V|Vs], [I-V|Pairs]) :- arg(1, V, I), indexed(Vs, Pairs).

records([], []).
records([X|Xs], [V|Vs]) :- record(X, V), records(Xs, Vs).

atom_record(A, V) :-
    ( nb_current('$clpb_atoms', Known) -> true ; Known = [] ),
    (   memberchk(A-X, Known)
    ->  get_attr(X, clpb, b(V, _))
    ;   b_setval('$clpb_atoms', [A-X|Known]),
        V = v(_, _, X, A),
        new_record(V, yes, X)
    ).

atom_records([], []).
atom_records([A|As], [V|Vs]) :- atom_record(A, V), atom_records(As, Vs).

roots([], Roots, Roots).
roots([V|Vs], Roots0, Roots) :-
    arg(3, V, X),
    (   get_attr(X, clpb, b(_, Root0))
    ->  root(Root0, Root),
        ( member(R, Roots0), same_term(R, Root) -> Roots1 = Roots0 ; Roots1 = [Root|Roots0] )
    ;   Roots1 = Roots0
    ),
    roots(Vs, Roots1, Roots).

root(Root0, Root) :-
    arg(1, Root0, Link),
    ( Link == none -> Root = Root0 ; root(Link, Root) ).

% known(+Roots, +D0, -D, +Universal0, -Universal): D is all that they know.
known([], D, D, U, U).
known([Root|Roots], D0, D, U0, U) :-
    Root = root(_, F, _, U1, _),
    conjunction(D0, F, D1),
    ( U1 == yes -> U2 = yes ; U2 = U0 ),
    known(Roots, D1, D, U2, U).

% joined(+Roots, -Root, +D0, -D): one root for all; D is D0 and all that they know.
joined([], root(none, 1, 1, no, no), D, D).
joined([Root|Roots], Root, D0, D) :-
    arg(2, Root, F),
    conjunction(D0, F, D1),
    link(Roots, Root, D1, D).

link([], _, D, D).
link([R|Rs], Root, D0, D) :-
    R = root(_, F, Formula, U, _),
    setarg(1, R, Root),
    conjunction(D0, F, D1),
    arg(3, Root, Formula0),
    setarg(3, Root, Formula0*Formula),
    ( U == yes -> setarg(4, Root, yes) ; true ),
    link(Rs, Root, D1, D).

satisfiable(D, Root) :-
    arg(4, Root, Universal),
    \+ impossible(D, Universal).

impossible(0, _) :- !.
impossible(D, yes) :-
    support(D, Vs),
    without_variables(Vs, D, F),
    F \== 1.

without_variables([], D, D).
without_variables([V|Vs], D0, D) :-
    ( arg(4, V, none) -> exists(V, D0, D1) ; D1 = D0 ),
    without_variables(Vs, D1, D).

% Diagrams.

node(V, L, H, F) :-
    (   same_term(L, H)
    ->  F = L
    ;   arg(2, V, Table),
        diagram_id(L, I),
        diagram_id(H, J),
        Key is I*12582917+J*8191,
        (   find(Table, Key, L, H, F0)
        ->  F = F0
        ;   arg(1, Table, N),
            arg(1, V, Index),
            Id is (N+Index*65537)*2+2,
            F = n(Id, V, L, H),
            insert(Table, Key, L, H, F)
        )
    ).

diagram_id(F, Id) :- ( integer(F) -> Id = F ; arg(1, F, Id) ).

negation(F, G) :- difference(F, 1, G).

conjunction(F, G, H) :-
    ( easy_and(F, G, H0) -> H = H0 ; empty_table(Memo), apply(and, F, G, Memo, H) ).

disjunction(F, G, H) :-
    ( easy_or(F, G, H0) -> H = H0 ; empty_table(Memo), apply(or, F, G, Memo, H) ).

difference(F, G, H) :-
    ( easy_xor(F, G, H0) -> H = H0 ; empty_table(Memo), apply(xor, F, G, Memo, H) ).

if_then_else(C, F, G, H) :-
    conjunction(C, F, A),
    negation(C, N),
    conjunction(N, G, B),
    disjunction(A, B, H).

easy_and(F, G, H) :-
    (   integer(F)
    ->  ( F =:= 0 -> H = 0 ; H = G )
    ;   integer(G)
    ->  ( G =:= 0 -> H = 0 ; H = F )
    ;   same_term(F, G),
        H = F
    ).

easy_or(F, G, H) :-
    (   integer(F)
    ->  ( F =:= 0 -> H = G ; H = 1 )
    ;   integer(G)
    ->  ( G =:= 0 -> H = F ; H = 1 )
    ;   same_term(F, G),
        H = F
    ).

easy_xor(F, G, H) :-
    (   same_term(F, G) -> H = 0
    ;   F == 0 -> H = G
    ;   G == 0 -> H = F
    ;   integer(F), integer(G), H = 1
    ).

apply(and, F, G, Memo, H) :- ( easy_and(F, G, H0) -> H = H0 ; split(and, F, G, Memo, H) ).
apply(or, F, G, Memo, H) :- ( easy_or(F, G, H0) -> H = H0 ; split(or, F, G, Memo, H) ).
apply(xor, F, G, Memo, H) :- ( easy_xor(F, G, H0) -> H = H0 ; split(xor, F, G, Memo, H) ).

split(Op, F, G, Memo, H) :-
    diagram_id(F, I),
    diagram_id(G, J),
    Key is I*12582917+J*8191,
    (   find(Memo, Key, F, G, H0)
    ->  H = H0
    ;   top(F, G, V, F0, F1, G0, G1),
        apply(Op, F0, G0, Memo, L),
        apply(Op, F1, G1, Memo, R),
        node(V, L, R, H),
        insert(Memo, Key, F, G, H)
    ).

% top(+F, +G, -V, -F0, -F1, -G0, -G1): V is the first variable of both, the others are what they are for 0 and 1.
top(F, G, V, F0, F1, G0, G1) :-
    (   integer(F)
    ->  F0 = F, F1 = F, G = n(_, V, G0, G1)
    ;   integer(G)
    ->  G0 = G, G1 = G, F = n(_, V, F0, F1)
    ;   F = n(_, VF, FL, FH),
        G = n(_, VG, GL, GH),
        arg(1, VF, I),
        arg(1, VG, J),
        (   I < J
        ->  V = VF, F0 = FL, F1 = FH, G0 = G, G1 = G
        ;   J < I
        ->  V = VG, F0 = F, F1 = F, G0 = GL, G1 = GH
        ;   same_term(VF, VG)
        ->  V = VF, F0 = FL, F1 = FH, G0 = GL, G1 = GH
        ;   throw(error(representation_error(clpb_copy), _)) % of a variable with its constraints
        )
    ).

exists(V, F, G) :- empty_table(Memo), quantified(F, or, V, Memo, G).

forall_values(V, F, G) :- empty_table(Memo), quantified(F, and, V, Memo, G).

restricted(0, V, F, G) :- empty_table(Memo), quantified(F, zero, V, Memo, G).
restricted(1, V, F, G) :- empty_table(Memo), quantified(F, one, V, Memo, G).

% quantified(+F, +Op, +V, +Memo, -G): G is Op of F for both values of V.
quantified(F, Op, V, Memo, G) :-
    (   integer(F)
    ->  G = F
    ;   F = n(Id, W, L, H),
        arg(1, V, I),
        arg(1, W, J),
        (   J > I
        ->  G = F
        ;   J =:= I
        ->  meet(Op, L, H, G)
        ;   find(Memo, Id, F, 0, G0)
        ->  G = G0
        ;   quantified(L, Op, V, Memo, L1),
            quantified(H, Op, V, Memo, H1),
            node(W, L1, H1, G),
            insert(Memo, Id, F, 0, G)
        )
    ).

meet(or, L, H, G) :- disjunction(L, H, G).
meet(and, L, H, G) :- conjunction(L, H, G).
meet(zero, L, _, L).
meet(one, _, H, H).

% support(+F, -Vs): the variables of a diagram, the first first.
support(F, Vs) :-
    empty_table(Seen),
    support(F, Seen, Vs0, []),
    keysort(Vs0, Pairs),
    distinct_values(Pairs, Vs).

support(F, Seen, Vs0, Vs) :-
    (   integer(F)
    ->  Vs0 = Vs
    ;   F = n(Id, V, L, H),
        (   find(Seen, Id, F, 0, _)
        ->  Vs0 = Vs
        ;   insert(Seen, Id, F, 0, 1),
            arg(1, V, I),
            Vs0 = [I-V|Vs1],
            support(L, Seen, Vs1, Vs2),
            support(H, Seen, Vs2, Vs)
        )
    ).

distinct_values([], []).
distinct_values([I-V|Pairs], Vs) :-
    (   Pairs = [J-_|_], I == J
    ->  distinct_values(Pairs, Vs)
    ;   Vs = [V|Vs1],
        distinct_values(Pairs, Vs1)
    ).

% project(+F, +Vs, -G): what F says about Vs alone, for each value of the atoms.
project(F, Vs, G) :-
    support(F, Ws),
    project_(Ws, Vs, F, G0),
    support(G0, Us),
    universal(Us, G0, G).

project_([], _, F, F).
project_([W|Ws], Vs, F0, F) :-
    (   \+ arg(4, W, none)
    ->  F1 = F0
    ;   member(V, Vs), same_term(V, W)
    ->  F1 = F0
    ;   exists(W, F0, F1)
    ),
    project_(Ws, Vs, F1, F).

universal([], F, F).
universal([U|Us], F0, F) :-
    ( arg(4, U, none) -> F1 = F0 ; forall_values(U, F0, F1) ),
    universal(Us, F1, F).

% Tables with keys that are small integers: t(Count, Buckets). Each key may belong to several pairs of terms, which
% are told apart by identity.

empty_table(t(0, h(nil, nil, nil, nil, nil, nil, nil, nil))).

find(t(_, Buckets), Key, A, B, Value) :-
    functor(Buckets, _, Size),
    I is Key mod Size + 1,
    arg(I, Buckets, Bucket),
    in_bucket(Bucket, A, B, Value).

in_bucket(e(A0, B0, Value0, _, Rest), A, B, Value) :-
    (   same_term(A0, A), same_term(B0, B)
    ->  Value = Value0
    ;   in_bucket(Rest, A, B, Value)
    ).

insert(Table, Key, A, B, Value) :-
    Table = t(N, Buckets0),
    functor(Buckets0, _, Size0),
    (   N >= Size0
    ->  '$grown_buckets'(Buckets0, Buckets),
        functor(Buckets, _, Size),
        setarg(2, Table, Buckets)
    ;   Size = Size0,
        Buckets = Buckets0
    ),
    N1 is N+1,
    setarg(1, Table, N1),
    I is Key mod Size + 1,
    arg(I, Buckets, Bucket),
    setarg(I, Buckets, e(A, B, Value, Key, Bucket)).

% The consequences of a diagram.

% settle(+Root): binds the variables that have one value only, and those that are equal.
settle(Root) :-
    arg(2, Root, D),
    (   integer(D)
    ->  true
    ;   empty_table(Memo),
        empty_table(Equal),
        forced(D, Memo, Equal, Lits),
        support(D, Vs),
        equalities(Vs, D, Equal, Lits, Pairs),
        fix(Lits, D, D1),
        merge(Pairs, D1, D2),
        setarg(2, Root, D2),
        bind_literals(Lits),
        bind_pairs(Pairs)
    ).

% forced(+F, +Memo, +Equal, -Lits): Lits are the literals Key-V that F implies, with the key 2*Index+Value. Equal has
% for each variable those below it that are equal in all diagrams beginning with it that are part of F.
forced(F, Memo, Equal, Lits) :-
    (   integer(F)
    ->  Lits = []
    ;   F = n(Id, V, L, H),
        (   find(Memo, Id, F, 0, Lits0)
        ->  Lits = Lits0
        ;   forced(L, Memo, Equal, Ls),
            forced(H, Memo, Equal, Hs),
            arg(1, V, Index),
            Key is 2*Index,
            (   L == 0
            ->  Key1 is Key+1,
                Lits = [Key1-V|Hs],
                ones(Hs, Es)
            ;   H == 0
            ->  Lits = [Key-V|Ls],
                zeros(Ls, Es)
            ;   both(Ls, Hs, Lits, Es)
            ),
            insert(Memo, Id, F, 0, Lits),
            (   find(Equal, Index, V, 0, Cell)
            ->  arg(1, Cell, Es0),
                common(Es0, Es, Es1),
                setarg(1, Cell, Es1)
            ;   insert(Equal, Index, V, 0, c(Es))
            )
        )
    ).

ones([], []).
ones([K-V|Ls], Es) :-
    ( K /\ 1 =:= 1 -> I is K>>1, Es = [I-V|Es1] ; Es = Es1 ),
    ones(Ls, Es1).

zeros([], []).
zeros([K-V|Ls], Es) :-
    ( K /\ 1 =:= 0 -> I is K>>1, Es = [I-V|Es1] ; Es = Es1 ),
    zeros(Ls, Es1).

% both(+Ls, +Hs, -Lits, -Es): Lits are in both lists; Es are the variables that are 0 in Ls and 1 in Hs.
both([], _, [], []) :- !.
both(_, [], [], []) :- !.
both([K-V|Ls], [J-W|Hs], Lits, Es) :-
    I1 is K>>1,
    I2 is J>>1,
    (   I1 < I2
    ->  both(Ls, [J-W|Hs], Lits, Es)
    ;   I1 > I2
    ->  both([K-V|Ls], Hs, Lits, Es)
    ;   K =:= J
    ->  Lits = [K-V|Lits1],
        both(Ls, Hs, Lits1, Es)
    ;   K < J
    ->  Es = [I1-V|Es1],
        both(Ls, Hs, Lits, Es1)
    ;   both(Ls, Hs, Lits, Es)
    ).

common([], _, []) :- !.
common(_, [], []) :- !.
common([I-V|As], [J-W|Bs], Cs) :-
    (   I < J
    ->  common(As, [J-W|Bs], Cs)
    ;   I > J
    ->  common([I-V|As], Bs, Cs)
    ;   Cs = [I-V|Cs1],
        common(As, Bs, Cs1)
    ).

% equalities(+Vs, +D, +Equal, +Lits, -Pairs): Pairs are V=W such that W comes below V; each W is in one pair at most.
equalities([], _, _, _, []).
equalities([V|Vs], D, Equal, Lits, Pairs) :-
    arg(1, V, Index),
    (   \+ literal(Lits, Index),
        find(Equal, Index, V, 0, c(Es)),
        Es \== [],
        empty_table(Seen0),
        \+ passed_over(D, Index, Seen0)
    ->  paired(Es, V, Lits, Pairs, Pairs1, Seen, []),
        outside(Vs, Seen, Vs1)
    ;   Pairs = Pairs1,
        Vs1 = Vs
    ),
    equalities(Vs1, D, Equal, Lits, Pairs1).

% passed_over(+F, +Index, +Seen): F is true for some values without a look at the variable of that index.
passed_over(F, Index, Seen) :-
    (   integer(F)
    ->  F =:= 1
    ;   F = n(Id, V, L, H),
        arg(1, V, I),
        I =\= Index,
        (   I > Index
        ->  true
        ;   find(Seen, Id, F, 0, _)
        ->  fail
        ;   insert(Seen, Id, F, 0, 1),
            ( passed_over(L, Index, Seen) -> true ; passed_over(H, Index, Seen) )
        )
    ).

paired([], _, _, Pairs, Pairs, Seen, Seen).
paired([I-W|Es], V, Lits, Pairs0, Pairs, Seen0, Seen) :-
    (   literal(Lits, I)
    ->  Pairs0 = Pairs1, Seen0 = Seen1
    ;   Pairs0 = [V=W|Pairs1], Seen0 = [W|Seen1]
    ),
    paired(Es, V, Lits, Pairs1, Pairs, Seen1, Seen).

outside([], _, []).
outside([V|Vs], Seen, Out) :-
    ( member(W, Seen), same_term(V, W) -> Out = Out1 ; Out = [V|Out1] ),
    outside(Vs, Seen, Out1).

literal([K-_|Lits], Index) :- ( K>>1 =:= Index -> true ; literal(Lits, Index) ).

fix([], D, D).
fix([K-V|Lits], D0, D) :-
    Value is K /\ 1,
    restricted(Value, V, D0, D1),
    fix(Lits, D1, D).

merge([], D, D).
merge([_=W|Pairs], D0, D) :-
    exists(W, D0, D1),
    merge(Pairs, D1, D).

bind_literals([]).
bind_literals([K-V|Lits]) :-
    Value is K /\ 1,
    arg(3, V, X),
    released(X, V),
    X = Value,
    bind_literals(Lits).

bind_pairs([]).
bind_pairs([V=W|Pairs]) :-
    (   arg(4, W, none)
    ->  equal(W, V)
    ;   arg(4, V, none)
    ->  equal(V, W)
    ;   true % two atoms, which is not satisfiable
    ),
    bind_pairs(Pairs).

% equal(+W, +V): the variable of W, which is in no diagram any more, becomes that of V.
equal(W, V) :-
    W = v(_, _, X, _),
    V = v(_, _, Y, Atom),
    released(X, W),
    ( Atom == none -> X = Y ; X = Atom ).

released(X, V) :-
    (   get_attr(X, clpb, b(V0, _)), same_term(V0, V)
    ->  del_attr(X, clpb)
    ;   true
    ).

attr_unify_hook(b(V, Root0), Y) :-
    root(Root0, Root),
    arg(2, Root, D0),
    (   var(Y)
    ->  (   get_attr(Y, clpb, b(W, Root1))
        ->  become_equal(V, Root, W, Root1)
        ;   put_attr(Y, clpb, b(V, Root))
        )
    ;   ( Y == 0 ; Y == 1 )
    ->  restricted(Y, V, D0, D),
        satisfiable(D, Root),
        setarg(2, Root, D),
        settle(Root)
    ;   atom(Y), Y \== []
    ->  atom_record(Y, W),
        arg(3, W, Z),
        get_attr(Z, clpb, b(_, Root1)),
        become_equal(V, Root, W, Root1)
    ;   domain_error(clpb_expr, Y)
    ).

become_equal(V, Root, W, Root1) :-
    (   same_term(V, W)
    ->  true
    ;   root(Root1, Root2),
        ( same_term(Root, Root2) -> Roots = [Root] ; Roots = [Root,Root2] ),
        node(V, 0, 1, F),
        node(W, 0, 1, G),
        difference(F, G, N),
        negation(N, Same),
        joined(Roots, R, Same, D0),
        exists(V, D0, D),
        satisfiable(D, R),
        setarg(2, R, D),
        settle(R)
    ).

% Counting and optima. Vs are records in the order of their indexes; those that a diagram passes over may be 0 or 1.

models([], D, _, D).
models([V|Vs], D, Memo, Count) :-
    (   D == 0
    ->  Count = 0
    ;   D == 1
    ->  length([V|Vs], N),
        Count is 1<<N
    ;   D = n(Id, W, L, H),
        (   same_term(V, W)
        ->  (   find(Memo, Id, D, 0, Count0)
            ->  Count = Count0
            ;   models(Vs, L, Memo, C0),
                models(Vs, H, Memo, C1),
                Count is C0+C1,
                insert(Memo, Id, D, 0, Count)
            )
        ;   models(Vs, D, Memo, C0),
            Count is 2*C0
        )
    ).

drawn([], _, _, _, _, []).
drawn([V|Vs], D, Memo, Count, Random0, [Value|Values]) :-
    Random is (Random0*6364136223846793005+1442695040888963407) mod (1<<64),
    below(V, D, L, H),
    models(Vs, L, Memo, C0),
    C1 is Count-C0,
    (   Random*Count >> 64 < C0
    ->  Value = 0,
        drawn(Vs, L, Memo, C0, Random, Values)
    ;   Value = 1,
        drawn(Vs, H, Memo, C1, Random, Values)
    ).

below(V, D, L, H) :-
    (   D = n(_, W, L0, H0), same_term(V, W)
    ->  L = L0, H = H0
    ;   L = D, H = D
    ).

% weighted(+Weights, +Variables, +Constant0, -Constant, -Pairs): Pairs are Index-w(V, Weight).
weighted([], [], C, C, []).
weighted([W|Ws], [X|Xs], C0, C, Pairs) :-
    (   var(X)
    ->  record(X, V),
        arg(1, V, Index),
        C1 = C0,
        Pairs = [Index-w(V, W)|Pairs1]
    ;   C1 is C0+W*X,
        Pairs = Pairs1
    ),
    weighted(Ws, Xs, C1, C, Pairs1).

weights([], [], []).
weights([I-w(V, W0)|Pairs0], [V|Vs], [W|Ws]) :-
    repeated(Pairs0, I, W0, W, Pairs),
    weights(Pairs, Vs, Ws).

repeated([J-w(_, W1)|Pairs0], I, W0, W, Pairs) :-
    I == J,
    !,
    W2 is W0+W1,
    repeated(Pairs0, I, W2, W, Pairs).
repeated(Pairs, _, W, W, Pairs).

% best(+Vs, +Ws, +D, +Memo, -Max): the largest sum for values that D allows, inf where there are none.
best([], [], D, _, Max) :-
    ( D == 0 -> Max = inf ; Max = 0 ).
best([V|Vs], [W|Ws], D, Memo, Max) :-
    (   D == 0
    ->  Max = inf
    ;   D = n(Id, U, L, H), same_term(U, V)
    ->  (   find(Memo, Id, D, 0, Max0)
        ->  Max = Max0
        ;   best(Vs, Ws, L, Memo, M0),
            best(Vs, Ws, H, Memo, M1),
            larger(M0, M1, W, Max),
            insert(Memo, Id, D, 0, Max)
        )
    ;   best(Vs, Ws, D, Memo, M),
        Max is M+max(0, W)
    ).

larger(inf, M1, W, M) :- !, M is M1+W.
larger(M0, inf, _, M) :- !, M = M0.
larger(M0, M1, W, M) :- M is max(M0, M1+W).

optimum([], [], _, _, 0, []).
optimum([V|Vs], [W|Ws], D, Memo, Max, [Value|Values]) :-
    below(V, D, L, H),
    (   Value = 0,
        best(Vs, Ws, L, Memo, Max),
        optimum(Vs, Ws, L, Memo, Max, Values)
    ;   Value = 1,
        Max1 is Max-W,
        best(Vs, Ws, H, Memo, Max1),
        optimum(Vs, Ws, H, Memo, Max1, Values)
    ).

% Residual goals.

% attribute_goals(+X)//: the constraints of the root are shown with the first variable that is in one.
attribute_goals(X) -->
    { get_attr(X, clpb, b(V, Root0)), root(Root0, Root), arg(5, Root, Shown0), pieces_of(Shown0, Root, Pieces) },
    (   { \+ constrained(Pieces, V) }
    ->  [clpb:sat(X=:=X)]
    ;   { Shown0 = shown(_) }
    ->  []
    ;   { setarg(5, Root, shown(Pieces)) },
        shown(Pieces)
    ).

pieces_of(shown(Pieces), _, Pieces).
pieces_of(no, Root, Pieces) :- arg(3, Root, Formula), pieces(Formula, Pieces).

constrained(Pieces, V) :- member(p(_, Vs, _), Pieces), member(W, Vs), same_term(V, W), !.

shown([]) --> [].
shown([p(_, _, F)|Pieces]) -->
    { polynomial(F, Sum), equation(Sum, Goal) },
    [clpb:sat(Goal)],
    shown(Pieces).

% pieces(+Formula, -Pieces): Formula as p(Indexes, Vs, Diagram) that are all true, one for each set of variables.
pieces(Formula, Pieces) :-
    factors(Formula, Es, []),
    collected(Es, [], Pieces0),
    reverse(Pieces0, Pieces).

factors(E, [E|Es], Es) :- var(E), !.
factors(A*B, Es0, Es) :- !, factors(A, Es0, Es1), factors(B, Es1, Es).
factors(*(Es), Fs0, Fs) :- !, foldl(factors, Es, Fs0, Fs).
factors(A+B, Es0, Es) :-
    factors(A, As, []),
    factors(B, Bs, []),
    ( As = [_,_|_] ; Bs = [_,_|_] ),
    length(As, N),
    length(Bs, M),
    N*M =< 100,
    !,
    findall_sums(As, Bs, Es0, Es).
factors(E, [E|Es], Es).

findall_sums([], _, Es, Es).
findall_sums([A|As], Bs, Es0, Es) :-
    sums(Bs, A, Es0, Es1),
    findall_sums(As, Bs, Es1, Es).

sums([], _, Es, Es).
sums([B|Bs], A, [A+B|Es0], Es) :- sums(Bs, A, Es0, Es).

collected([], Pieces, Pieces).
collected([E|Es], Pieces0, Pieces) :-
    diagram(E, F),
    (   F == 1
    ->  Pieces1 = Pieces0
    ;   support(F, Vs),
        indexes(Vs, Is),
        (   selectchk(p(Is, _, G), Pieces0, p(Is, Vs1, F1), Pieces1)
        ->  conjunction(F, G, F1),
            support(F1, Vs1)
        ;   Pieces1 = [p(Is, Vs, F)|Pieces0]
        )
    ),
    collected(Es, Pieces1, Pieces).

indexes([], []).
indexes([V|Vs], [I|Is]) :- arg(1, V, I), indexes(Vs, Is).

% polynomial(+F, -Sum): F as a sum modulo 2 of products, each a list of Index-X.
polynomial(0, []).
polynomial(1, [[]]).
polynomial(n(_, V, L, H), Sum) :-
    polynomial(L, Ls),
    polynomial(H, Hs),
    ord_symdiff(Ls, Hs, Ds0),
    arg(1, V, I),
    arg(3, V, X),
    arg(4, V, Atom),
    ( Atom == none -> Y = X ; Y = Atom ),
    multiplied(Ds0, I-Y, Ds),
    ord_union(Ls, Ds, Sum).

multiplied([], _, []).
multiplied([P|Ps], F, [[F|P]|Qs]) :- multiplied(Ps, F, Qs).

% equation(+Sum, -Goal): that Sum is 1, with a variable on one side if one stands alone.
equation(Sum0, Goal) :-
    ( Sum0 = [[]|Sum] -> Constant = 1 ; Sum = Sum0, Constant = 0 ),
    (   select([_-X], Sum, Rest), Rest \== []
    ->  products(Rest, R),
        ( Constant =:= 1 -> Goal = (X=:=R) ; Goal = (X=\=R) )
    ;   Constant =:= 1
    ->  products([[]|Sum], Goal)
    ;   products(Sum, Goal)
    ),
    !.

products([P|Ps], Sum) :-
    product(P, E),
    products(Ps, E, Sum).

products([], Sum, Sum).
products([P|Ps], Sum0, Sum) :-
    product(P, E),
    products(Ps, Sum0#E, Sum).

product([], 1).
product([_-X|Fs], E) :- product(Fs, X, E).

product([], E, E).
product([_-X|Fs], E0, E) :- product(Fs, E0*X, E).

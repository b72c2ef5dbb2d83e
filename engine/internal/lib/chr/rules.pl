% How constraint handling rules become clauses.
%
% Each occurrence of a constraint in the heads of rules becomes a predicate. Its arguments are those of the active
% constraint, then the stored constraint (a variable as long as it is not stored), and the store. The predicate looks
% for partners, fires its rule, and goes on with the next occurrence. Partners are found by their known arguments: by
% a table on all known arguments that are declared ground, else by one argument, else in the list of all constraints
% of that name.
%
% A rule is rule(Number, Name, Heads, Guard, Body, Removes), a head is head(Constraint, Part, Passive) with Part kept
% or removed. The parts of the store that the clauses use are collected in a list with an open end. A part is
% part(Name/Arity, Kind, I). Kind is list, key(Positions) or any(Position). I is its place in the store, which is
% known only when all clauses have been made.
%
% Traced clauses are separate clauses, made when the first constraint is traced. They store an active constraint at
% once, test the guard last and report their steps to library(chr). The rules and declarations are kept as facts, from
% which traced clauses are made.
:- module(chr_rules, [
    chr_expansion/2,
    traced_call/6
]).

:- op(1200, xfx, @).
:- op(1190, xfx, pragma).
:- op(1180, xfx, ==>).
:- op(1180, xfx, <=>).
:- op(1150, fx, chr_constraint).
:- op(1150, fx, chr_type).
:- op(1150, fx, constraints).
:- op(1150, fx, handler).
:- op(1150, fx, rules).
:- op(1100, xfx, \).
:- op(500, yfx, #).

:- dynamic
    declared/3, % Place, Name/Arity, Modes
    given/3.    % Place, Number, Rule

% chr_expansion(+Term, -Terms): hook of the loader in files that use library(chr).
chr_expansion(Term, Terms) :-
    nonvar(Term),
    (   Term == end_of_file
    ->  place(Place),
        ( declared(Place, _, _) ; given(Place, _, _) ),
        !,
        translation(Place, Terms)
    ;   Term = (:- Directive)
    ->  nonvar(Directive),
        declaration(Directive),
        Terms = []
    ;   is_rule(Term)
    ->  place(Place),
        rule_parts(Term, Rule),
        aggregate_all(count, given(Place, _, _), N0),
        N is N0+1,
        assertz(given(Place, N, Rule)),
        Terms = []
    ).

place(Module-File) :-
    ( prolog_load_context(module, Module) -> true ; Module = user ),
    ( prolog_load_context(source, File) -> true ; File = [] ).

is_rule((_ ==> _)).
is_rule((_ <=> _)).
is_rule((_ pragma _)).
is_rule((_ @ Rule)) :- nonvar(Rule), is_rule(Rule).

% declaration(+Directive): the directive is a declaration of library(chr), and is recorded.
declaration(chr_constraint Specs) :- declare_all(Specs).
declaration(constraints Specs) :- declare_all(Specs).
declaration(chr_type _).
declaration(chr_option(_, _)).
declaration(handler _).
declaration(rules _).

declare_all(Specs) :-
    place(Place),
    declare(Specs, Place).

declare(Spec, _) :- var(Spec), !, instantiation_error(Spec).
declare((A, B), Place) :- !, declare(A, Place), declare(B, Place).
declare(Name/Arity, Place) :-
    !,
    must_be(atom, Name),
    must_be(nonneg, Arity),
    length(Modes, Arity),
    fill(Modes),
    note_declared(Place, Name/Arity, Modes).
declare(Spec, Place) :-
    callable(Spec),
    !,
    Spec =.. [Name|Types],
    length(Types, Arity),
    modes(Types, Modes),
    note_declared(Place, Name/Arity, Modes).
declare(Spec, _) :- type_error(chr_constraint, Spec).

note_declared(Place, Indicator, Modes) :-
    (   declared(Place, Indicator, _)
    ->  true
    ;   assertz(declared(Place, Indicator, Modes))
    ).

fill([]).
fill([?|Modes]) :- fill(Modes).

modes([], []).
modes([Type|Types], [Mode|Modes]) :-
    ( nonvar(Type), Type = +(_) -> Mode = (+) ; Mode = (?) ),
    modes(Types, Modes).

% rule_parts(+Term, -Rule): Rule is rule(Name, Heads, Guard, Body, Kind).
rule_parts((Name @ Term), Rule) :- !, unnamed(Term, Name, Rule).
rule_parts(Term, Rule) :- unnamed(Term, none, Rule).

unnamed((Term pragma Pragmas), Name, Rule) :- !, passives(Pragmas, Ids, []), named(Term, Name, Ids, Rule).
unnamed(Term, Name, Rule) :- named(Term, Name, [], Rule).

passives(P, Ids, Ids) :- var(P), !.
passives((A, B), Ids0, Ids) :- !, passives(A, Ids0, Ids1), passives(B, Ids1, Ids).
passives(passive(Id), [Id|Ids], Ids) :- !.
passives(_, Ids, Ids).

named((Head ==> Right), Name, Ids, rule(Name, Heads, Guard, Body, propagation)) :-
    heads(Head, kept, Ids, Heads, []),
    guarded(Right, Guard, Body).
named((Head <=> Right), Name, Ids, rule(Name, Heads, Guard, Body, simplification)) :-
    (   nonvar(Head), Head = (Kept \ Removed)
    ->  heads(Removed, removed, Ids, Heads, Heads1),
        heads(Kept, kept, Ids, Heads1, [])
    ;   heads(Head, removed, Ids, Heads, [])
    ),
    guarded(Right, Guard, Body).

guarded(Right, Guard, Body) :-
    ( nonvar(Right), Right = '|'(Guard, Body) -> true ; Guard = true, Body = Right ).

heads(Head, _, _, _, _) :- var(Head), !, instantiation_error(Head).
heads((A, B), Part, Ids, Heads0, Heads) :- !, heads(A, Part, Ids, Heads0, Heads1), heads(B, Part, Ids, Heads1, Heads).
heads(C # Id, Part, Ids, [head(C, Part, Passive)|Heads], Heads) :-
    !,
    ( ( Id == passive ; member(I, Ids), I == Id ) -> Passive = yes ; Passive = no ).
heads(C, Part, _, [head(C, Part, no)|Heads], Heads) :- must_be(callable, C).

% translation(+Place, -Terms): the clauses of the rules of a file.
translation(Place, Terms) :-
    Place = Module-File,
    findall(c(Indicator, Modes), retract(declared(Place, Indicator, Modes)), Declared0),
    findall(N-Rule, retract(given(Place, N, Rule)), Rules),
    tag(Module, File, Tag),
    described(Declared0, Tag, '', Declared),
    checked(Rules, Declared),
    names(Module, Tag, Names),
    Names = names(_, Wake, Bound, Store),
    program_hash(Declared0-Rules, Hash),
    Program = program(Module, Tag, Hash),
    Context = context(Names, Declared, Rules, Parts),
    entry_clauses(Declared, Context, Program, Clauses0, Clauses01),
    occurrences_clauses(Declared, Context, Clauses01, Clauses1),
    enumerated(Declared, Parts, Shown),
    storing_clauses(Declared, Context, Clauses1, Clauses2),
    hook_clauses(Declared, wake(Program), Wake, Context, Clauses2, Clauses3),
    hook_clauses(Declared, bound, Bound, Context, Clauses3, Clauses4),
    close_parts(Parts, 3, Kinds),
    source_clauses(Declared0, Rules, Tag, Clauses4, Clauses5),
    atomic_list_concat(['$chr ', Module, Tag], Key),
    StoreGoal =.. [Store,X],
    Clauses5 = [ (StoreGoal :- nb_current(Key, X), X \== [], !), % what backtracking leaves of a global variable
                 (StoreGoal :- chr:new_store(Key, Module, Shown, Kinds, X)),
                 end_of_file ],
    Terms = Clauses0.

% tag(+Module, +File, -Tag): Tag is the suffix of the names of the predicates of this file. It is needed because many
% files may belong to user.
tag(user, File, Tag) :- !, atom_concat(' ', File, Tag).
tag(_, _, '').

names(Module, Tag, names(Module, Wake, Bound, Store)) :-
    atom_concat('$chr wake', Tag, Wake),
    atom_concat('$chr bound', Tag, Bound),
    atom_concat('$chr store', Tag, Store).

% described(+Declared0, +Tag, +Traced, -Declared): Declared has c(Name/Arity, Modes, f(Functor, Prefix)) for each
% constraint. Functor is the functor of the stored constraint; the names of the predicates of its occurrences begin
% with Prefix. Traced is '' or the mark of traced clauses.
described([], _, _, []).
described([c(Name/Arity, Modes)|Cs], Tag, Traced, [c(Name/Arity, Modes, f(Functor, Prefix))|Ds]) :-
    atomic_list_concat(['$chr ', Name, /, Arity, Tag], Functor),
    atom_concat(Functor, Traced, Prefix),
    described(Cs, Tag, Traced, Ds).

traced(c(_, _, f(Functor, Prefix))) :- Functor \== Prefix.

% program_hash(+Program, -Hash): Hash distinguishes the traced clauses of these rules from those of an earlier text of
% the file.
program_hash(Program, Hash) :-
    copy_term(Program, Ground),
    numbervars(Ground, 0, _),
    term_hash(Ground, Hash).

% source_clauses(+Declared0, +Rules, +Tag)//: facts from which traced clauses can be made.
source_clauses(Declared0, Rules, Tag) -->
    { source_names(Tag, Declaration, Given) },
    declaration_facts(Declared0, Declaration),
    rule_facts(Rules, Given).

source_names(Tag, Declaration, Given) :-
    atom_concat('$chr declaration', Tag, Declaration),
    atom_concat('$chr rule', Tag, Given).

declaration_facts([], _) --> [].
declaration_facts([c(C, Modes)|Cs], Name) -->
    { Fact =.. [Name,C,Modes] },
    [Fact],
    declaration_facts(Cs, Name).

% The last fact is there for files without rules.
rule_facts([], Name) -->
    { Fact =.. [Name,0,none] },
    [Fact].
rule_facts([N-Rule|Rules], Name) -->
    { Fact =.. [Name,N,Rule] },
    [Fact],
    rule_facts(Rules, Name).

% traced_call(+Program, +I, +Constraint, ?S, +Store, -Goal): Goal calls occurrence I of Constraint by traced clauses,
% which are made if they do not exist yet. Occurrence 0 stores it.
traced_call(Program, I, Constraint, S, Store, Module:Goal) :-
    Program = program(Module, Tag, Hash),
    atom_concat(' traced ', Hash, Traced),
    atomic_list_concat(['$chr', Traced, Tag], Made),
    (   current_predicate(Module:Made/0)
    ->  true
    ;   with_mutex('$chr traced', make_traced(Program, Traced, Made))
    ),
    functor(Constraint, Name, Arity),
    Constraint =.. [_|As],
    described([c(Name/Arity, [])], Tag, Traced, [D]),
    occurrence_goal(D, I, As, S, Store, Goal).

make_traced(program(Module, Tag, _), Traced, Made) :-
    (   current_predicate(Module:Made/0)
    ->  true
    ;   traced_clauses(Module, Tag, Traced, Clauses),
        forall(member(Clause, Clauses), assertz(Module:Clause)),
        assertz(Module:Made)
    ).

% The parts of the store are the same as in translation/2, because the same partners are looked for in the same order.
traced_clauses(Module, Tag, Traced, Clauses) :-
    source_names(Tag, Declaration, Given),
    findall(c(C, Modes), call(Module:Declaration, C, Modes), Declared0),
    findall(N-Rule, ( call(Module:Given, N, Rule), N > 0 ), Rules),
    described(Declared0, Tag, Traced, Declared),
    names(Module, Tag, Names),
    Context = context(Names, Declared, Rules, Parts),
    occurrences_clauses(Declared, Context, Clauses, []),
    enumerated(Declared, Parts, _),
    close_parts(Parts, 3, _).

checked([], _).
checked([_-rule(_, Heads, _, _, _)|Rules], Declared) :-
    checked_heads(Heads, Declared),
    checked(Rules, Declared).

checked_heads([], _).
checked_heads([head(C, _, _)|Heads], Declared) :-
    functor(C, Name, Arity),
    (   memberchk(c(Name/Arity, _, _), Declared)
    ->  true
    ;   existence_error(chr_constraint, Name/Arity)
    ),
    checked_heads(Heads, Declared).

% enumerated(+Declared, +Parts, -Shown): Shown has for each declared constraint the part of the store that lists all
% constraints of that name.
enumerated([], _, []).
enumerated([c(Name/Arity, _, _)|Cs], Parts, [c(Name, Arity, I)|Shown]) :-
    (   known_part(Parts, Name/Arity, list, I0)
    ->  I = I0
    ;   known_part(Parts, Name/Arity, key(_), I0)
    ->  I = I0
    ;   memberchk(part(Name/Arity, list, I), Parts)
    ),
    enumerated(Cs, Parts, Shown).

known_part(Parts, C, Kind, I) :-
    nonvar(Parts),
    Parts = [part(C0, Kind0, I0)|More],
    ( C0 == C, Kind0 = Kind -> I = I0 ; known_part(More, C, Kind, I) ).

% close_parts(+Parts, +I, -Kinds): Parts get their places in the store.
close_parts([], _, []) :- !.
close_parts([part(_, Kind, I)|Parts], I, [K|Kinds]) :-
    ( Kind == list -> K = list ; K = table ),
    I1 is I+1,
    close_parts(Parts, I1, Kinds).

% The clauses of one constraint.

occurrences_clauses([], _) --> [].
occurrences_clauses([D|Ds], Context) -->
    { D = c(Name/Arity, _, _),
      Context = context(_, _, Rules, _),
      findall(o(N, I, Rule),
              ( member(N-Rule, Rules), Rule = rule(_, Heads, _, _, _), nth1(I, Heads, head(H, _, no)),
                functor(H, Name, Arity) ),
              Occurrences),
      activation(D, Context, Activation) },
    Activation,
    each_occurrence(Occurrences, 1, D, Context),
    occurrences_clauses(Ds, Context).

% activation(+D, +Context, -Clauses): the clause that stores and calls a new constraint, if it is traced.
activation(D, context(names(Module, _, _, _), _, _, _), Clauses) :-
    (   traced(D)
    ->  D = c(C, _, _),
        C = _/Arity,
        length(As, Arity),
        occurrence_goal(D, 0, As, S, Store, Head),
        storing_goal(D, As, S, Store, Storing),
        occurrence_goal(D, 1, As, S, Store, First),
        Clauses = [(Head :- Storing, chr:traced_new(C, S, Module:First))]
    ;   Clauses = []
    ).

% entry_clauses(+Declared, +Context, +Program)//: the clauses of the constraints for calls from outside of rules.
entry_clauses([], _, _) --> [].
entry_clauses([D|Ds], Context, Program) -->
    { D = c(Name/Arity, _, _),
      length(As, Arity),
      Head =.. [Name|As],
      store_goal(Context, Store, Goal),
      occurrence_goal(D, 1, As, _, Store, First) },
    [(Head :- Goal, ( arg(2, Store, off) -> First ; chr:traced_constraint(Program, Head, Store) ))],
    entry_clauses(Ds, Context, Program).

store_goal(context(names(_, _, _, Name), _, _, _), Store, Goal) :- Goal =.. [Name,Store].

% occurrence_goal(+D, +I, +As, ?S, ?Store, -Goal): the call of occurrence I.
occurrence_goal(c(_, _, f(_, Prefix)), I, As, S, Store, Goal) :-
    atomic_list_concat([Prefix, ' ', I], Name),
    append(As, [S,Store], Args),
    Goal =.. [Name|Args].

% suspended(+D, ?Id, ?State, ?History, ?Names, +As, -S): S is the pattern of the stored constraint.
suspended(c(_, Modes, f(Functor, _)), Id, State, History, Names, As, S) :-
    slots(Modes, Slots),
    append(As, Slots, Last),
    S =.. [Functor,Id,State,History,Names|Last].

slots([], []).
slots([Mode|Modes], Slots) :-
    ( Mode == (?) -> Slots = [_|Slots1] ; Slots = Slots1 ),
    slots(Modes, Slots1).

each_occurrence([], I, D, _) -->
    { D = c(_/Arity, _, _),
      length(As, Arity),
      occurrence_goal(D, I, As, S, Store, Head),
      storing_goal(D, As, S, Store, Goal) },
    [(Head :- Goal)].
each_occurrence([o(N, I, Rule)|Os], K, D, Context) -->
    occurrence(N, I, Rule, K, D, Context),
    { K1 is K+1 },
    each_occurrence(Os, K1, D, Context).

storing_goal(c(_, _, f(Functor, _)), As, S, Store, Goal) :-
    atom_concat(Functor, ' store', Name),
    append(As, [S,Store], Args),
    Goal =.. [Name|Args].

% occurrence(+N, +I, +Rule, +K, +D, +Context)//: the clauses of occurrence K of D, which is head I of Rule.
occurrence(N, I, Rule0, K, D, Context, Clauses0, Clauses) :-
    copy_term(Rule0, rule(Name, Heads, Guard, Body, Kind)),
    D = c(_/Arity, Modes, _),
    length(As, Arity),
    length(As1, Arity),
    K1 is K+1,
    occurrence_goal(D, K, As, S, Store, Head),
    occurrence_goal(D, K1, As, S, Store, Next),
    occurrence_goal(D, K, As1, S1, Store1, Head1),
    occurrence_goal(D, K1, As1, S1, Store1, Next1),
    numbered(Heads, 1, I, head(C, Part, _), Others),
    C =.. [_|Patterns],
    matched(Patterns, Modes, As, no, [], Bound, Tests, []),
    guard_goals(Guard, Gs0, []),
    ready(Gs0, D, Bound, Early, Gs),
    ( member(head(H, _, _), Heads), functor(H, F, A), reactive(F/A, Context) -> Reactive = yes ; Reactive = no ),
    Active = active(D, K, As, S, Store, Part, I, Next),
    Firing = rule(N, Kind, Reactive, Body, said(Name, Guard)),
    append(Tests, Early, Conditions),
    (   Others == []
    ->  fire([], Active, Firing, Bound, Context, Fresh, Actions),
        decided([], Active, Firing, Gs, Fresh, Deciding),
        append(Conditions, Deciding, Cs),
        Clauses1 = Clauses2
    ;   Cs = Conditions,
        next_partner(Others, Bound, Context, Store, List, Lookup, Partner, Others1),
        wanted(Bound, As, Others-Gs-Body, Extra),
        loop_goal(1, Active, Extra, [], List, Loop),
        append(Lookup, [Loop], Actions),
        level(1, Partner, Others1, Bound, Extra, [], Gs, Active, Firing, Context, Clauses1, Clauses2)
    ),
    (   Cs == [],
        term_variables(As, Vs),
        same_length(As, Vs)
    ->  joined(Actions, Goal),
        Clauses0 = [(Head :- Goal)|Clauses1]
    ;   append(Cs, [!|Actions], Goals),
        joined(Goals, Goal),
        Clauses0 = [(Head :- Goal),(Head1 :- Next1)|Clauses1]
    ),
    Clauses2 = Clauses.

% numbered(+Heads, +J, +I, -Head, -Others): Head is number I, Others are J-Head.
numbered([], _, _, _, []).
numbered([H|Hs], J, I, Head, Others) :-
    ( J =:= I -> Head = H, Others = Others1 ; Others = [J-H|Others1] ),
    J1 is J+1,
    numbered(Hs, J1, I, Head, Others1).

reactive(C, context(_, Declared, _, _)) :- memberchk(c(C, Modes, _), Declared), memberchk(?, Modes).

joined([], true).
joined([G|Gs], Goal) :- joined(Gs, G, Goal).

joined([], G, G).
joined([H|Hs], G, (G, Goal)) :- joined(Hs, H, Goal).

% matched(+Patterns, +Modes, +Args, +Stored, +Bound0, -Bound, -Tests, ?Tail): Tests compare Args with Patterns without
% binding them. At its first occurrence, a variable of the patterns becomes the argument. Ground arguments may be
% unified: those of stored constraints, and constants.
matched([], [], [], _, Bound, Bound, Tests, Tests).
matched([P|Ps], [Mode|Modes], [A|As], Stored, Bound0, Bound, Tests0, Tests) :-
    matched_argument(P, Mode, A, Stored, Bound0, Bound1, Tests0, Tests1),
    matched(Ps, Modes, As, Stored, Bound1, Bound, Tests1, Tests).

matched_argument(P, _, A, _, Bound0, Bound, Tests0, Tests) :-
    var(P),
    !,
    (   known(P, Bound0)
    ->  Bound = Bound0,
        Tests0 = [A==P|Tests]
    ;   A = P,
        Bound = [P|Bound0],
        Tests0 = Tests
    ).
matched_argument(P, Mode, A, _, Bound, Bound, Tests0, Tests) :-
    atomic(P),
    !,
    ( Mode == (+) -> A = P, Tests0 = Tests ; Tests0 = [A==P|Tests] ).
matched_argument(P, Mode, A, Stored, Bound0, Bound, Tests0, Tests) :-
    P =.. [F|Ps],
    same_length(Ps, Qs),
    same_length(Ps, Modes),
    all_same(Modes, Mode),
    Q =.. [F|Qs],
    (   Mode == (+), Stored == yes
    ->  A = Q,
        Tests0 = Tests1
    ;   Mode == (+)
    ->  Tests0 = [A=Q|Tests1]
    ;   Tests0 = [nonvar(A),A=Q|Tests1]
    ),
    matched(Ps, Modes, Qs, Stored, Bound0, Bound, Tests1, Tests).

all_same([], _).
all_same([X|Xs], X) :- all_same(Xs, X).

known(X, [Y|Ys]) :- ( X == Y -> true ; known(X, Ys) ).

all_known(Term, Bound) :-
    term_variables(Term, Xs),
    \+ ( member(X, Xs), \+ known(X, Bound) ).

guard_goals(G, [G|Gs], Gs) :- var(G), !.
guard_goals((A, B), Gs0, Gs) :- !, guard_goals(A, Gs0, Gs1), guard_goals(B, Gs1, Gs).
guard_goals(true, Gs, Gs) :- !.
guard_goals(G, [G|Gs], Gs).

% ready(+Goals, +D, +Bound, -Early, -Late): Early are the leading goals that only test known values. If the active
% constraint is traced, Early is empty.
ready(Gs, D, Bound, Early, Late) :-
    ( traced(D) -> Early = [], Late = Gs ; ready(Gs, Bound, Early, Late) ).

ready([G|Gs], Bound, [G|Early], Late) :-
    nonvar(G),
    pure_test(G),
    all_known(G, Bound),
    !,
    ready(Gs, Bound, Early, Late).
ready(Gs, _, [], Gs).

pure_test(_ < _).
pure_test(_ > _).
pure_test(_ =< _).
pure_test(_ >= _).
pure_test(_ =:= _).
pure_test(_ =\= _).
pure_test(_ == _).
pure_test(_ \== _).
pure_test(_ \= _).
pure_test(_ @< _).
pure_test(_ @> _).
pure_test(_ @=< _).
pure_test(_ @>= _).
pure_test(var(_)).
pure_test(nonvar(_)).
pure_test(atom(_)).
pure_test(integer(_)).
pure_test(number(_)).
pure_test(atomic(_)).
pure_test(ground(_)).

% wanted(+Bound, +As, +Rest, -Extra): the variables of Bound that Rest mentions, without the arguments As.
wanted(Bound, As, Rest, Extra) :-
    term_variables(As, Xs),
    term_variables(Rest, Ys),
    findall_known(Bound, Ys, Xs, Extra).

findall_known([], _, _, []).
findall_known([X|Xs], In, NotIn, Out) :-
    ( known(X, In), \+ known(X, NotIn) -> Out = [X|Out1] ; Out = Out1 ),
    findall_known(Xs, In, NotIn, Out1).

% next_partner(+Others, +Bound, +Context, +Store, -List, -Lookup, -Partner, -Rest): Partner is the head about which
% most is known. Lookup are goals that find List, which contains the candidates for it.
next_partner(Others, Bound, Context, Store, List, Lookup, partner(J, C, Part, E, Skipped), Rest) :-
    rated(Others, Bound, Context, Rated0),
    keysort(Rated0, [_-r(J, Kind)|_]),
    selectchk(J-head(C, Part, _), Others, Rest),
    functor(C, Name, Arity),
    Context = context(_, Declared, _, Parts),
    E = c(Name/Arity, _, _),
    memberchk(E, Declared),
    memberchk(part(Name/Arity, Kind, I), Parts),
    lookup(Kind, C, I, Store, List, Lookup),
    ( Kind = key(Skipped) -> true ; Skipped = [] ).

rated([], _, _, []).
rated([J-head(C, _, _)|Hs], Bound, Context, [Rate-r(J, Kind)|Rated]) :-
    Context = context(_, Declared, _, _),
    C =.. [Name|Args],
    length(Args, Arity),
    memberchk(c(Name/Arity, Modes, _), Declared),
    known_places(Args, Modes, 1, Bound, Ground, Other),
    (   Ground = [_|_]
    ->  length(Ground, N), Rate is -10*N, Kind = key(Ground)
    ;   Other = [P|_]
    ->  Rate = -5, Kind = any(P)
    ;   Rate = 0, Kind = list
    ),
    rated(Hs, Bound, Context, Rated).

known_places([], [], _, _, [], []).
known_places([A|As], [Mode|Modes], I, Bound, Ground, Other) :-
    (   \+ all_known(A, Bound)
    ->  Ground = Ground1, Other = Other1
    ;   Mode == (+)
    ->  Ground = [I|Ground1], Other = Other1
    ;   Ground = Ground1, Other = [I|Other1]
    ),
    I1 is I+1,
    known_places(As, Modes, I1, Bound, Ground1, Other1).

lookup(list, _, I, Store, List, [arg(I, Store, List)]).
lookup(key(Places), C, I, Store, List, [arg(I, Store, Table),chr:table_find(Table, Key, List)]) :-
    key(Places, C, Key).
lookup(any(Place), C, I, Store, List, [arg(I, Store, Table),chr:any_find(Table, A, List)]) :-
    arg(Place, C, A).

key([P], C, A) :- !, arg(P, C, A).
key([P|Ps], C, k(A, Key)) :- arg(P, C, A), key(Ps, C, Key).

% level(+L, +Partner, +Others, +Bound, +Extra, +Found, +Guard, +Active, +Firing, +Context)//: the loop over the
% candidates for one partner. Found has the partners before it, the last first, as f(L, J, Part, P, Rest, D, Id,
% Extra).
level(L, partner(J, C, Part, E, Skipped), Others, Bound0, Extra0, Found, Gs0, Active, Firing, Context) -->
    { loop_goal(L, Active, Extra0, Found, [], Done),
      outer(Found, Active, Outer),
      loop_goal(L, Active, Extra0, Found, l(P, _, _, R), Head),
      loop_goal(L, Active, Extra0, Found, l(_, _, _, R1), Head1),
      loop_goal(L, Active, Extra0, Found, R1, Again),
      C =.. [_|Patterns],
      E = c(_/Arity, Modes, _),
      length(Bs, Arity),
      without_places(Patterns, Modes, Bs, 1, Skipped, Patterns1, Modes1, Bs1),
      matched(Patterns1, Modes1, Bs1, yes, Bound0, Bound, Tests, []),
      suspended(E, Id, live, _, _, Bs, Pattern),
      distinct(Found, E, Id, Distinct0, []),
      apart(Active, Firing, E, Id, Apart),
      Active = active(D, _, As, _, Store, _, _, _),
      ready(Gs0, D, Bound, Early, Gs),
      append([[P=Pattern],Apart,Distinct0,Tests,Early], Conditions),
      Firing = rule(_, _, _, Body, _),
      Found1 = [f(L, J, Part, P, R, E, Id, Extra0)|Found] },
    [(Done :- Outer)],
    (   { Others == [] }
    ->  { fire(Found1, Active, Firing, Bound, Context, Fresh, Actions),
          decided(Found1, Active, Firing, Gs, Fresh, Deciding),
          append([Conditions,Deciding,[!|Actions]], Goals),
          joined(Goals, Goal) },
        [(Head :- Goal),(Head1 :- Again)]
    ;   { next_partner(Others, Bound, Context, Store, List, Lookup, Partner1, Others1),
          wanted(Bound, As, Others-Gs-Body, Extra1),
          added(Extra1, Extra0, Extra),
          L1 is L+1,
          loop_goal(L1, Active, Extra, Found1, List, Loop),
          append([Conditions,[!|Lookup],[Loop]], Goals),
          joined(Goals, Goal) },
        [(Head :- Goal),(Head1 :- Again)],
        level(L1, Partner1, Others1, Bound, Extra, Found1, Gs, Active, Firing, Context)
    ).

added([], Extra, Extra).
added([X|Xs], Extra0, Extra) :-
    ( known(X, Extra0) -> Extra1 = Extra0 ; Extra1 = [X|Extra0] ),
    added(Xs, Extra1, Extra).

% without_places(...): the arguments by which the partner was found need not be compared.
without_places([], [], [], _, _, [], [], []).
without_places([P|Ps], [M|Ms], [B|Bs], I, Skipped, Ps1, Ms1, Bs1) :-
    (   memberchk(I, Skipped)
    ->  Ps1 = Ps2, Ms1 = Ms2, Bs1 = Bs2
    ;   Ps1 = [P|Ps2], Ms1 = [M|Ms2], Bs1 = [B|Bs2]
    ),
    I1 is I+1,
    without_places(Ps, Ms, Bs, I1, Skipped, Ps2, Ms2, Bs2).

% loop_goal(+L, +Active, +Extra, +Found, ?List, -Goal): the call of the loop of level L over List.
loop_goal(L, active(c(_, _, f(_, Prefix)), K, As, S, Store, _, _, _), Extra, Found, List, Goal) :-
    atomic_list_concat([Prefix, ' ', K, ' ', L], Name),
    found_variables(Found, Vs, [S,Store]),
    append([[List],As,Extra,Vs], Args),
    Goal =.. [Name|Args].

found_variables([], Vs, Vs).
found_variables([f(_, _, _, P, R, _, Id, _)|Found], [P,R,Id|Vs0], Vs) :- found_variables(Found, Vs0, Vs).

% outer(+Found, +Active, -Goal): Goal continues after the loop over the next partner.
outer([], active(_, _, _, _, _, _, _, Next), Next).
outer([f(L, _, _, _, R, _, _, Extra)|Found], Active, Goal) :- loop_goal(L, Active, Extra, Found, R, Goal).

% distinct(+Found, +E, +Id, -Tests, ?Tail): Tests check that the partner is none of the partners before it.
distinct([], _, _, Tests, Tests).
distinct([f(_, _, _, _, _, D, Id0, _)|Found], E, Id, Tests0, Tests) :-
    ( D == E -> Tests0 = [Id=\=Id0|Tests1] ; Tests0 = Tests1 ),
    distinct(Found, E, Id, Tests1, Tests).

% apart(+Active, +Firing, +E, +Id, -Tests): Tests check that the partner is not the active constraint. If a rule
% removes no constraint and none of its constraints can be active twice, they check that the partner is older; a newer
% partner finds this combination itself.
apart(active(_, _, _, S, _, _, _, _), rule(_, propagation, no, _, _), _, Id, Tests) :-
    !,
    Tests = [( var(S) -> true ; arg(1, S, Id0), Id < Id0 )].
apart(active(D, _, _, S, _, _, _, _), _, E, Id, Tests) :-
    ( D == E -> Tests = [( var(S) -> true ; arg(1, S, Id0), Id =\= Id0 )] ; Tests = [] ).

% fire(+Found, +Active, +Firing, +Bound, +Context, -Fresh, -Actions): Fresh tests that the rule has not fired for
% these constraints, and Actions are the goals to run then.
fire(Found, Active, Firing, Bound, Context, Fresh, Actions) :-
    Active = active(D, _, As, S, Store, Part, _, _),
    Firing = rule(_, Kind, Reactive, Body0, _),
    body(Body0, Context, Store, Body),
    ( quiet(Body0, Bound) -> Quiet = yes ; Quiet = no ),
    (   Kind == propagation, Reactive == yes
    ->  history(Found, Active, Firing, Fresh, Record)
    ;   Fresh = [],
        Record = []
    ),
    (   Part == kept, ( Quiet == no ; Record \== [] )
    ->  storing_goal(D, As, S, Store, Storing),
        Stored = [Storing]
    ;   Stored = []
    ),
    ( Part == removed -> Removed = [( var(S) -> true ; setarg(2, S, dead) )|Removed1] ; Removed = Removed1 ),
    removed(Found, Removed1),
    said_applied(Found, Active, Firing, Said),
    ( Part == removed -> Last = [] ; continued(Found, Quiet, Active, Last) ),
    ( Body == true -> Bodies = [] ; Bodies = [Body] ),
    append([Said,Stored,Record,Removed,Bodies,Last], Actions).

% decided(+Found, +Active, +Firing, +Gs, +Fresh, -Goals): Goals are the last tests before the rule fires. Traced
% clauses test a guard only if the rule may fire, and report it.
decided(Found, Active, Firing, Gs, Fresh, Goals) :-
    (   said_heads(Found, Active, Firing, Kept, Removed, Rule)
    ->  append([Fresh,[chr:traced_try(Kept, Removed, Rule)],Gs], Goals)
    ;   append(Gs, Fresh, Goals)
    ).

said_applied(Found, Active, Firing, Said) :-
    (   said_heads(Found, Active, Firing, Kept, Removed, Rule)
    ->  Said = [chr:traced_apply(Kept, Removed, Rule)]
    ;   Said = []
    ).

% said_heads(+Found, +Active, +Firing, -Kept, -Removed, -Rule): the constraints of the heads in the order of the text;
% fails if they are not traced.
said_heads(Found, active(D, _, _, S, _, Part, I, _), rule(_, Kind, _, Body, said(Name, Guard)), Kept, Removed, Rule) :-
    traced(D),
    D = c(C, _, _),
    Rule = rule(Name, Kind, Guard, Body),
    found_places(Found, Pairs0),
    keysort([I-h(Part, C-S)|Pairs0], Pairs),
    parted(Pairs, Kept, Removed).

found_places([], []).
found_places([f(_, J, Part, P, _, c(C, _, _), _, _)|Found], [J-h(Part, C-P)|Pairs]) :- found_places(Found, Pairs).

parted([], [], []).
parted([_-h(Part, S)|Pairs], Kept, Removed) :-
    (   Part == kept
    ->  Kept = [S|Kept1], Removed = Removed1
    ;   Kept = Kept1, Removed = [S|Removed1]
    ),
    parted(Pairs, Kept1, Removed1).

removed([], []).
removed([f(_, _, Part, P, _, _, _, _)|Found], Goals) :-
    ( Part == removed -> Goals = [setarg(2, P, dead)|Goals1] ; Goals = Goals1 ),
    removed(Found, Goals1).

history(Found, active(_, _, _, S, _, _, I, _), rule(N, _, _, _, _), [( var(S) -> true ; chr:Fresh )], [chr:Record]) :-
    places(Found, Pairs0),
    keysort([I-S|Pairs0], Pairs),
    pairs_values(Pairs, Ss),
    (   Ss = [S]
    ->  Fresh = novel_single(N, S), Record = record_single(N, S)
    ;   Ss = [A,B]
    ->  Fresh = novel(N, A, B), Record = record(N, A, B)
    ;   All =.. [s|Ss],
        Fresh = novel_all(N, All), Record = record_all(N, All)
    ).

places([], []).
places([f(_, J, _, P, _, _, _, _)|Found], [J-P|Pairs]) :- places(Found, Pairs).

% continued(+Found, +Quiet, +Active, -Goals): if the active constraint is still alive after the body, Goals continue
% in the loop of the first partner that is dead.
continued([], Quiet, active(_, _, _, S, _, _, _, Next), Goals) :-
    !,
    ( Quiet == yes -> Goals = [Next] ; Goals = [( arg(2, S, live) -> Next ; true )] ).
continued(Found, Quiet, Active, [Goal]) :-
    Active = active(_, _, _, S, _, _, _, _),
    reverse(Found, Firsts),
    inner(Firsts, Found, Target),
    resumed(Target, Active, Goal0),
    (   Quiet == yes
    ->  Goal = Goal0
    ;   before(Firsts, Target, Kept),
        reverse(Kept, Kepts),
        guarded_by(Kepts, Active, Found, Goal0, Goal1),
        Goal = ( arg(2, S, live) -> Goal1 ; true )
    ).

% inner(+Firsts, +Found, -Target): Target is the loop to continue with: the list of found partners that begins with
% the partner of this loop.
inner([F|Fs], Found, Target) :-
    (   ( F = f(_, _, removed, _, _, _, _, _) ; Fs == [] )
    ->  tail_from(Found, F, Target)
    ;   inner(Fs, Found, Target)
    ).

tail_from([F0|Fs], F, Target) :- ( F0 == F -> Target = [F0|Fs] ; tail_from(Fs, F, Target) ).

resumed([f(L, _, _, _, R, _, _, Extra)|Found], Active, Goal) :- loop_goal(L, Active, Extra, Found, R, Goal).

before([F|Fs], [T|Ts], Kept) :- ( F == T -> Kept = [] ; Kept = [F|Kept1], before(Fs, [T|Ts], Kept1) ).

guarded_by([], _, _, Goal, Goal).
guarded_by([F|Fs], Active, Found, Goal0, Goal) :-
    F = f(_, _, _, P, _, _, _, _),
    tail_from(Found, F, Target),
    resumed(Target, Active, Other),
    guarded_by(Fs, Active, Found, ( arg(2, P, live) -> Goal0 ; Other ), Goal).

% body(+Goal, +Context, +Store, -Body): constraints of the rules are called with the store.
body(G, _, _, G) :- var(G), !.
body((A, B), Context, Store, (C, D)) :- !, body(A, Context, Store, C), body(B, Context, Store, D).
body((A ; B), Context, Store, (C ; D)) :- !, body(A, Context, Store, C), body(B, Context, Store, D).
body((A -> B), Context, Store, (C -> D)) :- !, body(A, Context, Store, C), body(B, Context, Store, D).
body((A *-> B), Context, Store, (C *-> D)) :- !, body(A, Context, Store, C), body(B, Context, Store, D).
body(\+ A, Context, Store, \+ C) :- !, body(A, Context, Store, C).
body(G, context(_, Declared, _, _), Store, Body) :-
    (   callable(G),
        functor(G, Name, Arity),
        D = c(Name/Arity, _, _),
        memberchk(D, Declared)
    ->  G =.. [_|As],
        ( traced(D) -> I = 0 ; I = 1 ),
        occurrence_goal(D, I, As, _, Store, Body)
    ;   Body = G
    ).

% quiet(+Body, +Bound): Body has no effect on constraints or variables that rules depend on.
quiet(G, _) :- var(G), !, fail.
quiet((A, B), Bound) :- !, quiet(A, Bound), quiet(B, Bound).
quiet(X is _, Bound) :- !, var(X), \+ known(X, Bound).
quiet(G, _) :- ( pure_test(G) ; silent(G) ), !.

silent(true).
silent(fail).
silent(write(_)).
silent(writeln(_)).
silent(print(_)).
silent(nl).

% storing_clauses(+Declared, +Context)//: the clauses that store an active constraint that is not stored yet.
storing_clauses([], _) --> [].
storing_clauses([D|Ds], Context) -->
    { D = c(C/Arity, Modes, _),
      Context = context(Names, _, _, Parts),
      length(As, Arity),
      storing_goal(D, As, S, Store, Head),
      suspended(D, Id, live, 0, Names, As, S0),
      slots_out(S0, Arity),
      storing_goals(Parts, C/Arity, As, Modes, S, Store, Goals, Attach),
      attaching(As, Modes, S, Attach),
      joined([var(S),!,arg(1, Store, Id0),Id is Id0+1,setarg(1, Store, Id),S=S0|Goals], Goal),
      length(Bs, Arity),
      storing_goal(D, Bs, _, _, Other) },
    [(Head :- Goal),Other],
    storing_clauses(Ds, Context).

slots_out(S, Arity) :-
    I is Arity+5,
    functor(S, _, N),
    slots_out(I, N, S).

slots_out(I, N, S) :-
    (   I > N
    ->  true
    ;   arg(I, S, out),
        I1 is I+1,
        slots_out(I1, N, S)
    ).

storing_goals(Parts, _, _, _, _, _, Goals, Goals) :- var(Parts), !.
storing_goals([part(C0, Kind, I)|Parts], C, As, Modes, S, Store, Goals0, Goals) :-
    (   C0 == C
    ->  storing_part(Kind, I, As, Modes, S, Store, Goals0, Goals1)
    ;   Goals0 = Goals1
    ),
    storing_goals(Parts, C, As, Modes, S, Store, Goals1, Goals).

storing_part(list, I, _, _, S, Store, [arg(I, Store, L0),chr:list_add(S, L0, L),setarg(I, Store, L)|Goals], Goals).
storing_part(key(Places), I, As, _, S, Store, [arg(I, Store, T),chr:table_add(T, Key, S)|Goals], Goals) :-
    C =.. [c|As],
    key(Places, C, Key).
storing_part(any(Place), I, As, Modes, S, Store, [arg(I, Store, T),chr:any_add(T, A, Slot, S)|Goals], Goals) :-
    nth1(Place, As, A),
    slot(Modes, 1, Place, 1, K),
    length(As, Arity),
    Slot is Arity+4+K.

% slot(+Modes, +I, +Place, +K0, -K): K is the number of the argument at Place among the arguments that may be
% variables.
slot([Mode|Modes], I, Place, K0, K) :-
    (   I =:= Place
    ->  K = K0
    ;   ( Mode == (?) -> K1 is K0+1 ; K1 = K0 ),
        I1 is I+1,
        slot(Modes, I1, Place, K1, K)
    ).

attaching(As, Modes, S, Goals) :-
    open_arguments(As, Modes, Open),
    (   Open == []
    ->  Goals = []
    ;   Open = [A]
    ->  Goals = [chr:attach(A, S)]
    ;   All =.. [a|Open],
        all_atomic(Open, Test),
        Goals = [( Test -> true ; chr:attach(All, S) )]
    ).

open_arguments([], [], []).
open_arguments([A|As], [Mode|Modes], Open) :-
    ( Mode == (?) -> Open = [A|Open1] ; Open = Open1 ),
    open_arguments(As, Modes, Open1).

all_atomic([A], atomic(A)) :- !.
all_atomic([A|As], (atomic(A), Test)) :- all_atomic(As, Test).

% hook_clauses(+Declared, +Hook, +Name, +Context)//: the clauses that run when a variable of a stored constraint is
% bound: they enter the constraint into tables and make it active again.
hook_clauses(Declared, Hook, Name, Context, Clauses0, Clauses) :-
    (   member(c(_, Modes, _), Declared), memberchk(?, Modes)
    ->  Head =.. [Name,S],
        Goal =.. [Name,S,S],
        Clauses0 = [(Head :- Goal)|Clauses1],
        hooks(Declared, Hook, Name, Context, Clauses1, Clauses)
    ;   Clauses0 = Clauses
    ).

hooks([], _, _, _) --> [].
hooks([D|Ds], Hook, Name, Context) -->
    (   { D = c(_/Arity, Modes, _), memberchk(?, Modes) }
    ->  { length(As, Arity),
          suspended(D, _, _, _, _, As, Pattern),
          Head =.. [Name,Pattern,S],
          store_goal(Context, Store, Goal),
          hook_goals(Hook, D, As, S, Store, Context, Goals),
          joined([Goal|Goals], Body) },
        [(Head :- Body)]
    ;   []
    ),
    hooks(Ds, Hook, Name, Context).

hook_goals(wake(Program), D, As, S, Store, _, [Goal]) :-
    D = c(Name/_, _, _),
    Constraint =.. [Name|As],
    occurrence_goal(D, 1, As, S, Store, First),
    Goal = ( arg(2, Store, off) -> First ; chr:traced_wake(Program, Constraint, S, Store) ).
hook_goals(bound, c(C, Modes, _), As, S, Store, context(_, _, _, Parts), Goals) :-
    any_parts(Parts, AnyParts),
    storing_goals(AnyParts, C, As, Modes, S, Store, Goals, []).

any_parts(Parts, _) :- var(Parts), !.
any_parts([P|Parts], Any) :-
    ( P = part(_, any(_), _) -> Any = [P|Any1] ; Any = Any1 ),
    any_parts(Parts, Any1).

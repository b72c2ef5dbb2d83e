% Constraint handling rules.
%
% The rules of a file become clauses when it has been read; library(chr/rules) makes them. This file has the
% predicates that these clauses call.
%
% A stored constraint is a term whose functor is its own: Name(Id, State, History, Names, Arguments..., Slots...). Ids
% grow. State is live or dead. A list of constraints is [] or l(Constraint, Length, Limit, Rest), the newest first; it
% keeps dead constraints until it is longer than Limit. The store of a module is a term in a global variable: the last
% Id; on or off, which says whether it is traced; then its lists and tables. The attribute chr of a variable is the
% list of the constraints that contain the variable.
:- module(chr, [
    op(1200, xfx, @),
    op(1190, xfx, pragma),
    op(1180, xfx, ==>),
    op(1180, xfx, <=>),
    op(1150, fx, chr_constraint),
    op(1150, fx, chr_type),
    op(1150, fx, constraints),
    op(1150, fx, handler),
    op(1150, fx, rules),
    op(1150, fx, ?),
    op(1130, xfx, --->),
    op(1100, xfx, \),
    op(500, yfx, #),
    chr_trace/0,
    chr_notrace/0,
    chr_leash/1,
    chr_show_store/1,
    find_chr_constraint/1,
    current_chr_constraint/1
]).

:- use_module(library(chr/rules)).

% chr_trace: events of constraints and rules are written to user_error.
chr_trace :- set_tracing(on).

% chr_notrace: events are no longer written.
chr_notrace :- set_tracing(off).

% chr_leash(+Ports): checked and otherwise ignored, as the trace never waits.
chr_leash(Ports) :-
    (   atom(Ports), Ports \== [], \+ port_set(Ports)
    ->  check_ports([Ports])
    ;   port_set(Ports)
    ->  true
    ;   must_be(list, Ports),
        check_ports(Ports)
    ).

port_set(none).
port_set(off).
port_set(all).
port_set(default).

check_ports([]).
check_ports([Port|Ports]) :-
    (   memberchk(Port, [call, exit, redo, fail, wake, try, apply, insert, remove])
    ->  true
    ;   domain_error(chr_port, Port)
    ),
    check_ports(Ports).

% chr_show_store(+Module): prints the constraints that the rules of Module have stored.
chr_show_store(Module) :-
    forall(( stored(Module, Constraints), member(C, Constraints) ), ( print(C), nl )).

% find_chr_constraint(?Constraint): Constraint is stored.
find_chr_constraint(Constraint) :-
    stored(_, Constraints),
    member(Constraint, Constraints).

% current_chr_constraint(?Constraint): Constraint is stored; Module:Constraint is one of the rules of Module.
current_chr_constraint(Spec) :-
    ( nonvar(Spec), Spec = Module:Constraint -> true ; Constraint = Spec ),
    stored(Module, Constraints),
    member(Constraint, Constraints).

% Tracing. The global variable $chr_trace is on or off, and so is the second argument of each store. If it is on, a
% constraint that is called from outside of rules, or is woken, runs traced clauses. These call the predicates below.

set_tracing(Switch) :-
    nb_setval('$chr_trace', Switch),
    ( nb_current('$chr', Stores) -> true ; Stores = [] ),
    forall(member(s(_, _, Store), Stores), nb_setarg(2, Store, Switch)).

tracing(Switch) :- ( nb_current('$chr_trace', on) -> Switch = on ; Switch = off ).

% traced_constraint(+Program, +Constraint, +Store): a constraint is called from outside of rules.
traced_constraint(Program, Constraint, Store) :-
    traced_call(Program, 0, Constraint, _, Store, Goal),
    call(Goal).

% traced_wake(+Program, +Constraint, +S, +Store): a variable of the constraint S has been bound.
traced_wake(Program, Constraint, S, Store) :-
    traced_call(Program, 1, Constraint, S, Store, Goal),
    functor(Constraint, Name, Arity),
    traced_goal('Wake', Name/Arity, S, Goal).

% traced_new(+Indicator, +S, :Goal): S has been stored, and Goal looks for rules.
traced_new(C, S, Goal) :-
    traced_event('Insert', C-S),
    traced_goal('Call', C, S, Goal).

traced_goal(Port, C, S, Goal) :-
    depth(Depth0),
    Depth is Depth0+1,
    b_setval('$chr_depth', Depth),
    traced_event(Port, C-S),
    (   call(Goal)
    *-> traced_event('Exit', C-S),
        b_setval('$chr_depth', Depth0)
    ;   b_setval('$chr_depth', Depth),
        traced_event('Fail', C-S),
        fail
    ).

depth(Depth) :- ( nb_current('$chr_depth', Depth0), integer(Depth0) -> Depth = Depth0 ; Depth = 0 ).

traced_event(Port, Constraint) :-
    (   tracing(on)
    ->  depth(Depth),
        format(user_error, 'CHR:   (~d) ~w: ', [Depth, Port]),
        write_stored([Constraint]),
        nl(user_error)
    ;   true
    ).

% traced_try(+Kept, +Removed, +Rule): the heads of Rule match; its guard comes next.
traced_try(Kept, Removed, Rule) :- traced_rule('Try', Kept, Removed, Rule).

% traced_apply(+Kept, +Removed, +Rule): Rule fires.
traced_apply(Kept, Removed, Rule) :-
    traced_rule('Apply', Kept, Removed, Rule),
    traced_removals(Removed).

traced_removals([]).
traced_removals([Constraint|Removed]) :-
    traced_event('Remove', Constraint),
    traced_removals(Removed).

traced_rule(Port, Kept, Removed, rule(Name, Kind, Guard, Body)) :-
    (   tracing(on)
    ->  depth(Depth),
        format(user_error, 'CHR:   (~d) ~w: ', [Depth, Port]),
        ( Name == none -> true ; format(user_error, '~q @ ', [Name]) ),
        write_stored(Kept),
        ( Kept = [_|_], Removed = [_|_] -> write(user_error, ' \\ ') ; true ),
        write_stored(Removed),
        ( Kind == propagation -> write(user_error, ' ==> ') ; write(user_error, ' <=> ') ),
        ( Guard == true -> true ; format(user_error, '~p | ', [Guard]) ),
        format(user_error, '~p.~n', [Body])
    ;   true
    ).

write_stored([]).
write_stored([C-S|More]) :-
    C = Name/Arity,
    terms_of([S], Name, Arity, [Constraint], []),
    arg(1, S, Id),
    format(user_error, '~p # <~w>', [Constraint, Id]),
    ( More == [] -> true ; write(user_error, ', ') ),
    write_stored(More).

% The store. The global variable $chr has s(Module, Shown, Store) for each store. Shown says for each constraint which
% part of Store lists all of them.

new_store(Key, Module, Shown, Kinds, Store) :-
    empty_parts(Kinds, Parts),
    tracing(Switch),
    Store =.. [store,0,Switch|Parts],
    b_setval(Key, Store),
    ( nb_current('$chr', Stores) -> true ; Stores = [] ),
    b_setval('$chr', [s(Module, Shown, Store)|Stores]).

empty_parts([], []).
empty_parts([Kind|Kinds], [Part|Parts]) :-
    ( Kind == list -> Part = [] ; empty_table(Part) ),
    empty_parts(Kinds, Parts).

% stored(?Module, -Constraints): Constraints are the stored constraints of the rules of one file: names in the order
% of their declarations, of each name the newest first.
stored(Module, Constraints) :-
    nb_current('$chr', Stores0),
    reverse(Stores0, Stores),
    member(s(Module, Shown, Store), Stores),
    of_names(Shown, Store, Constraints).

of_names([], _, []).
of_names([c(Name, Arity, I)|Names], Store, Constraints) :-
    arg(I, Store, Part),
    ( Part = t(_, Buckets) -> in_table(Buckets, Found0) ; in_list(Part, Found0, []) ),
    sort(1, @>, Found0, Found),
    terms_of(Found, Name, Arity, Constraints, Constraints1),
    of_names(Names, Store, Constraints1).

terms_of([], _, _, Constraints, Constraints).
terms_of([S|Ss], Name, Arity, [C|Constraints0], Constraints) :-
    functor(C, Name, Arity),
    copied_arguments(Arity, S, C),
    terms_of(Ss, Name, Arity, Constraints0, Constraints).

copied_arguments(I, S, C) :-
    (   I =:= 0
    ->  true
    ;   J is I+4,
        arg(J, S, A),
        arg(I, C, A),
        I1 is I-1,
        copied_arguments(I1, S, C)
    ).

% residual_constraints(-Goals): all that is stored, for the prompt.
residual_constraints(Goals) :-
    nb_current('$chr', Stores0),
    reverse(Stores0, Stores),
    residual_of(Stores, Goals).

residual_of([], []).
residual_of([s(Module, Shown, Store)|Stores], Goals) :-
    of_names(Shown, Store, Constraints),
    qualified(Constraints, Module, Goals, Goals1),
    residual_of(Stores, Goals1).

qualified([], _, Goals, Goals).
qualified([C|Cs], Module, [Goal|Goals0], Goals) :-
    ( Module == user -> Goal = C ; Goal = Module:C ),
    qualified(Cs, Module, Goals0, Goals).

% Lists.

% list_add(+S, +List0, -List)
list_add(S, L0, L) :-
    (   L0 = l(P, N0, Limit, Rest)
    ->  (   arg(2, P, dead)
        ->  list_add(S, Rest, L)
        ;   N0 < Limit
        ->  N is N0+1,
            L = l(S, N, Limit, L0)
        ;   living(L0, L1, 1, N),
            Limit1 is 2*N+6,
            L = l(S, N, Limit1, L1)
        )
    ;   L = l(S, 1, 6, [])
    ).

living([], [], N, N).
living(l(P, _, _, Rest), L, N0, N) :-
    (   arg(2, P, live)
    ->  N1 is N0+1,
        L = l(P, 1, 6, L1),
        living(Rest, L1, N1, N)
    ;   living(Rest, L, N0, N)
    ).

in_list([], Found, Found).
in_list(l(P, _, _, Rest), Found0, Found) :-
    ( arg(2, P, live) -> Found0 = [P|Found1] ; Found0 = Found1 ),
    in_list(Rest, Found1, Found).

% Tables from keys to lists: t(Count, Buckets), where a bucket is nil or e(Key, List, Hash, Rest).

empty_table(t(0, h(nil, nil, nil, nil))).

% hash(+Key, -Hash): Hash stays a variable if Key is not ground.
hash(Key, Hash) :-
    (   integer(Key)
    ->  Hash = Key
    ;   nonvar(Key),
        Key = k(A, B)
    ->  hash(A, H),
        hash(B, I),
        ( integer(H), integer(I) -> Hash is H*31+I ; true )
    ;   term_hash(Key, Hash)
    ).

table_find(t(_, Buckets), Key, List) :-
    hash(Key, Hash),
    (   var(Hash)
    ->  List = []
    ;   functor(Buckets, _, Size),
        I is Hash /\ (Size-1) + 1,
        arg(I, Buckets, Bucket),
        bucket_find(Bucket, Key, List)
    ).

bucket_find(nil, _, []).
bucket_find(e(Key0, List0, _, Rest), Key, List) :-
    ( Key0 == Key -> List = List0 ; bucket_find(Rest, Key, List) ).

table_add(Table, Key, S) :-
    Table = t(N, Buckets),
    hash(Key, Hash),
    ( var(Hash) -> instantiation_error(Key) ; true ), % an argument that is declared ground
    functor(Buckets, _, Size),
    I is Hash /\ (Size-1) + 1,
    arg(I, Buckets, Bucket),
    (   entry(Bucket, Key, E)
    ->  arg(2, E, List0),
        list_add(S, List0, List),
        setarg(2, E, List)
    ;   N >= Size
    ->  rebuilt(Buckets, Size, Table),
        table_new(Table, Key, Hash, S)
    ;   setarg(I, Buckets, e(Key, l(S, 1, 6, []), Hash, Bucket)),
        N1 is N+1,
        setarg(1, Table, N1)
    ).

table_new(Table, Key, Hash, S) :-
    Table = t(N, Buckets),
    functor(Buckets, _, Size),
    I is Hash /\ (Size-1) + 1,
    arg(I, Buckets, Bucket),
    setarg(I, Buckets, e(Key, l(S, 1, 6, []), Hash, Bucket)),
    N1 is N+1,
    setarg(1, Table, N1).

entry(E0, Key, E) :-
    E0 = e(Key0, _, _, Rest),
    ( Key0 == Key -> E = E0 ; entry(Rest, Key, E) ).

% rebuilt(+Buckets, +Size, +Table): removes keys without live constraints. If the table is still full, it grows.
rebuilt(Buckets0, Size0, Table) :-
    entries(Size0, Buckets0, Entries, [], 0, N),
    ( 2*N > Size0 -> Size is 4*Size0 ; Size = Size0 ),
    functor(Buckets, h, Size),
    emptied(Size, Buckets),
    enter(Entries, Size, Buckets),
    setarg(1, Table, N),
    setarg(2, Table, Buckets).

entries(I, Buckets, Es0, Es, N0, N) :-
    (   I =:= 0
    ->  Es0 = Es,
        N = N0
    ;   arg(I, Buckets, Bucket),
        bucket_entries(Bucket, Es0, Es1, N0, N1),
        I1 is I-1,
        entries(I1, Buckets, Es1, Es, N1, N)
    ).

bucket_entries(nil, Es, Es, N, N).
bucket_entries(e(Key, List0, Hash, Rest), Es0, Es, N0, N) :-
    living(List0, List, 0, Length),
    (   List = l(P, _, _, More)
    ->  Limit is 2*Length+6,
        Es0 = [e(Key, l(P, Length, Limit, More), Hash, nil)|Es1],
        N1 is N0+1
    ;   Es0 = Es1,
        N1 = N0
    ),
    bucket_entries(Rest, Es1, Es, N1, N).

emptied(I, Buckets) :-
    (   I =:= 0
    ->  true
    ;   arg(I, Buckets, nil),
        I1 is I-1,
        emptied(I1, Buckets)
    ).

enter([], _, _).
enter([E|Es], Size, Buckets) :-
    arg(3, E, Hash),
    I is Hash /\ (Size-1) + 1,
    arg(I, Buckets, Bucket),
    setarg(4, E, Bucket),
    setarg(I, Buckets, E),
    enter(Es, Size, Buckets).

in_table(Buckets, Found) :-
    functor(Buckets, _, Size),
    in_buckets(Size, Buckets, Found).

in_buckets(I, Buckets, Found) :-
    (   I =:= 0
    ->  Found = []
    ;   arg(I, Buckets, Bucket),
        in_bucket(Bucket, Found, Found1),
        I1 is I-1,
        in_buckets(I1, Buckets, Found1)
    ).

in_bucket(nil, Found, Found).
in_bucket(e(_, List, _, Rest), Found0, Found) :-
    in_list(List, Found0, Found1),
    in_bucket(Rest, Found1, Found).

% Arguments that may be variables. If the argument is a variable, the constraint is found through the attribute of the
% variable. Otherwise it is found in a table by the functor of the argument. A slot of the constraint says whether it
% is in the table.

any_find(Table, Value, List) :-
    (   var(Value)
    ->  ( get_attr(Value, chr, List0) -> List = List0 ; List = [] )
    ;   atomic(Value)
    ->  table_find(Table, Value, List)
    ;   functor(Value, Name, _),
        table_find(Table, Name, List)
    ).

any_add(Table, Value, Slot, S) :-
    (   var(Value)
    ->  true
    ;   arg(Slot, S, in)
    ->  true
    ;   setarg(Slot, S, in),
        functor(Value, Name, _),
        table_add(Table, Name, S)
    ).

% attach(+Value, +S): the variables of Value get S.
attach(Value, S) :-
    (   atomic(Value)
    ->  true
    ;   var(Value)
    ->  attach_variable(Value, S)
    ;   term_variables(Value, Variables),
        attach_variables(Variables, S)
    ).

attach_variables([], _).
attach_variables([X|Xs], S) :- attach_variable(X, S), attach_variables(Xs, S).

attach_variable(X, S) :-
    ( get_attr(X, chr, L0) -> true ; L0 = [] ),
    list_add(S, L0, L),
    put_attr(X, chr, L).

attr_unify_hook(List0, Other) :-
    in_list(List0, Ss0, []),
    (   var(Other)
    ->  (   get_attr(Other, chr, List1)
        ->  in_list(List1, Ss1, Ss0),
            sort(1, @<, Ss1, Ss)
        ;   sort(1, @<, Ss0, Ss)
        ),
        as_list(Ss, [], List),
        put_attr(Other, chr, List)
    ;   sort(1, @<, Ss0, Ss),
        attach_each(Ss, Other)
    ),
    wake(Ss).

as_list([], List, List).
as_list([S|Ss], List0, List) :-
    list_add(S, List0, List1),
    as_list(Ss, List1, List).

attach_each([], _).
attach_each([S|Ss], Value) :-
    attach(Value, S),
    arg(4, S, names(Module, _, Bound, _)),
    call(Module:Bound, S),
    attach_each(Ss, Value).

wake([]).
wake([S|Ss]) :-
    (   arg(2, S, live)
    ->  arg(4, S, names(Module, Wake, _, _)),
        call(Module:Wake, S)
    ;   true
    ),
    wake(Ss).

attribute_goals(_) --> [].

% History: which rules have fired for which constraints. The newest of these constraints has the history, which is 0
% or a table whose keys stand for the rule and the other constraints.

% novel(+Rule, +S, +T): the rule has not fired for S and T.
novel(Rule, S, T) :-
    pair_key(Rule, S, T, Newest, Key),
    arg(3, Newest, History),
    ( History == 0 -> true ; \+ fired(History, Key) ).

record(Rule, S, T) :-
    pair_key(Rule, S, T, Newest, Key),
    note(Newest, Key).

pair_key(Rule, S, T, Newest, Key) :-
    arg(1, S, I),
    arg(1, T, J),
    (   I > J
    ->  Newest = S,
        Key is (Rule<<41)+J
    ;   Newest = T,
        Key is ((2*Rule+1)<<40)+I
    ).

% novel_single(+Rule, +S): as novel/3 for a rule with one head.
novel_single(Rule, S) :-
    arg(3, S, History),
    ( History == 0 -> true ; \+ fired(History, Rule) ).

record_single(Rule, S) :- note(S, Rule).

% novel_all(+Rule, +Ss): as novel/3 for any number of constraints, a term with them.
novel_all(Rule, Ss) :-
    all_key(Rule, Ss, Newest, Key),
    arg(3, Newest, History),
    ( History == 0 -> true ; \+ fired(History, Key) ).

record_all(Rule, Ss) :-
    all_key(Rule, Ss, Newest, Key),
    note(Newest, Key).

all_key(Rule, Ss, Newest, Key) :-
    Ss =.. [_,S|More],
    arg(1, S, Id),
    ids_newest(More, Ids, S, Id, Newest),
    Key =.. [s,Rule,Id|Ids].

ids_newest([], [], Newest, _, Newest).
ids_newest([S|Ss], [Id|Ids], Newest0, Id0, Newest) :-
    arg(1, S, Id),
    (   Id > Id0
    ->  ids_newest(Ss, Ids, S, Id, Newest)
    ;   ids_newest(Ss, Ids, Newest0, Id0, Newest)
    ).

fired(t(_, Buckets), Key) :-
    hash(Key, Hash),
    functor(Buckets, _, Size),
    I is Hash /\ (Size-1) + 1,
    arg(I, Buckets, Bucket),
    noted(Bucket, Key).

noted(e(Key0, _, _, Rest), Key) :-
    ( Key0 == Key -> true ; noted(Rest, Key) ).

note(S, Key) :-
    arg(3, S, History0),
    (   History0 == 0
    ->  empty_table(History),
        setarg(3, S, History)
    ;   History = History0
    ),
    History = t(N, Buckets),
    hash(Key, Hash),
    functor(Buckets, _, Size),
    (   N >= Size
    ->  '$grown_buckets'(Buckets, Grown),
        setarg(2, History, Grown),
        note(S, Key)
    ;   I is Hash /\ (Size-1) + 1,
        arg(I, Buckets, Bucket),
        setarg(I, Buckets, e(Key, [], Hash, Bucket)),
        N1 is N+1,
        setarg(1, History, N1)
    ).

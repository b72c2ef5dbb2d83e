% References to clauses, and the recorded database: terms under keys, in order. A key is an atom, an integer, or a term of which name and arity count.
:- module(recorded, [
    recorda/2,
    recorda/3,
    recordz/2,
    recordz/3,
    recorded/1,
    recorded/2,
    recorded/3,
    erase/1,
    instance/2,
    clause_property/2,
    current_key/1
]).

:- dynamic
    record/3.

% recorda(+Key, +Term): records a term before the others under its key.
recorda(Key, Term) :- recorda(Key, Term, _).

% recorda(+Key, +Term, -Reference): the same; Reference stands for the record.
recorda(Key, Term, Reference) :-
    new_record(Key, Plain, N, Reference),
    asserta(record(Plain, N, Term)).

% recordz(+Key, +Term): records a term after the others under its key.
recordz(Key, Term) :- recordz(Key, Term, _).

% recordz(+Key, +Term, -Reference): the same; Reference stands for the record.
recordz(Key, Term, Reference) :-
    new_record(Key, Plain, N, Reference),
    assertz(record(Plain, N, Term)).

new_record(Key, Plain, N, Reference) :-
    plain_key(Key, Plain),
    (   var(Reference)
    ->  '$unique_number'(N),
        Reference = '$record'(N)
    ;   throw(error(uninstantiation_error(Reference), _))
    ).

plain_key(Key, _) :- var(Key), !, throw(error(instantiation_error, _)).
plain_key(Key, Plain) :- atom(Key), !, Plain = Key.
plain_key(Key, Plain) :- integer(Key), !, Plain = Key.
plain_key(Key, Plain) :- compound(Key), !, compound_name_arity(Key, Name, Arity), compound_name_arity(Plain, Name, Arity).
plain_key(Key, _) :- throw(error(type_error(key, Key), _)).

% recorded(+Term): Term is recorded under some key.
recorded(Term) :- record(_, _, Term).

% recorded(?Key, ?Term): Term is recorded under Key.
recorded(Key, Term) :- recorded(Key, Term, _).

% recorded(?Key, ?Term, ?Reference): the same; Reference stands for the record.
recorded(Key, Term, Reference) :-
    (   var(Reference)
    ->  Reference = '$record'(N)
    ;   Reference = '$record'(N),
        integer(N)
    ),
    (   var(Key)
    ->  record(Key, N, Term)
    ;   plain_key(Key, Plain),
        record(Plain, N, Term)
    ).

% erase(+Reference): removes a record or a clause; it fails for one that is gone.
erase(Reference) :-
    record_number(Reference, N),
    !,
    retract(record(_, N, _)),
    !.
erase(Reference) :-
    '$erase_clause'(Reference).

% instance(+Reference, -Term): Term is what a record holds, or a clause.
instance(Reference, Term) :-
    record_number(Reference, N),
    !,
    record(_, N, Term0),
    !,
    Term = Term0.
instance(Reference, Term) :-
    '$clause_instance'(Reference, Term).

% record_number(+Reference, -N): Reference is that of a record. It fails for all other terms.
record_number(Reference, N) :-
    nonvar(Reference),
    Reference = '$record'(N),
    integer(N).

% clause_property(+Reference, ?Property): Property of a clause is one of line_count(N), file(F), source(F), fact, erased, predicate(PI), module(M) and size(Bytes).
clause_property(Reference, Property) :-
    '$clause_info'(Reference, Properties),
    member(Property, Properties).

% current_key(?Key): there are records under Key.
current_key(Key) :-
    findall(Known, record(Known, _, _), Keys0),
    sort(Keys0, Keys),
    member(Key, Keys).

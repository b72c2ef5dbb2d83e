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
    new_record(Key, Plain, Reference),
    asserta(record(Plain, Reference, Term)).

% recordz(+Key, +Term): records a term after the others under its key.
recordz(Key, Term) :- recordz(Key, Term, _).

% recordz(+Key, +Term, -Reference): the same; Reference stands for the record.
recordz(Key, Term, Reference) :-
    new_record(Key, Plain, Reference),
    assertz(record(Plain, Reference, Term)).

new_record(Key, Plain, Reference) :-
    plain_key(Key, Plain),
    (   var(Reference)
    ->  true
    ;   throw(error(uninstantiation_error(Reference), _))
    ),
    '$unique_number'(N),
    Reference = '$record'(N).

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
    (   var(Key)
    ->  record(Key, Reference, Term)
    ;   plain_key(Key, Plain),
        record(Plain, Reference, Term)
    ).

% erase(+Reference): removes a record or a clause; it fails for one that is gone.
erase(Reference) :-
    is_clause_reference(Reference),
    !,
    '$erase_clause'(Reference).
erase(Reference) :-
    known_reference(Reference),
    once(retract(record(_, Reference, _))).

% instance(+Reference, -Term): Term is what a record holds, or a clause.
instance(Reference, Term) :-
    is_clause_reference(Reference),
    !,
    '$clause_instance'(Reference, Term).
instance(Reference, Term) :-
    known_reference(Reference),
    record(_, Reference, Term0),
    !,
    Term = Term0.

% clause_property(+Reference, ?Property): Property of a clause is one of line_count(N), file(F), source(F), fact, erased, predicate(PI), module(M) and size(Bytes).
clause_property(Reference, Property) :-
    '$clause_info'(Reference, Properties),
    member(Property, Properties).

is_clause_reference(Reference) :- nonvar(Reference), Reference = '$clause'(_).

known_reference(Reference) :-
    (   var(Reference)
    ->  throw(error(instantiation_error, _))
    ;   Reference = '$record'(_)
    ->  true
    ;   throw(error(type_error(db_reference, Reference), _))
    ).

% current_key(?Key): there are records under Key.
current_key(Key) :-
    findall(Known, record(Known, _, _), Keys0),
    sort(Keys0, Keys),
    member(Key, Keys).

% The tools of the family tree: questions about it, and one that adds to it.

:- mode(ancestors(+atom, -atom), zero_or_more).
:- info(ancestors/2, [
       title is 'Ancestors',
       comment is 'Finds the ancestors of a person, parents first.',
       arguments is [person - 'Whose ancestors.', ancestor - 'One of them.'],
       examples is ['Of Leo' - ancestors(leo, Ancestor) - {Ancestor = clara}]
   ]).

ancestors(Person, Ancestor) :-
    must_be_known(Person),
    ancestor(Ancestor, Person).

:- mode(relatives(+atom, -atom, -atom), zero_or_more).
:- info(relatives/3, [
       title is 'Relatives',
       comment is 'Finds the relatives of a person and what each is to that person.',
       arguments is [
           person   - 'Whose relatives.',
           relative - 'One of them.',
           relation - 'What the relative is to the person, for example mother.'
       ]
   ]).

relatives(Person, Relative, Relation) :-
    must_be_known(Person),
    relation(Relative, Person, Relation).

:- mode(how_related(+atom, +atom, -list(atom)), one).
:- info(how_related/3, [
       title is 'How two people are related',
       comment is 'Says in which ways one person is a relative of another.',
       arguments is [
           person    - 'The person asked about.',
           other     - 'The one they are a relative of.',
           relations - 'What the person is to the other; empty when they are not close relatives.'
       ]
   ]).

how_related(Person, Other, Relations) :-
    must_be_known(Person),
    must_be_known(Other),
    findall(Relation, relation(Person, Other, Relation), Found),
    sort(Found, Relations).

:- mode(add_child(+atom, +atom, +one_of(atom, [female, male])), one).
:- info(add_child/3, [
       title is 'Add a child',
       comment is 'Records the birth of a child; later calls know it.',
       arguments is [
           parent - 'A person of the family.',
           child  - 'The name of the child, not used yet.',
           gender - 'Its gender.'
       ]
   ]).

add_child(Parent, Child, Gender) :-
    must_be_known(Parent),
    (   person(Child)
    ->  throw(error(permission_error(add, child, Child), _))
    ;   assertz(gender(Child, Gender)),
        assertz(parent(Parent, Child))
    ).

must_be_known(Person) :-
    (   person(Person)
    ->  true
    ;   throw(error(existence_error(person, Person), _))
    ).

tools([
    tool(ancestors, ancestors, 2, [read_only(true)]),
    tool(relatives, relatives, 3, [read_only(true)]),
    tool(how_related, how_related, 3, [read_only(true)]),
    tool(add_child, add_child, 3, [read_only(false), destructive(false)])
]).

% A family tree: who is whose parent, and the kinships that follow from it.

:- dynamic(parent/2).

% parent(Parent, Child)
parent(alma,   ruth).
parent(alma,   henry).
parent(edgar,  ruth).
parent(edgar,  henry).
parent(ruth,   clara).
parent(ruth,   oskar).
parent(daniel, clara).
parent(daniel, oskar).
parent(henry,  ida).
parent(nora,   ida).
parent(clara,  leo).
parent(clara,  mia).
parent(paul,   leo).
parent(paul,   mia).
parent(ida,    finn).

:- dynamic(gender/2).

% gender(Person, Gender)
gender(alma,   female).
gender(clara,  female).
gender(daniel, male).
gender(edgar,  male).
gender(finn,   male).
gender(henry,  male).
gender(ida,    female).
gender(leo,    male).
gender(mia,    female).
gender(nora,   female).
gender(oskar,  male).
gender(paul,   male).
gender(ruth,   female).

person(Person) :-
    gender(Person, _).

child(Child, Parent) :-
    parent(Parent, Child).

grandparent(Grandparent, Grandchild) :-
    parent(Grandparent, Parent),
    parent(Parent, Grandchild).

% ancestor(?Ancestor, ?Person): parents first, then their ancestors.
ancestor(Ancestor, Person) :-
    parent(Ancestor, Person).
ancestor(Ancestor, Person) :-
    parent(Parent, Person),
    ancestor(Ancestor, Parent).

% sibling(?Person, ?Sibling): full or half siblings, each once.
sibling(Person, Sibling) :-
    setof(Other, shares_parent(Person, Other), Siblings),
    member(Sibling, Siblings).

shares_parent(Person, Other) :-
    parent(Parent, Person),
    parent(Parent, Other),
    Other \== Person.

% cousin(?Person, ?Cousin): children of siblings, each once.
cousin(Person, Cousin) :-
    setof(Other, parents_are_siblings(Person, Other), Cousins),
    member(Cousin, Cousins).

parents_are_siblings(Person, Other) :-
    parent(Parent, Person),
    sibling(Parent, Aunt),
    parent(Aunt, Other).

% relation(?Person, ?Other, ?Relation): Person is the Relation of Other.
relation(Person, Other, Relation) :-
    kinship(Kinship, Person, Other),
    gender(Person, Gender),
    kinship_name(Kinship, Gender, Relation).

kinship(parent,      Person, Other) :- parent(Person, Other).
kinship(child,       Person, Other) :- child(Person, Other).
kinship(sibling,     Person, Other) :- sibling(Other, Person).
kinship(grandparent, Person, Other) :- grandparent(Person, Other).
kinship(grandchild,  Person, Other) :- grandparent(Other, Person).
kinship(cousin,      Person, Other) :- cousin(Other, Person).

kinship_name(parent,      female, mother).
kinship_name(parent,      male,   father).
kinship_name(child,       female, daughter).
kinship_name(child,       male,   son).
kinship_name(sibling,     female, sister).
kinship_name(sibling,     male,   brother).
kinship_name(grandparent, female, grandmother).
kinship_name(grandparent, male,   grandfather).
kinship_name(grandchild,  female, granddaughter).
kinship_name(grandchild,  male,   grandson).
kinship_name(cousin,      _,      cousin).

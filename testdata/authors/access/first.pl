% Who may do what with documents.
:- type(action, oneof([read, write, delete])).
:- mode(may(+atom, +action, +atom), zero_or_one).
:- mode(reasons(+atom, +atom, -list(action)), one).
:- info(may/3, [
       comment is 'Says whether a user may do something with a document.',
       arguments is [user - 'Name', action - 'read, write or delete', document - 'Name']
   ]).
:- info(reasons/3, [
       comment is 'Lists what a user may do with a document.',
       arguments is [user - 'Name', document - 'Name', actions - 'Sorted']
   ]).

tools([may/3, reasons/3]).

:- table in_group/2.

may(User, Action, Document) :-
    document(Document, Folder, Owner),
    \+ suspended(User),
    (   User = Owner
    ->  true
    ;   in_group(User, Group),
        below(Folder, Above),
        granted(Group, Action, Above),
        \+ blocked(User, Action, Document)
    ).

blocked(User, _, Document) :-
    confidential(Document),
    \+ in_group(User, legal).

reasons(User, Document, Actions) :-
    setof(Action, may(User, Action, Document), Actions).

in_group(Member, Group) :-
    member_of(Member, Group).
in_group(Member, Group) :-
    member_of(Member, Between),
    in_group(Between, Group).

below(Folder, Folder).
below(Folder, Above) :-
    parent(Folder, Parent),
    below(Parent, Above).

parent(finance, root).
parent(public, root).
parent(audits, finance).

member_of(ann, staff).
member_of(bob, staff).
member_of(cid, legal).
member_of(dan, interns).
member_of(interns, staff).
member_of(legal, staff).

suspended(bob).

granted(staff, read, root).
granted(legal, write, finance).

document(plan, finance, ann).
document(audit1, audits, cid).
document(menu, public, eve).

confidential(audit1).

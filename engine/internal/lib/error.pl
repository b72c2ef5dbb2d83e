% Errors to throw and types to check: must_be/2 and the predicates named after the ISO errors.
:- module(error, [
    instantiation_error/1,
    uninstantiation_error/1,
    representation_error/1,
    syntax_error/1,
    resource_error/1,
    type_error/2,
    domain_error/2,
    existence_error/2,
    existence_error/3,
    permission_error/3,
    must_be/2,
    is_of_type/2,
    current_type/3,
    '$one_of'/3
]).

:- multifile
    has_type/2.

% instantiation_error(?Culprit): throws an instantiation error.
instantiation_error(_) :-
    throw(error(instantiation_error, _)).

% uninstantiation_error(+Culprit): throws the error for a value where a variable is required.
uninstantiation_error(Culprit) :-
    throw(error(uninstantiation_error(Culprit), _)).

% representation_error(+What): throws a representation error.
representation_error(Limit) :-
    throw(error(representation_error(Limit), _)).

% syntax_error(+Message): throws a syntax error.
syntax_error(Message) :-
    throw(error(syntax_error(Message), _)).

% resource_error(+What): throws a resource error.
resource_error(Resource) :-
    throw(error(resource_error(Resource), _)).

% type_error(+Type, ?Culprit): throws a type error.
type_error(Type, Culprit) :-
    throw(error(type_error(Type, Culprit), _)).

% domain_error(+Domain, ?Culprit): throws a domain error.
domain_error(Domain, Culprit) :-
    throw(error(domain_error(Domain, Culprit), _)).

% existence_error(+Kind, ?Culprit): throws an existence error.
existence_error(Kind, Culprit) :-
    throw(error(existence_error(Kind, Culprit), _)).

% existence_error(+Kind, ?Culprit, +In): throws an existence error that says where.
existence_error(Kind, Culprit, Where) :-
    throw(error(existence_error(Kind, Culprit, Where), _)).

% permission_error(+Action, +Type, ?Culprit): throws a permission error.
permission_error(Action, Type, Culprit) :-
    throw(error(permission_error(Action, Type, Culprit), _)).

% '$one_of'(+Domain, +Names, @Name): Name is one of Names; a domain error otherwise.
'$one_of'(Domain, Names, Name) :-
    must_be(atom, Name),
    (   memberchk(Name, Names)
    ->  true
    ;   domain_error(Domain, Name)
    ).

% must_be(+Type, @Term): true when Term is of Type; throws otherwise.
must_be(Type, Term) :-
    (   nonvar(Type)
    ->  (   has_type(Type, Term)
        ->  true
        ;   is_not(Type, Term)
        )
    ;   instantiation_error(Type)
    ).

% is_not(+Type, @Term): throws the error that best says why Term is not of Type.
is_not(list, X) :- !, not_a_list(list, X).
is_not(list(Of), X) :- !, not_a_list(list(Of), X).
is_not(list_of(Of), X) :- !, not_a_list(list(Of), X).
is_not(chars, X) :- !, not_a_list(list(char), X).
is_not(codes, X) :- !, not_a_list(list(code), X).
is_not(list_or_partial_list, X) :- !, type_error(list, X).
is_not(var, X) :- !, uninstantiation_error(X).
is_not(cyclic, X) :- !, domain_error(cyclic_term, X).
is_not(acyclic, X) :- !, domain_error(acyclic_term, X).
is_not(Type, X) :-
    known_type(Type),
    !,
    (   var(X)
    ->  instantiation_error(X)
    ;   ground_type(Type),
        \+ ground(X)
    ->  instantiation_error(X)
    ;   type_error(Type, X)
    ).
is_not(Type, _) :-
    existence_error(type, Type).

not_a_list(Type, X) :-
    '$skip_list'(_, X, Tail),
    (   var(Tail)
    ->  instantiation_error(X)
    ;   Tail == []
    ->  arg(1, Type, Of),
        wrong_element(X, Of)
    ;   type_error(Type, X)
    ).

wrong_element([_|_], Of) :-
    var(Of),
    !,
    instantiation_error(Of).
wrong_element([X|Xs], Of) :-
    (   has_type(Of, X)
    ->  wrong_element(Xs, Of)
    ;   is_not(Of, X)
    ).

% For types whose terms are ground, a variable inside is the mistake.
ground_type(ground).
ground_type(oneof(_)).
ground_type(stream).
ground_type(text).
ground_type(string).
ground_type(rational).

known_type(Type) :-
    nonvar(Type),
    type_name(Type),
    !.
known_type(Type) :-
    user_type(Type, _, _),
    !.

% A program adds types by clauses of has_type/2. Only these clauses say whether such a type is known.
user_type(Type, Term, Body) :-
    catch(clause(has_type(Type, Term), Body), error(permission_error(_, _, _), _), fail).

% is_of_type(+Type, @Term): true when Term is of Type; fails otherwise.
is_of_type(Type, Term) :-
    (   nonvar(Type)
    ->  has_type(Type, Term),
        !
    ;   instantiation_error(Type)
    ).

% current_type(?Type, @Var, -Body): Body is what Var must satisfy to be of Type.
current_type(Type, Var, Body) :-
    user_type(Type, Var, Body).

is_list_or_partial_list(X) :-
    '$skip_list'(_, X, Tail),
    (   var(Tail)
    ->  true
    ;   Tail == []
    ).

% type_name(?Type): the types of this library.
type_name(any).
type_name(atom).
type_name(atomic).
type_name(between(_, _)).
type_name(boolean).
type_name(bool).
type_name(callable).
type_name(char).
type_name(chars).
type_name(code).
type_name(codes).
type_name(text).
type_name(compound).
type_name(constant).
type_name(float).
type_name(ground).
type_name(cyclic).
type_name(acyclic).
type_name(integer).
type_name(nonneg).
type_name(positive_integer).
type_name(negative_integer).
type_name(nonvar).
type_name(number).
type_name(oneof(_)).
type_name(pair).
type_name(proper_list).
type_name(list).
type_name(list_or_partial_list).
type_name(symbol).
type_name(var).
type_name(rational).
type_name(string).
type_name(stream).
type_name(encoding).
type_name(order).
type_name(dict).
type_name(list(_)).
type_name(list_of(_)).
type_name(type).

has_type(any, _).
has_type(atom, X) :- atom(X).
has_type(atomic, X) :- atomic(X).
has_type(between(L, U), X) :- is_between(L, U, X).
has_type(boolean, X) :- is_boolean(X).
has_type(bool, X) :- is_boolean(X).
has_type(callable, X) :- callable(X).
has_type(char, X) :- is_char(X).
has_type(chars, X) :- is_list_of(X, char).
has_type(code, X) :- is_code(X).
has_type(codes, X) :- is_list_of(X, code).
has_type(text, X) :- is_text(X).
has_type(compound, X) :- compound(X).
has_type(constant, X) :- atomic(X).
has_type(float, X) :- float(X).
has_type(ground, X) :- ground(X).
has_type(cyclic, X) :- \+ acyclic_term(X).
has_type(acyclic, X) :- acyclic_term(X).
has_type(integer, X) :- integer(X).
has_type(nonneg, X) :- integer(X), X >= 0.
has_type(positive_integer, X) :- integer(X), X >= 1.
has_type(negative_integer, X) :- integer(X), X < 0.
has_type(nonvar, X) :- nonvar(X).
has_type(number, X) :- number(X).
has_type(oneof(Values), X) :- is_one_of(Values, X).
has_type(pair, X) :- nonvar(X), X = _-_.
has_type(proper_list, X) :- is_list(X).
has_type(list, X) :- is_list(X).
has_type(list_or_partial_list, X) :- is_list_or_partial_list(X).
has_type(record(M:Name), X) :- atom_concat(is_, Name, Is), call(M:Is, X).
has_type(symbol, X) :- atom(X).
has_type(var, X) :- var(X).
has_type(rational, X) :- rational(X).
has_type(string, X) :- string(X).
has_type(stream, X) :- is_stream(X).
has_type(encoding, X) :- is_encoding(X).
has_type(order, X) :- is_one_of([<, =, >], X).
has_type(dict, X) :- is_dict(X).
has_type(list(Type), X) :- is_list_of(X, Type).
has_type(list_of(Type), X) :- is_list_of(X, Type).
has_type(type, X) :- ground(X), known_type(X).

is_between(L, U, X) :-
    (   integer(L), integer(U)
    ->  integer(X), X >= L, X =< U
    ;   number(X), X >= L, X =< U
    ).

is_boolean(X) :-
    ( X == true ; X == false ),
    !.

is_one_of(Values, X) :-
    nonvar(X),
    ground(X),
    memberchk(X, Values).

is_char(X) :-
    atom(X),
    atom_length(X, 1).

is_code(X) :-
    integer(X),
    X >= 0,
    X =< 0x10ffff.

is_text(X) :-
    (   atom(X)
    ->  true
    ;   string(X)
    ->  true
    ;   is_list_of(X, char)
    ->  true
    ;   is_list_of(X, code)
    ).

is_list_of(X, Type) :-
    is_list(X),
    all_of_type(X, Type).

all_of_type([], _).
all_of_type([X|Xs], Type) :-
    is_of_type(Type, X),
    all_of_type(Xs, Type).

is_encoding(X) :-
    atom(X),
    memberchk(X, [octet, ascii, iso_latin_1, text, utf8, unicode_be, unicode_le,
                  utf16be, utf16le, wchar_t]).

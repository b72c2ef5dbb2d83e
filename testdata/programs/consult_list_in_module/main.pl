% A goal [File, ...] loads into the module that it stands in, wherever it stands.
:- use_module(shop).

show(Head) :-
    functor(Head, Name, Arity),
    (   predicate_property(shop:Head, imported_from(Module))
    ->  true
    ;   catch(shop:Head, error(existence_error(_, _), _), fail)
    ->  Module = shop
    ;   Module = none
    ),
    (   catch(user:Head, error(existence_error(_, _), _), fail)
    ->  User = seen
    ;   User = not_seen
    ),
    writeln(Name/Arity-Module-User).

main :-
    maplist(show, [price(_, _), vat(_), later(_), nested(_), total(_, _)]),
    shop:total(pear, T),
    writeln(T),
    shop:load_later,
    maplist(show, [later(_)]),
    [extra],
    extra(X),
    writeln(X).

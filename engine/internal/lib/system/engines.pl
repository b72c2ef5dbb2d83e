% Engines: goals that give their answers when they are asked. The machine runs them.
:- module(system, [
    engine_create/3,
    engine_create/4,
    engine_post/3,
    engine_next_reified/2,
    current_engine/1,
    trie_property/2
]).

:- meta_predicate
    engine_create(?, 0, -),
    engine_create(?, 0, -, +).

% engine_create(+Template, :Goal, -Engine): Engine is a new engine; its answers are the instances of Template for the
% solutions of Goal.
engine_create(Template, Goal, Engine) :-
    engine_create(Template, Goal, Engine, []).

% engine_create(+Template, :Goal, -Engine, +Options): the same; the option alias(Name) gives the engine a name.
engine_create(Template, Spec, Engine, Options) :-
    '$strip_module'(Spec, Module, Goal),
    '$must_be_callable'(Goal),
    (   '$engine_alias'(Options, Alias0)
    ->  Alias = Alias0
    ;   Alias = []
    ),
    '$engine_create'(Module:(Template-Goal), Alias, Engine).

'$engine_alias'([Option|Options], Alias) :-
    (   Option = alias(Alias0)
    ->  Alias = Alias0
    ;   '$engine_alias'(Options, Alias)
    ).

% engine_post(+Engine, +Term, -Answer): engine_post/2 and engine_next/2.
engine_post(Engine, Term, Answer) :-
    engine_post(Engine, Term),
    engine_next(Engine, Answer).

% engine_next_reified(+Engine, -Outcome): Outcome is the(Answer), no, or exception(Ball).
engine_next_reified(Engine, Outcome) :-
    (   is_engine(Engine)
    ->  (   catch(engine_next(Engine, Answer), Ball, true)
        ->  (   nonvar(Ball)
            ->  Outcome = exception(Ball)
            ;   Outcome = the(Answer)
            )
        ;   Outcome = no
        )
    ;   engine_next(Engine, _)
    ).

% current_engine(?Engine): Engine is one of the engines.
current_engine(Engine) :-
    (   nonvar(Engine)
    ->  is_engine(Engine)
    ;   '$engines'(Engines),
        '$member'(Engine, Engines)
    ).

% trie_property(+Trie, ?Property): Property is value_count(Count).
trie_property(Trie, value_count(Count)) :-
    '$trie_size'(Trie, Count).

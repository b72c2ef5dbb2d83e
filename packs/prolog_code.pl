% Goals, heads and predicate indicators taken apart and put together.
:- module(prolog_code, [
    comma_list/2,
    semicolon_list/2,
    mkconj/3,
    mkdisj/3,
    is_control_goal/1,
    pi_head/2,
    head_name_arity/3,
    most_general_goal/2,
    extend_goal/3,
    is_predicate_indicator/1,
    copy_predicate_clauses/2,
    body_term_calls/2,
    predicate_label/2,
    predicate_sort_key/2
]).

:- meta_predicate
    copy_predicate_clauses(:, :),
    body_term_calls(:, -).

% comma_list(?Conjunction, ?List): the goals of a conjunction, without those nested to the left.
comma_list(Conjunction, List) :-
    junction_list(Conjunction, ',', List).

% semicolon_list(?Disjunction, ?List): the goals of a disjunction.
semicolon_list(Disjunction, List) :-
    junction_list(Disjunction, ;, List).

junction_list(Term, Functor, List) :-
    nonvar(Term),
    !,
    phrase(junction_goals(Term, Functor), List).
junction_list(Term, Functor, [First|Rest]) :-
    list_junction(Rest, First, Functor, Term).

junction_goals(Term, Functor) -->
    (   { nonvar(Term), Term =.. [Functor, Left, Right] }
    ->  junction_goals(Left, Functor),
        junction_goals(Right, Functor)
    ;   [Term]
    ).

list_junction([], Term, _, Term) :- !.
list_junction([Next|Rest], First, Functor, Term) :-
    Term =.. [Functor, First, Right],
    list_junction(Rest, Next, Functor, Right).

% mkconj(+A, +B, -Conjunction): (A, B), simplified where one is true.
mkconj(A, B, Conjunction) :-
    (   A == true -> Conjunction = B
    ;   B == true -> Conjunction = A
    ;   Conjunction = (A, B)
    ).

% mkdisj(+A, +B, -Disjunction): (A ; B), simplified where one is false.
mkdisj(A, B, Disjunction) :-
    (   A == false -> Disjunction = B
    ;   B == false -> Disjunction = A
    ;   Disjunction = (A ; B)
    ).

% is_control_goal(@Goal): Goal is a control construct, or a variable that may become one.
is_control_goal(Goal) :-
    var(Goal),
    !,
    fail.
is_control_goal((_, _)).
is_control_goal((_ ; _)).
is_control_goal((_ -> _)).
is_control_goal((_ *-> _)).
is_control_goal(\+ _).

% pi_head(?Indicator, ?Head): Head is the most general term that Indicator (with // for grammar rules) names.
pi_head(PI, Head) :-
    (   nonvar(PI)
    ->  indicator_head(PI, Head)
    ;   var(Head)
    ->  instantiation_error(PI)
    ;   Head = Module:Plain
    ->  PI = Module:PI1,
        pi_head(PI1, Plain)
    ;   head_name_arity(Head, Name, Arity),
        PI = Name/Arity
    ).

indicator_head(Module:PI, Head) :-
    !,
    Head = Module:Plain,
    pi_head(PI, Plain).
indicator_head(Name/Arity, Head) :-
    !,
    head_name_arity(Head, Name, Arity).
indicator_head(Name//Arity0, Head) :-
    !,
    (   integer(Arity0)
    ->  Arity is Arity0 + 2,
        head_name_arity(Head, Name, Arity)
    ;   head_name_arity(Head, Name, Arity),
        Arity0 is Arity - 2
    ).
indicator_head(PI, _) :-
    type_error(predicate_indicator, PI).

% head_name_arity(?Head, ?Name, ?Arity): functor/3 of heads.
head_name_arity(Head, Name, Arity) :-
    functor(Head, Name, Arity).

% most_general_goal(+Goal, -General): the same predicate with variables for arguments.
most_general_goal(Goal, General) :-
    (   nonvar(Goal),
        Goal = Module:Plain
    ->  General = Module:General1,
        most_general_goal(Plain, General1)
    ;   functor(Goal, Name, Arity, Type),
        functor(General, Name, Arity, Type)
    ).

% extend_goal(+Goal, +Arguments, -Extended): adds arguments to a goal.
extend_goal(Goal, [], Extended) :-
    !,
    Extended = Goal.
extend_goal(Goal, More, Extended) :-
    var(Goal),
    !,
    Extended =.. [call, Goal|More].
extend_goal(Module:Goal, More, Module:Extended) :-
    !,
    extend_goal(Goal, More, Extended).
extend_goal(Goal, More, Extended) :-
    must_be(callable, Goal),
    '$add_arguments'(Goal, More, Extended).

% is_predicate_indicator(@Term): Term is Name/Arity or Name//Arity, perhaps with a module.
is_predicate_indicator(Term) :-
    must_be(nonvar, Term),
    (   Term = Module:Plain
    ->  atom(Module),
        is_predicate_indicator(Plain)
    ;   ( Term = Name/Arity ; Term = Name//Arity )
    ->  atom(Name),
        integer(Arity),
        Arity >= 0
    ).

% copy_predicate_clauses(:From, :To): adds the clauses of From to To, which must be dynamic or unknown.
copy_predicate_clauses(From, To) :-
    '$strip_module'(From, FromModule, FromName/Arity),
    '$strip_module'(To, ToModule, ToName/Arity),
    functor(FromHead, FromName, Arity),
    FromHead =.. [_|Args],
    ToHead =.. [ToName|Args],
    forall(clause(FromModule:FromHead, Body), assertz(ToModule:(ToHead :- Body))).

% body_term_calls(:Body, -Callee): Callee is the body, or a goal in it, also within arguments that are goals; Module:Goal in another module.
body_term_calls(Spec, Callee) :-
    strip_module(Spec, Module, Body),
    body_part(Body, Module, Callee).

body_part(Body, _, Body).
body_part(Body, Module, Callee) :-
    nonvar(Body),
    (   Body = Inner:Goal
    ->  atom(Inner),
        nonvar(Goal),
        body_part(Goal, Inner, Callee0),
        Goal \== Callee0,
        in_module(Callee0, Inner, Callee)
    ;   argument_goal(Body, Module, Goal),
        body_part(Goal, Module, Callee)
    ).

in_module(Callee0, Module, Callee) :-
    (   nonvar(Callee0),
        Callee0 = _:_
    ->  Callee = Callee0
    ;   Callee = Module:Callee0
    ).

argument_goal(Body, Module, Goal) :-
    (   is_control_goal(Body)
    ->  arg(_, Body, Goal)
    ;   callable(Body),
        predicate_property(Module:Body, meta_predicate(Modes)),
        arg(N, Modes, Mode),
        arg(N, Body, Argument),
        goal_argument(Mode, Argument, Goal)
    ).

% The goal that an argument stands for, with variables for what the predicate adds.
goal_argument(0, Goal, Goal).
goal_argument(^, Argument, Goal) :-
    without_free(Argument, Goal).
goal_argument(N, Argument, Goal) :-
    integer(N),
    N > 0,
    callable(Argument),
    length(More, N),
    extend_goal(Argument, More, Goal).

without_free(Goal, Goal) :- var(Goal), !.
without_free(_^Inner, Goal) :- !, without_free(Inner, Goal).
without_free(Goal, Goal).

% predicate_label(+Indicator, -Label): Label is what a predicate is called for people, with its module if that tells something.
predicate_label(Indicator, Label) :-
    must_be(ground, Indicator),
    (   Indicator = Module:Plain
    ->  (   tells_nothing(Module)
        ->  term_to_label(Plain, Label)
        ;   term_to_label(Indicator, Label)
        )
    ;   term_to_label(Indicator, Label)
    ).

tells_nothing(user).
tells_nothing(system).
tells_nothing(Module) :-
    module_property(Module, class(library)).

term_to_label(Term, Label) :-
    format(atom(Label), "~q", [Term]).

% predicate_sort_key(+Indicator, -Key): Key is the name of a predicate.
predicate_sort_key(Indicator, Key) :-
    must_be(nonvar, Indicator),
    (   Indicator = _:Plain
    ->  predicate_sort_key(Plain, Key)
    ;   Indicator = Name/_
    ->  Key = Name
    ;   Indicator = Name//_
    ->  Key = Name
    ;   type_error(predicate_indicator, Indicator)
    ).

% Why a goal has an answer, and what was missing when it has none.
%
% Nothing is recorded when a goal runs. proof/3 and misses/3 run it again: the clauses of the program are interpreted
% down to some depth, and run as usual below that.
:- module(explain, [
    proof/3,
    misses/3
]).

:- meta_predicate
    proof(0, -, +),
    misses(0, -, +).

:- use_module(library(explain/proofs)).
:- use_module(library(explain/absences)).
:- use_module(library(explain/misses)).

% proof(:Goal, -Proof, +Options): calls Goal; Proof says why its answer holds. It is proof(Nodes, More): Nodes is a list
% of node(Id, Goal, By, At, From, Extra), the first one for Goal; More lists the nodes that were cut.
%
% Options are depth(N), nodes(N), and node(Id) for the proof of a node that was cut.
proof(Goal, Proof, Options) :-
    '$must_be_list'(Options),
    option_of(node(Id), Options, n1),
    path_to(Id, Path),
    option_of(depth(Depth), Options, 5),
    must_be(nonneg, Depth),
    why(Goal, answer(all, [], []), Depth, Path, Raw),
    limits(Options, Limits),
    '$explain_proof'(Raw, Limits, Proof).

% path_to(+Id, -Path): the Id of a node has the number of a goal for each level; Path is the list of these numbers.
path_to(Id, Path) :-
    (   atom(Id),
        atomic_list_concat([n1|Parts], '.', Id),
        maplist(atom_number, Parts, Path),
        \+ ( member(N, Path), \+ ( integer(N), N > 0 ) )
    ->  true
    ;   domain_error(node, Id)
    ).

% misses(:Goal, -Misses, +Options): Misses is a list of nodes as in a proof. The nodes that no From names say what was
% missing for Goal to have an answer, the nearest first. Misses is empty if Goal has an answer.
misses(Goal, Misses, Options) :-
    '$must_be_list'(Options),
    why_not(Goal, Raw),
    limits(Options, Limits),
    '$explain_misses'(Raw, Limits, Misses).

limits(Options, limits(Depth, Nodes, Bytes)) :-
    option_of(depth(Depth), Options, 0),
    option_of(nodes(Nodes), Options, 0),
    option_of(bytes(Bytes), Options, 0).

'$must_be_list'(Options) :- must_be(list, Options).

option_of(Option, Options, Default) :-
    functor(Option, Name, 1),
    functor(General, Name, 1),
    arg(1, Option, Value),
    (   memberchk(General, Options)
    ->  arg(1, General, Value)
    ;   Value = Default
    ).

% why(:Goal, +Answer, +Depth, +Path, -Raw): calls Goal; Raw is the term from which the graph of its proof is made.
% Answer is answer(N, Variables, Values), the Nth answer in which the variables have these values, or all, for each
% answer. Path leads from the goal to the node to be explained: numbers of goals within clauses.
why(Goal, answer(N, Variables, Values), Depth, Path, proof(Path, Node, Rests)) :-
    '$explain_begin',
    '$explain_misses'(false),
    Inner is Depth + 3,
    Seen = seen(0),
    step(Goal, user, ctx(Inner, Path, none), Node0),
    '$explain_taint'(Rests),
    '$explain_taint'(0), % what is found out now rests on nothing
    same_values(N, Values, Variables),
    arg(1, Seen, N0),
    N1 is N0 + 1,
    nb_setarg(1, Seen, N1),
    (   N == all
    ->  true
    ;   N1 =:= N,
        !
    ),
    completed(Node0, Node),
    '$explain_taint'(0),
    '$explain_misses'(true),
    absences(Path, Node),
    '$explain_misses'(false).

same_values(N, Values, Variables) :-
    (   N == all
    ->  true
    ;   copy_term_nat(Variables, Plain),
        Values =@= Plain
    ).

% rather(:Goal, +Variables, +Values, -Raw): Raw says what overrules the answer in which the variables have these
% values.
rather(M:Open, Vars, Values, misses(M:Bound, [Miss], overruled)) :-
    copy_term(Open-Vars, Bound-Values),
    nb_setval('$explain_most', 500000),
    '$explain_misses'(true),
    explain_interpreter:bounded(explain_misses:overruled(Open, Bound, M, Miss), 1000000).

% assuming(+Facts, :Asked, :Goal, +Most, -Found): Found is holds if Asked would hold with the facts, each Module:Fact,
% added to the program. Otherwise Found is the list of misses that Goal, the expected answer of Asked, would then
% have. Most is as in why_not/4.
assuming(Facts, Asked, Goal, Most, Found) :-
    nb_setval('$explain_assumed', Facts),
    (   call_delays(supposed(Asked), Rests),
        Rests == true
    ->  Found = holds
    ;   why_not(Goal, Facts, Most, misses(_, Found, _))
    ).

% why_not(:Goal, -Raw): Raw is misses(Goal, List, Open). List has the misses of Goal, and is empty if Goal has an
% answer. Open is the node of unsettled/3, or an atom.
why_not(Goal, Raw) :- why_not(Goal, [], 2000000, Raw).

% rather_not(:Goal, :Open, +Facts, +Most, -Raw): as why_not/4 for Goal, an expected answer of the question Open. List
% begins with first(Miss) if the question does not reach the clause of the first miss.
rather_not(Goal, Open, Facts, Most, misses(G, List, Doubt)) :-
    nb_setval('$explain_contrast', true),
    why_not(Goal, Facts, Most, misses(G, List0, Doubt)),
    (   List0 = [Miss|_],
        explain_interpreter:bounded(explain_misses:comes_first(Open, Miss, First), 1000000)
    ->  List = [first(First)|List0]
    ;   List = List0
    ).

% why_not(:Goal, +Facts, +Most, -Raw): as why_not/2 with the facts, each Module:Fact, added to the program. Most
% bounds the inferences of each goal that is tried.
why_not(Goal, Facts, Most, misses(M:G, List, Open)) :-
    nb_setval('$explain_assumed', Facts),
    '$strip_module'(Goal, M, G),
    '$must_be_callable'(G),
    nb_setval('$explain_most', Most),
    nb_setval('$explain_shown', 11),
    '$explain_misses'(true),
    goal_misses(G, M, level(1, []), List),
    (   '$explain_tainted',
        Few is Most // 4,
        unsettled(M:G, Few, Open)
    ->  true
    ;   Open = none
    ).

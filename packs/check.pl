% Searches for mistakes in the program that is loaded; each prints what it finds as warnings.
%
% mcplogic check knows more of them and shows where they stand; these are for programs that check themselves.
:- module(check, [
    check/0,
    list_undefined/0,
    list_undefined/1,
    list_void_declarations/0,
    list_trivial_fails/0,
    list_trivial_fails/1,
    list_strings/0,
    list_strings/1,
    list_redefined/0
]).

:- meta_predicate
    list_undefined(:),
    list_trivial_fails(:),
    list_strings(:).

% check: prints all that these predicates find, but for strings.
check :-
    list_undefined,
    list_trivial_fails,
    list_redefined,
    list_void_declarations.

% list_undefined: prints the unknown predicates that the program calls.
list_undefined :-
    list_undefined([]).

% list_undefined(:Options): as list_undefined/0, in the clauses that the options of prolog_walk_code/1 give.
list_undefined(Spec) :-
    strip_module(Spec, _, Options),
    must_be(list, Options),
    found_calls(undefined(trace), Options, Pairs),
    tell_calls(Pairs, "which is not defined").

% list_trivial_fails: prints goals of the program that match no clause of their predicate.
list_trivial_fails :-
    list_trivial_fails([]).

% list_trivial_fails(:Options): as list_trivial_fails/0, in the clauses that the options of prolog_walk_code/1 give.
list_trivial_fails(Spec) :-
    strip_module(Spec, _, Options),
    must_be(list, Options),
    found_calls(trace_reference(_), Options, Pairs0),
    include(trivially_fails, Pairs0, Pairs),
    tell_calls(Pairs, "which matches no clause").

trivially_fails((Module:Goal)-_) :-
    predicate_property(Module:Goal, number_of_clauses(Count)),
    Count > 0,
    \+ predicate_property(Module:Goal, dynamic),
    \+ predicate_property(Module:Goal, multifile),
    \+ predicate_property(Module:Goal, built_in),
    ( predicate_property(Module:Goal, imported_from(Home)) -> true ; Home = Module ),
    module_property(Home, class(user)),
    \+ clause(Home:Goal, _).

% Pairs are Callee-Reference, in the order of the program.
found_calls(Wanted, Options, Pairs) :-
    State = found([]),
    prolog_walk_code([Wanted, on_trace(check:note_call(State))|Options]),
    arg(1, State, Found),
    reverse(Found, Pairs).

note_call(State, Callee, _, clause(Reference)) :-
    arg(1, State, Found),
    nb_setarg(1, State, [Callee-Reference|Found]).

tell_calls(Pairs, What) :-
    forall(member(Callee-Reference, Pairs),
           ( clause_place(Reference, Place),
             plain_goal(Callee, Goal),
             \+ \+ ( numbervars(Goal, 0, _),
                     print_message(warning, format("~w calls ~p, ~s", [Place, Goal, What])) ) )).

plain_goal(user:Goal, Goal) :- !.
plain_goal(Goal, Goal).

clause_place(Reference, Place) :-
    clause_property(Reference, predicate(Indicator0)),
    plain_goal(Indicator0, Indicator),
    (   clause_property(Reference, file(File)),
        clause_property(Reference, line_count(Line))
    ->  format(atom(Place), "~w:~w: ~q", [File, Line, Indicator])
    ;   format(atom(Place), "~q", [Indicator])
    ).

% list_void_declarations: prints the predicates that are declared and have no clauses, but for dynamic ones.
list_void_declarations :-
    forall(( own_predicate(Module, Head),
             void_declaration(Declaration),
             predicate_property(Module:Head, Declaration),
             \+ predicate_property(Module:Head, dynamic),
             \+ clause(Module:Head, _),
             pi_head(Indicator0, Module:Head),
             plain_goal(Indicator0, Indicator) ),
           print_message(warning, format("~q is declared ~w and has no clauses", [Indicator, Declaration]))).

void_declaration(discontiguous).
void_declaration(multifile).

% list_redefined: prints the predicates of user that a module of the program defines too.
list_redefined :-
    forall(( own_predicate(user, Head),
             predicate_property(user:Head, number_of_clauses(_)),
             own_predicate(Module, Head),
             Module \== user,
             predicate_property(Module:Head, number_of_clauses(_)),
             pi_head(Indicator, Head) ),
           print_message(warning, format("~q is defined in user and in ~q", [Indicator, Module]))).

own_predicate(Module, Head) :-
    current_module(Module),
    module_property(Module, class(user)),
    predicate_property(Module:Head, defined),
    \+ predicate_property(Module:Head, imported_from(_)),
    \+ predicate_property(Module:Head, built_in).

% list_strings: prints the strings in the clauses of the program.
list_strings :-
    list_strings([]).

% list_strings(:Options): as list_strings/0, in the clauses that the options of prolog_walk_code/1 give.
list_strings(Spec) :-
    strip_module(Spec, _, Options),
    forall(( prolog_program_clause(Reference, Options),
             clause(Head, Body, Reference),
             sub_term(String, (Head :- Body)),
             string(String) ),
           ( clause_place(Reference, Place),
             print_message(warning, format("~w has the string ~q", [Place, String])) )).

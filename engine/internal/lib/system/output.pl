% Output that runs goals: print/1,2, write_term/2,3 with portray/1, with_output_to/2 and format/1,2,3.
:- module(system, [
    print/1,
    print/2,
    write_term/2,
    write_term/3,
    with_output_to/2,
    format/1,
    format/2,
    format/3,
    format_predicate/2,
    current_format_predicate/2
]).

:- dynamic
    '$format_predicate'/2.

:- meta_predicate
    with_output_to(?, 0),
    format(+, :),
    format(+, +, :),
    format_predicate(+, 0),
    current_format_predicate(?, :).

% with_output_to(+Sink, :Goal): calls Goal once; what it writes goes to atom(A), string(S), codes(Cs), codes(Cs, Tail), chars(Cs) or a stream.
with_output_to(Sink, Goal) :-
    '$is_sink'(Sink),
    !,
    '$with_output'(Goal, 0, Text),
    '$sink_text'(Sink, Text).
with_output_to(Stream, Goal) :-
    current_output(Old),
    setup_call_cleanup(set_output(Stream), once(Goal), set_output(Old)).

% '$with_output'(:Goal, -Text): runs Goal once and collects its output.
'$with_output'(Goal, Text) :-
    '$with_output'(Goal, 0, Text).

% '$with_output'(:Goal, +Most, -Text): the same, but output of more than Most bytes is cut and ends Goal by the ball $full.
'$with_output'(Goal, Most, Text) :-
    '$push_output'(Most),
    '$output_of'(Goal, Text),
    !.

% '$output_of'(:Goal, -Text): choice points of Goal are cut, and its cleanup goals may write, before the text is
% taken.
'$output_of'(Goal, Text) :-
    call(Goal),
    !,
    '$output_text'(Text).

% format(+Format): writes the text Format.
format(Format) :-
    format(Format, []).

% format(+Format, :Arguments): writes Format with its directives (~w, ~q, ~d, ~s, ~e, ~t~20| ...) applied to Arguments.
format(Format, Args) :-
    '$format'(Format, Args, Goals),
    '$format_goals'(Goals, Format, Args).

'$format_goals'([], _, _).
'$format_goals'([Goal|Goals], Format, Args) :-
    '$format_run'([Goal|Goals], Args, Texts),
    '$format_texts'(Format, Args, Texts).

% format(+Out, +Format, :Arguments): format/2 to a stream or to a sink such as atom(A).
format(Out, Format, Args) :-
    '$format'(Out, Format, Args, Goals),
    '$format_goals'(Goals, Out, Format, Args).

'$format_goals'([], _, _, _).
'$format_goals'([Goal|Goals], Out, Format, Args) :-
    '$format_run'([Goal|Goals], Args, Texts),
    '$format_texts'(Out, Format, Args, Texts).

% '$format_run'(+Goals, +Args, -Texts): the arguments carry the module in which to run the goals.
'$format_run'([], _, []).
'$format_run'([Goal|Goals], Args, [Text|Texts]) :-
    '$format_goal'(Args, Goal, Qualified),
    '$with_output'(Qualified, Text),
    '$format_run'(Goals, Args, Texts).

'$format_goal'(Args, Goal, Module:Goal) :-
    nonvar(Args),
    Args = Module:_,
    atom(Module),
    !.
'$format_goal'(_, Goal, Goal).

% print(?Term): writes Term with portray/1 and quotes, as for a debugger.
print(Term) :-
    '$portray'(Term, Shown),
    '$print'(Shown).

% print(+Stream, ?Term): print/1 on a stream.
print(Stream, Term) :-
    '$portray'(Term, Shown),
    '$print'(Stream, Shown).

% write_term(?Term, +Options): writes Term as the options say.
write_term(Term, Options) :-
    '$portray'(Options, Term, Shown),
    '$write_term'(Shown, Options).

% write_term(+Stream, ?Term, +Options): write_term/2 on a stream.
write_term(Stream, Term, Options) :-
    '$portray'(Options, Term, Shown),
    '$write_term'(Stream, Shown, Options).

'$portray'(Options, Term, Shown) :-
    '$has_portray',
    '$skip_list'(_, Options, Tail),
    Tail == [],
    '$asks_portray'(Options),
    !,
    '$portray'(Term, Shown).
'$portray'(_, Term, Term).

'$asks_portray'([Option|Options]) :-
    (   Option == portray(true)
    ->  true
    ;   '$asks_portray'(Options)
    ).

% '$portray'(+Term, -Shown): Shown is Term with '$portrayed'(Text) for each subterm, from the outside
% in, for which user:portray/1 succeeds; Text is what it has written. portray/1 is not called for variables, and binds
% none.
'$portray'(Term, Shown) :-
    '$has_portray',
    acyclic_term(Term),
    !,
    '$portray_term'(Term, Shown).
'$portray'(Term, Term).

'$portray_term'(Term, Term) :-
    var(Term),
    !.
'$portray_term'(Term, '$portrayed'(Text)) :-
    '$portray_text'(Term, Text),
    !.
'$portray_term'(Term, Term) :-
    \+ compound(Term),
    !.
'$portray_term'([Head|Tail], [Shown|Rest]) :-
    !,
    '$portray_term'(Head, Shown),
    '$portray_tail'(Tail, Rest).
'$portray_term'(Term, Shown) :-
    compound_name_arguments(Term, Name, Args),
    '$portray_args'(Args, ShownArgs),
    compound_name_arguments(Shown, Name, ShownArgs).

'$portray_tail'(Tail, Rest) :-
    nonvar(Tail),
    Tail = [_|_],
    !,
    Tail = [Head|Tail1],
    Rest = [Shown|Rest1],
    '$portray_term'(Head, Shown),
    '$portray_tail'(Tail1, Rest1).
'$portray_tail'(Tail, []) :-
    Tail == [],
    !.
'$portray_tail'(Tail, Shown) :-
    '$portray_term'(Tail, Shown).

'$portray_args'([], []).
'$portray_args'([Arg|Args], [Shown|Rest]) :-
    '$portray_term'(Arg, Shown),
    '$portray_args'(Args, Rest).

'$portray_text'(Term, Text) :-
    '$with_output'(\+ \+ user:portray(Term), Text).

% format_predicate(+Char, :Head): the directive ~Char of format/2 calls the predicate of Head: with the numeric argument or default, and, if it has two arguments, the next argument of format/2.
format_predicate(Char0, Spec) :-
    '$format_char'(Char0, Char),
    '$strip_module'(Spec, Module, Head),
    '$must_be_callable'(Head),
    functor(Head, Name, Arity),
    (   ( Arity == 1 ; Arity == 2 )
    ->  true
    ;   throw(error(format('format_predicate/2: a predicate has one or two arguments'), _))
    ),
    retractall('$format_predicate'(Char, _)),
    functor(General, Name, Arity),
    assertz('$format_predicate'(Char, Module:General)).

'$format_char'(Char0, Char) :-
    (   var(Char0)
    ->  throw(error(instantiation_error, _))
    ;   integer(Char0)
    ->  char_code(Char, Char0)
    ;   atom(Char0),
        atom_length(Char0, 1)
    ->  Char = Char0
    ;   throw(error(type_error(character, Char0), _))
    ).

% current_format_predicate(?Code, ?Head): ~Code is a directive that format_predicate/2 has defined.
current_format_predicate(Code, Spec) :-
    '$strip_module'(Spec, Module, Head),
    '$format_predicate'(Char, Home:General),
    char_code(Char, Code),
    (   Home == Module
    ->  Head = General
    ;   Head = Home:General
    ).

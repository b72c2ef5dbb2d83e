% Messages: the translation of errors, warnings and other message terms to text, and their output.
%
% A message is translated to a list of lines: Format-Arguments, Format, nl, flush (no newline at the
% end), ansi(_, Format, Arguments), url(Place). prolog:message//1 translates messages of the
% program, prolog:error_message//1 the first arguments of its errors, prolog:message_location//1 and
% prolog:message_context//1 the second, and user:message_hook/3 takes messages over. The hooks of library(debug) are declared
% here too, so that the library has an image.
:- module(system, [
    print_message/2,
    print_message_lines/3,
    '$message_text'/2,
    '$message_lines'/2,
    '$unknown_procedure'/1,
    '$unknown_call'/2
]).

:- multifile
    prolog:message//1,
    prolog:error_message//1,
    prolog:message_location//1,
    prolog:message_context//1,
    prolog:assertion_failed/2,
    prolog:debug_print_hook/3,
    prolog:message_line_element/2,
    prolog:message_prefix_hook/2,
    prolog:open_source_hook/3,
    prolog:sandbox_allowed_goal/1,
    user:message_hook/3,
    user:message_property/2.

:- dynamic
    prolog:message//1,
    prolog:error_message//1,
    prolog:message_location//1,
    prolog:message_context//1,
    prolog:assertion_failed/2,
    prolog:debug_print_hook/3,
    prolog:message_line_element/2,
    prolog:message_prefix_hook/2,
    prolog:open_source_hook/3,
    prolog:sandbox_allowed_goal/1,
    user:message_hook/3,
    user:message_property/2.

% print_message(+Kind, +Message): prints a message on user_error, unless message_hook/3 takes it.
print_message(Kind, Message) :-
    (   var(Kind)
    ->  throw(error(instantiation_error, _))
    ;   catch('$print_message'(Kind, Message), Error, '$lost_message'(Error))
    ->  true
    ;   true
    ).

% Errors of limits that are reached while a message is printed are still thrown.
'$lost_message'(Error) :-
    nonvar(Error),
    Error = error(Formal, _),
    nonvar(Formal),
    Formal = resource_error(_),
    throw(Error).
'$lost_message'(_).

% '$unknown_call'(+Module, +Indicator): handles a call of an unknown procedure of Module that no hook has defined.
'$unknown_call'(Module, Indicator) :-
    (   current_prolog_flag(Module:unknown, warning)
    ->  '$unknown_procedure'(Indicator)
    ;   throw(error(existence_error(procedure, Indicator), Indicator))
    ).

% '$unknown_procedure'(+Indicator): a call of an unknown procedure when the flag unknown is warning.
'$unknown_procedure'(Indicator) :-
    current_prolog_flag(user:unknown, Old),
    setup_call_cleanup(set_prolog_flag(unknown, fail),
                       print_message(warning, error(existence_error(procedure, Indicator), Indicator)),
                       set_prolog_flag(unknown, Old)),
    fail.

'$print_message'(Kind, Message) :-
    '$message_lines'(Message, Lines),
    (   '$message_hook'(Message, Kind, Lines)
    ->  true
    ;   '$message_prefix'(Kind, Prefix0)
    ->  '$message_property'(Kind, prefix(Prefix), Prefix0),
        '$message_property'(Kind, stream(Stream), user_error),
        '$message_place'(Kind, Prefix, Prefix1),
        ( Lines == [] -> true ; print_message_lines(Stream, Prefix1, Lines) )
    ;   true
    ).

% '$message_property'(+Kind, ?Property, +Default): the property given by user:message_property/2, or the default.
'$message_property'(Kind, Property, Default) :-
    (   catch(user:message_property(Kind, Property), _, fail)
    ->  true
    ;   arg(1, Property, Default)
    ).

'$message_hook'(Message, Kind, Lines) :-
    catch(\+ \+ user:message_hook(Message, Kind, Lines), Error, '$lost_hook'(Error)).

'$lost_hook'(Error) :-
    '$lost_message'(Error),
    fail.

% '$message_prefix'(+Kind, -Prefix) fails for messages that are not shown.
'$message_prefix'(silent, _) :- !, fail.
'$message_prefix'(error, Prefix) :- !, Prefix = '~NERROR: '.
'$message_prefix'(warning, Prefix) :- !, Prefix = '~NWarning: '.
'$message_prefix'(informational, Prefix) :- !, '$message_verbose', Prefix = '~N% '.
'$message_prefix'(banner, Prefix) :- !, '$message_verbose', Prefix = '~N'.
'$message_prefix'(information, Prefix) :- !, Prefix = '~N% '.
'$message_prefix'(debug(_), Prefix) :- !, Prefix = '~N% '.
'$message_prefix'(_, '~N').

'$message_verbose' :-
    \+ current_prolog_flag(verbose, silent).

% While a file is loaded errors and warnings begin with its place on a line of its own.
'$message_place'(Kind, Prefix, place(Prefix, File, Line)) :-
    ( Kind == error ; Kind == warning ),
    catch(source_location(File, Line), _, fail),
    !.
'$message_place'(_, Prefix, Prefix).

% print_message_lines(+Stream, +Prefix, +Lines): prints the lines of a message, each after Prefix.
print_message_lines(Stream, Prefix0, Lines) :-
    '$lines_prefix'(Prefix0, First, Prefix),
    '$message_output'(Lines, First, Prefix, Text),
    '$write_message_text'(Stream, Text).

% '$message_output'(+Lines, +First, +Prefix, -Text): Text is the text that is printed, of bounded length, because a
% term with shared parts may be arbitrarily long.
'$message_output'(Lines, First, Prefix, Text) :-
    '$with_output'(catch('$write_message'(Lines, First, Prefix), '$full', true), 64000, Text).

% A message begins on a new line when its prefix says so.
'$write_message_text'(Out, Text) :-
    (   sub_string(Text, 0, 2, _, "~N")
    ->  sub_string(Text, 2, _, 0, Rest),
        format(Out, "~N~w", [Rest])
    ;   write(Out, Text)
    ).

% '$lines_prefix'(+Prefix, -First, -Rest): what the first line and the others begin with.
'$lines_prefix'(kind(Kind), First, Rest) :-
    !,
    (   '$message_prefix'(Kind, Prefix)
    ->  true
    ;   Prefix = ''
    ),
    '$lines_prefix'(Prefix, First, Rest).
'$lines_prefix'(place(Prefix, File, Line), First, Rest) :-
    !,
    '$lines_prefix'(Prefix, First0, Rest0),
    format(string(First), "~w~w:~w:~n~w   ", [First0, File, Line, Rest0]),
    format(string(Rest), "~w   ", [Rest0]).
'$lines_prefix'(Prefix, Prefix, Rest) :-
    (   sub_atom(Prefix, 0, 2, _, '~N')
    ->  sub_atom(Prefix, 2, _, 0, Rest)
    ;   Rest = Prefix
    ).

'$write_message'(Lines, First, Prefix) :-
    write(First),
    '$write_lines'(Lines, Prefix).

'$write_lines'([], _) :-
    nl.
'$write_lines'([Line|Lines], Prefix) :-
    '$write_line'(Line, Lines, Prefix).

'$write_line'(Line, _, _) :-
    Line == flush,
    !.
'$write_line'(Line, Lines, Prefix) :-
    Line == nl,
    !,
    nl,
    (   Lines == []
    ->  true
    ;   write(Prefix),
        '$write_lines'(Lines, Prefix)
    ).
'$write_line'(Line, Lines, Prefix) :-
    catch('$write_part'(Line), Error, '$bad_part'(Error, Line)),
    '$write_lines'(Lines, Prefix).

'$bad_part'(Error, Line) :-
    '$lost_message'(Error),
    print(Line).

'$write_part'(Part) :- var(Part), !, print(Part).
'$write_part'(at_same_line) :- !.
'$write_part'(begin(_, _)) :- !.
'$write_part'(end(_)) :- !.
'$write_part'(Format-Args) :- !, format(Format, Args).
'$write_part'(ansi(_, Format, Args)) :- !, format(Format, Args).
'$write_part'(url(File:Line:Column)) :- !, format("~w:~w:~w", [File, Line, Column]).
'$write_part'(url(File:Line)) :- !, format("~w:~w", [File, Line]).
'$write_part'(url(Label, _)) :- !, format("~w", [Label]).
'$write_part'(url(Place)) :- !, format("~w", [Place]).
'$write_part'(Format) :- format(Format, []).

% '$message_text'(+Term, -String): the words for an exception or message, without newline at the end.
% It never fails, and throws only if a limit is reached.
'$message_text'(Term, Text) :-
    catch('$ball_text'(Term, Text0), Error, '$lost_text'(Error, Term, Text0)),
    !,
    Text = Text0.
'$message_text'(_, "Unknown message").

'$lost_text'(Error, Term, Text) :-
    '$lost_message'(Error),
    format(string(Text), "~W", [Term, [quoted(true), max_depth(20)]]).

'$ball_text'(Term, Text) :-
    '$known_message'(Term, Lines),
    !,
    '$lines_text'(Lines, Text).
'$ball_text'(Term, Text) :-
    '$lines_text'(['Unhandled exception: ~p'-[Term]], Text).

'$lines_text'(Lines, Text) :-
    '$message_output'(Lines, '', '', Text0),
    (   string_concat(Text, "\n", Text0)
    ->  true
    ;   Text = Text0
    ).

% '$message_lines'(+Message, -Lines)
'$message_lines'(Message, Lines) :-
    '$known_message'(Message, Lines),
    !.
'$message_lines'(Message, ['Unknown message: ~p'-[Message]]).

% '$hook_lines'(+Hook, @Term, -Lines): the lines that a grammar of the program in the module prolog has for a term.
'$hook_lines'(Hook, Term, Lines) :-
    nonvar(Term),
    Goal =.. [Hook, Term, Lines, []],
    catch(prolog:Goal, Error, '$lost_hook'(Error)),
    !.

'$known_message'(Message, _) :-
    var(Message),
    !,
    fail.
'$known_message'(Message, Lines) :-
    '$hook_lines'(message, Message, Lines),
    !.
'$known_message'(Message, Lines) :-
    '$library_message'(Message, Module, Rule),
    current_module(Module),
    Rule =.. Parts,
    '$append'(Parts, [Lines, []], Extended),
    Goal =.. Extended,
    call(Module:Goal),
    !.
'$known_message'(error(Formal, Context), Lines) :-
    !,
    '$error_lines'(Formal, Context, Lines).
'$known_message'(Message, Lines) :-
    '$plain_message'(Message, Lines),
    !.

% '$library_message'(+Message, -Module, -Rule): a rule of a library translates the message. It is not a clause of prolog:message//1
% since a library that adds clauses to other modules has no image.
'$library_message'('$usage'(Module), main, usage(Module)).
'$library_message'(error(opt_error(Error), _), main, option_error(Error)).
'$library_message'('$time'(Used), statistics, time_lines(Used)).
'$library_message'('$statistics'(Used), statistics, statistics_lines(Used)).
'$library_message'('$debugging'(State), prolog_debug, debugging_lines(State)).
'$library_message'('$spy'(Predicate), prolog_debug, spy_lines(Predicate)).
'$library_message'('$nospy'(Predicate), prolog_debug, nospy_lines(Predicate)).

'$plain_message'(format(Format, Args), [Format-Args]).
'$plain_message'(debug(Format, Args), [Format-Args]).
'$plain_message'(goal_failed(Kind, Goal), ['Goal (~w) failed: ~p'-[Kind, Goal]]).
'$plain_message'(init_goal(failed, Goal), ['initialization goal failed: ~p'-[Goal]]).
'$plain_message'(init_goal(goal_raised(Error), _), ['initialization goal raised exception:', nl|Lines]) :-
    '$message_lines'(Error, Lines).
'$plain_message'(unhandled_exception(Error), ['Unhandled exception: '|Lines]) :-
    '$message_lines'(Error, Lines).
'$plain_message'(singletons(_, Names), ['Singleton variables: ~w'-[Names]]).
'$plain_message'(discontiguous(PI, Current), [
    'Clauses of ~p are not together in the source-file'-[PI], nl,
    'Current predicate: ~p'-[Current], nl,
    'Use :- discontiguous ~p. to suppress this message'-[PI]]).
'$plain_message'(assertion_failed(fail, Goal), ['Assertion failed: ~p'-[Goal]]) :- !.
'$plain_message'(assertion_failed(Reason, Goal), ['Assertion ~p raised: '-[Goal]|Lines]) :-
    '$message_lines'(Reason, Lines).
'$plain_message'(time_limit_exceeded, ['Time limit exceeded']).
'$plain_message'(inference_limit_exceeded, ['Inference limit exceeded']).
'$plain_message'(depth_limit_exceeded, ['Depth limit exceeded']).
'$plain_message'('$aborted', ['Execution Aborted']).
'$plain_message'(halt, [halt]).

% '$error_lines'(@Formal, @Context, -Lines)
'$error_lines'(Formal, Context, Lines) :-
    '$error_place'(Context, Formal, Place),
    (   '$syntax_message'(Formal, Context, Message)
    ->  Words = ['Syntax error: ~w'-[Message]]
    ;   '$formal_lines'(Formal, Words)
    ),
    '$error_extra'(Context, Extra),
    '$append'(Words, Extra, Rest),
    '$append'(Place, Rest, Lines).

% is/2, not (is)/2 as writeq/1 would have it.
'$indicator_place'(Module:Name/Arity, Place) :-
    !,
    Place = ['~q:~q/~q: '-[Module, Name, Arity]].
'$indicator_place'(Name/Arity, Place) :-
    !,
    (   atom_codes(Name, [Code|_]), code_type(Code, prolog_symbol)
    ->  Place = ['(~q)/~q: '-[Name, Arity]]
    ;   Place = ['~q/~q: '-[Name, Arity]]
    ).
'$indicator_place'(PI, ['~q: '-[PI]]).

% The place is the predicate that has thrown, or the position of the erroneous text.
'$error_place'(Context, _, []) :-
    var(Context),
    !.
'$error_place'(Context, _, Place) :-
    '$hook_lines'(message_location, Context, Place),
    !.
'$error_place'(context(PI, _), Formal, Place) :-
    !,
    (   ( var(PI) ; '$same_procedure'(Formal, PI) ; '$inner_indicator'(PI) )
    ->  Place = []
    ;   '$visible_indicator'(PI, Visible),
        '$indicator_place'(Visible, Place)
    ).
'$error_place'(file(File, Line, Column, _), _, Place) :-
    !,
    Place = ['~w:~w:~w: '-[File, Line, Column]].
'$error_place'(file(File, Line), _, Place) :-
    !,
    Place = ['~w:~w: '-[File, Line]].
'$error_place'(stream(Stream, Line, Column, _), _, Place) :-
    !,
    Place = ['Stream ~w:~w:~w '-[Stream, Line, Column]].
'$error_place'(_, _, []).

'$same_procedure'(Formal, PI) :-
    nonvar(Formal),
    Formal = existence_error(procedure, Culprit),
    '$visible_indicator'(PI, A),
    '$visible_indicator'(Culprit, B),
    A == B.

% A helper of the system, whose name means nothing to the caller of the public predicate.
'$inner_indicator'(system:Name/_) :-
    atom(Name),
    sub_atom(Name, 0, 1, _, $).

'$visible_indicator'(PI, Visible) :-
    nonvar(PI),
    PI = Module:Visible0,
    ( Module == system ; Module == user ),
    !,
    Visible = Visible0.
'$visible_indicator'(PI, PI).

'$error_extra'(Context, Extra) :-
    '$hook_lines'(message_context, Context, Extra),
    !.
'$error_extra'(Context, Extra) :-
    nonvar(Context),
    (   Context = context(_, Message),
        nonvar(Message)
    ->  Extra = [' (~w)'-[Message]]
    ;   Context = string(Text, At),
        '$text_around'(Text, At, Before, After)
    ->  Extra = [nl, '~w'-[Before], nl, '** here **', nl, '~w'-[After]]
    ),
    !.
'$error_extra'(_, []).

'$text_around'(Text, At, Before, After) :-
    integer(At),
    sub_string(Text, 0, At, Rest, Before),
    sub_string(Text, At, Rest, 0, After).

% '$formal_lines'(@Formal, -Lines)
'$formal_lines'(Formal, ['Unknown error term: ~p'-[Formal]]) :-
    var(Formal),
    !.
'$formal_lines'(Formal, Lines) :-
    '$hook_lines'(error_message, Formal, Lines),
    !.
'$formal_lines'(Formal, Lines) :-
    '$formal_words'(Formal, Lines),
    !.
'$formal_lines'(Formal, ['Unknown error term: ~p'-[Formal]]).

'$formal_words'(instantiation_error, ['Arguments are not sufficiently instantiated']).
'$formal_words'(uninstantiation_error(Culprit), ['Uninstantiated argument expected, found ~p'-[Culprit]]).
'$formal_words'(type_error(Type, PI), ['Arithmetic: `~q\' is not a function'-[PI]]) :-
    Type == evaluable.
'$formal_words'(type_error(Type, Value), ['Type error: `~w\' expected, found `~p\' (~w ~w)'-[Type, Value, Article, Kind]]) :-
    '$kind_of'(Value, Article, Kind).
'$formal_words'(domain_error(Domain, Value), ['Domain error: `~w\' expected, found `~p\''-[Domain, Value]]).
'$formal_words'(existence_error(Kind, Culprit), Lines) :-
    '$existence_words'(Kind, Culprit, Lines).
'$formal_words'(existence_error(Kind, Culprit, In), ['~w `~p\' does not exist in ~p'-[Kind, Culprit, In]]).
'$formal_words'(permission_error(Action, Type, Culprit), Lines) :-
    '$permission_words'(Action, Type, Culprit, Lines).
'$formal_words'(representation_error(What), ['Cannot represent due to `~w\''-[What]]).
'$formal_words'(sql_error(Database, Code), ['Database `~w\' reports ~w'-[Database, Code]]).
'$formal_words'(evaluation_error(What), ['Arithmetic: evaluation error: `~p\''-[What]]).
'$formal_words'(resource_error(What), Lines) :-
    '$resource_words'(What, Lines).
'$formal_words'(syntax_error(What), ['Syntax error: ~w'-[Words]]) :-
    '$syntax_words'(What, Words).
'$formal_words'(io_error(Action, Stream), ['I/O error in ~w on stream ~p'-[Action, Stream]]).
'$formal_words'(timeout_error(Action, Stream), ['Timeout in ~w from ~p'-[Action, Stream]]).
'$formal_words'(format(Message), ['Format error: ~w'-[Message]]).
'$formal_words'(format(Format, Args), [Format-Args]).
'$formal_words'(format_argument_type(Letter, Value), ['Illegal argument to format sequence ~~~w: ~p'-[Letter, Value]]).
'$formal_words'(duplicate_key(Key), ['Duplicate key: ~p'-[Key]]).
'$formal_words'(yaml_error(Line, Message), ['YAML, line ~w: ~w'-[Line, Message]]).
'$formal_words'(determinism_error(PI, det, Found, property), ['Deterministic procedure ~p ~w'-[PI, Words]]) :-
    '$determinism_words'(Found, Words).
'$formal_words'(determinism_error(PI, det, fail, guard), ['Procedure ~p failed after $-guard'-[PI]]).
'$formal_words'(determinism_error(PI, det, Found, Where), ['Deterministic ~w ~p ~w'-[Where, PI, Words]]) :-
    '$determinism_words'(Found, Words).
'$formal_words'(plunit(incompatible_options, Options), ['These options of a test exclude each other: ~p'-[Options]]).
'$formal_words'(occurs_check(X, Term), ['Cannot unify ~p with ~p: would create an infinite tree'-[X, Term]]).
'$formal_words'(rules_disagree(Rule, Goal, At, Other, Denied, At1), ['Rules ~q (~w) and ~q (~w) disagree, and neither is stronger: ~p and ~p'-
        [Rule, At, Other, At1, Goal, Denied]]).
'$formal_words'(timeout, ['Timed out']).
'$formal_words'(mcp_error(_, Words), ['~w'-[Words]]).
'$formal_words'(mcp_error(Code, Words, _), ['JSON-RPC error ~w: ~w'-[Code, Words]]).
'$formal_words'(assertion_error(fail, Goal), ['Assertion failed: ~p'-[Goal]]) :- !.
'$formal_words'(assertion_error(Reason, Goal), ['Assertion ~p raised: '-[Goal]|Lines]) :-
    '$message_lines'(Reason, Lines).

'$determinism_words'(fail, failed).
'$determinism_words'(nondet, 'succeeded with a choicepoint').

'$kind_of'(Value, a, var) :- var(Value), !.
'$kind_of'(Value, an, integer) :- integer(Value), !.
'$kind_of'(Value, a, float) :- float(Value), !.
'$kind_of'([], an, empty_list) :- !.
'$kind_of'(Value, an, atom) :- atom(Value), !.
'$kind_of'(Value, a, string) :- string(Value), !.
'$kind_of'(_, a, compound).

'$existence_words'(Kind, PI, ['Unknown procedure: ~q'-[Visible]]) :-
    Kind == procedure,
    !,
    '$visible_indicator'(PI, Visible).
'$existence_words'(Kind, Goal, ['No rule matches ~p'-[Goal]]) :-
    Kind == matching_rule,
    !.
'$existence_words'(Kind, Culprit, ['~w `~p\' does not exist'-[Kind, Culprit]]).

'$permission_words'(input, stream, Stream, ['There is nothing to read from ~p: a goal that is served has no input'-[Stream]]) :-
    Stream == user_input,
    !.
'$permission_words'(Action, Type, Culprit, ['No permission to ~w `~p\''-[Words, Culprit]]) :-
    atom(Action),
    atom(Type),
    '$stream_permission'(Action, Type, Words),
    !.
'$permission_words'(commit, undefined, PI, ['~p is not changed: the change rests on what is neither true nor false'-[PI]]) :- !.
'$permission_words'(open, source_sink, alias(Alias), ['No permission to reuse alias "~p": already taken'-[Alias]]) :-
    !.
'$permission_words'(Action, Type, Culprit, ['No permission to ~w ~w `~p\''-[Action, Words, Culprit]]) :-
    (   Type == static_procedure
    ->  Words = 'static procedure'
    ;   Words = Type
    ).

'$stream_permission'(input, stream, 'read from output stream').
'$stream_permission'(output, stream, 'write to input stream').
'$stream_permission'(input, text_stream, 'read bytes from TEXT stream').
'$stream_permission'(output, text_stream, 'write bytes to TEXT stream').
'$stream_permission'(input, binary_stream, 'read characters from binary stream').
'$stream_permission'(output, binary_stream, 'write characters to binary stream').
'$stream_permission'(input, past_end_of_stream, 'read past end-of-file from').

'$resource_words'(What, ['Time limit exceeded']) :- What == time, !.
'$resource_words'(What, ['Inference limit exceeded']) :- What == inferences, !.
'$resource_words'(What, ['Not enough resources: ~w'-[What]]).

% The names that syntax errors have in SWI-Prolog, for programs that throw them.
'$syntax_words'(What, Words) :-
    callable(What),
    functor(What, Name, _),
    '$syntax_name'(Name, Words),
    !.
'$syntax_words'(What, What).

'$syntax_name'(end_of_clause, 'Unexpected end of clause').
'$syntax_name'(end_of_clause_expected, 'End of clause expected').
'$syntax_name'(end_of_file, 'Unexpected end of file').
'$syntax_name'(end_of_file_in_quoted, 'End of file in quoted').
'$syntax_name'(illegal_number, 'Illegal number').
'$syntax_name'(cannot_start_term, 'Illegal start of term').
'$syntax_name'(operator_clash, 'Operator priority clash').
'$syntax_name'(operator_expected, 'Operator expected').
'$syntax_name'(operator_balance, 'Unbalanced operator').
'$syntax_name'(quoted_punctuation, 'Operand expected, unquoted comma or bar found').
'$syntax_name'(list_rest, 'Unexpected comma or bar in rest of list').
'$syntax_name'(end_of_file_in_block_comment, 'End of file in /* ... */ comment').
'$syntax_name'(illegal_character, 'Illegal character').
'$syntax_name'(float_overflow, 'Number is too large for a float').
'$syntax_name'(undefined_char_escape, 'Unknown character escape in quoted atom or string').

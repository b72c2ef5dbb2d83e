% Printing of terms on lines that are not too long.
:- module(pprint, [
    print_term/2
]).

% print_term(+Term, +Options): writes Term; what does not fit on a line is broken at arguments, elements and operators. Options: output(Stream), right_margin(N), left_margin(N), indent_arguments(auto, false or N), operators(Bool), write_options(List).
print_term(Term, Options) :-
    must_be(list, Options),
    option(output(Output), Options, user_output),
    option(right_margin(Right0), Options, 72),
    ( integer(Right0) -> Right = Right0 ; Right = 72 ),
    option(indent_arguments(Style), Options, auto),
    option(operators(Operators), Options, true),
    option(write_options(Given), Options, [quoted(true), portray(true)]),
    must_be(list, Given),
    exclude(own_option, Given, Others), % variables have names of their own
    WriteOptions0 = [numbervars(true)|Others],
    ( Operators == true -> WriteOptions = WriteOptions0 ; WriteOptions = [ignore_ops(true)|WriteOptions0] ),
    (   option(left_margin(Left), Options)
    ->  true
    ;   output_column(Output, Left)
    ),
    \+ \+ (   named(Term),
              Layout = layout(Right, Style, WriteOptions, Operators),
              phrase(laid_out(Term, 1200, Left, Left, Layout), Parts),
              atomic_list_concat(Parts, Text),
              write(Output, Text)
          ).

own_option(numbervars(_)).
own_option(variable_names(_)).

output_column(Output, Column) :-
    (   catch(line_position(Output, Column0), _, fail)
    ->  Column = Column0
    ;   Column = 0
    ).

% Variables that occur once are written _, others get letters.
named(Term) :-
    (   acyclic_term(Term)
    ->  term_singletons(Term, Singles),
        maplist(=('$VAR'('_')), Singles),
        numbervars(Term, 0, _, [singletons(false)])
    ;   true
    ).

% laid_out(+Term, +Priority, +Column, +Indent, +Layout)//: the parts of the text of Term, which begins in a column.
laid_out(Term, Priority, Column, _, Layout) -->
    { flat(Term, Priority, Layout, Text, Length),
      Layout = layout(Right, _, _, _),
      (   Column + Length =< Right
      ->  true
      ;   \+ broken(Term)
      )
    },
    !,
    [Text].
laid_out([First|Rest], _, Column, _, Layout) -->
    !,
    { Inner is Column + 2,
      blanks(Inner, Break)
    },
    ['[ '],
    laid_out(First, 999, Inner, Inner, Layout),
    elements(Rest, Inner, Break, Layout),
    { blanks(Column, End) },
    [End, ']'].
laid_out({Term}, _, Column, _, Layout) -->
    !,
    { Inner is Column + 2,
      blanks(Column, End)
    },
    ['{ '],
    laid_out(Term, 1200, Inner, Inner, Layout),
    [End, '}'].
laid_out(Term, Priority, Column, Indent, Layout) -->
    { Layout = layout(_, _, _, true),
      functor(Term, Name, 2),
      infix(Name, Own, LeftPriority, RightPriority),
      arg(1, Term, A),
      arg(2, Term, B)
    },
    !,
    infix_lines(Name, Own, Priority, A, LeftPriority, B, RightPriority, Column, Indent, Layout).
laid_out(Term, _, Column, Indent, Layout) -->
    { compound_name_arguments(Term, Name, [First|Rest]),
      flat(Name, 0, Layout, Text, Length),
      Layout = layout(_, Style, _, _),
      ArgumentColumn0 is Column + Length + 1,
      argument_column(Style, ArgumentColumn0, Indent, ArgumentColumn),
      blanks(ArgumentColumn, Break)
    },
    [Text, '('],
    laid_out(First, 999, ArgumentColumn0, ArgumentColumn0, Layout),
    arguments(Rest, ArgumentColumn, Break, Layout),
    [')'].

flat(Term, Priority, layout(_, _, Options, _), Text, Length) :-
    format(string(Text), '~W', [Term, [priority(Priority)|Options]]),
    string_length(Text, Length).

broken(Term) :-
    compound(Term),
    Term \= '$VAR'(_).

% argument_column(+Style, +Behind, +Indent, -Column): where arguments after the first begin.
argument_column(N, _, Indent, Column) :-
    integer(N),
    !,
    Column is Indent + N.
argument_column(_, Behind, _, Behind).

blanks(Column, Break) :-
    format(string(Break), '~n~*c', [Column, 0'\s]).

elements(Rest, _, _, _) -->
    { Rest == [] },
    !.
elements([Next|Rest], Column, Break, Layout) -->
    !,
    [',', Break],
    laid_out(Next, 999, Column, Column, Layout),
    elements(Rest, Column, Break, Layout).
elements(Tail, Column0, _, Layout) -->
    { Column is Column0 - 2,
      blanks(Column, Break)
    },
    [Break, '| '],
    laid_out(Tail, 999, Column0, Column0, Layout).

arguments([], _, _, _) -->
    [].
arguments([Next|Rest], Column, Break, Layout) -->
    [',', Break],
    laid_out(Next, 999, Column, Column, Layout),
    arguments(Rest, Column, Break, Layout).

infix(Name, Priority, Left, Right) :-
    atom(Name),
    current_op(Priority, Type, Name),
    Under is Priority - 1,
    (   Type == xfx -> Left = Under, Right = Under
    ;   Type == xfy -> Left = Under, Right = Priority
    ;   Type == yfx -> Left = Priority, Right = Under
    ).

% An operator ends a line; that of a conjunction stands behind its first goal.
infix_lines(Name, Own, Priority, A, LeftPriority, B, RightPriority, Column, _, Layout) -->
    { ( Own > Priority -> Open = ['( '], Close = [' )'], Inner is Column + 2
      ; Open = [], Close = [], Inner = Column
      ),
      ( memberchk(Name, [:-, -->, =>]) -> Next is Inner + 4 ; Next = Inner ),
      ( Name == (',') -> Written = ',' ; format(string(Written), ' ~q', [Name]) ),
      blanks(Next, Break)
    },
    Open,
    laid_out(A, LeftPriority, Inner, Inner, Layout),
    [Written, Break],
    laid_out(B, RightPriority, Next, Next, Layout),
    Close.

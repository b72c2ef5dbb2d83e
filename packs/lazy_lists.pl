% Lists whose elements are made when somebody looks at them.
:- module(lazy_lists, [
    lazy_list/2,
    lazy_list/3,
    lazy_list_materialize/1,
    lazy_list_length/2,
    lazy_findall/3,
    lazy_findall/4,
    lazy_get_codes/4,
    lazy_read_terms/4,
    lazy_read_lines/4,
    lazy_message_queue/4,
    lazy_engine_next/4
]).

:- meta_predicate
    lazy_list(2, -),
    lazy_list(3, +, -),
    lazy_findall(?, 0, -),
    lazy_findall(+, ?, 0, -),
    some_of(+, 1, -, ?).

% lazy_list(:Next, -List): List is made by call(Next, Part, Tail), which gives some elements in front of Tail, or [] at the end.
lazy_list(Next, List) :-
    put_attr(List, lazy_lists, part(Next, cell(unread, none, none))).

% lazy_list(:Next, +State0, -List): List is made by call(Next, State0, State, Element), which fails at the end.
lazy_list(Next, State0, List) :-
    put_attr(List, lazy_lists, part(lazy_lists:step(Next), cell(unread, none, State0))).

% A part is made once and kept in a way that backtracking does not undo: what Next has done is not done again. Kept are its
% elements and the next cell, or []. Next itself is not copied: it may hold a state that it changes.
attr_unify_hook(part(Next, Cell), Value) :-
    (   var(Value)
    ->  true
    ;   arg(1, Cell, State),
        ( State == unread -> make_part(Next, Cell) ; true ),
        arg(1, Cell, Elements),
        (   Elements == []
        ->  Value = []
        ;   arg(2, Cell, Rest),
            ( Rest == [] -> Tail = [] ; put_attr(Tail, lazy_lists, part(Next, Rest)) ),
            append(Elements, Tail, List),
            Value = List
        )
    ).

make_part(Next, Cell) :-
    (   Next = lazy_lists:step(Goal)
    ->  arg(3, Cell, State0),
        (   call(Goal, State0, State, Element)
        ->  Elements = [Element],
            Rest = cell(unread, none, State)
        ;   Elements = [],
            Rest = []
        )
    ;   call(Next, List, Tail),
        (   List == []
        ->  Elements = [],
            Rest = []
        ;   elements_before(List, Tail, Elements),
            ( Tail == [] -> Rest = [] ; Rest = cell(unread, none, none) )
        )
    ),
    nb_setarg(2, Cell, Rest),
    nb_setarg(1, Cell, Elements).

elements_before(List, Tail, []) :-
    List == Tail,
    !.
elements_before([Element|List], Tail, [Element|Elements]) :-
    elements_before(List, Tail, Elements).

attribute_goals(_) -->
    [].

% lazy_list_materialize(?List): makes all of a lazy list.
lazy_list_materialize(List) :-
    lazy_list_length(List, _).

% lazy_list_length(?List, -Length): makes all of a lazy list and gives its length.
lazy_list_length(List, Length) :-
    lazy_length(List, 0, Length).

lazy_length(List, Length, Length) :-
    List = [],
    !.
lazy_length([_|List], Length0, Length) :-
    Length1 is Length0 + 1,
    lazy_length(List, Length1, Length).

% lazy_findall(?Template, :Goal, -List): List is that of findall/3; Goal is asked for an answer when somebody looks at it.
lazy_findall(Template, Goal, List) :-
    lazy_findall(1, Template, Goal, List).

% lazy_findall(+Chunk, ?Template, :Goal, -List): lazy_findall/3 that asks for so many answers at a time.
lazy_findall(Chunk, Template, Goal, List) :-
    must_be(positive_integer, Chunk),
    engine_create(Template, Goal, Engine),
    lazy_list(lazy_engine_next(Engine, Chunk), List).

% lazy_engine_next(+Engine, +Count, -List, ?Tail): the next answers of an engine in front of Tail.
lazy_engine_next(Engine, Count, List, Tail) :-
    some_of(Count, next_answer(Engine), List, Tail).

next_answer(Engine, Element) :-
    is_engine(Engine),
    engine_next(Engine, Element).

% lazy_get_codes(+Stream, +Count, -List, ?Tail): the next codes of a stream in front of Tail.
lazy_get_codes(Stream, Count, List, Tail) :-
    read_string(Stream, Count, String),
    string_codes(String, Codes),
    (   Codes == []
    ->  List = [],
        Tail = []
    ;   append(Codes, Tail, List)
    ).

% lazy_read_terms(+Stream, +Options, -List, ?Tail): the next terms of a stream, chunk(Count) of them, in front of Tail; the other options are those of read_term/3.
lazy_read_terms(Stream, Options, List, Tail) :-
    select_option(chunk(Chunk), Options, ReadOptions, 10),
    some_of(Chunk, next_term(Stream, ReadOptions), List, Tail).

next_term(Stream, Options, Term) :-
    read_term(Stream, Term, Options),
    Term \== end_of_file.

% lazy_read_lines(+Stream, +Options, -List, ?Tail): the next lines of a stream, chunk(Count) of them, in front of Tail, as(Type) codes, chars, atom or string.
lazy_read_lines(Stream, Options, List, Tail) :-
    option(chunk(Chunk), Options, 10),
    option(as(Type), Options, string),
    must_be(oneof([codes, chars, atom, string]), Type),
    some_of(Chunk, next_line(Stream, Type), List, Tail).

next_line(Stream, Type, Line) :-
    read_line_to_string(Stream, String),
    String \== end_of_file,
    (   Type == string -> Line = String
    ;   Type == atom -> atom_string(Line, String)
    ;   Type == codes -> string_codes(String, Line)
    ;   string_chars(String, Line)
    ).

some_of(Count, Next, List, Tail) :-
    (   Count > 0
    ->  (   call(Next, Element)
        ->  List = [Element|List1],
            Count1 is Count - 1,
            some_of(Count1, Next, List1, Tail)
        ;   List = [],
            Tail = []
        )
    ;   List = Tail
    ).

% lazy_message_queue(+Queue, +Options, -List, ?Tail): the next messages of a queue in front of Tail; options chunk(Count) and those of thread_get_message/3.
lazy_message_queue(Queue, Options, List, Tail) :-
    select_option(chunk(Chunk), Options, GetOptions, 1),
    some_of(Chunk, next_message(Queue, GetOptions), List, Tail).

next_message(Queue, Options, Message) :-
    thread_get_message(Queue, Message, Options).


% Grammars over files and streams: the characters are a lazy list, read as far as the grammar looks.
:- module(pure_input, [
    phrase_from_file/2,
    phrase_from_file/3,
    phrase_from_stream/2,
    stream_to_lazy_list/2,
    syntax_error//1,
    lazy_list_location//1,
    lazy_list_character_count//1
]).

:- meta_predicate
    phrase_from_file(//, +),
    phrase_from_file(//, +, +),
    phrase_from_stream(//, +).

% phrase_from_file(:Grammar, +File): the codes of a file are of Grammar.
phrase_from_file(Grammar, File) :-
    phrase_from_file(Grammar, File, []).

% phrase_from_file(:Grammar, +File, +Options): the same, with options of open/4.
phrase_from_file(Grammar, File, Options) :-
    setup_call_cleanup(
        open(File, read, Stream, Options),
        phrase_from_stream(Grammar, Stream),
        close(Stream)).

% phrase_from_stream(:Grammar, +Stream): the codes that can be read from Stream are of Grammar.
phrase_from_stream(Grammar, Stream) :-
    stream_to_lazy_list(Stream, Codes),
    phrase(Grammar, Codes).

% stream_to_lazy_list(+Stream, -Codes): Codes is the list of the codes of Stream, which are read when somebody looks at them.
stream_to_lazy_list(Stream, Codes) :-
    ( stream_property(Stream, file_name(File)) -> true ; File = Stream ),
    put_attr(Codes, pure_input, block(Stream, unread, none, at(File, 1, 0, 0), "", at(File, 1, 0, 0))).

% An unread part of the text is a variable with the attribute block(Stream, Text, Next, Start, TextBefore, StartBefore). Text and Next
% are set when it is read, in a way that backtracking does not undo, because the stream does not go back.
attr_unify_hook(Block, Value) :-
    (   var(Value)
    ->  true
    ;   arg(2, Block, Text0),
        ( Text0 == unread -> read_block(Block) ; true ),
        arg(2, Block, Text),
        (   Text == ""
        ->  Codes = []
        ;   arg(3, Block, Next),
            put_attr(Tail, pure_input, Next),
            string_codes(Text, List),
            append(List, Tail, Codes)
        ),
        Value = Codes
    ).

read_block(Block) :-
    Block = block(Stream, _, _, Start, _, _),
    read_string(Stream, 4096, Text),
    string_codes(Text, Codes),
    foldl(moved, Codes, Start, End),
    nb_setarg(3, Block, block(Stream, unread, none, End, Text, Start)),
    nb_setarg(2, Block, Text).

moved(Code, at(File, Line0, Column0, Count0), at(File, Line, Column, Count)) :-
    Count is Count0 + 1,
    (   Code =:= 0'\n
    ->  Line is Line0 + 1,
        Column = 0
    ;   Line = Line0,
        Column is Column0 + 1
    ).

% lazy_list_character_count(-Count)//: how many characters the grammar has read; end_of_file-Left
% where the rest of the list is known, with Left elements.
lazy_list_character_count(Count, Codes, Codes) :-
    (   proper_length(Codes, Left)
    ->  Count = end_of_file-Left
    ;   place(Codes, at(_, _, _, Count))
    ).

% lazy_list_location(-Location)//: where the grammar is: file(File, Line, LinePosition, CharacterCount), or stream(...) for a stream without a file; end_of_file-Left
% where the rest is known.
lazy_list_location(Location, Codes, Codes) :-
    (   proper_length(Codes, Left)
    ->  Location = end_of_file-Left
    ;   place(Codes, at(File, Line, Column, Count)),
        located(File, Line, Column, Count, Location)
    ).

located(File, Line, Column, Count, Location) :-
    (   atom(File)
    ->  Location = file(File, Line, Column, Count)
    ;   Location = stream(File, Line, Column, Count)
    ).

% place(+Codes, -Place): the place is that in the last part that was read, from its start; after the end it is not known.
place(Codes, Place) :-
    unread_tail(Codes, 0, Left, Tail),
    get_attr(Tail, pure_input, block(_, _, _, End, Text, Start)),
    string_length(Text, Length),
    (   Left =:= 0
    ->  Place = End
    ;   Read is Length - Left,
        Read >= 0,
        sub_string(Text, 0, Read, _, Before),
        string_codes(Before, BeforeCodes),
        foldl(moved, BeforeCodes, Start, Place)
    ).

unread_tail(Codes, Count, Count, Tail) :-
    var(Codes),
    !,
    Tail = Codes.
unread_tail([_|Codes], Count0, Count, Tail) :-
    Count1 is Count0 + 1,
    unread_tail(Codes, Count1, Count, Tail).

% syntax_error(+Message)//: throws a syntax error with the place where the grammar is.
syntax_error(Message, Codes, _) :-
    (   lazy_list_location(Location, Codes, _)
    ->  throw(error(syntax_error(Message), Location))
    ;   throw(error(syntax_error(Message), _))
    ).

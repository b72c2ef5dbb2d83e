% Reading of program text.
:- module(prolog_source, [
    prolog_read_source_term/4,
    prolog_open_source/2,
    prolog_close_source/1,
    prolog_canonical_source/2,
    file_name_on_path/2,
    file_alias_path/2,
    path_segments_atom/2,
    directory_source_files/3,
    valid_term_position/2
]).

:- multifile
    user:file_search_path/2.

% prolog_read_source_term(+Stream, -Term, -Expanded, +Options): reads a term of a program and expands it; operators of directives hold for what follows. Options are those of read_term/3.
prolog_read_source_term(Stream, Term, Expanded, Options) :-
    must_be(list, Options),
    exclude([Option]>>memberchk(Option, [process_comment(_)]), Options, ReadOptions),
    read_term(Stream, Term, ReadOptions),
    (   Term = (:- Directive),
        nonvar(Directive),
        syntax_directive(Directive)
    ->  catch(Directive, _, true),
        Expanded = Term
    ;   Term == end_of_file
    ->  Expanded = Term
    ;   catch(expand_term(Term, Expanded), _, Expanded = Term)
    ).

syntax_directive(op(_, _, _)).
syntax_directive(style_check(_)).

% prolog_open_source(+File, -Stream): opens the text of a program.
prolog_open_source(File, Stream) :-
    prolog_canonical_source(File, Path),
    open(Path, read, Stream).

% prolog_close_source(+Stream): closes what prolog_open_source/2 has opened.
prolog_close_source(Stream) :-
    close(Stream).

% prolog_canonical_source(+Spec, -Path): Path is the absolute name of a file, with its extension.
prolog_canonical_source(Spec, Path) :-
    must_be(nonvar, Spec),
    (   absolute_file_name(Spec, Path0, [file_type(prolog), access(read), file_errors(fail)])
    ->  Path = Path0
    ;   atom(Spec)
    ->  Path = Spec
    ;   existence_error(source_sink, Spec)
    ).

% file_name_on_path(+File, -Name): Name is Alias(Path) or a shorter path of a file.
file_name_on_path(File, Name) :-
    (   file_alias_path(Alias, Folder),
        atom_concat(Folder, Rest, File),
        atom_concat(/, Local0, Rest)
    ->  ( file_name_extension(Local, pl, Local0) -> true ; Local = Local0 ),
        path_segments_atom(Segments, Local),
        Name =.. [Alias, Segments]
    ;   Name = File
    ).

% file_alias_path(?Alias, ?Folder): Folder is one that Alias stands for by file_search_path/2.
file_alias_path(Alias, Folder) :-
    catch(user:file_search_path(Alias, Spec), error(existence_error(_, _), _), fail),
    expand_file_search_path(Spec, Folder).

% path_segments_atom(?Segments, ?Atom): Segments is a/b/c for the atom 'a/b/c'.
path_segments_atom(Segments, Atom) :-
    (   nonvar(Atom)
    ->  atomic_list_concat(Parts, /, Atom),
        foldl([Part, Before, After]>>( Before == none -> After = Part ; After = Before/Part ), Parts, none, Segments)
    ;   must_be(nonvar, Segments),
        segments_text(Segments, Atom)
    ).

segments_text(A/B, Text) :-
    !,
    segments_text(A, TextA),
    segments_text(B, TextB),
    atomic_list_concat([TextA, /, TextB], Text).
segments_text(Part, Atom) :-
    atom_string(Atom, Part).

% directory_source_files(+Directory, -Files, +Options): the files of a folder with the ending of programs; with recursive(true) those of its folders too, with if(loaded) only those that are loaded.
directory_source_files(Directory, Files, Options) :-
    must_be(list, Options),
    absolute_file_name(Directory, Path),
    option(recursive(Recursive), Options, false),
    option(if(If), Options, loaded),
    findall(File, ( source_below(Path, Recursive, File), source_wanted(If, File) ), Files0),
    sort(Files0, Files).

source_below(Folder, Recursive, File) :-
    directory_files(Folder, Names),
    member(Name, Names),
    \+ memberchk(Name, ['.', '..']),
    directory_file_path(Folder, Name, Path),
    (   exists_directory(Path)
    ->  Recursive == true,
        source_below(Path, Recursive, File)
    ;   file_name_extension(_, pl, Name),
        File = Path
    ).

source_wanted(true, _).
source_wanted(loaded, File) :- source_file(File), !.

% valid_term_position(@Term, @Position): Position, as the option subterm_positions of read_term/2 gives it, can be that of Term.
valid_term_position(Term, Position) :-
    position_within(Position, Term, 0, inf).

% position_within(@Position, @Term, +Least, +Most): an unbound position can be any.
position_within(Position, _, _, _) :-
    var(Position),
    !.
position_within(From-To, Term, Least, Most) :-
    !,
    ( var(Term) -> true ; atom(Term) -> true ; number(Term) ),
    range_within(From, To, Least, Most).
position_within(parentheses_term_position(From, To, Position), Term, Least, Most) :-
    !,
    range_within(From, To, Least, Most),
    position_within(Position, Term, From, To).
position_within(string_position(From, To), Text, Least, Most) :-
    nonvar(Text),
    once(( string(Text) ; atom(Text) ; is_of_type(codes, Text) ; is_of_type(chars, Text) )),
    range_within(From, To, Least, Most).
position_within(brace_term_position(From, To, Position), Term, Least, Most) :-
    subsumes_term({_}, Term),
    Term = {Arg},
    range_within(From, To, Least, Most),
    position_within(Position, Arg, From, To).
position_within(list_position(From, To, Positions, Tail), List, Least, Most) :-
    subsumes_term([_|_], List),
    range_within(From, To, Least, Most),
    items_within(Positions, List, Rest, From, To),
    (   Tail == none
    ->  Rest == []
    ;   position_within(Tail, Rest, From, To)
    ).
position_within(term_position(From, To, NameFrom, NameTo, Positions), Term, Least, Most) :-
    compound(Term),
    range_within(From, To, Least, Most),
    compound_name_arguments(Term, Name, Args),
    position_within(NameFrom-NameTo, Name, 0, inf),
    items_within(Positions, Args, [], From, To).
position_within(dict_position(From, To, TagFrom, TagTo, Positions), Dict, Least, Most) :-
    is_dict(Dict),
    range_within(From, To, Least, Most),
    dict_pairs(Dict, Tag, Pairs),
    position_within(TagFrom-TagTo, Tag, From, To),
    pairs_within(Pairs, Positions, From, To).

items_within(Positions, Rest, Rest, _, _) :-
    Positions == [],
    !.
items_within([Position|Positions], Items, Rest, From, To) :-
    nonvar(Items),
    Items = [Item|Others],
    position_within(Position, Item, From, To),
    items_within(Positions, Others, Rest, From, To).

pairs_within([], [], _, _).
pairs_within([Key-Value|Pairs], Positions, From, To) :-
    selectchk(key_value_position(PairFrom, PairTo, ColonFrom, ColonTo, Key, KeyAt, ValueAt), Positions, Others),
    range_within(PairFrom, PairTo, From, To),
    range_within(ColonFrom, ColonTo, PairFrom, PairTo),
    position_within(KeyAt, Key, PairFrom, ColonFrom),
    position_within(ValueAt, Value, ColonTo, PairTo),
    pairs_within(Pairs, Others, From, To).

range_within(From, To, Least, Most) :-
    integer(From),
    integer(To),
    Least =< From,
    From =< To,
    To =< Most.

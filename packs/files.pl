% Names of files.
:- module(files, [
    absolute_file_name/2,
    absolute_file_name/3,
    can_open_file/2
]).

% absolute_file_name(+Spec, -Path): Path is the name of a file without . and .. in it, seen from the folder of the file that is
% being loaded, or from the working directory.
absolute_file_name(Spec, Path) :-
    absolute_file_name(Spec, Path, [file_errors(fail)]).

% absolute_file_name(+Spec, -Path, +Options): the same, with options extensions(List), file_type(Type), access(Mode), expand(true),
% file_errors(fail), relative_to(Folder) and solutions(all).
absolute_file_name(Spec, Path, Options) :-
    is_list(Path),
    \+ is_list(Options),
    !,
    absolute_file_name(Spec, Options, Path).
absolute_file_name(Spec, Path, Options) :-
    must_be(list, Options),
    findall(Name, spec_name(Spec, Options, Name), Names),
    base_folder(Options, Folder),
    suffixes(Options, Suffixes),
    option(access(Access), Options, none),
    must_be(oneof([read, write, append, execute, exist, none]), Access),
    option(file_type(Type), Options, txt),
    option(solutions(Solutions), Options, first),
    findall(Found,
            ( member(Name, Names), member(Suffix, Suffixes), candidate(Folder, Name, Suffix, Type, Access, Found) ),
            All),
    (   All = [First|_]
    ->  (   Solutions == all
        ->  member(Path, All)
        ;   Path = First
        )
    ;   option(file_errors(fail), Options)
    ->  fail
    ;   throw(error(existence_error(source_sink, Spec), _))
    ).

% spec_name(+Spec, +Options, -Name): Name is the text that a specification stands for; of Alias(Path) by
% file_search_path/2, and there may be several then, or none.
spec_name(Spec, _, _) :- var(Spec), !, throw(error(instantiation_error, _)).
spec_name(library(Name0), _, library(Name)) :- !, segments(Name0, Name).
spec_name(Spec, _, Name) :-
    compound(Spec),
    Spec \= _/_,
    !,
    functor(Spec, _, 1),
    expand_file_search_path(Spec, Name).
spec_name(Spec, Options, Name) :-
    segments(Spec, Name0),
    (   option(expand(true), Options),
        expand_file_name(Name0, [Name1])
    ->  Name = Name1
    ;   Name = Name0
    ).

segments(A/B, Name) :- !,
    segments(A, Folder),
    segments(B, File),
    atomic_list_concat([Folder, File], /, Name).
segments(Spec, Name) :-
    (   ( atom(Spec) ; string(Spec) )
    ->  atom_string(Name, Spec)
    ;   throw(error(type_error(source_sink, Spec), _))
    ).

base_folder(Options, Folder) :-
    (   option(relative_to(Folder0), Options)
    ->  relative_folder(Folder0, Folder)
    ;   '$load_context'(directory, Folder0)
    ->  Folder = Folder0
    ;   '$working_directory'(Folder)
    ).

% relative_folder(+Given, -Folder): a file stands for the folder that it is in.
relative_folder(Given, Folder) :-
    (   exists_file(Given)
    ->  file_directory_name(Given, Folder0)
    ;   Folder0 = Given
    ),
    '$working_directory'(Working),
    '$clean_path'(Working, Folder0, Folder).

suffixes(Options, Suffixes) :-
    (   option(extensions(Extensions), Options)
    ->  must_be(list, Extensions),
        maplist(dotted, Extensions, Suffixes)
    ;   option(file_type(Type), Options),
        ( Type == prolog ; Type == source )
    ->  Suffixes = ['.pl', '']
    ;   Suffixes = ['']
    ).

dotted(Extension, Suffix) :-
    (   ( Extension == '' ; sub_atom(Extension, 0, 1, _, '.') )
    ->  Suffix = Extension
    ;   atom_concat('.', Extension, Suffix)
    ).

% candidate(+Folder, +Name, +Suffix, +Type, +Access, -Path): libraries are built in and have the names that errors show.
candidate(_, library(Name), _, _, _, Path) :-
    !,
    format(atom(Path), "library(~w)", [Name]).
candidate(Folder, Name0, Suffix, Type, Access, Path) :-
    (   atom_concat(_, Suffix, Name0)
    ->  Name = Name0
    ;   atom_concat(Name0, Suffix, Name)
    ),
    '$clean_path'(Folder, Name, Path),
    (   Type == directory
    ->  exists_directory(Path)
    ;   Access == none
    ->  true
    ;   memberchk(Access, [write, append])
    ->  access_file(Path, Access)
    ;   Access == exist
    ->  access_file(Path, exist)
    ;   exists_file(Path)
    ).

% can_open_file(+Path, +Mode): a file can be opened with Mode: read, write, append or update.
can_open_file(Path, Mode) :-
    memberchk(Mode, [read, write, append, update]),
    (   Mode == read
    ->  access_file(Path, read)
    ;   access_file(Path, write)
    ).

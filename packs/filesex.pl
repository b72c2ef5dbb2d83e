% More predicates on files and folders.
:- module(filesex, [
    directory_file_path/3,
    relative_file_name/3,
    directory_member/3,
    make_directory_path/1,
    copy_file/2,
    copy_directory/2,
    delete_directory_contents/1,
    delete_directory_and_contents/1
]).

% directory_file_path(?Directory, ?File, ?Path): Path is File in Directory.
directory_file_path(Directory, File, Path) :-
    nonvar(Directory),
    nonvar(File),
    !,
    (   is_absolute_file_name(File)
    ->  Path0 = File
    ;   Directory == '.'
    ->  Path0 = File
    ;   sub_atom(Directory, _, 1, 0, /)
    ->  atomic_list_concat([Directory, File], Path0)
    ;   atomic_list_concat([Directory, File], /, Path0)
    ),
    atom_string(Path, Path0).
directory_file_path(Directory, File, Path) :-
    nonvar(Path),
    !,
    (   var(Directory)
    ->  file_base_name(Path, File),
        file_directory_name(Path, Directory)
    ;   Directory == '.', \+ is_absolute_file_name(Path)
    ->  File = Path
    ;   (   sub_atom(Directory, _, 1, 0, /)
        ->  Start = Directory
        ;   atom_concat(Directory, /, Start)
        ),
        atom_concat(Start, File, Path)
    ).
directory_file_path(_, _, _) :-
    throw(error(instantiation_error, _)).

% relative_file_name(?Path, +File, ?Relative): Relative is the name of Path as seen from the folder that File is in.
% A File that ends with / is a folder, and Path is seen from that.
relative_file_name(Path, File, Relative) :-
    nonvar(Path),
    !,
    absolute_file_name(Path, Absolute),
    absolute_file_name(File, Base),
    atomic_list_concat(Parts0, /, Absolute),
    atomic_list_concat(Base1, /, Base),
    (   atomic(File),
        sub_atom(File, _, _, 0, /),
        Base \== /
    ->  append(Base1, [''], Base0)
    ;   Base0 = Base1
    ),
    drop_common(Parts0, Base0, Parts, Rest),
    (   Rest = [_|Up]
    ->  true
    ;   Up = []
    ),
    findall(.., member(_, Up), Dots),
    append(Dots, Parts, Steps),
    (   Steps == []
    ->  Relative = '.'
    ;   atomic_list_concat(Steps, /, Relative)
    ).
relative_file_name(Path, File, Relative) :-
    must_be(nonvar, Relative),
    (   is_absolute_file_name(Relative)
    ->  Path = Relative
    ;   absolute_file_name(File, Base),
        file_directory_name(Base, Directory),
        directory_file_path(Directory, Relative, Path0),
        absolute_file_name(Path0, Path)
    ).

drop_common([Part|Parts0], [Part|Base0], Parts, Base) :- !, drop_common(Parts0, Base0, Parts, Base).
drop_common(Parts, Base, Parts, Base).

% directory_member(+Directory, -Member, +Options): Member is the path of a file or folder in Directory. Options are recursive(Bool),
% follow_links(Bool), file_type(Type), extensions(List), access(Mode), matches(Pattern), exclude(Pattern),
% exclude_directory(Pattern) and file_errors(fail, warning or error).
directory_member(Directory, Member, Options) :-
    must_be(list, Options),
    must_be(nonvar, Directory),
    folder_member(Directory, Member, Options, []).

folder_member(Directory, Member, Options, Above) :-
    listed(Directory, Names, Options),
    member(Name, Names),
    \+ dots(Name),
    directory_file_path(Directory, Name, Path),
    (   wanted(Path, Name, Options),
        Member = Path
    ;   option(recursive(true), Options),
        exists_directory(Path),
        \+ ( option(exclude_directory(Pattern), Options), wildcard_match(Pattern, Name) ),
        \+ ( option(follow_links(false), Options), read_link(Path, _, _) ),
        \+ ( member(Folder, [Directory|Above]), same_file(Folder, Path) ),
        folder_member(Path, Member, Options, [Directory|Above])
    ).

dots('.').
dots(..).

listed(Directory, Names, Options) :-
    option(file_errors(Errors), Options, warning),
    must_be(oneof([fail, warning, error]), Errors),
    (   Errors == error
    ->  directory_files(Directory, Names)
    ;   catch(directory_files(Directory, Names), error(Formal, Context), unlisted(Errors, Formal, Context))
    ).

unlisted(Errors, Formal, Context) :-
    (   ( Formal = existence_error(_, _) ; Formal = permission_error(_, _, _) )
    ->  Errors == warning,
        print_message(warning, error(Formal, Context)),
        fail
    ;   throw(error(Formal, Context))
    ).

wanted(Path, Name, Options) :-
    ( option(matches(Pattern), Options) -> wildcard_match(Pattern, Name) ; true ),
    \+ ( option(exclude(Excluded), Options), wildcard_match(Excluded, Name) ),
    ( option(extensions(Extensions), Options) -> of_extension(Name, Extensions) ; true ),
    ( option(file_type(Type), Options) -> of_type(Type, Path, Name) ; true ),
    ( option(access(Access), Options) -> access_file(Path, Access) ; true ).

of_extension(Name, Extensions) :-
    must_be(list, Extensions),
    file_name_extension(_, Extension, Name),
    memberchk(Extension, Extensions).

of_type(directory, Path, _) :- !, exists_directory(Path).
of_type(Type, Path, Name) :-
    must_be(oneof([txt, regular, prolog, source]), Type),
    exists_file(Path),
    (   ( Type == prolog ; Type == source )
    ->  of_extension(Name, [pl, prolog])
    ;   true
    ).

% make_directory_path(+Directory): makes a folder, and those above it that are not there.
make_directory_path(Directory) :-
    (   exists_directory(Directory)
    ->  true
    ;   file_directory_name(Directory, Above),
        ( Above == Directory -> true ; make_directory_path(Above) ),
        make_directory(Directory)
    ).

% copy_file(+From, +To): copies a file, into To if that is a folder.
copy_file(From, To) :-
    (   exists_directory(To)
    ->  file_base_name(From, Name),
        directory_file_path(To, Name, Target)
    ;   Target = To
    ),
    setup_call_cleanup(
        open(From, read, In, [type(binary)]),
        copy_to(Target, In),
        close(In)).

copy_to(Target, In) :-
    setup_call_cleanup(
        open(Target, write, Out, [type(binary)]),
        copy_stream_data(In, Out),
        close(Out)).

% copy_directory(+From, +To): copies a folder with all that is in it. Links are copied as what they lead to.
copy_directory(From, To) :-
    copy_folder(From, To, []).

copy_folder(From, To, Above) :-
    directory_files(From, Names),
    make_directory_path(To),
    forall(( member(Name, Names), \+ dots(Name) ), copy_member(From, To, Name, [From|Above])).

copy_member(From, To, Name, Above) :-
    directory_file_path(From, Name, Source),
    directory_file_path(To, Name, Target),
    (   exists_directory(Source)
    ->  (   ( member(Folder, [To|Above]), same_file(Folder, Source) )
        ->  true
        ;   copy_folder(Source, Target, Above)
        )
    ;   copy_file(Source, Target)
    ).

% delete_directory_contents(+Directory): deletes all that is in a folder. Links are deleted, not what they lead to.
delete_directory_contents(Directory) :-
    directory_files(Directory, Names),
    forall(( member(Name, Names), \+ dots(Name) ), delete_member(Directory, Name)).

delete_member(Directory, Name) :-
    directory_file_path(Directory, Name, Path),
    (   exists_directory(Path),
        \+ read_link(Path, _, _)
    ->  delete_directory_and_contents(Path)
    ;   delete_file(Path)
    ).

% delete_directory_and_contents(+Directory): deletes a folder with all that is in it.
delete_directory_and_contents(Directory) :-
    delete_directory_contents(Directory),
    delete_directory(Directory).

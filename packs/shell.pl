% The commands of a shell. Other programs cannot be run.
:- module(shell, [
    shell/1,
    shell/2,
    cd/1,
    pwd/0,
    ls/0,
    ls/1,
    cd/0,
    pushd/0,
    pushd/1,
    popd/0,
    dirs/0,
    mv/2,
    rm/1,
    shell/0
]).

% shell(+Command): permission_error(execute, shell, Command): a goal cannot run programs.
shell(Command) :-
    shell(Command, _).

% shell(+Command, -Status): permission_error(execute, shell, Command): a goal cannot run programs.
shell(Command, _) :-
    must_be(nonvar, Command),
    throw(error(permission_error(execute, shell, Command), _)).

% cd(+Directory): makes a folder the working directory.
cd(Directory) :-
    chdir(Directory).

% pwd: prints the working directory.
pwd :-
    working_directory(Directory, Directory),
    format("~w~n", [Directory]).

% shell: permission_error(execute, shell, sh): a goal cannot run programs.
shell :-
    shell(sh).

:- dynamic
    below/1.

% ls: prints what the working directory has.
ls :-
    ls('.').

% ls(+Path): prints what a folder has, or the name of a file; the names of folders end with a slash.
ls(Path) :-
    (   exists_directory(Path)
    ->  directory_files(Path, Names0),
        msort(Names0, Names),
        forall(( member(Name, Names), \+ sub_atom(Name, 0, _, _, '.') ), print_entry(Path, Name))
    ;   exists_file(Path)
    ->  format("~w~n", [Path])
    ;   throw(error(existence_error(file, Path), _))
    ).

print_entry(Folder, Name) :-
    directory_file_path(Folder, Name, Path),
    ( exists_directory(Path) -> Mark = (/) ; Mark = '' ),
    format("~w~w~n", [Name, Mark]).

% cd: makes the folder at which the run began the working directory, if pushd/1 has left it.
cd :-
    (   findall(Folder, below(Folder), Folders),
        last(Folders, First)
    ->  chdir(First)
    ;   true
    ).

% pushd(+Directory): makes a folder the working directory; popd/0 goes back.
pushd(Directory) :-
    working_directory(Here, Here),
    chdir(Directory),
    asserta(below(Here)).

% pushd: exchanges the working directory and the one that popd/0 would go to.
pushd :-
    working_directory(Here, Here),
    popd,
    asserta(below(Here)).

% popd: makes the folder before the last pushd/1 the working directory.
popd :-
    (   retract(below(Folder))
    ->  chdir(Folder)
    ;   throw(error(existence_error(directory, stack), _))
    ).

% dirs: prints the working directory and those that popd/0 goes to.
dirs :-
    working_directory(Here, Here),
    findall(Folder, below(Folder), Folders),
    atomic_list_concat([Here|Folders], ' ', Text),
    format("~w~n", [Text]).

% mv(+From, +To): renames a file; in a folder To it keeps its name.
mv(From, To) :-
    (   exists_directory(To)
    ->  file_base_name(From, Base),
        directory_file_path(To, Base, Path)
    ;   Path = To
    ),
    rename_file(From, Path).

% rm(+File): deletes a file.
rm(File) :-
    delete_file(File).

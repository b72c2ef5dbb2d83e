% What a shell does. Other programs cannot be run.
:- module(shell, [
    shell/1,
    shell/2,
    cd/1,
    pwd/0
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

% Arguments of a command, by library(main) and library(optparse).
:- use_module(library(main)).
:- use_module(library(optparse)).
:- use_module(spec).
main :-
    run(['-v', 'in.txt', '--depth=7', out]),
    run(['--no-verbose', '-d', '2']),
    run(['--nope']),
    argv_options(['--size=3', '-q', '--name', 'x y', pos, '--no-color'], Pos, Opts), print(Pos-Opts), nl,
    spec(S), opt_help(S, H), write(H).
run(Args) :-
    spec(S),
    (   catch(opt_parse(S, Args, Opts, Pos), error(E, _), ( print(E), nl, fail ))
    ->  print(Opts), write(' '), print(Pos), nl
    ;   true
    ).

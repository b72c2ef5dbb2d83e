% double_quotes belongs to the module: the file that loads another of user finds what it has set, modules keep their own.
a("to").
:- [letters].
b("to").
:- use_module(counts).
c("to").
:- set_prolog_flag(double_quotes, atom).
d("to").
e(`to`).
read_back(Text) :- term_to_atom(Term, Text), print(Term), nl.
:- initialization(read_back('"x"')).
main :-
    forall(( a(X) ; b(X) ; c(X) ; d(X) ; e(X) ; codes(X) ; letters(X) ), ( print(X), nl )),
    read_back('f("yz")'),
    counted(N), writeln(N),
    current_prolog_flag(double_quotes, Flag), writeln(Flag).

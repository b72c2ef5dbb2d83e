% A list as directive or goal loads the files; paths start from the file that names them.
:- [first].
:- [sub/second, 'sub/third.pl'].
main :- a(X), writeln(X), b(Y), writeln(Y), c(Z), writeln(Z), [late], d(W), writeln(W),
    catch([nowhere], error(E, _), (print(E), nl)),
    [late, first], findall(V, d(V), L), writeln(L).

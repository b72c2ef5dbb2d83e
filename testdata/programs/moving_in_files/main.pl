% Files that are read twice: positions that are kept, seek/4, and what streams say about it.
main :-
    open('lines.txt', read, S),
    ( stream_property(S, reposition(R)) -> writeln(R) ; true ),
    read_line_to_string(S, L1), writeln(L1),
    stream_property(S, position(P)),
    read_line_to_string(S, L2), writeln(L2),
    seek(S, 0, bof, At), writeln(At),
    read_string(S, 5, Part), writeln(Part),
    set_stream_position(S, P),
    read_line_to_string(S, L3), writeln(L3),
    line_count(S, Line), writeln(Line),
    seek(S, -5, eof, End), writeln(End),
    read_string(S, _, Last), writeq(Last), nl,
    seek(S, 4, bof, _), seek(S, 2, current, Now), writeln(Now),
    catch(seek(S, 0, nowhere, _), error(E, _), ( print(E), nl )),
    close(S).

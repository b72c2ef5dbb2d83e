% load_files/2 with its options, texts from streams, and unload_file/1.
tried(G) :-
    catch(( G -> writeln(yes) ; writeln(no) ), E, ( E = error(F, _) -> print(F), nl ; print(E), nl )).

main :-
    tried(load_files(plain, [must_be_module(true)])),
    tried(load_files(facts, [must_be_module(true), imports([p/1])])),
    tried(p(_)), tried(q(_)),
    tried(load_files(facts, [if(not_loaded)])), tried(q(_)),
    tried(load_files(plain, [if(not_loaded)])),
    tried(load_files(plain, [])),
    tried(load_files(plain, [if(changed)])), tried(pl(_)),
    tried(unload_file(nosuch)), tried(unload_file(_)), tried(unload_file(1)),
    open_string(":- module(sm, [sp/1]).\nsp(7). sq(8).\n:- prolog_load_context(source, S), writeln(S).\n", S),
    tried(load_files(from_stream, [stream(S)])), tried(( sp(X), writeln(X) )), close(S),
    tried(( source_file(sm:sp(_), F), writeln(F) )),
    open_string("ss(1). ss(2).", S2), tried(load_files(user:other_stream, [stream(S2)])),
    tried(( findall(Y, ss(Y), L), writeln(L) )),
    open_string("ss(3).", S3), tried(load_files(other_stream, [stream(S3)])),
    tried(( findall(Y, ss(Y), L2), writeln(L2) )),
    tried(load_files(nofile, [if(exists)])), tried(load_files(nofile, [])),
    tried(load_files(facts, foo)), tried(load_files(_, [])),
    tried(rx:load_files(facts, [reexport(true)])),
    tried(( module_property(rx, exports(Exports)), msort(Exports, Sorted), print(Sorted), nl )),
    tried(load_files(s, [stream(nostream)])),
    tried(unload_file(facts)), tried(facts:p(_)), tried(p(_)).

% Documents in YAML: mappings are dicts, sequences lists, and scalars numbers, true, false, null or strings, by the core
% schema of YAML 1.2.
:- module(yaml, [
    yaml_read/2,
    yaml_write/2,
    yaml_write/3
]).

% yaml_read(+Input, -Term): Term is the single document of a stream, of a file, or of Text in string(Text). A value
% with its own tag is tag(Tag, Value).
yaml_read(Input, Term) :-
    yaml_text(Input, Text),
    '$yaml_term'(Text, Term0),
    Term = Term0.

yaml_text(Input, _) :-
    var(Input),
    !,
    instantiation_error(Input).
yaml_text(string(Text), Text) :- !.
yaml_text(Stream, Text) :-
    is_stream(Stream),
    !,
    read_string(Stream, _, Text).
yaml_text(File, Text) :-
    setup_call_cleanup(open(File, read, Stream, [encoding(utf8)]), read_string(Stream, _, Text), close(Stream)).

% yaml_write(+Stream, +Term): writes a term as a document; json(Pairs) is a mapping too.
yaml_write(Stream, Term) :-
    yaml_write(Stream, Term, []).

% yaml_write(+Stream, +Term, +Options): as yaml_write/2; the options of SWI-Prolog are accepted and have no effect.
yaml_write(Stream, Term, Options) :-
    must_be(list, Options),
    '$yaml_text'(Term, Text),
    write(Stream, Text).

pl(1).
:- initialization(writeln(loaded_plain)).

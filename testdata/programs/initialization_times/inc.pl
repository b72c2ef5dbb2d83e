:- initialization(writeln(included)).

first(Text, Code) :- string_code(1, Text, Code).

% A tool for each type, on the way in and on the way out, and types within types.

tools(Tools) :- findall(tool(Name, Name, 2, [read_only(true)]), listed(Name), Tools).

listed(t_integer). listed(t_positive_integer). listed(t_non_negative_integer). listed(t_negative_integer). listed(t_byte).
listed(t_float). listed(t_number). listed(t_boolean). listed(t_atom). listed(t_non_empty_atom). listed(t_string).
listed(t_chars). listed(t_codes). listed(t_character). listed(t_char). listed(t_code). listed(t_list). listed(t_list_of).
listed(t_non_empty_list). listed(t_list_n). listed(t_pair). listed(t_one_of). listed(t_oneof). listed(t_between).
listed(t_types). listed(t_compound). listed(t_object). listed(t_object_of). listed(t_term). listed(t_callable).
listed(t_ground). listed(t_nonvar). listed(t_any). listed(t_matching). listed(t_email). listed(t_uri). listed(t_uuid). listed(t_named). listed(t_spelled). listed(t_nested).

:- info(t_integer/2, [comment is 'An integer.', arguments is [in-'In', out-'Out'], examples is ['One' - t_integer(1, X) - {X = 1}]]).
:- mode(t_integer(+integer, -integer), one).
t_integer(X, X).
:- info(t_positive_integer/2, [comment is 'A positive integer.', argnames is [in, out]]).
:- mode(t_positive_integer(+positive_integer, -positive_integer), one).
t_positive_integer(X, X).
:- info(t_non_negative_integer/2, [comment is 'A non-negative integer.', argnames is [in, out]]).
:- mode(t_non_negative_integer(+non_negative_integer, -non_negative_integer), one).
t_non_negative_integer(X, X).
:- info(t_negative_integer/2, [comment is 'A negative integer.', argnames is [in, out]]).
:- mode(t_negative_integer(+negative_integer, -negative_integer), one).
t_negative_integer(X, X).
:- info(t_byte/2, [comment is 'A byte.', argnames is [in, out]]).
:- mode(t_byte(+byte, -byte), one).
t_byte(X, X).
:- info(t_float/2, [comment is 'A float.', argnames is [in, out]]).
:- mode(t_float(+float, -float), one).
t_float(X, X).
:- info(t_number/2, [comment is 'A number.', argnames is [in, out], defaults is [in-1.5]]).
:- mode(t_number(+number, -number), one).
t_number(X, X).
:- info(t_boolean/2, [comment is 'A boolean.', argnames is [in, out]]).
:- mode(t_boolean(+boolean, -boolean), one).
t_boolean(X, X).
:- info(t_atom/2, [comment is 'An atom.', argnames is [in, out]]).
:- mode(t_atom(+atom, -atom), one).
t_atom(X, X) :- atom(X).
:- info(t_non_empty_atom/2, [comment is 'An atom that is not empty.', argnames is [in, out]]).
:- mode(t_non_empty_atom(+non_empty_atom, -non_empty_atom), one).
t_non_empty_atom(X, X) :- atom(X).
:- info(t_string/2, [comment is 'A string.', argnames is [in, out]]).
:- mode(t_string(+string, -string), one).
t_string(X, X) :- string(X).
:- info(t_chars/2, [comment is 'Characters.', argnames is [in, out]]).
:- mode(t_chars(+chars, -chars), one).
t_chars(X, X) :- maplist(atom, X).
:- info(t_codes/2, [comment is 'Codes.', argnames is [in, out]]).
:- mode(t_codes(+codes, -codes), one).
t_codes(X, X) :- maplist(integer, X).
:- info(t_character/2, [comment is 'A character.', argnames is [in, out]]).
:- mode(t_character(+character, -character), one).
t_character(X, X) :- atom(X).
:- info(t_char/2, [comment is 'A character.', argnames is [in, out]]).
:- mode(t_char(+char, -char), one).
t_char(X, X) :- atom(X).
:- info(t_code/2, [comment is 'A character code.', argnames is [in, out]]).
:- mode(t_code(+code, -code), one).
t_code(X, X) :- integer(X).
:- info(t_list/2, [comment is 'A list.', argnames is [in, out]]).
:- mode(t_list(+list, -list), one).
t_list(X, X).
:- info(t_list_of/2, [comment is 'A list of integers.', argnames is [in, out]]).
:- mode(t_list_of(+list(integer), -list(integer)), one).
t_list_of(X, X).
:- info(t_non_empty_list/2, [comment is 'A list that is not empty.', argnames is [in, out]]).
:- mode(t_non_empty_list(+non_empty_list(atom), -non_empty_list(atom)), one).
t_non_empty_list(X, X).
:- info(t_list_n/2, [comment is 'Two booleans.', argnames is [in, out]]).
:- mode(t_list_n(+list(boolean, 2), -list(boolean, 2)), one).
t_list_n(X, X).
:- info(t_pair/2, [comment is 'A pair.', argnames is [in, out]]).
:- mode(t_pair(+pair(atom, integer), -pair(atom, integer)), one).
t_pair(K-V, K-V).
:- info(t_one_of/2, [comment is 'One of some numbers.', argnames is [in, out]]).
:- mode(t_one_of(+one_of(integer, [1, 2, 3]), -one_of(integer, [1, 2, 3])), one).
t_one_of(X, X).
:- info(t_oneof/2, [comment is 'One of some words.', argnames is [in, out]]).
:- mode(t_oneof(+oneof([red, green]), -oneof([red, green])), one).
t_oneof(X, X).
:- info(t_between/2, [comment is 'A number between others.', argnames is [in, out]]).
:- mode(t_between(+between(number, 0, 1), -between(number, 0, 1)), one).
t_between(X, X).
:- info(t_types/2, [comment is 'An integer or an atom.', argnames is [in, out]]).
:- mode(t_types(+types([integer, atom]), -types([integer, atom])), one).
t_types(X, X).
:- info(t_compound/2, [comment is 'An object.', argnames is [in, out]]).
:- mode(t_compound(+compound, -compound), one).
t_compound(X, X).
:- info(t_object/2, [comment is 'An object.', argnames is [in, out]]).
:- mode(t_object(+object, -object), one).
t_object(X, X).
:- info(t_object_of/2, [comment is 'A person.', argnames is [in, out]]).
:- mode(t_object_of(+object([name-atom, age-maybe(integer)]), -object([name-atom, age-maybe(integer)])), one).
t_object_of(X, X).
:- info(t_term/2, [comment is 'A term.', argnames is [in, out]]).
:- mode(t_term(+term, -term), one).
t_term(X, X).
:- info(t_callable/2, [comment is 'A goal.', argnames is [in, out]]).
:- mode(t_callable(+callable, -callable), one).
t_callable(X, X).
:- info(t_ground/2, [comment is 'A term without variables.', argnames is [in, out]]).
:- mode(t_ground(+ground, -ground), one).
t_ground(X, X).
:- info(t_nonvar/2, [comment is 'Something.', argnames is [in, out]]).
:- mode(t_nonvar(+nonvar, -nonvar), one).
t_nonvar(X, X).
:- info(t_any/2, [comment is 'Anything.', argnames is [in, out]]).
:- mode(t_any(+any, -any), one).
t_any(X, X).
:- info(t_matching/2, [comment is 'A code of letters and digits.', argnames is [in, out]]).
:- mode(t_matching(+matching('^[A-Z]{2}[0-9]+$'), -matching('^[A-Z]{2}[0-9]+$')), one).
t_matching(X, X).
:- info(t_nested/2, [comment is 'An order.', argnames is [order, total]]).
:- mode(t_nested(+object([
        customer-object([name-non_empty_atom-'Full name', mail-maybe(matching('.*@.*'))-'Where to write to'])-'Who orders',
        lines-non_empty_list(object([item-atom, count-between(integer, 1, 99), options-maybe(list(oneof([gift, express])))])),
        marks-maybe(list(pair(atom, types([number, boolean]))))
    ]), -integer), one).
t_nested(Order, Total) :-
    mcp_value(Order, lines, Lines),
    findall(Count, ( member(Line, Lines), mcp_value(Line, count, Count) ), Counts),
    sum_list(Counts, Total).

:- info(t_email/2, [comment is 'An e-mail address.', argnames is [in, out]]).
:- mode(t_email(+email, -email), one).
t_email(X, X).
:- info(t_uri/2, [comment is 'A URI.', argnames is [in, out]]).
:- mode(t_uri(+url, -uri), one).
t_uri(X, X).
:- info(t_uuid/2, [comment is 'A UUID.', argnames is [in, out]]).
:- mode(t_uuid(+guid, -uuid), one).
t_uuid(X, X).
:- info(t_named/2, [comment is 'A list of lines.', argnames is [in, out]]).
:- mode(t_named(+[line], -list(line)), one).
t_named(X, X).
:- type(line, {drug: drug, count: positive}).
:- type(drug, enum([ibuprofen, paracetamol])).
:- info(t_spelled/2, [comment is 'A text or null.', argnames is [in, out]]).
:- mode(t_spelled(+optional(str), -maybe(text)), one).
t_spelled(X, X).

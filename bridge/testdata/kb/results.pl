% Tools with every form of result and of dispatch.

tools([
    tool(greet, greet, 2),
    tool(sum_list, sum_of, 2),
    tool(split, split, 3),
    tool(between, numbers, 3),
    tool(maybe, maybe, 2),
    tool(reversed, reversed, 2),
    tool(forms, forms, 1),
    tool(weather, weather, 1),
    tool(bad_weather, weather, 1),
    tool(raw, raw, 0),
    tool(falls_through, falls_through, 1),
    tool(array, array, 0)
]).

:- mode(greet(+string, -string), one).
:- info(greet/2, [title is 'Greet', comment is 'Greets somebody.', argnames is [name, greeting]]).
greet(Name, Greeting) :- string_concat("Hello, ", Name, Greeting).

:- mode(sum_of(+list(number), -number), one).
:- info(sum_of/2, [comment is 'Adds numbers.', argnames is [numbers, sum]]).
sum_of(Numbers, Sum) :- sum_list(Numbers, Sum).

:- mode(split(+list(integer), -list(integer), -list(integer)), one).
:- info(split/3, [comment is 'Parts the odd from the even.', argnames is [list, odd, even]]).
split([], [], []).
split([X|Xs], Odd, Even) :-
    split(Xs, Odd0, Even0),
    (   X mod 2 =:= 1
    ->  Odd = [X|Odd0], Even = Even0
    ;   Odd = Odd0, Even = [X|Even0]
    ).

:- mode(numbers(+integer, +integer, -integer), zero_or_more).
:- info(numbers/3, [comment is 'Counts.', argnames is [low, high, n]]).
numbers(Low, High, N) :- between(Low, High, N).

:- mode(maybe(+integer, -atom), zero_or_one).
:- info(maybe/2, [comment is 'Names small numbers.', argnames is [n, name]]).
maybe(1, one).
maybe(2, two).

:- mode(reversed(?list(atom), ?list(atom)), one).
:- info(reversed/2, [comment is 'Reverses either way.', argnames is [a, b]]).
reversed(A, B) :- nonvar(A), !, reverse(A, B).
reversed(A, B) :- reverse(B, A).

:- mode(forms(+atom), one).
:- info(forms/1, [comment is 'Returns a form of result.', argnames is [form]]).
forms(_).
tool_call(forms, [form-Form], Result) :- form(Form, Result).

form(text, text('plain')).
form(string, text("a string")).
form(error, error('went wrong')).
form(results, results([text(one), text("two"), error(three)])).
form(image, image('aGk=', 'image/png')).
form(audio, results([audio("aGk=", "audio/wav")])).
form(link, results([resource_link('x://y', y), resource_link('x://z', z, 'The Z', 'text/plain')])).
form(embedded, results([resource('x://y', 'text/plain', hello), blob('x://z', 'image/png', 'aGk=')])).
form(structured, structured({a-1, b-[x, y], c-{d-true}})).
form(dict, structured(_{a: 1, 7: [x, "y"], c: q{d: true}})).
form(both, structured([text(said)], {a-1})).

:- mode(weather(+atom), one).
:- info(weather/1, [comment is 'Tells the weather.', argnames is [city]]).
weather(_).
output_schema(weather, {type-object, properties-{temperature-{type-number}, wet-{type-boolean}}, required-[temperature]}).
output_schema(bad_weather, {type-object, properties-{temperature-{type-number}}, required-[temperature]}).
tool_call(weather, _, structured({temperature-21.5, wet-true})).
tool_call(bad_weather, _, structured({temperature-warm})).

:- mode(raw, one).
:- info(raw/0, [comment is 'Shows its arguments.']).
raw.
input_schema(raw, {type-object, properties-{n-{type-integer, minimum-1}, tags-{type-array, items-{type-string}}}, required-[n]}).
tool_call(raw, Arguments, text(Text)) :- term_to_atom(Arguments, Text).

:- mode(falls_through(-atom), one).
:- info(falls_through/1, [comment is 'Has a clause of tool_call that fails.', argnames is [x]]).
falls_through(predicate).
tool_call(falls_through, _, _) :- fail.

:- mode(array, one).
:- info(array/0, [comment is 'Returns an array.']).
array.
output_schema(array, {type-array, items-{type-integer}}).
tool_call(array, _, structured([1, 2])).

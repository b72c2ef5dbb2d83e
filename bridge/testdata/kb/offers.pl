% Tools that change what is on offer.

tools([
    tool(offer, offer, 1),
    tool(withdraw, withdraw, 2),
    tool(make, make, 1),
    tool(make_and_fail, make_and_fail, 0),
    tool(replace_twice, replace_twice, 0),
    tool(touch, touch, 1),
    tool(touch_and_fail, touch_and_fail, 0),
    tool(sleepy, sleepy, 0),
    tool(asks, asks, 1),
    tool(fixed, fixed, 0),
    tool(many, many, 1)
]).

capabilities([elicitation]).

:- info(offer/1, [comment is 'Adds an item.', argnames is [item]]).
:- mode(offer(+term), one).
offer(Item) :-
    functor(Item, Kind, _),
    ( Kind == (:) -> arg(2, Item, Plain), functor(Plain, Kind1, _) ; Kind1 = Kind ),
    add(Kind1, Item).

add(tool, Item) :- mcp_add_tool(Item).
add(prompt, Item) :- mcp_add_prompt(Item).
add(resource, Item) :- mcp_add_resource(Item).
add(resource_template, Item) :- mcp_add_resource_template(Item).
add(other, Item) :- mcp_add_tool(Item).

:- info(withdraw/2, [comment is 'Removes an item.', argnames is [kind, name]]).
:- mode(withdraw(+atom, +atom), one).
withdraw(tool, Name) :- mcp_remove_tool(Name).
withdraw(prompt, Name) :- mcp_remove_prompt(Name).
withdraw(resource, Name) :- mcp_remove_resource(Name).
withdraw(resource_template, Name) :- mcp_remove_resource_template(Name).

% A tool whose predicate is made at run time, too.
:- dynamic(made/1).
:- info(make/1, [comment is 'Makes a predicate and offers it.', argnames is [answer]]).
:- mode(make(+atom), one).
make(Answer) :-
    assertz(made(Answer)),
    mcp_add_tool(tool(made, made, 1, [description('Answers what it was made with.')])).

:- info(make_and_fail/0, [comment is 'Offers a tool and fails.']).
:- mode(make_and_fail, one).
make_and_fail :- mcp_add_tool(tool(never, fixed, 0)), fail.

:- info(replace_twice/0, [comment is 'Adds, replaces and removes.']).
:- mode(replace_twice, one).
replace_twice :-
    mcp_add_tool(tool(first, fixed, 0)),
    mcp_add_tool(tool(second, fixed, 0)),
    mcp_add_tool(tool(second, fixed, 0, [title('Twice')])),
    mcp_remove_tool(first).

:- info(touch/1, [comment is 'Announces a resource.', argnames is [uri]]).
:- mode(touch(+atom), one).
touch(URI) :-
    retract(touched(N)),
    N1 is N + 1,
    assertz(touched(N1)),
    mcp_notify_resource(URI).

:- info(touch_and_fail/0, [comment is 'Announces a resource and fails.']).
:- mode(touch_and_fail, one).
touch_and_fail :- mcp_notify_resource('x://watched'), fail.

:- dynamic(touched/1).
touched(0).

:- info(sleepy/0, [comment is 'Takes a while.']).
:- mode(sleepy, one).
sleepy :- sleep(0.5).

:- info(asks/1, [comment is 'Asks.', argnames is [answer]]).
:- mode(asks(-term), one).
asks(Answer) :- mcp_elicit('Well?', {type-object, properties-{x-{type-string}}}, Answer).

:- info(fixed/0, [comment is 'Is always there.']).
:- mode(fixed, one).
fixed.

:- info(many/1, [comment is 'Adds many tools.', argnames is [count]]).
:- mode(many(+integer), one).
many(Count) :-
    forall(between(1, Count, N), ( atom_concat(tool_, N, Name), mcp_add_tool(tool(Name, fixed, 0)) )).

:- info(triple/2, [comment is 'Triples a number.', argnames is [n, result]]).
:- mode(triple(+integer, -integer), one).
triple(N, R) :- R is 3 * N.

prompts([prompt(first, 'A prompt', [])]).
prompt_get(Name, _, messages([message(user, text(Name))])).

resources([resource('x://watched', watched, 'A resource', 'text/plain')]).
resource_templates([resource_template('x://item/{id}', item, 'A template', 'text/plain')]).
resource_read(URI, Arguments, contents([text_content(URI, 'text/plain', Text)])) :-
    touched(N),
    term_to_atom(N-Arguments, Text).

% wrong: a tool of three elements, greet
tool(greet, hello, 1).
hello(x).
% wrong: a tool of three elements, 'say-hello'
tool('say-hello', hello, 1).
hello(x).
% wrong: a tool of three elements, "greet"
tool("greet", hello, 1).
hello(x).
% wrong: a tool of three elements, greet2
tool(greet2, hello, 1).
hello(x).
% wrong: a tool of four elements, title
tool(greet, hello, 1, [title('Greets')]).
hello(x).
% wrong: a tool of four elements, read_only
tool(greet, hello, 1, [read_only(true)]).
hello(x).
% wrong: a tool of four elements, description
tool(greet, hello, 1, [description('Greets.')]).
hello(x).
% wrong: a tool of four elements, timeout
tool(greet, hello, 1, [timeout(3)]).
hello(x).
% wrong: a tool without options
tool(greet, hello, 1, []).
hello(x).
% wrong: two tools
tool(greet, hello, 1).
tool(bye, hello, 1).
hello(x).
% wrong: a tool of no arguments
tool(now, today, 0).
today.
% wrong: a tool of three arguments
tool(add, plus3, 3).
plus3(A, B, C) :- C is A + B.
% wrong: the predicate stands first
hello(x).
tool(greet, hello, 1).
% wrong: a tool in a module
:- module(m, []).
tool(greet, hello, 1).
hello(x).
% wrong: a tool of a rule
tool(greet, shout, 2).
shout(A, B) :- upcase_atom(A, B).
% wrong: a tool of the name of its predicate
tool(hello, hello, 1).
hello(x).
% wrong: a tool beside prompts
prompts([prompt(p, 'P.', [])]).
prompt_get(p, _, hi).
tool(greet, hello, 1).
hello(x).
% wrong: a tool of a dynamic predicate
:- dynamic hello/1.
tool(greet, hello, 1).
hello(x).
% wrong: a tool with a mode
:- mode(hello(-atom), one).
tool(greet, hello, 1).
hello(x).
% wrong: a tool with info
:- info(hello/1, [comment is 'Greets.']).
tool(greet, hello, 1).
hello(x).
% wrong: a prompt
prompt(greet, 'Greets.', []).
prompt_get(greet, _, hi).
% wrong: a prompt with a title
prompt(greet, 'Greet', 'Greets.', []).
prompt_get(greet, _, hi).
% wrong: a prompt with an argument
prompt(greet, 'Greets.', [argument(name, 'Who.', true)]).
prompt_get(greet, _, hi).
% wrong: two prompts
prompt(greet, 'Greets.', []).
prompt(bye, 'Bye.', []).
prompt_get(greet, _, hi).
% wrong: a prompt, all are made by one clause
prompt(greet, 'Greets.', []).
prompt_get(_, _, hi).
% wrong: a prompt in a module
:- module(m, []).
prompt(greet, 'Greets.', []).
prompt_get(greet, _, hi).
% wrong: a prompt with texts
prompt("greet", "Greets.", []).
prompt_get("greet", _, hi).
% wrong: a prompt beside tools
tools([hello/1]).
hello(x).
prompt(greet, 'Greets.', []).
prompt_get(greet, _, hi).
% wrong: a resource
resource('a://b', b, 'B.', 'text/plain').
% wrong: a resource with a title
resource('a://b', b, 'B', 'B.', 'text/plain').
% wrong: a resource that is read
resource('a://b', b, 'B.', 'text/plain').
resource_read('a://b', _, text(hi)).
% wrong: two resources
resource('a://b', b, 'B.', 'text/plain').
resource('a://c', c, 'C.', 'text/plain').
% wrong: a resource of a file
resource('file:///etc/motd', motd, 'M.', 'text/plain').
% wrong: a resource of the web
resource('https://example.org/x', x, 'X.', 'text/html').
% wrong: a resource in a module
:- module(m, []).
resource('a://b', b, 'B.', 'text/plain').
% wrong: a resource as a text
resource("a://b", "b", "B.", "text/plain").
% wrong: a template
resource_template('a://{x}', b, 'B.', 'text/plain').
% wrong: a template with a title
resource_template('a://{x}', b, 'B', 'B.', 'text/plain').
% wrong: a template that is read
resource_template('a://{x}', b, 'B.', 'text/plain').
resource_read('a://1', _, text(hi)).
% wrong: a template beside resources
resources([resource('a://b', b, 'B.', 'text/plain')]).
resource_read('a://b', _, text(hi)).
resource_template('a://i/{x}', b, 'B.', 'text/plain').
% right: the list
tools([tool(greet, hello, 1)]).
hello(x).
% right: data of the name: a number that is no arity
tool(hammer, nails, 12).
hello(x).
% right: a list that is made of the facts
tools(L) :- findall(tool(A, B, C), tool(A, B, C), L).
tool(greet, hello, 1).
hello(x).
% right: data of the name: no list
prompt(greet, 'Greets.', now).
% right: data of the name: no address
resource(water, 'Water', 'Wet.', 3).
% right: data of the name: no predicate
tool(saw, cuts, 1).
hello(x).
% right: data of the name: another arity
tool(greet, hello, 2).
hello(x).
% right: data of the name: a negative number
tool(greet, hello, -1).
hello(x).
% right: data of the name: a float
tool(greet, hello, 1.0).
hello(x).
% right: two elements
tool(greet, hello).
hello(x).
% right: five elements
tool(greet, hello, 1, a, b).
hello(x).
% right: a rule
tool(X, hello, 1) :- hello(X).
hello(x).
% right: a dynamic predicate
:- dynamic tool/3.
tool(greet, hello, 1).
hello(x).
% right: both the list and facts
tools([tool(greet, hello, 1)]).
tool(greet, hello, 1).
hello(x).
% right: data of the name: a variable
tool(_, hello, 1).
hello(x).
% right: data of the name: options that are none
tool(greet, hello, 1, red).
hello(x).
% right: data of the name: prompts of a shell
prompt(user, '> ').
% right: data of the name: prompts with a number
prompt(greet, 3, []).
hello(x).
% right: the list of prompts
prompts([prompt(p, 'P.', [])]).
prompt_get(p, _, hi).
% right: both the list and facts of prompts
prompts([prompt(p, 'P.', [])]).
prompt_get(p, _, hi).
prompt(p, 'P.', []).
% right: facts of prompts that make the list
prompts(L) :- findall(prompt(A, B, C), prompt(A, B, C), L).
prompt(p, 'P.', []).
prompt_get(p, _, hi).
% right: a rule of prompts
prompt(X, 'P.', []) :- hello(X).
hello(x).
% right: data of the name: a list of something else
prompt(greet, 'Greets.', [loud, clear]).
hello(x).
% right: the list of resources
resources([resource('a://b', b, 'B.', 'text/plain')]).
resource_read('a://b', _, text(hi)).
% right: both the list and facts of resources
resources([resource('a://b', b, 'B.', 'text/plain')]).
resource_read('a://b', _, text(hi)).
resource('a://b', b, 'B.', 'text/plain').
% right: facts of resources that make the list
resources(L) :- findall(resource(A, B, C, D), resource(A, B, C, D), L).
resource('a://b', b, 'B.', 'text/plain').
resource_read('a://b', _, text(hi)).
% right: data of the name: a stock
resource(iron, kg, 30, north).
% right: data of the name: words
resource(iron, ore, mine, north).
% right: data of the name: three elements
resource('a://b', b, 'B.').
% right: a rule of resources
resource(X, b, 'B.', 'text/plain') :- hello(X).
hello(x).
% right: the list of templates
resource_templates([resource_template('a://{x}', b, 'B.', 'text/plain')]).
resource_read('a://1', _, text(hi)).
% right: data of the name: a form
resource_template(letter, [a, b], 3, 4).
% right: both the list and facts of templates
resource_templates([resource_template('a://{x}', b, 'B.', 'text/plain')]).
resource_read('a://1', _, text(hi)).
resource_template('a://{x}', b, 'B.', 'text/plain').
% right: another name
tool_of(greet, hello, 1).
hello(x).
% right: a longer name
my_prompt(greet, 'Greets.', []).
hello(x).
% right: a clause of a grammar
tool(greet) --> [hello, 1].
hello(x).
% right: a test of tools
has(X) :- tool(X, _, _).
tool(hammer, steel, 3).
hello(x).
% right: data of the name: the place
tool(hammer, shed, 0).
hello(x).
% right: data of the name: a text
tool(hammer, "for nails", 1).
hello(x).
% right: an asserted fact
:- initialization(assertz(tool(greet, hello, 1))).
:- dynamic tool/3.
hello(x).

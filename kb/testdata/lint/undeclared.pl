% wrong: a tool that is spelled otherwise
tools([tool(greet, hello, 1)]).
hello(x).
tool_call(greets, _, text(hi)).
% wrong: no tools at all
tool_call(hello, _, text(hi)).
% wrong: the predicate instead of the tool
tools([tool(greet, hello, 1)]).
hello(x).
tool_call(hello, _, text(hi)).
% wrong: another case
tools([tool(greet, hello, 1)]).
hello(x).
tool_call('Greet', _, text(hi)).
% wrong: a second clause
tools([tool(greet, hello, 1)]).
hello(x).
tool_call(greet, _, text(hi)).
tool_call(bye, _, text(bye)).
% wrong: a clause with a body
tools([tool(greet, hello, 1)]).
hello(x).
tool_call(bye, A, text(T)) :- memberchk(x-T, A).
% wrong: a clause that asks
capabilities([elicitation]).
tools([tool(greet, hello, 1)]).
hello(x).
tool_call(bye, _, _, text(bye)).
% wrong: a clause that asks, with a body
capabilities([elicitation]).
tools([tool(greet, hello, 1)]).
hello(x).
tool_call(gret, _, Ask, text(bye)) :- call(Ask, 'Who?', {type-object}, _).
% wrong: a text for a name
tools([tool(greet, hello, 1)]).
hello(x).
tool_call("bye", _, text(bye)).
% wrong: a name with a hyphen
tools([tool('say-hello', hello, 1)]).
hello(x).
tool_call(say_hello, _, text(hi)).
% wrong: a tool of four elements
tools([tool(greet, hello, 1, [title('G')])]).
hello(x).
tool_call(gret, _, text(hi)).
% wrong: a tool by its functor alone
tools([hello/1]).
hello(x).
tool_call(helo, _, text(hi)).
% wrong: two wrong clauses
tools([tool(greet, hello, 1)]).
hello(x).
tool_call(a1, _, text(hi)).
tool_call(b1, _, text(hi)).
% wrong: a clause that fails
tools([tool(greet, hello, 1)]).
hello(x).
tool_call(bye, _, _) :- fail.
% wrong: in a module
:- module(m, []).
tools([tool(greet, hello, 1)]).
hello(x).
tool_call(bye, _, text(hi)).
% wrong: discontiguous clauses
:- discontiguous tool_call/3.
tools([tool(greet, hello, 1)]).
hello(x).
tool_call(greet, _, text(hi)).
other.
tool_call(bye, _, text(hi)) :- other.
% wrong: a prompt that is spelled otherwise
prompts([prompt(p, 'P.', [])]).
prompt_get(p, _, hi).
prompt_get(q, _, hi).
% wrong: a prompt, nearly
:- discontiguous prompt_get/3.
prompts([prompt(review_code, 'P.', [])]).
prompt_get(review_code, _, hi).
prompt_get(reveiw_code, _, hi).
% wrong: no prompts at all
prompt_get(q, _, hi).
% wrong: a prompt with a body
prompts([prompt(p, 'P.', [])]).
prompt_get(p, _, hi).
prompt_get(q, A, messages([message(user, text(T))])) :- memberchk(t-T, A).
% wrong: a prompt of four elements
prompts([prompt(p, 'P', 'P.', [])]).
prompt_get(p, _, hi).
prompt_get(pp, _, hi).
% wrong: a prompt in a module
:- module(m, []).
prompts([prompt(p, 'P.', [])]).
prompt_get(p, _, hi).
prompt_get(q, _, hi).
% wrong: a tool's name for a prompt
tools([tool(greet, hello, 1)]).
hello(x).
prompts([prompt(p, 'P.', [])]).
prompt_get(p, _, hi).
prompt_get(greet, _, hi).
% wrong: a prompt's name for a tool
tools([tool(greet, hello, 1)]).
hello(x).
prompts([prompt(p, 'P.', [])]).
prompt_get(p, _, hi).
tool_call(p, _, text(hi)).
% wrong: another address
resources([resource('a://b', b, 'B.', 'text/plain')]).
resource_read('a://b', _, text(hi)).
resource_read('a://c', _, text(hi)).
% wrong: another scheme
resources([resource('a://b', b, 'B.', 'text/plain')]).
resource_read('a://b', _, text(hi)).
resource_read('b://b', _, text(hi)).
% wrong: a longer address
resources([resource('a://b', b, 'B.', 'text/plain')]).
resource_read('a://b', _, text(hi)).
resource_read('a://b/c', _, text(hi)).
% wrong: no resources at all
resource_read('a://c', _, text(hi)).
% wrong: an address that no template fits
resource_templates([resource_template('a://i/{id}', i, 'I.', 'text/plain')]).
resource_read('a://i/7', _, text(hi)).
resource_read('a://i/7/8', _, text(hi)).
% wrong: a template instead of its address, spelled otherwise
resource_templates([resource_template('a://i/{id}', i, 'I.', 'text/plain')]).
resource_read('a://i/7', _, text(hi)).
resource_read('a://i/{ide}', _, text(hi)).
% wrong: an address with a body
resources([resource('a://b', b, 'B.', 'text/plain')]).
resource_read('a://b', _, text(hi)).
resource_read('a://c', _, contents([])) :- true.
% wrong: an address in a module
:- module(m, []).
resources([resource('a://b', b, 'B.', 'text/plain')]).
resource_read('a://b', _, text(hi)).
resource_read('a://c', _, text(hi)).
% wrong: an address as a text
resources([resource('a://b', b, 'B.', 'text/plain')]).
resource_read('a://b', _, text(hi)).
resource_read("a://c", _, text(hi)).
% wrong: a resource of five elements
resources([resource('a://b', b, 'B', 'B.', 'text/plain')]).
resource_read('a://b', _, text(hi)).
resource_read('a://bb', _, text(hi)).
% wrong: completion of no prompt
prompts([prompt(p, 'P.', [])]).
prompt_get(p, _, hi).
completion(prompt(pp), a, _, [x]).
% wrong: completion of no address
resource_templates([resource_template('a://i/{id}', i, 'I.', 'text/plain')]).
resource_read('a://i/7', _, text(hi)).
completion(resource('a://j/{id}'), a, _, [x]).
% wrong: completion with a body
prompts([prompt(p, 'P.', [])]).
prompt_get(p, _, hi).
completion(prompt(q), n-T, _, completion([T])).
% wrong: completion, nearly
prompts([prompt(greeting, 'P.', [])]).
prompt_get(greeting, _, hi).
completion(prompt(greting), a, _, [x]).
% wrong: completion without any prompts
completion(prompt(q), a, _, completion([])).
% wrong: completion of a tool
tools([tool(greet, hello, 1)]).
hello(x).
completion(prompt(greet), a, _, completion([])).
% right: the tool's name
tools([tool(greet, hello, 1)]).
hello(x).
tool_call(greet, _, text(hi)).
% right: all tools
tools([tool(greet, hello, 1)]).
hello(x).
tool_call(_, _, text(hi)).
% right: all tools, by a test
tools([tool(greet, hello, 1)]).
hello(x).
tool_call(N, _, text(hi)) :- N == greet.
% right: the prompt's name
prompts([prompt(p, 'P.', [])]).
prompt_get(p, _, hi).
% right: all prompts
prompts([prompt(p, 'P.', [])]).
prompt_get(_, _, hi).
% right: the address
resources([resource('a://b', b, 'B.', 'text/plain')]).
resource_read('a://b', _, text(hi)).
% right: an address of a template
resource_templates([resource_template('a://i/{id}', i, 'I.', 'text/plain')]).
resource_read('a://i/7', _, text(hi)).
% right: the template itself
resource_templates([resource_template('a://i/{id}', i, 'I.', 'text/plain')]).
resource_read('a://i/{id}', _, text(hi)).
% right: all addresses
resources([resource('a://b', b, 'B.', 'text/plain')]).
resource_read(_, _, text(hi)).
% right: another predicate
hello(x).
other(hello).
tool_calls(hello, _, text(hi)).
% right: another arity
hello(x).
tool_call(hello, _).
% right: a rule makes the list
tools(L) :- findall(tool(N, N, 1), named(N), L).
named(greet).
greet(x).
tool_call(greet, _, text(hi)).
% right: two lists
tools([tool(greet, hello, 1)]).
tools([tool(bye, hello, 1)]).
hello(x).
tool_call(bye, _, text(hi)).
% right: a tool of four elements
tools([tool(greet, hello, 1, [title('G')])]).
hello(x).
tool_call(greet, _, text(hi)).
% right: a tool by its functor
tools([hello/1]).
hello(x).
tool_call(hello, _, text(hi)).
% right: a tool with a hyphen
tools([tool('say-hello', hello, 1)]).
hello(x).
tool_call('say-hello', _, text(hi)).
% right: a tool that asks
capabilities([elicitation]).
tools([tool(greet, hello, 1)]).
hello(x).
tool_call(greet, _, _, text(hi)).
% right: tools added at run time
tools([tool(greet, hello, 1)]).
hello(x).
tool_call(later, _, text(hi)).
add :- mcp_add_tool(later, hello, 1, []).
% right: prompts added at run time
prompts([prompt(p, 'P.', [])]).
prompt_get(p, _, hi).
prompt_get(later, _, hi).
add :- mcp_add_prompt(later, 'L.', []).
% right: resources added at run time
resources([resource('a://b', b, 'B.', 'text/plain')]).
resource_read('a://b', _, text(hi)).
resource_read('a://later', _, text(hi)).
add :- mcp_add_resource('a://later', l, 'L.', 'text/plain').
% right: a name as a text
tools([tool(greet, hello, 1)]).
hello(x).
tool_call("greet", _, text(hi)).
% right: in a module
:- module(m, []).
tools([tool(greet, hello, 1)]).
hello(x).
tool_call(greet, _, text(hi)).
% right: a prompt of four elements
prompts([prompt(p, 'P', 'P.', [])]).
prompt_get(p, _, hi).
% right: a resource of five elements
resources([resource('a://b', b, 'B', 'B.', 'text/plain')]).
resource_read('a://b', _, text(hi)).
% right: completion of a prompt
prompts([prompt(p, 'P.', [])]).
prompt_get(p, _, hi).
completion(prompt(p), a, _, completion([x])).
% right: completion of a template
resource_templates([resource_template('a://i/{id}', i, 'I.', 'text/plain')]).
resource_read('a://i/7', _, text(hi)).
completion(resource('a://i/{id}'), a, _, completion([x])).
% right: completion of all
prompts([prompt(p, 'P.', [])]).
prompt_get(p, _, hi).
completion(_, a, _, completion([x])).
% right: completion of all prompts
prompts([prompt(p, 'P.', [])]).
prompt_get(p, _, hi).
completion(prompt(_), a, _, completion([x])).
% right: completion of something else
prompts([prompt(p, 'P.', [])]).
prompt_get(p, _, hi).
completion(tool(x), a, _, completion([x])).
% right: a template of two variables
resource_templates([resource_template('a://{x}/{y}', i, 'I.', 'text/plain')]).
resource_read('a://1/2', _, text(hi)).
% right: a template with a query
resource_templates([resource_template('a://s{?q}', i, 'I.', 'text/plain')]).
resource_read('a://s?q=1', _, text(hi)).
% right: a template of a whole path
resource_templates([resource_template('a://f{/p*}', i, 'I.', 'text/plain')]).
resource_read('a://f/a/b', _, text(hi)).
% right: a fact about tools
tool_calls(3).
hello(x).
% right: facts about prompts
prompt_gets(q, hi).
hello(x).
% right: a dynamic predicate without clauses
:- dynamic tool_call/3.
tools([tool(greet, hello, 1)]).
hello(x).
% right: the schema of a tool
tools([tool(greet, hello, 1)]).
hello(x).
input_schema(greet, {type-object}).
tool_call(greet, _, text(hi)).
% right: a name by unification in the body
tools([tool(greet, hello, 1)]).
hello(x).
tool_call(N, _, text(hi)) :- N = greet.
% right: several tools
tools([tool(greet, hello, 1), tool(bye, hello, 1)]).
hello(x).
tool_call(greet, _, text(hi)).
tool_call(bye, _, text(bye)).
% right: several prompts
prompts([prompt(p, 'P.', []), prompt(q, 'Q.', [])]).
prompt_get(p, _, hi).
prompt_get(q, _, hi).
% right: several addresses
resources([resource('a://b', b, 'B.', 'text/plain'), resource('a://c', c, 'C.', 'text/plain')]).
resource_read('a://b', _, text(hi)).
resource_read('a://c', _, text(hi)).

package codes

// This file defines the codes of what loading reports.

// Loading are the codes of diagnostics.
var Loading = []Code{
	{Name: "branch", Cause: "A variable that occurs elsewhere in the clause occurs only once in a branch of a " +
		"disjunction, " +
		"or in a negation, and nowhere else on that path. There it is bound to nothing.",
		Example: "p(X) :- ( q(X) -> r(Y) ; s(Y), t(Y) ).\nq(1). r(1). s(1). t(1).",
		Fix:     "Use the variable that is meant, or a name that begins with an underscore in the branch.",
		Mended:  "p(X) :- ( q(X) -> r(_) ; s(Y), t(Y) ).\nq(1). r(1). s(1). t(1)."},
	{Name: "cache", Cause: "A clause of cache_policy/4 has arguments that are none.",
		Example: "cache_policy(tools_list, _, soon, public).",
		Fix:     "Give an operation, a time to live in milliseconds, and public or private.",
		Mended:  "cache_policy(tools_list, _, 60000, public)."},
	{Name: "capability", Cause: "capabilities/1 names what there is not, or what it declares and what is defined " +
		"differ.",
		Example: "capabilities([tols]).",
		Fix: "Declare the capabilities that are meant: elicitation if goals ask the user, completions if " +
			"completion/4 is " +
			"defined. The others follow from what is declared.",
		Mended: "capabilities([tools])."},
	{Name: "clause", Cause: "A term of the text is no clause: its head or one of its goals is a number, a text or " +
		"a variable.",
		Example: "1 :- foo.\nfoo.", Fix: "Write an atom or a compound as the head, and goals as the body."},
	{Name: "comment", Cause: "A block comment has another /* in it. It ends at the first */, as in ISO Prolog; " +
		"SWI-Prolog nests comments and reads on to another */.",
		Example: "/* p(0). /* zero */\np(1).",
		Fix:     "Take the inner /* out, or begin each line with %.", Mended: "% p(0). zero\np(1)."},
	{Name: "condition", Cause: "The directives if, elif, else and endif do not fit each other, or the condition " +
		"threw.",
		Example: ":- if(true).\np.", Fix: "Close each :- if(Goal) with an :- endif.", Mended: ":- " +
			"if(true).\np.\n:- endif."},
	{Name: "declaration", Cause: "A declaration such as mode/2, info/2 or dynamic/1 has an argument of the wrong " +
		"form.",
		Example: ":- mode(double(integer), one).\ndouble(1).",
		Fix:     "Write the form that the message asks for. docs/declaring.md has all of them.",
		Mended:  ":- mode(double(+integer), one).\ndouble(1)."},
	{Name: "description", Cause: "A tool or a prompt has no description, so that a model cannot know what it is " +
		"for; or the " +
		"description is longer than the 2,048 characters that clients show to models.",
		Example: ":- mode(double(+integer, -integer), one).\ndouble(N, M) :- M is 2 * N.\ntools([tool(double, " +
			"double, 2)]).",
		Fix: "Add a comment of at most 2,048 characters. What comes first is read first.",
		Mended: ":- mode(double(+integer, -integer), one).\n:- info(double/2, [comment is 'Doubles a number.']).\n" +
			"double(N, M) :- M is 2 * N.\ntools([tool(double, double, 2)])."},
	{Name: "directive", Cause: "A directive failed, threw, or cannot be one.", Example: ":- fail.",
		Fix: "Look at the goal that the message names; mcplogic query runs it by itself."},
	{Name: "discontiguous", Cause: "Clauses of one predicate are separated by clauses of another. That often is a " +
		"misspelt " +
		"name, or a full stop where a comma is meant.",
		Example: "p(1).\nq(1).\np(2).", Fix: "Put the clauses together, or declare the predicate discontiguous.",
		Mended: ":- discontiguous p/1.\np(1).\nq(1).\np(2)."},
	{Name: "duplicate", Cause: "Two tools, prompts or resources have one name.",
		Example: "tools([tool(t, p, 0), tool(t, q, 0)]).\np.\nq.", Fix: "Give one of them another name.",
		Mended: "tools([tool(t, p, 0), tool(u, q, 0)]).\np.\nq."},
	{Name: "encoding", Cause: "A text is not UTF-8, or a directive says that it is something else.",
		Example: ":- encoding(iso_latin_1).\np.", Fix: "Save the file as UTF-8 and take the directive " +
			"out.", Mended: "p."},
	{Name: "example", Cause: "An example of info/2 is no call of the predicate, or its arguments are not of the " +
		"declared types.",
		Example: ":- mode(double(+integer, -integer), one).\n:- info(double/2, [comment is 'Doubles.', examples is " +
			"['Two' - double(two, 4) - {true}]]).\ndouble(N, M) :- M is 2 * N.\ntools([tool(double, double, 2)]).",
		Fix: "Write a call with arguments of these types. mcplogic test runs it.",
		Mended: ":- mode(double(+integer, -integer), one).\n:- info(double/2, [comment is 'Doubles.', examples is " +
			"['Two' - double(2, M) - {M = 4}]]).\ndouble(N, M) :- M is 2 * N.\ntools([tool(double, double, 2)])."},
	{Name: "export", Cause: "A module exports a predicate that it does not define.",
		Example: ":- module(m, [p/1]).\nq(1).", Fix: "Define it, or take it from the list of exports.",
		Mended: ":- module(m, [q/1]).\nq(1)."},
	{Name: "facts", Cause: "A directive facts/2 or /3 is wrong, or its file is missing or has a bad row. The " +
		"place is that in " +
		"the data file.", Example: ":- facts(price/2, 'prices.csv').",
		Fix: "Correct the row, or say with types([...]) what the columns hold. docs/data.md has the options."},
	{Name: "file", Cause: "A file that a directive loads or includes is not there or cannot be read.",
		Example: ":- include('missing.pl').", Fix: "Correct the path, which begins at the folder of the file that " +
			"names it."},
	{Name: "file_search_path", Cause: "A clause of user:file_search_path/2 threw while a file was looked " +
		"for.", Shown: true,
		Example: "user:file_search_path(here, X) :- X is a.", Fix: "Correct the clause."},
	{Name: "flag", Cause: "A directive makes a flag of the program whose name is nearly that of one that there is.",
		Example: ":- " +
			"set_prolog_flag(double_quote, codes).",
		Fix: "Correct its name; docs/language.md lists the flags.", Mended: ":- set_prolog_flag(double_quotes, " +
			"codes)."},
	{Name: "goal_expansion", Cause: "goal_expansion/2 threw, does not come to an end, or gives a cyclic term.",
		Example: "goal_expansion(p, p(1)) :- X is a, q(X).\nr :- p.\np.\np(1).\nq(_).", Shown: true,
		Fix: "Correct the clause, and see that what it gives is not expanded to itself."},
	{Name: "format", Cause: "A form that the user is asked to fill in has a format that MCP does not know. Strict " +
		"clients refuse the form, the others do not heed the format.",
		Example: "capabilities([elicitation]).\nask(A) :- mcp_elicit('How many?', {type-object, " +
			"properties-{n-{type-string, format-int32}}}, A).",
		Fix: "Say date, date-time, email or uri, or take the format out. Numbers have a type of their own.",
		Mended: "capabilities([elicitation]).\nask(A) :- mcp_elicit('How many?', {type-object, " +
			"properties-{n-{type-integer}}}, A)."},
	{Name: "format_arguments", Cause: "A call of format/2 or format/3 has too few or too many arguments for its " +
		"format, and throws.",
		Example: "p(X) :- format(\"~w and ~w~n\", [X]).", Fix: "Give an argument for each directive that takes one.",
		Mended: "p(X) :- format(\"~w~n\", [X])."},
	{Name: "grammar", Cause: "A grammar rule cannot be translated into a clause.", Example: "a --> 1.",
		Fix: "Write lists, texts, nonterminals and goals in braces only.", Mended: "a --> [1]."},
	{Name: "halt", Cause: "A directive halts, which ends the load, and the text goes on below it.",
		Example: "p(1).\n:- halt.\np(2).", Fix: "Remove the directive, or what stands below it.", Mended: "p(1).\np(2)."},
	{Name: "ignore", Cause: "A comment of the form mcplogic: ignore(Code) names a code that there is not.",
		Example: "% mcplogic: ignore(singletons)\np(X).", Fix: "Write one of the codes of this page.",
		Mended: "% mcplogic: ignore(singleton)\np(X)."},
	{Name: "import", Cause: "A file imports what the module does not export.",
		Example: ":- use_module(library(lists), [apend/3]).", Fix: "Correct the name, or export it there.",
		Mended: ":- use_module(library(lists), [append/3])."},
	{Name: "hides_library", Cause: "A file without a module defines a predicate that the system or a library has too. " +
		"All files see it, so what another file calls by this name is no longer theirs.",
		Example: "-- fw.pl --\nlast(X, X).\n-- orders.pl --\nnewest(L, X) :- last(L, X).\n",
		Fix:     "Begin the file that defines it with :- module(Name, [...]), or give the predicate another name.",
		Mended:  "-- fw.pl --\n:- module(fw, []).\nlast(X, X).\n-- orders.pl --\nnewest(L, X) :- last(L, X).\n"},
	{Name: "initialization", Cause: "A goal of initialization/1 or /2 threw.", Shown: true,
		Example: ":- initialization(X is a).", Fix: "Correct the goal."},
	{Name: "left-open", Cause: "A directive has left a stream open or an engine unfinished. Calls run beside each other " +
		"and begin with copies of what the load has left; of these there are none.",
		Example: ":- engine_create(X, member(X, [a, b]), _, [alias(e)]).",
		Fix:     "Open the stream or make the engine in the goal that uses it. With query, repl and test they stay."},
	{Name: "library", Cause: "There is no library of this name.", Example: ":- use_module(library(nothing_such)).",
		Fix: "docs/builtins.md lists the libraries. Nothing else is lost until one of its predicates is called."},
	{Name: "left_recursion", Cause: "A predicate calls itself before anything else, and no argument becomes less. " +
		"It does " +
		"not end.", Example: "path(X, Y) :- edge(X, Y).\npath(X, Y) :- path(X, Z), edge(Z, Y).\nedge(a, b).",
		Fix:    "Table the predicate: then it ends, and finds each answer once.",
		Mended: ":- table path/2.\npath(X, Y) :- edge(X, Y).\npath(X, Y) :- path(X, Z), edge(Z, Y).\nedge(a, b)."},
	{Name: "right_recursion", Cause: "A tabled predicate calls itself last, with another value of an argument " +
		"that the " +
		"caller gives. Each value then has a table of its own, and all of them hold the same answers.",
		Example: ":- table path/2.\n:- mode(path(+atom, -atom), zero_or_more).\npath(X, Y) :- edge(X, Y).\n" +
			"path(X, Y) :- edge(X, Z), path(Z, Y).\nedge(a, b).",
		Fix: "Call the predicate first, with the argument as it is.",
		Mended: ":- table path/2.\n:- mode(path(+atom, -atom), zero_or_more).\npath(X, Y) :- edge(X, Y).\n" +
			"path(X, Y) :- path(X, Z), edge(Z, Y).\nedge(a, b)."},
	{Name: "not_monotone", Cause: "A predicate whose table keeps the least or greatest value only calls itself, " +
		"and makes of " +
		"a better value a worse one, or none. What was made of a value that a better one has replaced stays.",
		Example: ":- table cost(_, min).\ncost(a, 1).\ncost(X, C) :- edge(Y, X), cost(Y, D), C is 10 - " +
			"D.\nedge(a, b).",
		Fix: "Let better values lead to better ones, as sums do; compute anything else outside of the table.",
		Mended: ":- table cost(_, min).\ncost(a, 1).\ncost(X, C) :- edge(Y, X), cost(Y, D), C is 10 + D.\nedge(a, " +
			"b)."},
	{Name: "negation", Cause: "Nothing has bound a variable of a negated goal yet. The negation asks whether " +
		"there is any value " +
		"at all, and fails if there is one.",
		Example: ":- mode(single(-atom), zero_or_more).\nsingle(X) :- \\+ married(X), " +
			"person(X).\nmarried(ann).\nperson(bob).",
		Fix: "Put the negation behind the goals that bind the variable.",
		Mended: ":- mode(single(-atom), zero_or_more).\nsingle(X) :- person(X), \\+ " +
			"married(X).\nmarried(ann).\nperson(bob)."},
	{Name: "unbound", Cause: "A comparison or is/2 uses a variable that has no value there: nothing before it " +
		"binds it, and " +
		"mode/2 says that the caller does not.",
		Example: "rich(X) :- Income > 1000, income(X, Income).\nincome(ann, 2000).",
		Fix:     "Put the goal that gives it a value first.",
		Mended:  "rich(X) :- income(X, Income), Income > 1000.\nincome(ann, 2000)."},
	{Name: "unevaluated", Cause: "= does not calculate: X = Y + 1 makes X the term Y + 1. Other goals show that a " +
		"number is " +
		"meant.", Example: "len([], 0).\nlen([_|T], N) :- len(T, M), N = M + 1.", Fix: "Write is.",
		Mended: "len([], 0).\nlen([_|T], N) :- len(T, M), N is M + 1."},
	{Name: "reassigned", Cause: "A goal would give a variable another value, as N is N + 1 does in other languages. " +
		"It is never true: a variable keeps its value.",
		Example: "count([], N, N).\ncount([_|T], N, M) :- N is N + 1, count(T, N, M).", Fix: "Take a new variable.",
		Mended: "count([], N, N).\ncount([_|T], N, M) :- N1 is N + 1, count(T, N1, M)."},
	{Name: "limit", Cause: "A goal that loading runs took longer than it may.", Shown: true,
		Example: ":- repeat, fail.", Fix: "Give the goal less to do, or a higher --load-timeout."},
	{Name: "members", Cause: "Nothing says what the members of an input are called that is a dict or object.",
		Example: ":- mode(age(+dict, -integer), one).\n:- info(age/2, [comment is 'An age.', argnames is [who, age]]).\n" +
			"age(Who, Age) :- get_dict(born, Who, Born), Age is 2000 - Born.\ntools([tool(age, age, 2)]).",
		Fix: "Name them in the description of the input, or give it the type object([Name-Type, ...]).",
		Mended: ":- mode(age(+dict, -integer), one).\n:- info(age/2, [comment is 'An age.',\n" +
			"    arguments is [who - 'born: the year', age - 'the age']]).\n" +
			"age(Who, Age) :- get_dict(born, Who, Born), Age is 2000 - Born.\ntools([tool(age, age, 2)])."},
	{Name: "mode", Cause: "A tool has no mode/2, so that all its arguments are optional texts.",
		Example: ":- info(double/2, [comment is 'Doubles.']).\ndouble(N, M) :- M is 2 * N.\ntools([tool(double, " +
			"double, 2)]).",
		Fix: "Say of each argument what it is, and whether it goes in or comes out.",
		Mended: ":- mode(double(+integer, -integer), one).\n:- info(double/2, [comment is 'Doubles.']).\n" +
			"double(N, M) :- M is 2 * N.\ntools([tool(double, double, 2)])."},
	{Name: "module", Cause: "A module header is wrong, or stands elsewhere than at the beginning of its file.",
		Example: ":- module(m, p/1).\np(1).", Fix: "Write :- module(Name, [Name/Arity, ...]) as the first term.",
		Mended: ":- module(m, [p/1]).\np(1)."},
	{Name: "multiple", Cause: "A variable whose name says that it occurs once occurs more than once.",
		Example: "p(_X, _X).", Fix: "Take the underscore away if one value is meant, else use two " +
			"names.", Mended: "p(X, X)."},
	{Name: "name", Cause: "A tool, prompt or resource has a name that no client takes.",
		Example: "tools([tool('my tool', p, 0)]).\np.", Fix: "Use 1 to 128 of A-Z a-z 0-9 _ . -",
		Mended: "tools([tool(my_tool, p, 0)]).\np."},
	{Name: "option", Cause: "A prompt or a resource has an option that there is not, or one of the wrong form.",
		Example: "prompts([prompt(p, 'P', 'Says.', [], [icon(1)])]).\nprompt_get(p, _, 'Hello').",
		Fix:     "docs/offering.md has the options."},
	{Name: "path", Cause: "A path that was given leads to no rules.", Shown: true,
		Example: "mcplogic check no_such_folder", Fix: "Give a .pl file, or a folder that holds one."},
	{Name: "permission", Cause: "A clause would redefine what is built in, or an import would hide it.",
		Example: "append(X) :- atom_length(X, _).\natom_length(a, 1).", Fix: "Give your predicate another name.",
		Mended: "size_of(a, 1)."},
	{Name: "persistent", Cause: "A directive persistent/1 or /2 is wrong, or the texts add facts to such a " +
		"predicate, which " +
		"would be added again at each load.",
		Example: ":- persistent(order/2).\norder(1, tea).",
		Fix:     "Take the facts out of the text; mcplogic facts import puts them into the store once.",
		Mended:  ":- persistent(order/2)."},
	{Name: "predicate", Cause: "A declaration is about a predicate that nobody defines.",
		Example: "tools([tool(double, doubel, 2)]).\ndouble(N, M) :- M is 2 * N.", Fix: "Correct name and arity, " +
			"or define it.",
		Mended: "tools([tool(double, double, 2)]).\ndouble(N, M) :- M is 2 * N."},
	{Name: "prompt", Cause: "An item of prompts/1 is none.", Example: "prompts([greet]).\nprompt_get(greet, _, " +
		"'Hello').",
		Fix:    "Write prompt(Name, Description, Arguments).",
		Mended: "prompts([prompt(greet, 'Greets.', [])]).\nprompt_get(greet, _, 'Hello')."},
	{Name: "read", Cause: "A text ended while it was read, as when its file is on a disk that is gone.", Shown: true,
		Example: "kb/birds.pl: read: input/output error", Fix: "See why the file cannot be read."},
	{Name: "redefined", Cause: "Two files define one predicate.",
		Example: "-- a.pl --\np(1).\n-- b.pl --\np(2).\n", Fix: "Put the clauses into one file, give one another " +
			"name, or " +
			"declare the predicate multifile in both.", Mended: "-- a.pl --\n:- multifile p/1.\np(1).\n-- b.pl " +
			"--\n:- multifile p/1.\np(2).\n"},
	{Name: "resource", Cause: "An item of resources/1 or resource_templates/1 is none, or its address is not one.",
		Example: "resources([resource('no address', 'N', 'D', 'text/plain')]).\nresource_read(_, _, _) :- fail.",
		Fix:     "Write resource(URI, Name, Description, MimeType), the address with its scheme.",
		Mended: "resources([resource('kb://notes', 'N', 'D', 'text/plain')]).\nresource_read('kb://notes', _, " +
			"text('x'))."},
	{Name: "schema", Cause: "A schema of input_schema/2 or output_schema/2 is none, or is of no tool. Or it requires a " +
		"property that its properties lack, as that of a form may do.",
		Example: "tools([tool(t, p, 0)]).\np.\ninput_schema(t, {type-banana}).", Fix: "Write a JSON Schema as a " +
			"curly term.",
		Mended: "tools([tool(t, p, 0)]).\np.\ninput_schema(t, {type-object})."},
	{Name: "singleton", Cause: "A variable occurs once in its clause. It is bound to nothing: often it is a " +
		"misspelt name.",
		Example: "bird(Name, Colour) :- known(Name).\nknown(gull).",
		Fix:     "Correct the name, or begin it with an underscore if any value will do.",
		Mended:  "bird(Name, _Colour) :- known(Name).\nknown(gull)."},
	{Name: "stopped", Cause: "Loading was stopped from outside before it came to an end.", Shown: true,
		Example: "kb/birds.pl:7:1: error: loading was stopped here: interrupted", Fix: "Load again."},
	{Name: "style", Cause: "style_check/1 is given what is no style.", Example: ":- style_check(-singletons).",
		Fix: "Write +Style or -Style.", Mended: ":- style_check(-singleton)."},
	{Name: "syntax", Cause: "The text cannot be read. The place is the first that cannot be right; the mistake " +
		"may stand " +
		"before it, such as a full stop or a bracket that is missing.",
		Example: "p(X) :- q(X) r(X).\nq(1).", Fix: "Correct the text there. Reading goes on at the next clause.",
		Mended: "p(X) :- q(X), r(X).\nq(1).\nr(1)."},
	{Name: "table", Cause: "A directive table/1 is wrong.", Example: ":- table p(q, _).\np(1, 2).",
		Fix: "Write Name/Arity, or a head with modes such as min, max and lattice.", Mended: ":- table p(_, " +
			"min).\np(1, 2)."},
	{Name: "term_expansion", Cause: "term_expansion/2 threw, or gives a cyclic term.", Shown: true,
		Example: "term_expansion(a, X) :- X is a.\na.", Fix: "Correct the clause."},
	{Name: "tool", Cause: "An item of tools/1 is none, or has an option that there is not.",
		Example: "tools([tool(t)]).\np.", Fix: "Write tool(Name, Functor, Arity), with a list of options if need be.",
		Mended: "tools([tool(t, p, 0)]).\np."},
	{Name: "ui", Cause: "A clause of tool_ui/2 or resource_ui_meta/2 is wrong, or speaks of what is not declared.",
		Example: "tools([tool(t, p, 0)]).\np.\ntool_ui(t, 'http://example.org').", Fix: "Give an address ui://... " +
			"of a resource."},
	{Name: "undeclared", Cause: "A clause is for a tool, prompt or resource that nobody declares, so that it is " +
		"never called.",
		Example: "tools([tool(greet, hello, 1)]).\nhello(x).\ntool_call(greets, _, text('Hi')).",
		Fix:     "Correct the name, or declare the item.",
		Mended:  "tools([tool(greet, hello, 1)]).\nhello(x).\ntool_call(greet, _, text('Hi'))."},
	{Name: "item_fact", Cause: "A tool, prompt or resource is written as a fact. Only what stands in the lists of " +
		"tools/1, " +
		"prompts/1, resources/1 and resource_templates/1 is declared.",
		Example: "tool(greet, hello, 1).\nhello(x).", Fix: "Put it into a list.",
		Mended: "tools([tool(greet, hello, 1)]).\nhello(x)."},
	{Name: "undefined", Cause: "A goal calls a predicate that nobody defines.",
		Example: "p(X) :- lenght(X, 2).", Fix: "Correct its name or its number of arguments, define it, or " +
			"declare it dynamic if it is " +
			"to have facts later.", Mended: "p(X) :- length(X, 2)."},
	{Name: "unit", Cause: "A unit of tests or a test is not written as one.", Shown: true,
		Example: ":- begin_tests(1).", Fix: "Write :- begin_tests(Name), with a name that is an atom."},
	{Name: "user_input", Cause: "A tool reads user_input, as programs at a terminal do. Clients have none, so that the " +
		"call ends with a permission error.",
		Example: ":- mode(start(-term), one).\n:- info(start/1, [comment is 'Decides.']).\nstart(X) :- read(X).\n" +
			"tools([tool(start, start, 1)]).",
		Fix: "Ask by mcp_ask/3 or mcp_elicit/3, or make what is read an argument.",
		Mended: ":- mode(start(-atom), one).\n:- info(start/1, [comment is 'Decides.']).\n" +
			"start(X) :- mcp_ask('Which?', atom, X).\ntools([tool(start, start, 1)]).\ncapabilities([elicitation])."},
}

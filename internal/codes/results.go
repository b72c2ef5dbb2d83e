package codes

// This file defines the codes of results that are errors.

// Results are the codes of error results of tools.
var Results = []Code{
	{Name: "aborted", Shown: true, Cause: "The call was stopped from outside: by the client, or because the " +
		"server ends.",
		Example: "The call was stopped: the client has cancelled it.", Fix: "Call again if the answer " +
			"is still wanted."},
	{Name: "bad_answer", Shown: true, Cause: "An answer to a question does not fit the schema of the question.",
		Example: "The answer does not fit the question:\nage: expected integer, got string \"young\".",
		Fix:     "The question is still open. Answer it again, with the same token."},
	{Name: "bad_arguments", Shown: true, Cause: "The arguments do not fit the input schema of the tool.",
		Example: "The arguments do not fit the tool bird:\nname: missing, expected string",
		Fix:     "Each line names an argument, what it should be and what it is. Call again with that mended."},
	{Name: "bad_cursor", Shown: true, Cause: "A cursor is damaged or of another call, the solutions before it " +
		"have changed, or the rest of a long result is no longer kept.",
		Example: "This is no cursor of a result of this tool with these arguments.",
		Fix: "Copy the cursor exactly, with the same tool and arguments; or call without one, from the first " +
			"solution."},
	{Name: "bad_output", Shown: true, Cause: "What the rules gave is not of the type that they declare. The rules " +
		"are wrong, not " +
		"the call.", Example: "total: the output does not fit its declared type:\nsum: expected integer, got 3.5",
		Fix: "Correct the rules or their mode/2."},
	{Name: "bad_token", Shown: true, Cause: "The tool that takes answers got a token of no question that waits.",
		Example: "No question with this token is waiting for an answer.",
		Fix:     "Copy the token exactly. If the question is too old, call the tool that asked it again."},
	{Name: "busy", Shown: true, Cause: "Too many calls run that do not stop, so that this one was refused.",
		Example: "The call was refused: too many calls do not stop.", Fix: "Try again later; the log names " +
			"those calls."},
	{Name: "undefined", Shown: true, Cause: "The rules make the answer neither true nor false, as two rules do that " +
		"each hold unless the other does (tnot/1); or a change of facts rests on such an answer, and nothing was changed.",
		Example: "must: the answer is undefined: the rules make it neither true nor false",
		Fix: "The rules leave it open: add one that decides which of the two comes first. `mcplogic query` prints the " +
			"rules that wait for each other."},
	{Name: "conflict", Shown: true, Cause: "Other calls changed the same facts at the same time, again and again. " +
		"Nothing was " +
		"changed.", Example: "order: other calls changed the same facts at the same time", Fix: "Try " +
		"again."},
	{Name: "evaluation_error", Shown: true, Cause: "Something was calculated that has no value, such as a " +
		"division by zero.",
		Example: "Arithmetic: evaluation error: zero_divisor", Fix: "See which argument leads " +
			"to it."},
	{Name: "existence_error", Shown: true, Cause: "A goal needs a predicate, file or stream that is not there.",
		Example: "Unknown procedure: price/2; there is price/3",
		Fix:     "The rules are wrong, not the call: correct the name, or define it."},
	{Name: "failed", Shown: true, Cause: "The tool has no answer for these arguments. That is a result, not a fault.",
		Example: "bird failed: there is no solution.",
		Fix:     "Look at what the text says there are solutions for, or what was nearest; the tool why tells more."},
	{Name: "given_up", Shown: true, Cause: "The machine of the call did not stop when it had to, and was left alone.",
		Example: "The call was given up.", Fix: "The log names the predicate."},
	{Name: "halt", Shown: true, Cause: "The goal called halt/0 or halt/1. That ends the call and nothing else.",
		Example: "quit called halt(0). That ends the call; the server goes on.", Fix: "Take the call of " +
			"halt out."},
	{Name: "inference_limit", Shown: true, Cause: "The call needed more calls of predicates than it may make.",
		Example: "The call was stopped: it exceeded the limit of 1000000 inferences.",
		Fix: "The text names the predicate that ran, and what is likely: a recursion that does not end. Otherwise " +
			"ask for less, " +
			"or raise --max-inferences."},
	{Name: "instantiation_error", Shown: true, Cause: "A goal needs a value where there is a variable. Often a " +
		"comparison or " +
		"is/2 stands before the goal that gives the value.", Example: "Arguments are not sufficiently " +
		"instantiated",
		Fix: "Put the goal that binds the variable first."},
	{Name: "internal", Shown: true, Cause: "The server met something that it did not expect.",
		Example: "Internal error", Fix: "Please report it, with what the log says."},
	{Name: "memory_limit", Shown: true, Cause: "The call needed more memory than it may have.",
		Example: "The call was stopped: it exceeded the memory limit of 256 MiB.",
		Fix: "The text names the predicate that ran, and what is likely: a recursion that does not end. Otherwise " +
			"ask for less, " +
			"or raise --max-memory."},
	{Name: "no_such_tool", Shown: true, Cause: "There is no tool of this name.",
		Example: "There is no tool brid; did you mean bird?", Fix: "Use a name of tools/list."},
	{Name: "not_loaded", Shown: true, Cause: "The workbench was given a text with which the knowledge base does " +
		"not load.",
		Example: "The knowledge base does not load:\nrules.pl:3:1: error: ...", Fix: "Mend what the result lists, " +
			"and try again."},
	{Name: "not_saved", Shown: true, Cause: "The workbench did not save a text, because tests fail with it, or " +
		"because the file " +
		"cannot be written.", Example: "Nothing was saved. 4 tests: 3 passed, 1 failed.",
		Fix: "Mend the text, or the test if that is wrong; kb_test runs the tests without saving."},
	{Name: "not_stored", Shown: true, Cause: "The changes of the call could not be made to last: the disk is full or " +
		"at fault, the database of the store is away, or a fact is too long. Nothing was changed.",
		Example: "order: the changes could not be stored: write shop.store/log-0000000000000001: no space left on device",
		Fix: "The text says what is missing. Try again when that is mended; where it is not known whether the changes were " +
			"stored, look first."},
	{Name: "not_explained", Shown: true, Cause: "The tool why has no reasons to give: the tool gives none, the " +
		"answer or node " +
		"is not there, or the call asks something that the user has not answered.",
		Example: "There are only 2 answers.", Fix: "Do as the text says, or call the tool first and ask why " +
			"afterwards."},
	{Name: "permission_error", Shown: true, Cause: "A goal wanted to do what it may not, such as changing a " +
		"predicate that is " +
		"not dynamic, or reading a file outside of the folder.",
		Example: "No permission to modify static procedure `bird/2'",
		Fix:     "Declare the predicate dynamic, or start the server with the flag that allows it."},
	{Name: "refused", Shown: true, Cause: "The rules refused the call by mcp_error/2, in their own words.",
		Example: "Orders of more than 100 pieces need an approval.", Fix: "Do what the text asks for."},
	{Name: "representation_error", Shown: true, Cause: "A value is beyond what can be represented.",
		Example: "Cannot represent due to `max_arity`", Fix: "Use a smaller one."},
	{Name: "resource_error", Shown: true, Cause: "A goal used up something that is bounded.",
		Example: "Not enough resources: open files", Fix: "Use less of it."},
	{Name: "result_size", Shown: true, Cause: "The result is larger than a result may be.",
		Example: "The limit on the size of a result, 1048576 bytes, was exceeded.",
		Fix:     "Ask for less, or page through the solutions."},
	{Name: "syntax_error", Shown: true, Cause: "A goal read a text that is no term.",
		Example: "Syntax error: operator expected", Fix: "Correct the text."},
	{Name: "thrown", Shown: true, Cause: "The rules threw a term of their own, which nobody caught.",
		Example: "Unknown message: out_of_stock(tea)", Fix: "See what the rules say about it, or catch " +
			"it there."},
	{Name: "time_limit", Shown: true, Cause: "The call took longer than it may.",
		Example: "The call was stopped: it exceeded the time limit of 60 s.",
		Fix: "The text names the predicate that ran, and what is likely: a recursion that does not end. Otherwise " +
			"ask for less, " +
			"or raise --timeout."},
	{Name: "type_error", Shown: true, Cause: "A goal got a value of another type than it needs, or out of its " +
		"domain.",
		Example: "Type error: `integer' expected, found `two' (an atom)", Fix: "Correct the rules, " +
			"or the arguments."},
	{Name: "domain_error", Shown: true, Cause: "A goal got a value of the right type that it cannot use.",
		Example: "Domain error: `not_less_than_zero' expected, found `-1'",
		Fix:     "Correct the rules, or the arguments."},
	{Name: "undecided", Shown: true, Cause: "The answer depends on a question that the user cancelled, that nobody " +
		"answered in time, or whose form came back without a value that is needed. Nothing was changed.",
		Example: "Not decided: the answer depends on what nobody has answered.",
		Fix: "Ask the user the first question of the result and call the tool answer with the token and their answer; " +
			"the call goes on with it."},
	{Name: "uninstantiation_error", Shown: true, Cause: "A goal got a value where it needs a variable.",
		Example: "Cannot bind a value again", Fix: "Correct the rules."},
}

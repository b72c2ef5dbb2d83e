package bridge

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// undefinedText has a knowledge base that leaves al neither true nor false, and says so of bo.
const undefinedText = `capabilities([explain]).
:- table must/1, may/1.
must(X) :- p(X), tnot(may(X)).
may(X) :- p(X), open(X), tnot(must(X)).
p(al). p(bo). open(al).
:- mode(must(-atom), zero_or_more).
:- mode(held(+atom), zero_or_one).
:- mode(first(-atom), one).
:- info(must/1, [argnames is [who]]).
:- info(held/1, [argnames is [who]]).
:- info(first/1, [argnames is [who]]).
held(X) :- must(X).
first(X) :- must(X).
own(X) :- must(X).
closed(X) :- must(X).
tools([tool(must, must, 1, [task(after(0)), explain(true)]), tool(held, held, 1, [task(after(0))]),
    tool(first, first, 1, [task(after(0))]), tool(own, own, 1), tool(closed, closed, 1), tool(text, own, 1)]).
tool_call(own, _, structured({who-al})) :- must(al).
tool_call(closed, _, structured({who-al})) :- must(al).
tool_call(text, _, results([text(hello)])) :- must(al).
output_schema(closed, {type-object, properties-{who-{type-string}}, additionalProperties- @(false)}).
prompts([prompt(must, 'Who must.', [argument(who, 'Who.', true)])]).
prompt_get(must, [who-W], messages([message(user, text(W))])) :- atom_string(A, W), must(A).
resources([resource('kb://al', al, 'Al.', 'text/plain'), resource('kb://bo', bo, 'Bo.', 'text/plain')]).
resource_read(URI, _, contents([text_content(URI, 'text/plain', x)])) :- atom_concat('kb://', X, URI), must(X).
completion(prompt(must), _, _, completion(All)) :- findall(X, must(X), All).
`

// TestUndefinedEverywhere asks for what the rules make neither true nor false in all ways, and is never told that it is
// true.
func TestUndefinedEverywhere(t *testing.T) {
	t.Parallel()
	c := newLineClientOf(t, &Options{}, undefinedText)
	tool := func(name, args string) (string, string) {
		params := `"name":"` + name + `","arguments":` + args
		plain, err := json.Marshal(c.ask("{}", "tools/call", params))
		require.NoError(t, err)
		r := c.ask(taskClient, "tools/call", params)
		if id, ok := r["taskId"].(string); ok {
			for r["result"] == nil && r["error"] == nil {
				r = c.ask(taskClient, "tasks/get", `"taskId":"`+id+`"`)
			}
		}
		task, err := json.Marshal(r)
		require.NoError(t, err)
		return string(plain), string(task)
	}
	for _, test := range []struct{ name, args, want string }{
		{"must", `{}`, `"structuredContent":{"more":false,"solutions":[{"undefined":true,"who":"al"},{"who":"bo"}]}`},
		{"first", `{}`, `"structuredContent":{"undefined":true,"who":"al"}`},
		{"held", `{"who":"al"}`, `"text":"undefined: the rules make it neither true nor false"`},
		{"held", `{"who":"bo"}`, `"text":"true"`},
		{"own", `{}`, `"structuredContent":{"undefined":true,"who":"al"}`},
		{"closed", `{}`, `"mcplogic/code":"undefined"`},
		{"text", `{}`, `{"text":"undefined: the rules make it neither true nor false","type":"text"}`},
		{"why", `{"tool":"held","arguments":{"who":"al"}}`, `neither true nor false`},
		{"why", `{"tool":"must"}`, `neither true nor false`},
	} {
		plain, task := tool(test.name, test.args)
		require.Contains(t, plain, test.want, "%s %s", test.name, test.args)
		require.Contains(t, task, test.want, "%s %s", test.name, test.args)
	}
	for _, test := range []struct{ method, params, want string }{
		{"prompts/get", `"name":"must","arguments":{"who":"al"}`, "the answer is undefined"},
		{"prompts/get", `"name":"must","arguments":{"who":"bo"}`, `"text":"bo"`},
		{"resources/read", `"uri":"kb://al"`, "the answer is undefined"},
		{"resources/read", `"uri":"kb://bo"`, `"text":"x"`},
		{"completion/complete", `"ref":{"type":"ref/prompt","name":"must"},"argument":{"name":"who","value":""}`,
			"undefined"},
	} {
		got, err := json.Marshal(c.ask("{}", test.method, test.params))
		require.NoError(t, err)
		require.Contains(t, string(got), test.want, "%s %s", test.method, test.params)
	}
}

package bridge

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/tools/bridgetest"
	"github.com/mcplogic/mcplogic/tools/wiretest"
)

// TestFaults calls tools that go wrong and expects words for it, and a server that goes on.
func TestFaults(t *testing.T) {
	s := NewServer(load(t, "testdata/kb/faults.pl"), &Options{Limits: engine.Limits{Memory: 64 << 20,
		Time: wiretest.Patience}})
	cs := connect(t, s, "2025-11-25", nil)
	for _, test := range []struct {
		tool    string
		isError bool
		texts   []string // parts of the items
	}{
		{"recurse", true, []string{"memory limit of 64 MiB"}},
		{"loop", true, []string{"time limit of 0.2 s"}},
		{"stubborn", true, []string{"time limit of 0.2 s"}},
		{"print_only", false, []string{"true", `{"jsonrpc":"2.0"}`}},
		{"print_and_answer", false, []string{"n: 1", "working"}},
		{"halts", true, []string{"halts called halt(0)"}},
		{"halts_with", true, []string{"halts_with called halt(3)"}},
		{"throws", true, []string{`my_ball(1,"two")`}},
		{"bad_arithmetic", true, []string{"type_error(evaluable,foo/0)"}},
		{"bad_arithmetic", true, []string{"faults.pl:69: bad_arithmetic/1"}},
		{"unknown_predicate", true, []string{"existence_error(procedure,no_such_predicate/1)"}},
		{"fails", true, []string{"fails failed"}},
		{"unbound", true, []string{"n: "}},
		{"unbound_any", true, []string{"x: unbound"}},
		{"cyclic", true, []string{"l: expected an array, got a partial or cyclic list"}},
		{"cyclic_any", true, []string{"limit on the size of a result"}},
		{"cyclic_ball", true, []string{"f("}},
		{"shared", true, []string{"limit on the size of a result"}},
		{"wrong_type", true, []string{"n: expected an integer"}},
		{"many", false, []string{"these are 1 to 100. For the next, call again"}},
		{"few", false, []string{"n: 1\n\nn: 2\n\nn: 3"}},
		{"none", false, []string{"There are no solutions."}},
		{"huge_text", true, []string{"limit on the size of a result"}},
		{"huge_output", false, []string{"true", "1\n2\n3", "This is part 1 of "}},
		{"deep", true, []string{"limit on the size of a result"}},
		{"odd_result", true, []string{"unknown result or content item: picture(1)"}},
		{"odd_item", true, []string{"unknown result or content item: smell(b)"}},
		{"not_base64", true, []string{"the data is not base64"}},
	} {
		t.Run(test.tool, func(t *testing.T) {
			r := bridgetest.CallTool(t, cs, test.tool, "")
			got := bridgetest.TextsOf(r)
			require.Equal(t, test.isError, r.IsError, "%.300s", got)
			require.Len(t, got, len(test.texts), "%.300s", got)
			for i, part := range test.texts {
				require.Contains(t, got[i], part)
			}
		})
	}
}

// TestManySolutions says that there are more than the limit, and when there are not.
func TestManySolutions(t *testing.T) {
	s := NewServer(load(t, "testdata/kb/faults.pl"), nil)
	cs := connect(t, s, "2025-11-25", nil)
	many := structureOf(t, bridgetest.CallTool(t, cs, "many", ""))
	require.True(t, strings.Contains(many, `,"more":true,"solutions":[{"n":1},{"n":2},`), "%.100s", many)
	require.Equal(t, `{"more":false,"solutions":[{"n":1},{"n":2},{"n":3}]}`,
		structureOf(t, bridgetest.CallTool(t, cs, "few", "")))
	require.Equal(t, "{\"more\":false,"+
		"\"note\":\"no answer for none(_): `fail` never holds at testdata/kb/faults.pl:119\","+
		`"solutions":[]}`, structureOf(t, bridgetest.CallTool(t, cs, "none", "")))
}

// TestStructureSaysAll looks at the structured content for what the text says besides the outputs: some clients show a
// model nothing else.
func TestStructureSaysAll(t *testing.T) {
	program := `
		tools([tool(chatty, chatty, 1), tool(all, all, 1), tool(nobody, nobody, 2), tool(first, first, 1, [limit(2)]),
		       tool(printer, printer, 1)]).
		:- mode(chatty(-integer), one).
		chatty(1) :- write('a word').
		:- mode(all(-integer), zero_or_more).
		all(N) :- write(w), member(N, [1, 2]).
		:- mode(nobody(+atom, -integer), zero_or_more).
		nobody(ann, 3).
		:- mode(first(-integer), zero_or_more).
		:- info(first/1, [argnames is [cursor]]).
		first(N) :- between(1, 3, N).
		:- mode(printer(-atom), one).
		:- info(printer/1, [argnames is [printed]]).
		printer(out) :- write(other).
	`
	cs := connect(t, NewServer(loadText(t, program), nil), "2025-11-25", nil)
	for _, test := range []struct{ tool, args, structure string }{
		{"chatty", "", `{"Arg1":1,"printed":"a word"}`},
		{"all", "", `{"more":false,"printed":"w","solutions":[{"Arg1":1},{"Arg1":2}]}`},
		{"nobody", `{"Arg1": "anne"}`, `{"more":false,"note":"There are solutions for Arg1: \"ann\".","solutions":[]}`},
		{"printer", "", `{"printed":"out"}`},
	} {
		require.Equal(t, test.structure, structureOf(t, bridgetest.CallTool(t, cs, test.tool, test.args)), test.tool)
	}
}

// TestDispatch covers automatic dispatch, the forms of results, and arguments that do not fit.
func TestDispatch(t *testing.T) {
	s := NewServer(load(t, "testdata/kb/results.pl"), nil)
	cs := connect(t, s, "2025-11-25", nil)
	for _, test := range []struct {
		tool, args string
		isError    bool
		text       string // of the items, parted by |
		structure  string
	}{
		{"greet", `{"name": "Ada"}`, false, "greeting: Hello, Ada", `{"greeting":"Hello, Ada"}`},
		{"greet", `"{\"name\": \"Ada\"}"`, false,
			"greeting: Hello, Ada|Given as a text, and taken as the JSON in it: the arguments.",
			`{"greeting":"Hello, Ada"}`},
		{"greet", `{}`, true, "The arguments do not fit the tool greet:\nname: missing, expected a string", ""},
		{"greet", ``, true, "The arguments do not fit the tool greet:\nname: missing, expected a string", ""},
		{"greet", `{"name": 7}`, true,
			"The arguments do not fit the tool greet:\nname: expected a string, got the number 7; give it in quotes", ""},
		{"greet", `{"nam": "Ada"}`, true,
			"The arguments do not fit the tool greet:\nname: missing, expected a string\n" +
				"nam: unexpected property, did you mean \"name\"?", ""},
		{"greet", `[1]`, true, "The arguments do not fit the tool greet:\nexpected an object, got an array of 1 element", ""},
		{"sum_list", `{"numbers": [1, 2.5]}`, false, "sum: 3.5", `{"sum":3.5}`},
		{"sum_list", `{"numbers": [1, "x"]}`, true,
			"The arguments do not fit the tool sum_list:\nnumbers[1]: expected a number, got the string \"x\"", ""},
		{"sum_list", `{"numbers": [123456789012345678901234567890]}`, false, "sum: 123456789012345678901234567890", ""},
		{"split", `{"list": [1,2,3]}`, false, "odd: [1,3]\neven: [2]", `{"even":[2],"odd":[1,3]}`},
		{"between", `{"low": 1, "high": 2}`, false, "n: 1\n\nn: 2", `{"more":false,"solutions":[{"n":1},{"n":2}]}`},
		{"maybe", `{"n": 2}`, false, "name: two", `{"name":"two"}`},
		{"maybe", `{"n": 3}`, true, "maybe failed: there is no solution.\n" +
			"no answer for maybe(3, _): there is no fact `maybe(3, _)`; known instead of 3: 1, 2", ""},
		{"reversed", `{"a": ["x", "y"]}`, false, `b: ["y","x"]`, `{"b":["y","x"]}`},
		{"reversed", `{"b": ["x", "y"]}`, false, `a: ["y","x"]`, `{"a":["y","x"]}`},
		{"reversed", `{"a": ["x"], "b": ["x"]}`, false, "true", `{}`},
		{"forms", `{"form": "text"}`, false, "plain", ""},
		{"forms", `{"form": "string"}`, false, "a string", ""},
		{"forms", `{"form": "error"}`, true, "went wrong", ""},
		{"forms", `{"form": "results"}`, true, "one|two|three", ""},
		{"forms", `{"form": "structured"}`, false, `{"a":1,"b":["x","y"],"c":{"d":"true"}}`,
			`{"a":1,"b":["x","y"],"c":{"d":"true"}}`},
		{"forms", `{"form": "dict"}`, false, `{"7":["x","y"],"a":1,"c":{"d":"true"}}`,
			`{"7":["x","y"],"a":1,"c":{"d":"true"}}`},
		{"forms", `{"form": "both"}`, false, "said", `{"a":1}`},
		{"forms", `{"form": "other"}`, false, "true", ""},
		{"weather", `{"city": "Bonn"}`, false, `{"temperature":21.5,"wet":true}`, `{"temperature":21.5,"wet":true}`},
		{"bad_weather", `{"city": "Bonn"}`, true,
			"bad_weather: the structured content does not fit:\ntemperature: expected a number, got the string \"warm\"", ""},
		{"raw", `{"n": 3, "tags": ["a"], "extra": {"b": null}}`, false, "[n-3,tags-[a],extra-{b- @(null)}]", ""},
		{"raw", `{"n": 0}`, true,
			"The arguments do not fit the tool raw:\nn: expected a number of at least 1, got the number 0", ""},
		{"falls_through", ``, false, "x: predicate", `{"x":"predicate"}`},
	} {
		t.Run(test.tool+test.args, func(t *testing.T) {
			r := bridgetest.CallTool(t, cs, test.tool, test.args)
			require.Equal(t, test.text, strings.Join(bridgetest.TextsOf(r), "|"))
			require.Equal(t, test.isError, r.IsError)
			if test.structure != "" || r.StructuredContent == nil {
				require.Equal(t, test.structure, structureOf(t, r))
			}
		})
	}
}

// TestOutputSchemas lists an output schema where results always have structure.
func TestOutputSchemas(t *testing.T) {
	s := NewServer(load(t, "testdata/kb/results.pl"), nil)
	for _, test := range []struct {
		version, tool string
		listed        bool
		structure     string
	}{
		{"2025-11-25", "greet", true, ""},
		{"2025-11-25", "between", true, ""},
		{"2025-11-25", "forms", false, ""},
		{"2025-11-25", "falls_through", false, ""},
		{"2025-11-25", "weather", true, ""},
		{"2025-11-25", "array", false, ""},
		{"2026-07-28", "array", true, "[1,2]"},
	} {
		cs := connect(t, s, test.version, nil)
		for tool, err := range cs.Tools(context.Background(), nil) {
			require.NoError(t, err)
			if tool.Name == test.tool {
				require.Equal(t, test.listed, tool.OutputSchema != nil, "%+v", test)
			}
		}
		if test.tool == "array" {
			r := bridgetest.CallTool(t, cs, "array", "")
			require.Equal(t, test.structure, structureOf(t, r))
			require.Equal(t, []string{"[1,2]"}, bridgetest.TextsOf(r))
		}
	}
}

// TestPanic survives a predicate of the host that panics. The client is told that there was an error, the log
// says which.
func TestPanic(t *testing.T) {
	file := filepath.Join(t.TempDir(), "panics.pl")
	require.NoError(t, os.WriteFile(file, []byte(oneTool+`
:- mode(panics, one).
:- info(panics/0, [comment is 'Panics.']).
panics :- host_panic.
tools([tool(panics, panics, 0)]).
`), 0o644))
	o := &kb.Options{Predicates: append(Predicates(),
		engine.Predicate{Name: "host_panic", Call: func(*engine.Call) (bool, error) { panic("oh no") }})}
	snapshot, err := kb.Load(t.Context(), []string{file}, o)
	require.NoError(t, err)
	var logged bytes.Buffer
	log := slog.New(slog.NewTextHandler(&logged, nil))
	cs := connect(t, NewServer(snapshot, &Options{Concurrent: 1, Log: log}), "2025-11-25", nil)
	_, err = cs.CallTool(context.Background(), &mcp.CallToolParams{Name: "panics"})
	requireCode(t, err, jsonrpc.CodeInternalError, "internal error")
	require.NotContains(t, err.Error(), "oh no")
	require.Contains(t, logged.String(), "panic in host_panic/0: oh no")
	require.Contains(t, logged.String(), "tools_test.go")
	require.Equal(t, []string{"text: hi"}, bridgetest.TextsOf(bridgetest.CallTool(t, cs, "hello", "")))
}

// TestNestedText shows lists and objects as JSON in the text of a result, so that it says what the structure says.
func TestNestedText(t *testing.T) {
	const text = `
		tools([offer/4]).
		:- info(offer/4, [comment is 'Offers.', argnames is [parsed, reasons, who, goal]]).
		:- mode(offer(-object, -list(string), -atom, -term), zero_or_more).
		offer({action-offer, applicant-'A-1, B'}, ["age 36, at least 18", 'say "b"'], 'Ada, B', f('A b', ["c"])).
		offer({}, [], x, [y]).`
	cs := connect(t, NewServer(loadText(t, text), nil), "2025-11-25", nil)
	require.Equal(t, []string{`parsed: {"action":"offer","applicant":"A-1, B"}
reasons: ["age 36, at least 18","say \"b\""]
who: Ada, B
goal: f('A b',["c"])

parsed: {}
reasons: []
who: x
goal: [y]`}, bridgetest.TextsOf(bridgetest.CallTool(t, cs, "offer", "")))
}

// TestSharedVariables returns terms whose variables are the same and different ones.
func TestSharedVariables(t *testing.T) {
	cs := connect(t, NewServer(loadText(t, `
tools([tool(share, share, 3)]).
:- mode(share(-term, -list(term), -term), zero_or_more).
:- info(share/3, [comment is 'Shares.', argnames is [a, b, c]]).
share(f(X), [g(Y), i(X), h(X, Z)], k(Z, Y, _)).
share(f(_), [g(Y), i(Y)], k(_)).
`), nil), "2025-11-25", nil)
	r := bridgetest.CallTool(t, cs, "share", "")
	require.Equal(t, []string{"a: f(_1)\nb: [\"g(_2)\",\"i(_1)\",\"h(_1,_3)\"]\nc: k(_3,_2,_4)\n\n" +
		"a: f(_1)\nb: [\"g(_2)\",\"i(_2)\"]\nc: k(_3)"}, bridgetest.TextsOf(r))
}

// TestAdvice calls tools with texts for which there is nothing.
func TestAdvice(t *testing.T) {
	cs := connect(t, NewServer(loadText(t, `
tools([hue/2, tool(tints, tint, 2), hues/2, tool(number, number_of, 2), ends/2, checked/2, count/1]).
:- dynamic(seen/1).
:- mode(hue(+atom, -atom), zero_or_one).
:- info(hue/2, [comment is 'Hue.', argnames is [thing, hue]]).
hue(Thing, Hue) :- assertz(seen(Thing)), colour(Thing, Hue).
colour(grass, green). colour("sky", blue). colour(sky, grey).
:- mode(tint(+atom, -atom), zero_or_more).
:- info(tint/2, [comment is 'Tint.', argnames is [thing, tint]]).
tint(Thing, Hue) :- assertz(seen(Thing)), colour(Thing, Hue).
:- mode(hues(+string, -list(atom)), zero_or_more).
:- info(hues/2, [comment is 'Hues.', argnames is [thing, hues]]).
hues(Thing, [Hue]) :- seen(_) -> throw(seen) ; colour(Thing, Hue).
:- mode(number_of(+atom, -integer), zero_or_more).
:- info(number_of/2, [comment is 'Number.', argnames is [name, number]]).
number_of(A, N) :- between(1, 100, N), atom_concat(n, N, A).
:- mode(ends(+atom, -integer), zero_or_more).
:- info(ends/2, [comment is 'Never ends without a value.', argnames is [name, number]]).
ends(A, 1) :- ( A == x -> fail ; repeat, fail ).
:- mode(checked(+atom, -integer), zero_or_more).
:- info(checked/2, [comment is 'Throws without a value.', argnames is [name, length]]).
checked(A, 99) :- atom_length(A, 99).
:- mode(count(-integer), one).
:- info(count/1, [comment is 'Counts.', argnames is [n]]).
count(N) :- aggregate_all(count, seen(_), N).
`), nil), "2025-11-25", nil)
	for _, test := range [][3]string{
		{"hue", `{"thing": "sea"}`, "hue failed: there is no solution.\n" +
			"no answer for hue(sea, _): there is no fact `colour(sea, _)`, asked for at kb.pl:6; " +
			"known instead of sea: grass, sky"},
		{"hues", `{"thing": "sea"}`, "There are no solutions.\nThere are solutions for thing: \"sky\"."},
		{"hues", `{"thing": "sky"}`, "hues: [\"blue\"]"},
		{"hues", `{"thing": "grass"}`, "There are no solutions.\nThere are solutions for thing: \"sky\"."},
		{"tints", `{"thing": "sea"}`, "There are no solutions.\nThere are solutions for thing: \"grass\", \"sky\"."},
		{"count", "", "n: 1"},
		{"number", `{"name": "seven"}`, "There are no solutions.\n" +
			"no answer for number_of(seven, 1): `n1 is n followed by 1`, not seven at kb.pl:16" +
			"; 9 or more others fail there too: `seven is n followed by 2`, `seven is n followed by 3`, " +
			"`seven is n followed by 4`, ..."},
		{"ends", `{"name": "x"}`, "There are no solutions.\n" +
			"no answer for ends(x, 1): `fail` never holds at kb.pl:19"},
		{"checked", `{"name": "x"}`, "There are no solutions.\n" +
			"no answer for checked(x, 99): `1 is the length of x`, not 99 at kb.pl:22"},
	} {
		r := bridgetest.CallTool(t, cs, test[0], test[1])
		require.Equal(t, []string{test[2]}, bridgetest.TextsOf(r))
	}
}

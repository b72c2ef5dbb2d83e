package bridge

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/bridge/internal/why"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/tools/bridgetest"
)

// whyRules is a knowledge base whose tools are explained in all ways.
const whyRules = `
capabilities([explain, elicitation]).
tools([tool(vote, vote, 1), tool(drink, drink, 2, [explain(true)]), tool(secret, secret, 1, [explain(false)]),
       tool(count, count, 1), tool(endless, endless, 1), tool(large, large, 1), tool(reach, reach, 2),
       tool(custom, custom, 1), tool(throws, throws, 0), tool(new, new, 0), tool(tree, tree, 0)]).
:- mode(vote(+atom), zero_or_one).
:- info(vote/1, [comment is 'Whether a person may vote.', argnames is ['Person']]).
vote(P) :- citizen(P), age_of(P, A), A >= 18.
age_of(P, A) :-
    format(string(Q), "How old is ~w?", [P]),
    mcp_elicit(Q, {type-object, properties-{age-{type-integer}}, required-[age]}, accept({age-A})).
citizen(ann). citizen(bob).
:- mode(drink(+atom, -atom), zero_or_more).
:- info(drink/2, [comment is 'What a person may drink.', argnames is ['Person', 'Drink']]).
drink(P, tea) :- citizen(P).
drink(_, water).
:- mode(secret(+atom), zero_or_one).
:- info(secret/1, [comment is 'A password.', argnames is ['Word']]).
secret(xyzzy).
:- dynamic n/1.
n(0).
:- mode(count(+integer), zero_or_one).
:- info(count/1, [comment is 'Counts up to three.', argnames is ['Step']]).
count(S) :- mcp_log(info, counting), retract(n(N)), M is N+S, assertz(n(M)), M =< 3.
:- mode(endless(+atom), zero_or_one).
:- info(endless/1, [comment is 'Has a search without end.', argnames is ['X']]).
endless(go) :- spin.
endless(X) :- ready(X), spin.
:- dynamic ready/1.
spin :- repeat, fail.
:- mode(large(-list(integer)), one).
:- info(large/1, [comment is 'A long list.', argnames is ['List']]).
large(L) :- numlist(1, 20000, L).
:- mode(reach(+atom, -atom), zero_or_more).
:- info(reach/2, [comment is 'Where one gets to.', argnames is ['From', 'To']]).
:- table reach/2.
reach(X, Y) :- edge(X, Y).
reach(X, Y) :- reach(X, Z), edge(Z, Y).
edge(a, b). edge(b, c). edge(c, a).
:- info(custom/1, [comment is 'Handled by a clause.', argnames is ['Person']]).
:- mode(custom(+atom), zero_or_one).
custom(_) :- fail.
tool_call(custom, ['Person'-P], text(P)) :- citizen(P).
:- info(throws/0, [comment is 'Throws.']).
throws :- X is foo, X > 1.
:- info(new/0, [comment is 'Asks anew each time.']).
:- dynamic asked/1.
new :- gensym(q, Q), mcp_elicit(Q, {type-object, properties-{}}, _).
:- info(tree/0, [comment is 'Has a cyclic term.']).
tree :- X = f(X, 1), arg(1, X, X), arg(2, X, 1).
`

// whyArgs are the arguments of the tool why.
func whyArgs(tool, args string, more ...string) string {
	text := `{"tool": "` + tool + `", "arguments": ` + args
	for _, m := range more {
		text += ", " + m
	}
	return text + "}"
}

// TestWhyTool explains calls of all kinds, good and bad, in both eras.
func TestWhyTool(t *testing.T) {
	snapshot := loadText(t, whyRules)
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		for _, test := range []struct {
			tool, args string // called first, "" for no call
			answers    []*mcp.ElicitResult
			why, want  string
			wrong      bool
		}{
			{"drink", `{"Person": "ann"}`, nil, whyArgs("drink", `{"Person": "ann"}`),
				"drink(ann, tea)  [kb.pl:15]\n  citizen(ann)  [kb.pl:12]\n", false},
			{"", "", nil, whyArgs("drink", `{"Person": "ann"}`, `"answer": 2`), "drink(ann, water)  [kb.pl:16]\n", false},
			{"", "", nil, whyArgs("drink", `{"Person": "ann"}`, `"answer": 3`), "There are only 2 answers.", true},
			{"", "", nil, whyArgs("drnk", `{}`), `There is no tool "drnk"; did you mean drink?`, true},
			{"", "", nil, whyArgs("why", `{}`), "why is the server's own; why explains tools of the knowledge base.", true},
			{"", "", nil, whyArgs("drink", `{}`), "The arguments do not fit the tool drink:\n" +
				"Person: missing, expected a string", true},
			{"", "", nil, `{"tool": "drink", "arguments": {"Person": "ann"}, "answer": 0}`,
				"The arguments do not fit the tool why:\nanswer: expected a number of at least 1, got the number 0", true},
			{"", "", nil, whyArgs("secret", `{"Word": "x"}`), "The tool secret gives no reasons.", true},
			{"vote", `{"Person": "ann"}`, []*mcp.ElicitResult{accept(`{"age": 20}`)}, whyArgs("vote", `{"Person": "ann"}`),
				"vote(ann)  [kb.pl:8]\n  citizen(ann)  [kb.pl:12]\n  age_of(ann, 20)  [kb.pl:9]\n", false},
			{"vote", `{"Person": "bob"}`, []*mcp.ElicitResult{accept(`{"age": 12}`)}, whyArgs("vote", `{"Person": "bob"}`),
				"no answer for vote(bob): age 12 is below 18 (A>=18) at kb.pl:8\n", false},
			{"", "", nil, whyArgs("vote", `{"Person": "carl"}`),
				"no answer for vote(carl): there is no fact `citizen(carl)`, asked for at kb.pl:8; " +
					"known instead of carl: ann, bob\n", false},
			{"", "", nil, whyArgs("vote", `{"Person": "ann"}`),
				"The explanation depends on a question that the user has not answered: How old is ann?", true},
			{"reach", `{"From": "a"}`, nil, whyArgs("reach", `{"From": "a"}`, `"node": "n1.7"`),
				"The proof has no node n1.7; its name must come from a proof of the same answer", true},
			{"", "", nil, whyArgs("reach", `{"From": "a"}`, `"node": "x"`),
				"The proof has no node x; its name must come from a proof of the same answer", true},
			{"", "", nil, whyArgs("drink", `{"Person": "bob"}`, `"rather_than": {"Drink": "wine"}`),
				"drink(bob, tea)  [kb.pl:15]\n  citizen(bob)  [kb.pl:12]\n" +
					"rather than that: no answer for drink(bob, wine): there", false},
			{"", "", nil, whyArgs("drink", `{"Person": "bob"}`, `"rather_than": {"Drnk": "wine"}`),
				"rather_than: the tool drink has no output \"Drnk\"", true},
			{"custom", `{"Person": "ann"}`, nil, whyArgs("custom", `{"Person": "ann"}`),
				"tool_call(custom, ['Person'-ann], text(ann))  [kb.pl:43]\n", false},
			{"", "", nil, whyArgs("custom", `{"Person": "zoe"}`),
				"no answer for tool_call(custom, ['Person'-zoe], text(zoe)): " +
					"there is no fact `citizen(zoe)`, asked for at kb.pl:43; known instead of zoe: ann, bob\n", false},
			{"", "", nil, whyArgs("tree", `{}`), "tree  [kb.pl:50]\n", false},
			{"", "", nil, whyArgs("large", `{}`), "large([1, 2, 3, ", false},
		} {
			t.Run(version+"/"+test.why, func(t *testing.T) {
				u := &user{answers: test.answers}
				s := NewServer(snapshot, nil)
				cs := connect(t, s, version, &mcp.ClientOptions{ElicitationHandler: u.answer})
				if test.tool != "" {
					bridgetest.CallTool(t, cs, test.tool, test.args)
				}
				asked := len(u.asked)
				r := bridgetest.CallTool(t, cs, "why", test.why)
				text := bridgetest.TextsOf(r)[0]
				require.Equal(t, test.want, text[:min(len(text), len(test.want))], text)
				require.Equal(t, test.wrong, r.IsError)
				require.Len(t, u.asked, asked, "an explanation asks nobody")
				require.Less(t, len(text), 6<<10)
			})
		}
	}
}

// TestWhyInstead asks why a call has no solutions: what there are solutions for is in the text and in the structured
// content.
func TestWhyInstead(t *testing.T) {
	snapshot := loadText(t, `
capabilities([explain]).
tools([hues/2]).
:- mode(hues(+atom, -atom), zero_or_more).
:- info(hues/2, [comment is 'Colours.', argnames is [thing, hue]]).
hues(sky, blue). hues(grass, green).
`)
	cs := connect(t, NewServer(snapshot, nil), "2025-11-25", nil)
	r := bridgetest.CallTool(t, cs, "why", whyArgs("hues", `{"thing": "sea"}`, `"nodes": true`))
	require.Contains(t, bridgetest.TextsOf(r)[0], `There are solutions for thing: "sky", "grass".`)
	raw, err := json.Marshal(r.StructuredContent)
	require.NoError(t, err)
	require.Contains(t, string(raw), `"instead":[{"name":"thing","values":["sky","grass"]}]`)
}

// TestNearestMiss fails calls; what their results say is found in a second run that leaves no trace.
func TestNearestMiss(t *testing.T) {
	var logged atomic.Int32
	o := &mcp.ClientOptions{LoggingMessageHandler: func(context.Context, *mcp.LoggingMessageRequest) { logged.Add(1) }}
	cs := connect(t, NewServer(loadText(t, whyRules), nil), "2025-11-25", o)
	require.NoError(t, cs.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: "debug"}))
	for _, test := range [][3]string{
		{"count", `{"Step": 4}`,
			"count failed: there is no solution.\nno answer for count(4): 4 is above 3 (M=<3) at kb.pl:24, as 4 is 0 + step 4"},
		{"count", `{"Step": 4}`,
			"count failed: there is no solution.\nno answer for count(4): 4 is above 3 (M=<3) at kb.pl:24, as 4 is 0 + step 4"},
		{"count", `{"Step": 3}`, "true"},
		{"secret", `{"Word": "x"}`, "secret failed: there is no solution."},
		{"custom", `{"Person": "zoe"}`, "custom failed: there is no solution.\n" +
			"no answer for tool_call(custom, ['Person'-zoe], text(zoe)): " +
			"there is no fact `citizen(zoe)`, asked for at kb.pl:43; known instead of zoe: ann, bob"},
		{"endless", `{"X": "x"}`, "endless failed: there is no solution.\n" +
			"no answer for endless(x): ready/1 has no clauses, asked for at kb.pl:28"},
	} {
		r := bridgetest.CallTool(t, cs, test[0], test[1])
		require.Equal(t, test[2], bridgetest.TextsOf(r)[0])
	}
	require.Eventually(t, func() bool { return logged.Load() >= 3 }, time.Minute, time.Millisecond)
	require.EqualValues(t, 3, logged.Load(), "explanations say nothing to the client")
}

// TestNearestMissTakesNoTime has a search for the nearest miss that does not end: only the line is missing then.
func TestNearestMissTakesNoTime(t *testing.T) {
	cs := connect(t, NewServer(loadText(t, `
tools([tool(slow, slow, 1)]).
:- info(slow/1, [comment is 'Fails at once, but not when it is explained.', argnames is ['N']]).
:- mode(slow(+integer), zero_or_one).
:- dynamic seen/0.
slow(N) :- N > 0, ( N > 1 -> p(N) ; q(N) ).
p(N) :- between(1, inf, X), X > N, !, X < N.
q(_) :- catch(call_with_inference_limit(spin, 1000, _), _, true), fail.
spin :- repeat, fail.
`), nil), "2025-11-25", nil)
	for range 3 {
		r := bridgetest.CallTool(t, cs, "slow", `{"N": 1}`)
		require.True(t, r.IsError)
		require.Contains(t, bridgetest.TextsOf(r)[0], "slow failed: there is no solution.")
	}
}

// TestResultsWithProofs reads the proofs that the results of a tool with explain(true) carry.
func TestResultsWithProofs(t *testing.T) {
	cs := connect(t, NewServer(loadText(t, whyRules), nil), "2025-11-25", nil)
	r := bridgetest.CallTool(t, cs, "drink", `{"Person": "ann"}`)
	raw, err := json.Marshal(r.Meta["mcplogic/why"])
	require.NoError(t, err)
	var proofs []engine.Proof
	require.NoError(t, json.Unmarshal(raw, &proofs))
	require.Len(t, proofs, 2)
	require.Equal(t, "drink(ann, tea)  [kb.pl:15]\n  citizen(ann)  [kb.pl:12]\n", proofs[0].Text)
	require.Equal(t, "drink(ann, water)  [kb.pl:16]\n", proofs[1].Text)
	require.Nil(t, bridgetest.CallTool(t, cs, "reach", `{"From": "a"}`).Meta["mcplogic/why"])
}

// TestWhyPage offers the page for hosts of MCP Apps with the tool, and the texts of clauses to those hosts alone.
func TestWhyPage(t *testing.T) {
	apps := &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}}
	apps.Capabilities.AddExtension("io.modelcontextprotocol/ui", map[string]any{"mimeTypes": []string{why.MIMEApp}})
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		s := NewServer(loadText(t, whyRules), nil)
		cs := connect(t, s, version, apps)
		require.Contains(t, cs.InitializeResult().Capabilities.Extensions, "io.modelcontextprotocol/ui")
		for tool, err := range cs.Tools(t.Context(), nil) {
			require.NoError(t, err)
			want := "null"
			if tool.Name == "why" {
				want = `{"ui": {"resourceUri": "ui://mcplogic/why"}}`
			}
			require.JSONEq(t, want, jsonOf(t, tool.Meta), tool.Name)
		}
		read, err := cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "ui://mcplogic/why"})
		require.NoError(t, err)
		require.Equal(t, why.MIMEApp, read.Contents[0].MIMEType)
		require.Contains(t, read.Contents[0].Text, `<script id="data" type="application/json">null</script>`)

		drinks := whyArgs("drink", `{"Person": "ann"}`)
		want := `{"kb.pl:12": "citizen(ann).", "kb.pl:15": "drink(P, tea) :- citizen(P)."}`
		require.JSONEq(t, want, jsonOf(t, bridgetest.CallTool(t, cs, "why", drinks).Meta[why.MetaClauses]))
		votes := whyArgs("vote", `{"Person": "carl"}`)
		want = `{"kb.pl:8": "vote(P) :- citizen(P), age_of(P, A), A >= 18."}`
		require.JSONEq(t, want, jsonOf(t, bridgetest.CallTool(t, cs, "why", votes).Meta[why.MetaClauses]))
		plain := connect(t, s, version, nil)
		require.NotContains(t, bridgetest.CallTool(t, plain, "why", drinks).Meta, why.MetaClauses)

		s.Sync(loadText(t, oneTool)) // nobody asks why there
		_, err = cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "ui://mcplogic/why"})
		require.ErrorContains(t, err, "not found")
		s.Sync(loadText(t, whyRules+`
resources([resource('ui://mcplogic/why', own, 'Our own page.', 'text/html;profile=mcp-app')]).
resource_read(U, _, contents([text_content(U, 'text/html;profile=mcp-app', own)])).
`))
		read, err = cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "ui://mcplogic/why"})
		require.NoError(t, err)
		require.Equal(t, "own", read.Contents[0].Text)
	}
}

// TestWhyAsItWas asks about calls after others have changed their facts.
func TestWhyAsItWas(t *testing.T) {
	const text = `
capabilities([explain]).
tools([tool(stock, stock, 2), tool(sell, sell, 1)]).
:- info(stock/2, [comment is 'What is there.', argnames is ['Item', 'Count']]).
:- mode(stock(+atom, -integer), zero_or_one).
:- info(sell/1, [comment is 'Sells one.', argnames is ['Item']]).
:- mode(sell(+atom), zero_or_one).
:- dynamic have/2.
have(bread, 2).
stock(I, N) :- have(I, N).
sell(I) :- retract(have(I, N)), N > 0, M is N-1, assertz(have(I, M)).
`
	cs := connect(t, NewServer(loadText(t, text), &Options{ExplainKeep: 2}), "2025-11-25", nil)
	call := func(tool, args string) string { return bridgetest.TextsOf(bridgetest.CallTool(t, cs, tool, args))[0] }
	const bread = `{"Item": "bread"}`
	why := func(tool string) string { return call("why", whyArgs(tool, bread)) }
	const changed = "These are the facts as they were when the call was answered. Facts have changed since.\n"
	const gone = "These are the facts as they are now. Those that the call saw are not kept any more.\n"

	require.Equal(t, "stock(bread, 2)  [kb.pl:10]\n  have(bread, 2)  [kb.pl:9]\n", why("stock"), "nobody has called it")
	require.Equal(t, "Count: 2", call("stock", bread))
	require.Equal(t, "stock(bread, 2)  [kb.pl:10]\n  have(bread, 2)  [kb.pl:9]\n", why("stock"))
	require.Equal(t, "true", call("sell", bread))
	require.Equal(t, "stock(bread, 2)  [kb.pl:10]\n  have(bread, 2)  [kb.pl:9]\n"+changed, why("stock"))
	require.Contains(t, why("sell"), "2 is above 0", "the call saw two")
	require.Equal(t, "true", call("sell", bread))
	require.Equal(t, "stock(bread, 2)  [kb.pl:10]\n  have(bread, 2)  [kb.pl:9]\n"+changed, why("stock"))
	require.Contains(t, why("sell"), "1 is above 0", "the last of two calls")
	require.Contains(t, call("sell", bread), "sell failed")
	require.Contains(t, why("sell"), "0>0")
	require.Contains(t, call("sell", `{"Item": "wine"}`), "sell failed")
	require.Equal(t, "stock(bread, 0)  [kb.pl:10]\n  have(bread, 0)  [asserted]\n"+gone, why("stock"))
	for i := range 20 {
		call("stock", fmt.Sprintf(`{"Item": "x%d"}`, i))
	}
	require.Equal(t, "stock(bread, 0)  [kb.pl:10]\n  have(bread, 0)  [asserted]\n", why("stock"), "long forgotten")
}

// TestWhyTellsOrigins names who asserted a persistent fact.
func TestWhyTellsOrigins(t *testing.T) {
	file := filepath.Join(t.TempDir(), "kb.pl")
	require.NoError(t, os.WriteFile(file, []byte(`
capabilities([explain]).
tools([tool(order, order, 1), tool(open, open, 1)]).
:- info(order/1, [comment is 'Orders.', argnames is ['Item']]).
:- mode(order(+atom), one).
:- info(open/1, [comment is 'Whether it is ordered.', argnames is ['Item']]).
:- mode(open(+atom), zero_or_one).
:- persistent(ordered/1).
order(I) :- assertz(ordered(I)).
open(I) :- ordered(I).
`), 0o644))
	store, err := kb.OpenStore("file:"+t.TempDir(), nil)
	require.NoError(t, err)
	defer store.Close()
	base, err := kb.Open(t.Context(), []string{file}, &kb.Options{Predicates: Predicates(), Store: store})
	require.NoError(t, err)
	s := NewServer(base.Snapshot(), nil)
	defer s.Close()
	defer s.Follow(t.Context(), base, nil)()
	cs := connect(t, s, "2025-11-25", nil)
	bridgetest.CallTool(t, cs, "order", `{"Item": "bread"}`)
	r := bridgetest.CallTool(t, cs, "why", whyArgs("open", `{"Item": "bread"}`))
	require.Regexp(t, `^open\(bread\)  \[kb.pl:10\]\n  ordered\(bread\)  `+
		`\[asserted on \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\]\n$`,
		bridgetest.TextsOf(r)[0])
}

// TestWhyAfterReload explains a call whose facts a reload has changed: the explanation is of the new ones.
func TestWhyAfterReload(t *testing.T) {
	s := NewServer(loadText(t, whyRules), nil)
	cs := connect(t, s, "2025-11-25", nil)
	bridgetest.CallTool(t, cs, "reach", `{"From": "a"}`)
	s.Sync(loadText(t, whyRules+"edge(b, d).\n"))
	r := bridgetest.CallTool(t, cs, "why", whyArgs("reach", `{"From": "a"}`, `"answer": 2`))
	require.Contains(t, bridgetest.TextsOf(r)[0], "[kb.pl:")
	require.Contains(t, bridgetest.TextsOf(r)[0],
		"These are the facts as they are now. Those that the call saw are not kept any more.\n")
	require.False(t, r.IsError)
}

// TestWhyAsCalled explains calls of tools as they were made, with outputs and arguments that the call leaves out: the
// tool why and the proofs in results say the same.
func TestWhyAsCalled(t *testing.T) {
	cs := connect(t, NewServer(loadText(t, `
capabilities([explain]).
tools([tool(rate, rate, 2, [explain(true)]), tool(status, status, 2, [explain(true)]),
       tool(price, price, 3, [explain(true)]), tool(fee, fee, 3, [explain(true)])]).
:- mode(rate(+atom, -integer), zero_or_one).
:- info(rate/2, [comment is 'The rate.', argnames is [kind, percent]]).
special(food, 7).
rate(C, R) :- ( special(C, R) -> true ; R = 19 ).
:- mode(status(+atom, -atom), zero_or_one).
:- info(status/2, [comment is 'The status.', argnames is [person, status]]).
active(ann). person(ann). person(cid).
status(P, S) :- person(P), ( S = active, active(P) -> true ; S = inactive ).
:- mode(price(+atom, ?atom, -integer), zero_or_one).
:- info(price/3, [comment is 'The price.', argnames is [item, colour, euro]]).
price(I, C, P) :- base(I, B), ( nonvar(C), extra(C, E) -> P is B + E ; C = any, P = B ).
base(lamp, 10). extra(red, 5).
:- mode(fee(+atom, ?atom, -integer), zero_or_one).
:- info(fee/3, [comment is 'The fee.', argnames is [person, cause, euro]]).
fee(P, Cause, 25) :- person(P), \+ excuse(Cause).
excuse(weather).
`), nil), "2025-11-25", nil)
	for _, test := range [][3]string{
		{"rate", `{"kind": "book"}`,
			"rate(book, 19)  [kb.pl:8]\n  not special(book, _)  (there is no fact `special(book, _)`)\n"},
		{"status", `{"person": "cid"}`, "status(cid, inactive)  [kb.pl:12]\n  person(cid)  [kb.pl:11]\n" +
			"  not (S=active, active(cid))  (there is no fact `active(cid)`)\n"},
		{"price", `{"item": "lamp"}`, "price(lamp, any, 10)  [kb.pl:15]\n  base(lamp, 10)  [kb.pl:16]\n" +
			"  not (C has a value, extra(C, _))  (C has no value yet)\n"},
		{"price", `{"item": "lamp", "colour": "red"}`, "price(lamp, red, 15)  [kb.pl:15]\n" +
			"  base(lamp, 10)  [kb.pl:16]\n  red has a value\n  extra(red, 5)  [kb.pl:16]\n  euro 15 is base 10 + extra 5\n"},
		{"fee", `{"person": "ann"}`, "no answer for fee(ann, _, 25): it was asked without a value for cause, and " +
			"`excuse(weather)` holds, which rules it out at kb.pl:19\n"},
		{"fee", `{"person": "ann", "cause": "strike"}`, "fee(ann, strike, 25)  [kb.pl:19]\n  person(ann)  [kb.pl:11]\n" +
			"  not excuse(strike)  (there is no fact `excuse(strike)`)\n"},
	} {
		r := bridgetest.CallTool(t, cs, test[0], test[1])
		text := bridgetest.TextsOf(bridgetest.CallTool(t, cs, "why", whyArgs(test[0], test[1])))[0]
		require.Equal(t, test[2], text[:min(len(text), len(test[2]))], text)
		if r.IsError {
			require.Contains(t, bridgetest.TextsOf(r)[0], strings.TrimSuffix(test[2], "\n"))
			continue
		}
		var proofs []engine.Proof
		require.NoError(t, json.Unmarshal([]byte(jsonOf(t, r.Meta["mcplogic/why"])), &proofs))
		require.Equal(t, text, proofs[0].Text)
	}
}

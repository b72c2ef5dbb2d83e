package bridge

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/bridgetest"
	"github.com/mcplogic/mcplogic/tools/wiretest"
)

// TestUndecided asks somebody who is not there. Whatever leans on that is not decided: the result says what has to be
// asked, the model asks, and the call comes to what the answers say.
func TestUndecided(t *testing.T) {
	never := func(ctx context.Context, _ *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	says := func(r *mcp.ElicitResult) func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		return func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) { return r, nil }
	}
	for _, version := range []string{"2025-06-18", "2025-11-25", "2026-07-28"} {
		for _, tool := range []string{"earns", "poor", "every", "none", "tabled", "thrown", "later", "bound", "pair", "typed",
			"mine", "refuses", "behind", "turned"} {
			for how, ask := range map[string]func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error){
				"cancel": says(cancel), "never": never} {
				if version == "2026-07-28" && how == "never" {
					continue // such a client does not come back
				}
				t.Run(fmt.Sprint(version, "/", tool, "/", how), func(t *testing.T) {
					s := NewServer(load(t, "testdata/kb/leaning.pl"), &Options{AskTime: 20 * time.Millisecond})
					cs := connect(t, s, version, &mcp.ClientOptions{ElicitationHandler: ask}, unchecked)
					require.Contains(t, toolNames(t, cs), "answer", "some clients never read the list again")
					r := bridgetest.CallTool(t, cs, tool, argumentsOf(tool))
					require.True(t, r.IsError)
					require.Equal(t, "undecided", r.Meta["mcplogic/code"])
					open := r.StructuredContent.(map[string]any)["undecided"].([]any)
					require.Equal(t, "a", open[0].(map[string]any)["question"])
					require.Contains(t, open[0].(map[string]any)["schema"], "properties")
					require.Contains(t, toolNames(t, cs), "answer")
				})
			}
		}
	}
}

func argumentsOf(tool string) string {
	switch tool {
	case "none", "later", "own":
		return ""
	}
	return `{"who": "a"}`
}

func toolNames(t *testing.T, cs *mcp.ClientSession) (names []string) {
	list, err := cs.ListTools(context.Background(), nil)
	require.NoError(t, err)
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	return names
}

// TestUndecidedGoesOn lets the model answer what its user has cancelled, and has users who decline, and rules that heed
// a cancelled question.
func TestUndecidedGoesOn(t *testing.T) {
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		for _, test := range []struct {
			tool    string
			answers []string
			text    string
			failed  bool
		}{
			{"earns", []string{`{"income": 9001}`}, "true", false},
			{"earns", []string{`9000`}, "earns failed", true},
			{"poor", []string{`{"income": "9000"}`}, "true", false},
			{"none", []string{`{"income": 1}`, `{"income": 9999}`}, "who: a", false},
			{"tabled", []string{`{"income": 1}`}, "true", false},
			{"later", []string{`{"income": 1}`, `{"income": 9999}`}, "who: first\n\nwho: b", false},
			{"typed", []string{`{"value": "5"}`}, "true", false},
			{"typed", []string{`5000000`}, "typed failed", true},
		} {
			t.Run(fmt.Sprint(version, test.tool, test.answers), func(t *testing.T) {
				u := &user{answers: []*mcp.ElicitResult{cancel}}
				cs := connect(t, NewServer(load(t, "testdata/kb/leaning.pl"), nil), version,
					&mcp.ClientOptions{ElicitationHandler: u.answer})
				r := bridgetest.CallTool(t, cs, test.tool, argumentsOf(test.tool))
				for _, answer := range test.answers {
					token := r.StructuredContent.(map[string]any)["token"].(string)
					r = bridgetest.CallTool(t, cs, "answer", fmt.Sprintf(`{"token": %q, "answer": %s}`, token, answer))
				}
				require.Contains(t, bridgetest.TextsOf(r)[0], test.text)
				require.Equal(t, test.failed, r.IsError)
				require.Len(t, u.asked, 1)
			})
		}
		for _, test := range []struct {
			tool, text string
			answer     *mcp.ElicitResult
		}{{"poor", "true", decline}, {"typed", "true", decline}, {"earns", "earns failed", decline},
			{"own", "who: cancel", cancel}, {"own", "who: decline", decline}} {
			cs := connect(t, NewServer(load(t, "testdata/kb/leaning.pl"), nil), version,
				&mcp.ClientOptions{ElicitationHandler: (&user{answers: []*mcp.ElicitResult{test.answer}}).answer})
			r := bridgetest.CallTool(t, cs, test.tool, argumentsOf(test.tool))
			require.Contains(t, bridgetest.TextsOf(r)[0], test.text)
		}
	}
}

// TestBareAccept has a client that cannot show fields for numbers: its user agrees to a form, which comes back empty.
// It is asked for a text, and if that does not help the model is, for the rest of the session.
func TestBareAccept(t *testing.T) {
	empty := &mcp.ElicitResult{Action: "accept"}
	var kinds []any
	u := &user{answers: []*mcp.ElicitResult{empty, accept(`{"income": "9007199254740993"}`), empty}}
	ask := func(ctx context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		return u.answer(ctx, req)
	}
	noting := func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if elicit, ok := req.(*mcp.ElicitRequest); ok {
				form := elicit.Params.RequestedSchema.(map[string]any)["properties"].(map[string]any)
				kinds = append(kinds, form["income"].(map[string]any)["type"])
			}
			return unchecked(next)(ctx, method, req)
		}
	}
	s := NewServer(load(t, "testdata/kb/leaning.pl"), nil)
	cs := connect(t, s, "2025-11-25", &mcp.ClientOptions{ElicitationHandler: ask}, noting)
	require.Equal(t, []string{"true"}, bridgetest.TextsOf(bridgetest.CallTool(t, cs, "earns", `{"who": "a"}`)))
	require.Equal(t, []any{"integer", "string"}, kinds)
	for range 2 {
		r := bridgetest.CallTool(t, cs, "poor", `{"who": "a"}`)
		require.Equal(t, []any{"integer", "string", "string"}, kinds, "the model asks from now on")
		require.Contains(t, toolNames(t, cs), "answer")
		r = bridgetest.CallTool(t, cs, "answer", `{"token": "`+tokenOf(t, r)+`", "answer": {"income": 9001}}`)
		require.Contains(t, bridgetest.TextsOf(r)[0], "poor failed")
	}

	byHand := byHand(t, NewServer(load(t, "testdata/kb/leaning.pl"), nil))
	r := mustCall(t, byHand, &mcp.CallToolParams{Name: "earns", Arguments: map[string]any{"who": "a"}})
	for _, want := range []string{"integer", "string"} {
		form := r.InputRequests["q1"].(*mcp.ElicitParams).RequestedSchema.(map[string]any)["properties"].(map[string]any)
		require.Equal(t, want, form["income"].(map[string]any)["type"])
		r = mustCall(t, byHand, &mcp.CallToolParams{Name: "earns", Arguments: map[string]any{"who": "a"},
			RequestState: r.RequestState, InputResponses: mcp.InputResponseMap{"q1": empty}})
	}
	r = bridgetest.CallTool(t, byHand, "answer", `{"token": "`+tokenOf(t, r)+`", "answer": {"income": 9001}}`)
	require.Equal(t, []string{"true"}, bridgetest.TextsOf(r))
}

// TestServedGoal has goals that look for a person at the terminal, where there is none, and take texts for numbers.
func TestServedGoal(t *testing.T) {
	for goal, want := range map[string]string{
		"read(X)":                                       "permission_error",
		"read_term(user_input, X, [])":                  "permission_error",
		"\\+ get_char(X)":                               "permission_error",
		"forall(peek_char(X), fail)":                    "permission_error",
		"at_end_of_stream, X = 1":                       "permission_error",
		"see(user), read(X)":                            "permission_error",
		"read_line_to_string(user_input, X)":            "permission_error",
		"read_term(X, []), X == end_of_file":            "permission_error",
		"open_string(\"a.\", S), read(S, X)":            "",
		"open_string(\"a.\", S), set_input(S), read(X)": "",
		"X is \"3\" + 1":                                "a text; convert it",
		"X is \"25\" + 1":                               "a text; convert it",
		"X = \"3\", X > 2":                              "a text; convert it",
		"X is 0'a":                                      "",
		"number_string(N, \"3\"), X is N + 1":           "",
		"X is [0'a]":                                    "",
	} {
		text := "tools([tool(t, t, 1)]).\n:- mode(t(-term), one).\n:- info(t/1, [comment is 'Reads.', argnames is [x]]).\n" +
			"t(X) :- " + goal + ".\n"
		cs := connect(t, NewServer(loadText(t, text), nil), "2025-11-25", nil)
		r := bridgetest.CallTool(t, cs, "t", "")
		told := strings.Join(bridgetest.TextsOf(r), "\n")
		require.Equal(t, want != "", r.IsError, "%s: %s", goal, told)
		if want == "permission_error" {
			require.Equal(t, want, r.Meta["mcplogic/code"], goal)
			require.Contains(t, told, "There is nothing to read from user_input")
		} else if want != "" {
			require.Contains(t, told, want, goal)
		}
	}
}

// TestLoansWithoutAPerson has the loans example ask agents that run alone: they cancel, decline, or take no questions.
func TestLoansWithoutAPerson(t *testing.T) {
	for _, version := range []string{"2025-06-18", "2025-11-25", "2026-07-28"} {
		for _, answer := range []*mcp.ElicitResult{cancel, decline, nil} {
			asked := &mcp.ClientOptions{}
			if answer != nil {
				asked.ElicitationHandler = (&user{answers: []*mcp.ElicitResult{answer}}).answer
			}
			cs := connect(t, NewServer(load(t, "../examples/loans"), nil), version, asked)
			r := bridgetest.CallTool(t, cs, "eligible", `{"Person": "dan"}`)
			for _, action := range []string{"cancel", "decline"} {
				if answer == nil { // the model has the question, and nobody to put it to
					require.False(t, r.IsError)
					r = bridgetest.CallTool(t, cs, "answer", fmt.Sprintf(`{"token": %q, "action": %q}`, tokenOf(t, r), action))
				}
				require.True(t, r.IsError)
				require.Equal(t, "undecided", r.Meta["mcplogic/code"])
				if answer == nil && action == "cancel" {
					r = bridgetest.CallTool(t, cs, "eligible", `{"Person": "dan"}`)
				}
			}
			told := r.StructuredContent.(map[string]any)
			require.Contains(t, fmt.Sprint(told["undecided"]), "question:What does this person earn in a year: dan")
			r = bridgetest.CallTool(t, cs, "answer", fmt.Sprintf(`{"token": %q, "answer": {"income": 20000}}`, told["token"]))
			require.Equal(t, []string{"Product: starter"}, bridgetest.TextsOf(r))
		}
	}
}

// TestMissingValue leaves out the solutions in which a value is missing, over several pages too.
func TestMissingValue(t *testing.T) {
	const text = `tools([tool(emp, emp, 2)]).
:- mode(emp(-atom, -integer), zero_or_more).
:- info(emp/2, [comment is 'Ages.', argnames is [who, age]]).
emp(ann, 36). emp(bob, null). emp(carl, 1915883588174806058).
`
	for _, size := range []int{1000, 1} {
		s := NewServer(loadText(t, text), &Options{MaxText: size})
		cs := connect(t, s, "2025-11-25", nil)
		arguments, found, notes := "", "", ""
		for {
			r := bridgetest.CallTool(t, cs, "emp", "{"+arguments+"}")
			told := r.StructuredContent.(map[string]any)
			for _, one := range told["solutions"].([]any) {
				found += fmt.Sprint(one)
			}
			notes += fmt.Sprint(told["note"])
			if told["cursor"] == nil {
				break
			}
			arguments = fmt.Sprintf(`"cursor": %q`, told["cursor"])
		}
		require.Equal(t, "map[age:36 who:ann]map[age:1915883588174806058 who:carl]", found)
		require.Contains(t, notes, `Solution 2 was left out: age: expected an integer, got "null"`)
	}
}

// TestURICase reads resources whose scheme, host and drive the client has changed to small letters, which is allowed.
func TestURICase(t *testing.T) {
	const text = `resources([resource('KBInfo://Summary', s, 'One.', 'text/plain')]).
resource_templates([resource_template('File:///C:/{name}', f, 'Several.', 'text/plain'),
    resource_template('KBase://{path}', b, 'Any.', 'text/plain'),
    resource_template('Doc://Host{n}/{path}', d, 'Others.', 'text/plain')]).
resource_read(URI, _, contents([text_content(URI, 'text/plain', URI)])).
`
	cs := connect(t, NewServer(loadText(t, text), nil), "2025-11-25", nil)
	for uri, want := range map[string]string{
		"KBInfo://Summary": "KBInfo://Summary", "kbinfo://summary": "KBInfo://Summary",
		"KBINFO://summary": "KBInfo://Summary", "file:///C:/x": "File:///C:/x",
		"kbase://Ab": "KBase://Ab", "KBASE://a": "KBase://a", "doc://host1/x": "Doc://Host1/x", "kbase:/a": "",
		"kbinfo://summary/x": "", "file:///c:/x": "File:///C:/x", "file:///c:/X": "File:///C:/X",
	} {
		r, err := cs.ReadResource(context.Background(), &mcp.ReadResourceParams{URI: uri})
		if want == "" {
			require.Error(t, err, uri)
			continue
		}
		require.NoError(t, err, uri)
		require.Equal(t, want, r.Contents[0].URI)
	}
}

// TestWiderTemplate names the expression with which a template would have matched a URI.
func TestWiderTemplate(t *testing.T) {
	const text = `resource_templates([resource_template('kb://{path}', f, 'Several.', 'text/plain'),
    resource_template('doc://x/{a}/{b}', d, 'Others.', 'text/plain')]).
resource_read(URI, _, contents([text_content(URI, 'text/plain', URI)])).
`
	cs := connect(t, NewServer(loadText(t, text), nil), "2025-11-25", nil)
	for uri, want := range map[string]string{"kb://a/b/c": `did you mean "kb://{+path}"?`,
		"doc://x/a/b/c": `did you mean "doc://x/{+a}/{+b}"?`, "other://a/b": ""} {
		_, err := cs.ReadResource(context.Background(), &mcp.ReadResourceParams{URI: uri})
		require.Error(t, err, uri)
		require.Contains(t, err.Error(), want)
		require.Equal(t, want != "", strings.Contains(err.Error(), "{+"), err.Error())
	}
	_, err := cs.ReadResource(context.Background(), &mcp.ReadResourceParams{URI: "kb://a"})
	require.NoError(t, err)
}

// TestProgressTokens refuses tokens that are neither texts nor numbers.
func TestProgressTokens(t *testing.T) {
	cs := connect(t, NewServer(loadText(t, "tools([tool(t, t, 1)]).\n:- mode(t(-atom), one).\nt(a).\n"), nil),
		"2025-11-25", nil)
	for _, token := range []any{"p", "", 7, 7.0, true, []any{1}, map[string]any{"a": 1}} {
		_, err := cs.CallTool(context.Background(), &mcp.CallToolParams{Name: "t", Meta: mcp.Meta{"progressToken": token}})
		switch token.(type) {
		case string, int, float64:
			require.NoError(t, err, token)
		default:
			require.ErrorContains(t, err, "the progress token is to be a string or an integer", token)
		}
	}
}

// TestHintsBesideReadOnly leaves out of what is sent the hints that mean nothing for a tool which only reads.
func TestHintsBesideReadOnly(t *testing.T) {
	const text = `tools([tool(r, t, 1, [read_only(true), idempotent(true), destructive(false)]),
    tool(w, t, 1, [read_only(false), idempotent(true), destructive(false)])]).
:- mode(t(-atom), one).
t(a).
`
	path := filepath.Join(t.TempDir(), "kb.pl")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	in := wiretest.InitializeLine("2025-11-25") + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" +
		`{"jsonrpc":"2.0","id":1,"method":"tools/list"}` + "\n"
	var out bytes.Buffer
	require.NoError(t, Serve(t.Context(), openBase(t, path), strings.NewReader(in), &out, nil, nil))
	_, list, _ := strings.Cut(out.String(), `"tools":[`)
	require.Equal(t, 1, strings.Count(list, `"idempotentHint"`), list)
	require.Equal(t, 1, strings.Count(list, `"destructiveHint"`), list)
	require.Contains(t, list, `"readOnlyHint":true`)
}

// TestUndecidedIsNotCaught keeps a call undecided whose goal says so, whatever takes all errors around it. A goal that
// names the error treats it.
func TestUndecidedIsNotCaught(t *testing.T) {
	t.Parallel()
	for goal, want := range map[string]string{
		"lean":                                                   "undecided",
		"catch(lean, _, true)":                                   "undecided",
		"catch(lean, E, true), nonvar(E)":                        "undecided",
		"catch(lean, error(_, _), true)":                         "undecided",
		"catch(lean, _, fail)":                                   "undecided",
		"\\+ catch(lean, _, fail)":                               "undecided",
		"catch_with_backtrace(lean, _, true)":                    "undecided",
		"catch(ignore(lean), _, true)":                           "undecided",
		"findall(x, catch(lean, _, true), L), L = [_]":           "undecided",
		"forall(member(_, [1, 2]), catch(lean, _, true))":        "undecided",
		"( catch(lean, _, fail) -> true ; true )":                "undecided",
		"catch(findall(x, lean, _), _, true)":                    "undecided",
		"catch(catch(lean, _, throw(mine)), mine, true)":         "undecided",
		"catch(setup_call_cleanup(true, lean, true), _, true)":   "undecided",
		"catch(call_with_time_limit(9, lean), _, true)":          "undecided",
		"catch(lean, error(mcp_error(undecided, _), _), true)":   "true",
		"catch(lean, error(mcp_error(C, _), _), C == undecided)": "true",
		"catch(lean, error(mcp_error(undecided, _), _), fail)":   "undecided",
		"catch(throw(mine), _, true)":                            "true",
		"declined":                                               "true",
	} {
		u := &user{answers: []*mcp.ElicitResult{decline}}
		cs := connect(t, NewServer(loadText(t, `capabilities([elicitation]).
tools([tool(t, t, 0)]).
:- mode(t, zero_or_one).
:- info(t/0, [comment is 'Tries.']).
lean :- mcp_elicit(a, {type-object, properties-{x-{type-integer}}}, A), ( A = accept(_) -> true ; mcp_undecided ).
declined :- mcp_elicit(a, {type-object, properties-{x-{type-integer}}}, decline).
t :- `+goal+".\n"), nil), "2025-11-25", &mcp.ClientOptions{ElicitationHandler: u.answer})
		r := bridgetest.CallTool(t, cs, "t", "")
		if want == "undecided" {
			require.Equal(t, want, r.Meta["mcplogic/code"], "%s: %v", goal, bridgetest.TextsOf(r))
			open := r.StructuredContent.(map[string]any)["undecided"].([]any)
			require.Equal(t, "a", open[0].(map[string]any)["question"], goal)
			continue
		}
		require.Contains(t, bridgetest.TextsOf(r)[0], want, goal)
	}
}

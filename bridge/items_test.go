package bridge

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/internal/wire"
	"github.com/mcplogic/mcplogic/tools/bridgetest"
	"github.com/mcplogic/mcplogic/tools/wiretest"
)

// listener is a client that hears what changes.
type listener struct {
	*mcp.ClientSession
	heard chan string
}

func listen(t *testing.T, s *Server, version string) *listener {
	t.Helper()
	l := &listener{heard: make(chan string, 1000)}
	l.ClientSession = connect(t, s, version, &mcp.ClientOptions{
		ToolListChangedHandler:     func(context.Context, *mcp.ToolListChangedRequest) { l.heard <- "tools" },
		PromptListChangedHandler:   func(context.Context, *mcp.PromptListChangedRequest) { l.heard <- "prompts" },
		ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) { l.heard <- "resources" },
		ResourceUpdatedHandler: func(_ context.Context, req *mcp.ResourceUpdatedNotificationRequest) {
			l.heard <- req.Params.URI
		},
	})
	return l
}

// offerItem calls the tool offer with an item.
func offerItem(t *testing.T, cs *mcp.ClientSession, item string) *mcp.CallToolResult {
	t.Helper()
	args, err := json.Marshal(map[string]string{"item": item})
	require.NoError(t, err)
	return bridgetest.CallTool(t, cs, "offer", string(args))
}

func withdrawItem(t *testing.T, cs *mcp.ClientSession, kind, name string) *mcp.CallToolResult {
	t.Helper()
	args, err := json.Marshal(map[string]string{"kind": kind, "name": name})
	require.NoError(t, err)
	return bridgetest.CallTool(t, cs, "withdraw", string(args))
}

// listAll returns the names of all items, sorted.
func listAll(t *testing.T, cs *mcp.ClientSession) []string {
	t.Helper()
	var names []string
	for tool, err := range cs.Tools(context.Background(), nil) {
		require.NoError(t, err)
		names = append(names, "tool "+tool.Name)
	}
	for p, err := range cs.Prompts(context.Background(), nil) {
		require.NoError(t, err)
		names = append(names, "prompt "+p.Name)
	}
	for r, err := range cs.Resources(context.Background(), nil) {
		require.NoError(t, err)
		names = append(names, "resource "+r.URI)
	}
	for r, err := range cs.ResourceTemplates(context.Background(), nil) {
		require.NoError(t, err)
		names = append(names, "template "+r.URITemplate)
	}
	slices.Sort(names)
	return names
}

// TestAddAndRemove adds items of each kind, uses them and removes them.
func TestAddAndRemove(t *testing.T) {
	ctx := context.Background()
	eachVersion(t, func(t *testing.T, version string) {
		cs := listen(t, NewServer(load(t, "testdata/kb/offers.pl"), nil), version)
		before := listAll(t, cs.ClientSession)
		for _, test := range []struct{ item, name, hears string }{
			{"tool(triple, triple, 2, [title('Triple'), read_only(true)])", "tool triple", "tools"},
			{"prompt(second, 'Another prompt', [])", "prompt second", "prompts"},
			{"resource('x://other', other, 'Another resource', 'text/plain')", "resource x://other", "resources"},
			{"resource_template('x://part/{part}', part, 'Another template', 'text/plain')", "template x://part/{part}",
				"resources"},
		} {
			require.Equal(t, []string{"true"}, bridgetest.TextsOf(offerItem(t, cs.ClientSession, test.item)))
			require.Equal(t, test.hears, receive(t, cs.heard))
			require.Contains(t, listAll(t, cs.ClientSession), test.name)
		}
		require.Equal(t, []string{"result: 21"},
			bridgetest.TextsOf(bridgetest.CallTool(t, cs.ClientSession, "triple", `{"n": 7}`)))
		prompt, err := cs.GetPrompt(ctx, &mcp.GetPromptParams{Name: "second"})
		require.NoError(t, err)
		require.Equal(t, "second", prompt.Messages[0].Content.(*mcp.TextContent).Text)
		for uri, want := range map[string]string{"x://other": "0-[]", "x://part/7": "0-[part-'7']"} {
			read, err := cs.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
			require.NoError(t, err)
			require.Equal(t, want, read.Contents[0].Text)
		}
		for _, item := range [][2]string{{"tool", "triple"}, {"prompt", "second"}, {"resource", "x://other"},
			{"resource_template", "x://part/{part}"}} {
			require.Equal(t, []string{"true"}, bridgetest.TextsOf(withdrawItem(t, cs.ClientSession, item[0], item[1])))
			receive(t, cs.heard)
		}
		require.Equal(t, before, listAll(t, cs.ClientSession))
		_, err = cs.CallTool(ctx, &mcp.CallToolParams{Name: "triple"})
		requireCode(t, err, jsonrpc.CodeInvalidParams, "triple")
	})
}

// TestItemErrors adds and removes what cannot be.
func TestItemErrors(t *testing.T) {
	cs := connect(t, NewServer(load(t, "testdata/kb/offers.pl"), nil), "2025-11-25", nil)
	before := listAll(t, cs)
	for item, want := range map[string]string{
		"tool(fixed, triple, 2)":                            "tool fixed is already declared",
		"tool('no good', fixed, 0)":                         "want 1 to 128 of",
		"tool(x, nothing, 0)":                               "tool x: nothing/0 is not defined",
		"tool(x, fixed, 0, [colour(red)])":                  "",
		"tool(x, fixed, 0, [timeout(no)])":                  "tool x: option timeout: got no",
		"tool(x, fixed, 0, [icons([icon('ftp://x')])])":     "want a URL with https, http or data",
		"tool(x, fixed, 0, [input_schema({type-nothing})])": "not a JSON Schema",
		"tool(x)":                    "want tool(Name, Functor, Arity)",
		"prompt(first, 'Again', [])": "prompt first is already declared",
		"resource('no uri', x, '', 'text/plain')":             "the URI has no scheme",
		"resource_template('x://plain', x, '', 'text/plain')": "the template has no variables",
		"nowhere:tool(x, fixed, 0)":                           "existence_error(module,nowhere)",
		"other(x)":                                            "type_error(tool,other(x))",
	} {
		r := offerItem(t, cs, item)
		if want == "" {
			require.Equal(t, []string{"true"}, bridgetest.TextsOf(r), "only a warning: %s", item)
			require.Equal(t, []string{"true"}, bridgetest.TextsOf(withdrawItem(t, cs, "tool", "x")))
			continue
		}
		require.True(t, r.IsError, item)
		require.Contains(t, bridgetest.TextsOf(r)[0], want, item)
	}
	for _, kind := range []string{"tool", "prompt", "resource", "resource_template"} {
		r := withdrawItem(t, cs, kind, "nothing")
		require.True(t, r.IsError)
		require.Contains(t, bridgetest.TextsOf(r)[0], "existence_error(mcp_"+kind+",nothing)")
	}
	require.Equal(t, before, listAll(t, cs))
}

// TestRemoveBusy removes tools that run, that wait for an answer, and themselves.
func TestRemoveBusy(t *testing.T) {
	cs := connect(t, NewServer(load(t, "testdata/kb/offers.pl"), nil), "2025-11-25", nil)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = cs.CallTool(context.Background(), &mcp.CallToolParams{Name: "sleepy"})
	}()
	busy := func(name string) bool {
		r := withdrawItem(t, cs, "tool", name)
		return r.IsError && strings.Contains(bridgetest.TextsOf(r)[0],
			"The tool "+name+" is running; try again when it is done")
	}
	require.Eventually(t, func() bool { return busy("sleepy") || !slices.Contains(listAll(t, cs), "tool sleepy") },
		wiretest.Patience, time.Millisecond)
	<-done
	if slices.Contains(listAll(t, cs), "tool sleepy") {
		require.Equal(t, []string{"true"}, bridgetest.TextsOf(withdrawItem(t, cs, "tool", "sleepy")))
	}
	require.True(t, busy("withdraw"), "the tool that removes is running itself")
	r := bridgetest.CallTool(t, cs, "asks", "")
	require.True(t, busy("asks"), "a call that waits for its answer is not over")
	require.Equal(t, []string{"answer: decline"},
		bridgetest.TextsOf(bridgetest.CallTool(t, cs, "answer", `{"token": "`+tokenOf(t, r)+`", "action": "decline"}`)))
	require.Equal(t, []string{"true"}, bridgetest.TextsOf(withdrawItem(t, cs, "tool", "asks")))
}

// TestMadeAtRunTime offers predicates that do not come from a file, and nothing when the goal fails.
func TestMadeAtRunTime(t *testing.T) {
	cs := connect(t, NewServer(load(t, "testdata/kb/offers.pl"), nil), "2026-07-28", nil)
	require.Equal(t, []string{"true"}, bridgetest.TextsOf(bridgetest.CallTool(t, cs, "make", `{"answer": "why"}`)))
	require.Contains(t, bridgetest.TextsOf(bridgetest.CallTool(t, cs, "made", ""))[0], "why")
	require.True(t, bridgetest.CallTool(t, cs, "make_and_fail", "").IsError)
	require.Equal(t, []string{"true"}, bridgetest.TextsOf(bridgetest.CallTool(t, cs, "replace_twice", "")))
	names := listAll(t, cs)
	require.NotContains(t, names, "tool never")
	require.NotContains(t, names, "tool first")
	require.Contains(t, names, "tool second")
	require.Equal(t, []string{"true"}, bridgetest.TextsOf(bridgetest.CallTool(t, cs, "replace_twice", "")),
		"what was added may be replaced")
}

// TestAddedItemsSurvive reloads: what goals have added stays unless the files declare it, what they
// have removed comes back.
func TestAddedItemsSurvive(t *testing.T) {
	text, err := os.ReadFile("testdata/kb/offers.pl")
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "offers.pl")
	save := func(text string) {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	}
	save(string(text))
	s := NewServer(load(t, file), nil)
	cs := connect(t, s, "2025-11-25", nil)
	offerItem(t, cs, "tool(kept, triple, 2)")
	offerItem(t, cs, "tool(lost, fixed, 0)")
	offerItem(t, cs, "tool(declared, triple, 2)")
	withdrawItem(t, cs, "tool", "touch")
	withdrawItem(t, cs, "tool", "many")

	save(strings.NewReplacer("tool(fixed, fixed, 0),", "tool(declared, fixed2, 0),", "fixed.", "fixed2.",
		"fixed/0", "fixed2/0", "mode(fixed,", "mode(fixed2,").Replace(string(text)))
	s.Sync(load(t, file))
	names := listAll(t, cs)
	require.Contains(t, names, "tool kept")
	require.NotContains(t, names, "tool lost", "its predicate is gone")
	require.Contains(t, names, "tool touch")
	require.Equal(t, []string{"true"}, bridgetest.TextsOf(bridgetest.CallTool(t, cs, "declared", "")), "the file counts")
	r := withdrawItem(t, cs, "tool", "kept")
	require.Equal(t, []string{"true"}, bridgetest.TextsOf(r))
	s.Sync(load(t, file))
	require.NotContains(t, listAll(t, cs), "tool kept")
}

// TestTooManyChanges bounds what one call changes.
func TestTooManyChanges(t *testing.T) {
	cs := connect(t, NewServer(load(t, "testdata/kb/offers.pl"), nil), "2025-11-25", nil)
	r := bridgetest.CallTool(t, cs, "many", fmt.Sprintf(`{"count": %d}`, calls.MaxChanges+1))
	require.True(t, r.IsError)
	require.Contains(t, bridgetest.TextsOf(r)[0], "A call can add and remove 10000 items.")
	require.NotContains(t, listAll(t, cs), "tool tool_1")
}

// TestSubscribe announces changes of resources to those who have subscribed, when the call has
// succeeded.
func TestSubscribe(t *testing.T) {
	ctx := context.Background()
	eachVersion(t, func(t *testing.T, version string) {
		s := NewServer(load(t, "testdata/kb/offers.pl"), nil)
		one, two := listen(t, s, version), listen(t, s, version)
		for _, uri := range []string{"x://watched", "x://item/1"} {
			require.NoError(t, one.Subscribe(ctx, &mcp.SubscribeParams{URI: uri}))
		}
		if version < wire.VersionStateless {
			err := one.Subscribe(ctx, &mcp.SubscribeParams{URI: "x://nothing"})
			requireCode(t, err, refusal.CodeNotFound, "Resource not found")
		}
		// The modern client subscribes in the background.
		require.Eventually(t, func() bool {
			bridgetest.CallTool(t, two.ClientSession, "touch", `{"uri": "x://watched"}`)
			return len(one.heard) > 0
		}, wiretest.Patience, 20*time.Millisecond)
		require.Equal(t, "x://watched", receive(t, one.heard))
		read, err := one.ReadResource(ctx, &mcp.ReadResourceParams{URI: "x://watched"})
		require.NoError(t, err)
		require.NotEqual(t, "0-[]", read.Contents[0].Text)
		require.Eventually(t, func() bool {
			bridgetest.CallTool(t, two.ClientSession, "touch", `{"uri": "x://item/1"}`)
			return hears(one, "x://item/1")
		}, wiretest.Patience, 20*time.Millisecond)
		// Announcements come in order, so what comes before that of a touch is all there is of earlier calls.
		before := func() (heard []string) {
			bridgetest.CallTool(t, two.ClientSession, "touch", `{"uri": "x://watched"}`)
			for uri := receive(t, one.heard); uri != "x://watched"; uri = receive(t, one.heard) {
				heard = append(heard, uri)
			}
			return heard
		}
		before()
		require.True(t, bridgetest.CallTool(t, two.ClientSession, "touch_and_fail", "").IsError)
		bridgetest.CallTool(t, two.ClientSession, "touch", `{"uri": "x://item/2"}`)
		bridgetest.CallTool(t, two.ClientSession, "touch", `{"uri": "x://item/1"}`)
		require.Equal(t, "x://item/1", receive(t, one.heard))
		require.NoError(t, one.Unsubscribe(ctx, &mcp.UnsubscribeParams{URI: "x://item/1"}))
		require.Eventually(t, func() bool {
			bridgetest.CallTool(t, two.ClientSession, "touch", `{"uri": "x://item/1"}`)
			return len(before()) == 0
		}, wiretest.Patience, time.Millisecond)
		require.Empty(t, two.heard)
		s.subscribed.announceAll(ctx)
		require.Equal(t, "x://watched", receive(t, one.heard))
	})
}

// hears reports whether a client has heard of something, and forgets what came before it.
func hears(l *listener, what string) bool {
	for len(l.heard) > 0 {
		if <-l.heard == what {
			return true
		}
	}
	return false
}

// TestTooManySubscriptions bounds what one client has the server remember.
func TestTooManySubscriptions(t *testing.T) {
	ctx := context.Background()
	s := NewServer(load(t, "testdata/kb/offers.pl"), nil)
	cs := connect(t, s, "2025-11-25", nil)
	for i := range maxSubscriptions {
		require.NoError(t, cs.Subscribe(ctx, &mcp.SubscribeParams{URI: fmt.Sprintf("x://item/%d", i)}))
	}
	err := cs.Subscribe(ctx, &mcp.SubscribeParams{URI: "x://watched"})
	requireCode(t, err, jsonrpc.CodeInvalidParams, "a client can subscribe to 1000 resources")
	require.NoError(t, cs.Unsubscribe(ctx, &mcp.UnsubscribeParams{URI: "x://item/7"}))
	require.NoError(t, cs.Unsubscribe(ctx, &mcp.UnsubscribeParams{URI: "x://item/7"}))
	require.NoError(t, cs.Subscribe(ctx, &mcp.SubscribeParams{URI: "x://watched"}))
}

// TestPages lists many items, page by page.
func TestPages(t *testing.T) {
	ctx := context.Background()
	const count = 2500
	s := NewServer(load(t, "testdata/kb/offers.pl"), nil)
	eachVersion(t, func(t *testing.T, version string) {
		cs := connect(t, s, version, nil)
		if version == mcp.SupportedProtocolVersions()[0] {
			require.Equal(t, []string{"true"}, bridgetest.TextsOf(bridgetest.CallTool(t, cs, "many",
				fmt.Sprintf(`{"count": %d}`, count))))
		}
		var pages []int
		seen := map[string]bool{}
		for cursor := ""; ; {
			page, err := cs.ListTools(ctx, &mcp.ListToolsParams{Cursor: cursor})
			require.NoError(t, err)
			pages = append(pages, len(page.Tools))
			for _, tool := range page.Tools {
				require.False(t, seen[tool.Name], tool.Name)
				seen[tool.Name] = true
			}
			if cursor = page.NextCursor; cursor == "" {
				break
			}
		}
		require.Equal(t, []int{1000, 1000, 512}, pages, "with 11 tools of the file and the tool answer")
		require.True(t, seen["tool_2500"] && seen["answer"])
		_, err := cs.ListTools(ctx, &mcp.ListToolsParams{Cursor: "nonsense"})
		requireCode(t, err, jsonrpc.CodeInvalidParams, "")
		require.ErrorContains(t, err, "the cursor is none that this server has given out")
	})
	small := connect(t, NewServer(load(t, "testdata/kb/offers.pl"), &Options{PageSize: 5}), "2025-11-25", nil)
	first, err := small.ListTools(ctx, nil)
	require.NoError(t, err)
	require.Len(t, first.Tools, 5)
	require.Len(t, listAll(t, small), 15)
}

// TestNearNames asks for items whose names are nearly right, on every version of the protocol.
func TestNearNames(t *testing.T) {
	ctx := context.Background()
	s := NewServer(loadText(t, `
tools([tool(add_numbers, p, 0), tool(plan, p, 0)]).
:- info(p/0, [comment is 'Does nothing.']).
:- mode(p, one).
p.
prompts([prompt(greeting, 'Greets.', [])]).
prompt_get(greeting, _, messages([message(user, text(hello))])).
resources([resource('kb://facts', facts, 'Facts.', 'text/plain')]).
resource_templates([resource_template('kb://item/{id}', item, 'An item.', 'text/plain')]).
resource_read('kb://facts', _, contents([text_content('kb://facts', 'text/plain', "x")])).
completion(prompt(greeting), _, _, completion([])).
`), nil)
	eachVersion(t, func(t *testing.T, version string) {
		cs := connect(t, s, version, nil)
		for name, want := range map[string]string{"add_number": `unknown tool "add_number"; did you mean "add_numbers"?`,
			"wholly_other": `unknown tool "wholly_other"`, "": "name is missing: the name of the tool"} {
			_, err := cs.CallTool(ctx, &mcp.CallToolParams{Name: name})
			requireMessage(t, err, want)
		}
		_, err := cs.GetPrompt(ctx, &mcp.GetPromptParams{Name: "greetin"})
		requireMessage(t, err, `unknown prompt "greetin"; did you mean "greeting"?`)
		for uri, want := range map[string]string{"kb://fact": `Resource not found; did you mean "kb://facts"?`,
			"kb://item/7": "Resource not found", "": "uri is missing: the address of the resource"} {
			_, err = cs.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
			requireMessage(t, err, want)
		}
		_, err = cs.GetPrompt(ctx, &mcp.GetPromptParams{})
		requireMessage(t, err, "name is missing: the name of the prompt")
		if version < wire.VersionStateless {
			err = cs.SetLoggingLevel(ctx, &mcp.SetLoggingLevelParams{Level: "loud"})
			requireMessage(t, err, `unknown level "loud"; the levels are "debug", "info", "notice", "warning", "error", `+
				`"critical", "alert", "emergency"`)
		}
		ref := &mcp.CompleteReference{Type: "ref/prompt", Name: "greting"}
		_, err = cs.Complete(ctx, &mcp.CompleteParams{Ref: ref, Argument: mcp.CompleteParamsArgument{Name: "a"}})
		requireMessage(t, err, `unknown prompt "greting"; did you mean "greeting"?`)
	})
}

func requireMessage(t *testing.T, err error, want string) {
	t.Helper()
	var coded *jsonrpc.Error
	require.ErrorAs(t, err, &coded)
	require.Equal(t, want, coded.Message)
}

package bridge

//lint:file-ignore SA1019 2026-07-28 deprecates sampling and roots, but clients of all versions have them.

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/internal/wire"
	"github.com/mcplogic/mcplogic/tools/bridgetest"
)

// machine is a client with a model, roots, and a user who visits addresses.
type machine struct {
	mu      sync.Mutex // the SDK asks several questions at a time
	sampled []*mcp.CreateMessageWithToolsParams
	visited []*mcp.ElicitParams
	says    []*mcp.CreateMessageWithToolsResult // in order, the last again and again
	action  string
	fails   error
}

func saying(items ...mcp.Content) *mcp.CreateMessageWithToolsResult {
	return &mcp.CreateMessageWithToolsResult{Role: "assistant", Model: "parrot-1", StopReason: "endTurn", Content: items}
}

var paris = saying(&mcp.TextContent{Text: "Paris."})

func (m *machine) options() *mcp.ClientOptions {
	return &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{
			RootsV2: &mcp.RootCapabilities{ListChanged: true},
			Elicitation: &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{},
				URL: &mcp.URLElicitationCapabilities{}},
		},
		CreateMessageWithToolsHandler: func(_ context.Context,
			req *mcp.CreateMessageWithToolsRequest) (*mcp.CreateMessageWithToolsResult, error) {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.sampled = append(m.sampled, req.Params)
			if m.fails != nil {
				return nil, m.fails
			}
			return m.says[min(len(m.sampled), len(m.says))-1], nil
		},
		ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.visited = append(m.visited, req.Params)
			if req.Params.Mode == "form" {
				return accept(`{"name": "Ada"}`), nil
			}
			return &mcp.ElicitResult{Action: m.action}, nil
		},
	}
}

// connectMachine is connect for a client with roots.
func connectMachine(t *testing.T, s *Server, version string, m *machine) *mcp.ClientSession {
	t.Helper()
	ours, theirs := mcp.NewInMemoryTransports()
	session, err := s.MCP().Connect(context.Background(), ours, nil)
	require.NoError(t, err)
	client := mcp.NewClient(&mcp.Implementation{Name: "machine", Version: "1"}, m.options())
	client.AddRoots(&mcp.Root{URI: "file:///home/ada", Name: "home"}, &mcp.Root{URI: "file:///tmp"})
	cs, err := client.Connect(context.Background(), theirs, &mcp.ClientSessionOptions{ProtocolVersion: version})
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, cs.Close())
		_ = session.Wait() // ends with the client
	})
	return cs
}

// eachVersion runs a test with a client of each version of the protocol.
func eachVersion(t *testing.T, test func(t *testing.T, version string)) {
	for _, version := range mcp.SupportedProtocolVersions() {
		t.Run(version, func(t *testing.T) { test(t, version) })
	}
}

// TestSample asks the client's model, with and without options.
func TestSample(t *testing.T) {
	snapshot := load(t, "testdata/kb/client.pl")
	eachVersion(t, func(t *testing.T, version string) {
		m := &machine{says: []*mcp.CreateMessageWithToolsResult{paris, paris, saying(
			&mcp.ImageContent{Data: []byte("hi"), MIMEType: "image/png"},
			&mcp.AudioContent{Data: []byte("ho"), MIMEType: "audio/wav"})}}
		cs := connectMachine(t, NewServer(snapshot, nil), version, m)
		want := []string{
			"answer: message(assistant,text('Paris.'),[model('parrot-1'),stop_reason(endTurn)])",
			"answer: message(assistant,text('Paris.'),[model('parrot-1'),stop_reason(endTurn)])",
			"answer: message(assistant,[image('aGk=','image/png'),audio('aG8=','audio/wav')],[model('parrot-1')," +
				"stop_reason(endTurn)])",
		}
		for i, tool := range []string{"sample", "sample_all", "sample"} {
			require.Equal(t, want[i:i+1], bridgetest.TextsOf(bridgetest.CallTool(t, cs, tool, "")))
		}
		require.JSONEq(t, `{"maxTokens": 1000, "messages": [{"role": "user", "content": {"type": "text", 
			"text": "What is the capital of France?"}}]}`,
			plainParams(t, m.sampled[0]))
		require.JSONEq(t, `{"maxTokens": 7, "systemPrompt": "Be brief.", "temperature": 0.5, "stopSequences": ["stop", "end"],
			"includeContext": "none", "metadata": {"trace": 1},
			"modelPreferences": {"hints": [{"name": "small"}], "costPriority": 1,
			"speedPriority": 0.5, "intelligencePriority": 0.25},
			"messages": [
				{"role": "user", "content": {"type": "text", "text": "Look:"}},
				{"role": "assistant", "content": {"type": "text", "text": "yes"}},
				{"role": "user", "content": {"type": "image", "data": "aGk=", "mimeType": "image/png"}}]}`,
			plainParams(t, m.sampled[1]))
	})
}

// plainParams is the JSON of parameters without their metadata.
func plainParams(t *testing.T, p *mcp.CreateMessageWithToolsParams) string {
	t.Helper()
	plain := *p
	plain.Meta = nil
	data, err := json.Marshal(&plain)
	require.NoError(t, err)
	return string(data)
}

// TestSampleLargeNumbers lets the model call a tool with a number that the SDK may have rounded.
func TestSampleLargeNumbers(t *testing.T) {
	snapshot := load(t, "testdata/kb/client.pl")
	eachVersion(t, func(t *testing.T, version string) {
		m := &machine{says: []*mcp.CreateMessageWithToolsResult{
			saying(&mcp.ToolUseContent{ID: "u1", Name: "add", Input: map[string]any{"a": 1 << 53}})}}
		cs := connectMachine(t, NewServer(snapshot, nil), version, m)
		r := bridgetest.CallTool(t, cs, "sample_with_tools", "")
		require.True(t, r.IsError)
		require.Contains(t, bridgetest.TextsOf(r)[0], "add.a: numbers beyond 9007199254740991 lose digits")
	})
}

// TestSampleTools lets the model call a tool and tells it the result.
func TestSampleTools(t *testing.T) {
	snapshot := load(t, "testdata/kb/client.pl")
	eachVersion(t, func(t *testing.T, version string) {
		m := &machine{says: []*mcp.CreateMessageWithToolsResult{
			saying(&mcp.ToolUseContent{ID: "u1", Name: "add", Input: map[string]any{"a": 41}}),
			saying(&mcp.TextContent{Text: "42"})}}
		cs := connectMachine(t, NewServer(snapshot, nil), version, m)
		r := bridgetest.CallTool(t, cs, "sample_with_tools", "")
		require.Equal(t, []string{"answer: message(assistant,text('42'),[model('parrot-1'),stop_reason(endTurn)])"},
			bridgetest.TextsOf(r))
		last := m.sampled[1]
		require.Equal(t, "add", last.Tools[0].Name)
		require.Equal(t, "required", last.ToolChoice.Mode)
		result := last.Messages[2].Content[0].(*mcp.ToolResultContent)
		require.Equal(t, "u1", result.ToolUseID)
		require.Equal(t, "42", result.Content[0].(*mcp.TextContent).Text)
	})
}

// TestSampleFaults asks with options that are wrong, and a client that refuses.
func TestSampleFaults(t *testing.T) {
	m := &machine{says: []*mcp.CreateMessageWithToolsResult{paris}}
	s := NewServer(load(t, "testdata/kb/client.pl"), nil)
	cs := connectMachine(t, s, "2025-11-25", m)
	for option, want := range map[string]string{
		"max_tokens(no)":         "max_tokens: got no, want a positive integer",
		"max_tokens(0)":          "max_tokens: got 0, want a positive integer",
		"temprature(1)":          "unknown option temprature(1), did you mean temperature?",
		"colour(red)":            `unknown option colour(red), want Name(Value) with one of "cost_priority"`,
		"max_tokens":             "unknown option max_tokens, want Name(Value)",
		"tool_choice(perhaps)":   "tool_choice: got perhaps, want auto, required or none",
		"stop_sequences(x)":      "stop_sequences: got x, want a list",
		"tools([add])":           "tools: got add, want tool(Name, Description, Schema)",
		"tools([tool(a,b,c)])":   "tools: not a JSON Schema",
		"metadata(_)":            "metadata:",
		"temperature(hot)":       "temperature:",
		"cost_priority('a lot')": "cost_priority:",
	} {
		args, err := json.Marshal(map[string]string{"option": option})
		require.NoError(t, err)
		r := bridgetest.CallTool(t, cs, "sample_badly", string(args))
		require.True(t, r.IsError, option)
		require.Contains(t, bridgetest.TextsOf(r)[0], want, option)
	}
	require.Empty(t, m.sampled)
	m.fails = errors.New("the user has refused")
	r := bridgetest.CallTool(t, cs, "sample", "")
	require.True(t, r.IsError)
	require.Contains(t, bridgetest.TextsOf(r)[0], "the user has refused")
}

// TestRoots lists the client's roots.
func TestRoots(t *testing.T) {
	s := NewServer(load(t, "testdata/kb/client.pl"), nil)
	eachVersion(t, func(t *testing.T, version string) {
		cs := connectMachine(t, s, version, &machine{})
		r := bridgetest.CallTool(t, cs, "roots", "")
		require.Equal(t, []string{"roots: [root('file:///home/ada',home),root('file:///tmp','')]"}, bridgetest.TextsOf(r))
		read, err := cs.ReadResource(context.Background(), &mcp.ReadResourceParams{URI: "x://folders"})
		require.NoError(t, err)
		require.Contains(t, read.Contents[0].Text, "file:///tmp")
	})
}

// TestVisit sends the user to an address.
func TestVisit(t *testing.T) {
	s := NewServer(load(t, "testdata/kb/client.pl"), nil)
	eachVersion(t, func(t *testing.T, version string) {
		for action, want := range map[string]string{"accept": "accept({})", "decline": "decline", "cancel": "cancel"} {
			m := &machine{action: action}
			cs := connectMachine(t, s, version, m)
			r := bridgetest.CallTool(t, cs, "visit", `{"address": "https://example.com/login?x=1"}`)
			require.Equal(t, []string{"answer: " + want}, bridgetest.TextsOf(r))
			asked := m.visited[0]
			require.Equal(t, []string{"url", "Please sign in.", "https://example.com/login?x=1"},
				[]string{asked.Mode, asked.Message, asked.URL})
			require.Len(t, asked.ElicitationID, 43)
		}
		for _, address := range []string{"javascript:alert(1)", "file:///etc/passwd", "https://", "nothing"} {
			cs := connectMachine(t, s, version, &machine{action: "accept"})
			r := bridgetest.CallTool(t, cs, "visit", `{"address": "`+address+`"}`)
			require.True(t, r.IsError)
			require.Contains(t, bridgetest.TextsOf(r)[0], "has to be an http or https URL")
		}
	})
}

// TestVisitByModel leaves sending the user somewhere to the model.
func TestVisitByModel(t *testing.T) {
	const text = `
		capabilities([elicitation]).
		tools([tool(visit, visit, 1)]).
		:- mode(visit(-term), one).
		:- info(visit/1, [comment is 'Sends the user somewhere.', argnames is [answer]]).
		visit(A) :- mcp_elicit_url('Please sign in.', 'https://example.com/in', A).`
	forms := &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}}
	cs := connect(t, NewServer(loadText(t, text), nil), "2025-11-25",
		&mcp.ClientOptions{ElicitationHandler: (&user{}).answer,
			Capabilities: &mcp.ClientCapabilities{Elicitation: forms}})
	r := bridgetest.CallTool(t, cs, "visit", "")
	require.Contains(t, bridgetest.TextsOf(r)[0], "Address: https://example.com/in")
	require.JSONEq(t, `{"question": "Please sign in.", "url": "https://example.com/in", "token": "`+tokenOf(t, r)+`"}`,
		structureOf(t, r))
	require.Equal(t, []string{"answer: accept({})"},
		bridgetest.TextsOf(bridgetest.CallTool(t, cs, "answer", `{"token": "`+tokenOf(t, r)+`"}`)))
	r = bridgetest.CallTool(t, cs, "visit", "")
	require.Equal(t, []string{"answer: decline"},
		bridgetest.TextsOf(bridgetest.CallTool(t, cs, "answer", `{"token": "`+tokenOf(t, r)+`", "action": "decline"}`)))
}

const everythingAnswered = "answers: [name-accept({name-'Ada'}),login-accept({})," +
	"hello-message(assistant,text('Paris.'),[model('parrot-1'),stop_reason(endTurn)])," +
	"folders-[root('file:///home/ada',home),root('file:///tmp','')]]"

// TestEverything asks questions of all kinds at once, on 2026-07-28 in one round.
func TestEverything(t *testing.T) {
	s := NewServer(load(t, "testdata/kb/client.pl"), nil)
	eachVersion(t, func(t *testing.T, version string) {
		cs := connectMachine(t, s, version, &machine{says: []*mcp.CreateMessageWithToolsResult{paris}, action: "accept"})
		require.Equal(t, []string{everythingAnswered}, bridgetest.TextsOf(bridgetest.CallTool(t, cs, "everything", "")))
	})
	m := &machine{}
	o := m.options()
	o.MultiRoundTrip = &mcp.MultiRoundTripOptions{Disabled: true}
	cs := connect(t, s, "2026-07-28", o)
	first := mustCall(t, cs, &mcp.CallToolParams{Name: "everything"})
	require.Len(t, first.InputRequests, 4)
	mixed := mcp.InputResponseMap{
		"name": accept(`{"name": "Ada"}`), "login": &mcp.ElicitResult{Action: "accept"},
		"hello": &mcp.ListRootsResult{}, // answers another question
	}
	again := mustCall(t, cs, &mcp.CallToolParams{Name: "everything", RequestState: first.RequestState,
		InputResponses: mixed})
	require.Len(t, again.InputRequests, 2)
	last := mustCall(t, cs, &mcp.CallToolParams{Name: "everything", RequestState: again.RequestState,
		InputResponses: mcp.InputResponseMap{
			"hello": paris, "folders": &mcp.ListRootsResult{Roots: []*mcp.Root{{URI: "file:///home/ada", Name: "home"},
				{URI: "file:///tmp"}}}}})
	require.Equal(t, []string{everythingAnswered}, bridgetest.TextsOf(last))
}

// TestMixedWays asks a client that has a model and roots but cannot ask its user: it is asked what it
// can answer, and its model the rest, one question after the other.
func TestMixedWays(t *testing.T) {
	const text = `
		capabilities([elicitation]).
		tools([everything/1]).
		:- info(everything/1, [comment is 'Asks all at once.', argnames is [answers]]).
		:- mode(everything(-term), one).
		everything(Answers) :-
			mcp_elicit_all([
				ask(name, 'Your name?', {type-object, properties-{name-{type-string}}}),
				ask_url(login, 'Please sign in.', 'https://example.com/in'),
				sample(hello, 'Say hello.', [max_tokens(5)]),
				roots(folders)
			], Answers).`
	s := NewServer(loadText(t, text), nil)
	eachVersion(t, func(t *testing.T, version string) {
		m := &machine{says: []*mcp.CreateMessageWithToolsResult{paris}}
		o := m.options()
		o.ElicitationHandler, o.Capabilities.Elicitation = nil, nil
		cs := connect(t, s, version, o)
		r := bridgetest.CallTool(t, cs, "everything", "")
		require.Contains(t, bridgetest.TextsOf(r)[0], "Question: Your name?")
		require.Len(t, m.sampled, 1)
		r = bridgetest.CallTool(t, cs, "answer", `{"token": "`+tokenOf(t, r)+`", "answer": "Ada"}`)
		require.Contains(t, bridgetest.TextsOf(r)[0], "Address: https://example.com/in")
		r = bridgetest.CallTool(t, cs, "answer", `{"token": "`+tokenOf(t, r)+`"}`)
		require.Equal(t, []string{"answers: [name-accept({name-'Ada'}),login-accept({})," +
			"hello-message(assistant,text('Paris.'),[model('parrot-1'),stop_reason(endTurn)]),folders-[]]"},
			bridgetest.TextsOf(r))
		require.Len(t, m.sampled, 1, "it is not asked again")

		r = bridgetest.CallTool(t, cs, "everything", "")
		r = bridgetest.CallTool(t, cs, "answer", `{"token": "`+tokenOf(t, r)+`", "action": "cancel"}`)
		require.Contains(t, bridgetest.TextsOf(r)[0], "name-cancel,login-cancel,hello-message",
			"who has cancelled is not asked again")
	})
}

// TestReplayEverything answers questions of all kinds to a server that has forgotten the call.
func TestReplayEverything(t *testing.T) {
	key := []byte("a key that two servers share")
	responses := mcp.InputResponseMap{"name": accept(`{"name": "Ada"}`), "login": &mcp.ElicitResult{Action: "accept"},
		"hello":   paris,
		"folders": &mcp.ListRootsResult{Roots: []*mcp.Root{{URI: "file:///home/ada", Name: "home"}, {URI: "file:///tmp"}}}}
	var state string
	for _, p := range []*mcp.CallToolParams{{Name: "everything"}, {Name: "everything", InputResponses: responses}} {
		s := NewServer(load(t, "testdata/kb/client.pl"), &Options{StateKey: key})
		o := (&machine{}).options()
		o.MultiRoundTrip = &mcp.MultiRoundTripOptions{Disabled: true}
		p.RequestState = state
		r := mustCall(t, connect(t, s, "2026-07-28", o), p)
		state = r.RequestState
		if p.InputResponses != nil {
			require.Equal(t, []string{everythingAnswered}, bridgetest.TextsOf(r))
		}
	}
}

// TestMissingCapability asks clients for what they do not have.
func TestMissingCapability(t *testing.T) {
	s := NewServer(load(t, "testdata/kb/client.pl"), nil)
	bare := &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}}
	eachVersion(t, func(t *testing.T, version string) {
		cs := connect(t, s, version, bare)
		for tool, want := range map[string]string{
			"sample": `{"requiredCapabilities": {"sampling": {}}}`,
			"roots":  `{"requiredCapabilities": {"roots": {}}}`,
			"visit":  `{"requiredCapabilities": {"elicitation": {"url": {}}}}`,
		} {
			args := json.RawMessage(`{}`)
			if tool == "visit" {
				args = json.RawMessage(`{"address": "https://example.com"}`)
			}
			r, err := cs.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: args})
			if version < wire.VersionStateless {
				require.NoError(t, err)
				require.True(t, r.IsError)
				require.Contains(t, bridgetest.TextsOf(r)[0], "lient ")
				continue
			}
			var wire *jsonrpc.Error
			require.ErrorAs(t, err, &wire)
			require.EqualValues(t, mcp.CodeMissingRequiredClientCapabilities, wire.Code)
			require.JSONEq(t, want, string(wire.Data))
		}
		for _, kind := range []string{"sampling", "roots", "url"} {
			r := bridgetest.CallTool(t, cs, "try", `{"kind": "`+kind+`"}`)
			require.True(t, strings.HasPrefix(bridgetest.TextsOf(r)[0], "error: mcp_error(unsupported,"), "%v",
				bridgetest.TextsOf(r))
		}
		_, err := cs.GetPrompt(context.Background(), &mcp.GetPromptParams{Name: "poem"})
		code := int64(jsonrpc.CodeInternalError)
		if version >= wire.VersionStateless {
			code = mcp.CodeMissingRequiredClientCapabilities
		}
		requireCode(t, err, code, "does not have the capability sampling")
	})
}

// TestMissingToolsCapability lets a model without tools call one.
func TestMissingToolsCapability(t *testing.T) {
	s := NewServer(load(t, "testdata/kb/client.pl"), nil)
	o := &mcp.ClientOptions{CreateMessageHandler: func(context.Context,
		*mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
		return &mcp.CreateMessageResult{Role: "assistant", Model: "m", Content: &mcp.TextContent{Text: "hi"}}, nil
	}}
	cs := connect(t, s, "2026-07-28", o)
	require.Equal(t, []string{"answer: message(assistant,text(hi),[model(m)])"},
		bridgetest.TextsOf(bridgetest.CallTool(t, cs, "sample", "")))
	_, err := cs.CallTool(context.Background(), &mcp.CallToolParams{Name: "sample_with_tools"})
	requireCode(t, err, mcp.CodeMissingRequiredClientCapabilities, "sampling.tools")
}

// TestQuestionErrors gives the library what are no questions.
func TestQuestionErrors(t *testing.T) {
	cs := connectMachine(t, NewServer(load(t, "testdata/kb/client.pl"), nil), "2025-11-25", &machine{})
	for kind, want := range map[string]string{
		"nothing":  "error: type_error(question,nothing(1))",
		"variable": "error: type_error(list,_",
		"none":     "error: []",
	} {
		require.Contains(t, bridgetest.TextsOf(bridgetest.CallTool(t, cs, "try", `{"kind": "`+kind+`"}`))[0], want)
	}
}

// TestClientInfo tells a goal who its client is and what came with the request.
func TestClientInfo(t *testing.T) {
	s := NewServer(load(t, "testdata/kb/client.pl"), nil)
	eachVersion(t, func(t *testing.T, version string) {
		cs := connectMachine(t, s, version, &machine{})
		require.Equal(t, []string{"text: machine " + version + " samples @(true)"},
			bridgetest.TextsOf(bridgetest.CallTool(t, cs, "who", "")))
		require.Equal(t, []string{`list: ["elicitation","elicitation_url","sampling","sampling_tools","roots"]`},
			bridgetest.TextsOf(bridgetest.CallTool(t, cs, "can", "")))
		bare := connect(t, s, version, &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
		require.Equal(t, []string{"text: test " + version + " does not sample none"},
			bridgetest.TextsOf(bridgetest.CallTool(t, bare, "who", "")))
		require.Equal(t, []string{"list: []"}, bridgetest.TextsOf(bridgetest.CallTool(t, bare, "can", "")))

		r, err := cs.CallTool(context.Background(),
			&mcp.CallToolParams{Name: "meta", Arguments: json.RawMessage(`{"key": "example.com/trace"}`),
				Meta: mcp.Meta{"example.com/trace": []any{map[string]any{"id": 7}, 1<<53 - 1, 1<<53 + 1, 0.5}}})
		require.NoError(t, err)
		require.Equal(t, []string{"value: [{id-7},9007199254740991,9.007199254740992e+15,0.5]"}, bridgetest.TextsOf(r))
		require.True(t, bridgetest.CallTool(t, cs, "meta", `{"key": "example.com/other"}`).IsError)
	})
}

// TestChosenErrors ends requests with JSON-RPC errors that goals choose.
func TestChosenErrors(t *testing.T) {
	ctx := context.Background()
	cs := connect(t, NewServer(load(t, "testdata/kb/client.pl"), nil), "2025-11-25", nil)
	_, err := cs.CallTool(ctx, &mcp.CallToolParams{Name: "fail_with",
		Arguments: json.RawMessage(`{"code": -32099, "message": "Not on Sundays."}`)})
	requireCode(t, err, -32099, "Not on Sundays.")
	_, err = cs.CallTool(ctx, &mcp.CallToolParams{Name: "fail_with_data"})
	var wire *jsonrpc.Error
	require.ErrorAs(t, err, &wire)
	require.JSONEq(t, `{"elicitations": [{"mode": "url", "ok": true}]}`, string(wire.Data))
	_, err = cs.CallTool(ctx, &mcp.CallToolParams{Name: "fail_with_nonsense"})
	requireCode(t, err, jsonrpc.CodeInternalError, "the data of mcp_error/3")
	_, err = cs.GetPrompt(ctx, &mcp.GetPromptParams{Name: "broken"})
	requireCode(t, err, -32099, "No prompt today.")
	_, err = cs.ReadResource(ctx, &mcp.ReadResourceParams{URI: "x://broken/-32098"})
	requireCode(t, err, -32098, "No resource today.")
}

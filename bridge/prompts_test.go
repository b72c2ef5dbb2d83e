package bridge

//lint:file-ignore SA1019 2026-07-28 deprecates logging, but clients of all versions use it.

import (
	"context"
	"encoding/json"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/internal/wire"
	"github.com/mcplogic/mcplogic/tools/bridgetest"
	"github.com/mcplogic/mcplogic/tools/wiretest"
)

// TestSeedExamples goes through what the documentation of Logtalk's server shows.
func TestSeedExamples(t *testing.T) {
	s := NewServer(load(t, "../examples/factorial"), nil)
	for _, version := range mcp.SupportedProtocolVersions() {
		t.Run(version, func(t *testing.T) {
			ctx := context.Background()
			u := &user{answers: []*mcp.ElicitResult{accept(`{"name": "Ada"}`)}}
			cs := connect(t, s, version, &mcp.ClientOptions{ElicitationHandler: u.answer})

			r := bridgetest.CallTool(t, cs, "factorial", `{"N": 5}`)
			require.Equal(t, []string{"F: 120"}, bridgetest.TextsOf(r))
			require.Equal(t, `{"F":120}`, structureOf(t, r))
			require.Equal(t, []string{"The factorial is: 120"},
				bridgetest.TextsOf(bridgetest.CallTool(t, cs, "factorial_text", `{"N": 5}`)))
			require.Equal(t, []string{"Hello, Ada!"}, bridgetest.TextsOf(bridgetest.CallTool(t, cs, "ask_name", "")))
			require.True(t, bridgetest.CallTool(t, cs, "factorial", `{"N": -1}`).IsError)

			prompts, err := cs.ListPrompts(ctx, nil)
			require.NoError(t, err)
			require.Len(t, prompts.Prompts, 3)
			got, err := cs.GetPrompt(ctx, &mcp.GetPromptParams{Name: "debate", Arguments: map[string]string{"topic": "tea"}})
			require.NoError(t, err)
			require.Len(t, got.Messages, 2)
			require.Equal(t, mcp.Role("assistant"), got.Messages[1].Role)
			require.Equal(t, "Let us debate: tea", got.Messages[0].Content.(*mcp.TextContent).Text)

			logs, err := cs.ReadResource(ctx, &mcp.ReadResourceParams{URI: "logtalk://my-app/logs"})
			require.NoError(t, err)
			require.Len(t, logs.Contents, 2)
			require.Equal(t, "Log entry 2", logs.Contents[1].Text)
		})
	}
}

// TestFamily keeps what a call has added.
func TestFamily(t *testing.T) {
	cs := connect(t, NewServer(load(t, "../examples/family"), nil), "2025-11-25", nil)
	r := bridgetest.CallTool(t, cs, "how_related", `{"person": "mia", "other": "leo"}`)
	require.Equal(t, `{"relations":["sister"]}`, structureOf(t, r))
	require.Equal(t, []string{"true"}, bridgetest.TextsOf(bridgetest.CallTool(t, cs, "add_child",
		`{"parent": "mia", "child": "eva", "gender": "female"}`)))
	r = bridgetest.CallTool(t, cs, "how_related", `{"person": "eva", "other": "mia"}`)
	require.Equal(t, `{"relations":["daughter"]}`, structureOf(t, r))
	r = bridgetest.CallTool(t, cs, "ancestors", `{"person": "zoe"}`)
	require.True(t, r.IsError)
	require.Contains(t, bridgetest.TextsOf(r)[0], "existence_error(person,zoe)")
	require.Contains(t, bridgetest.TextsOf(r)[0], "tools.pl:")
}

// requireCode expects an error of the protocol.
func requireCode(t *testing.T, err error, code int64, text string) {
	t.Helper()
	var wire *jsonrpc.Error
	require.ErrorAs(t, err, &wire)
	require.Equal(t, code, wire.Code, "%v", err)
	require.Contains(t, wire.Message, text)
}

// TestPrompts covers arguments, contents and faults of prompts.
func TestPrompts(t *testing.T) {
	ctx := context.Background()
	cs := connect(t, NewServer(load(t, "testdata/kb/library.pl"), nil), "2025-11-25", nil)
	r, err := cs.GetPrompt(ctx, &mcp.GetPromptParams{Name: "rich", Arguments: map[string]string{"topic": "Tea time"}})
	require.NoError(t, err)
	require.Equal(t, "A rich prompt", r.Description)
	data, err := json.Marshal(r.Messages)
	require.NoError(t, err)
	require.JSONEq(t, `[
		{"role": "user", "content": {"type": "text", "text": "[topic-'Tea time']"}},
		{"role": "user", "content": {"type": "image", "data": "aGk=", "mimeType": "image/png"}},
		{"role": "assistant", "content": {"type": "resource",
			"resource": {"uri": "x://y", "mimeType": "text/plain", "text": "hello"}}}
	]`, string(data))

	for _, test := range []struct {
		name string
		args map[string]string
		code int64
		text string
	}{
		{"rich", nil, jsonrpc.CodeInvalidParams, "topic: missing"},
		{"rich", map[string]string{"topic": "a", "tune": "b"}, jsonrpc.CodeInvalidParams,
			"tune: unexpected argument, did you mean tone?"},
		{"fails", nil, jsonrpc.CodeInternalError, "fails failed"},
		{"throws", nil, jsonrpc.CodeInternalError, "type_error(integer,a)"},
		{"odd", nil, jsonrpc.CodeInternalError, "the role of a message has to be user or assistant, it is god"},
		{"nothing", nil, jsonrpc.CodeInvalidParams, "unknown prompt"},
	} {
		_, err := cs.GetPrompt(ctx, &mcp.GetPromptParams{Name: test.name, Arguments: test.args})
		requireCode(t, err, test.code, test.text)
	}
}

// TestResources covers contents, templates and faults of resources.
func TestResources(t *testing.T) {
	ctx := context.Background()
	s := NewServer(load(t, "testdata/kb/library.pl"), nil)
	for _, version := range mcp.SupportedProtocolVersions() {
		cs := connect(t, s, version, nil)
		templates, err := cs.ListResourceTemplates(ctx, nil)
		require.NoError(t, err)
		require.Equal(t, "x://city/{name}/{year}", templates.ResourceTemplates[0].URITemplate)

		r, err := cs.ReadResource(ctx, &mcp.ReadResourceParams{URI: "x://city/rome/1600"})
		require.NoError(t, err)
		require.Equal(t, "rome in 1600", r.Contents[0].Text)
		r, err = cs.ReadResource(ctx, &mcp.ReadResourceParams{URI: "x://picture"})
		require.NoError(t, err)
		require.Equal(t, []byte("hi"), r.Contents[0].Blob)

		missing := int64(refusal.CodeNotFound)
		if version >= wire.VersionStateless {
			missing = jsonrpc.CodeInvalidParams
		}
		for _, test := range []struct {
			uri  string
			code int64
			text string
		}{
			{"x://city/atlantis/1600", missing, "not found"},
			{"x://fails", missing, "not found"},
			{"x://nowhere", missing, "not found"},
			{"x://throws", jsonrpc.CodeInternalError, "oops"},
			{"x://odd", jsonrpc.CodeInternalError, "the result has to be contents(List), it is soup"},
		} {
			_, err := cs.ReadResource(ctx, &mcp.ReadResourceParams{URI: test.uri})
			requireCode(t, err, test.code, test.text)
		}
	}
}

// TestReports sends progress and log messages from a goal.
func TestReports(t *testing.T) {
	for _, version := range mcp.SupportedProtocolVersions() {
		t.Run(version, func(t *testing.T) {
			ctx := context.Background()
			var mu sync.Mutex
			var heard []string
			hear := func(data any) {
				text, _ := json.Marshal(data)
				mu.Lock()
				defer mu.Unlock()
				heard = append(heard, string(text))
			}
			cs := connect(t, NewServer(load(t, "testdata/kb/library.pl"), nil), version, &mcp.ClientOptions{
				ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
					hear([]any{req.Params.Progress, req.Params.Total, req.Params.Message})
				},
				LoggingMessageHandler: func(_ context.Context, req *mcp.LoggingMessageRequest) { hear(req.Params.Data) },
			})
			params := &mcp.CallToolParams{Name: "report", Meta: mcp.Meta{"progressToken": "p"}}
			if version < wire.VersionStateless {
				require.NoError(t, cs.SetLoggingLevel(ctx, &mcp.SetLoggingLevelParams{Level: "info"}))
			} else {
				params.Meta[mcp.MetaKeyLogLevel] = "info"
			}
			r, err := cs.CallTool(ctx, params)
			require.NoError(t, err)
			require.False(t, r.IsError, "%v", bridgetest.TextsOf(r))
			require.Eventually(t, func() bool {
				mu.Lock()
				defer mu.Unlock()
				return len(heard) == 4
			}, wiretest.Patience, time.Millisecond)
			require.Equal(t, []string{`[1,2,"half"]`, `{"step":1}`, `"something"`, `[2,2,"done"]`}, heard)
		})
	}
}

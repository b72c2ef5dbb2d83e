package refusal_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
)

var counted = refusal.Schema("counted",
	`{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": false}`)

// TestReadArguments reads the arguments of a tool of the server, or says what does not fit.
func TestReadArguments(t *testing.T) {
	for raw, want := range map[string]string{
		`{"n": 3}`: "", "": "The arguments do not fit the tool count:\n", "null": "The arguments do not fit",
		`{"n": 1.5}`: "n: ", `{"n": 1, "m": 2}`: "m", `[]`: "The arguments do not fit",
	} {
		var args struct{ N int }
		req := &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: "count", Arguments: json.RawMessage(raw)}}
		wrong := refusal.ReadArguments(req, counted(), &args)
		if want == "" {
			require.Nil(t, wrong)
			require.Equal(t, 3, args.N)
			continue
		}
		require.True(t, wrong.IsError)
		require.Equal(t, "bad_arguments", wrong.Meta[refusal.MetaCode])
		require.Contains(t, wrong.Content[0].(*mcp.TextContent).Text, want, raw)
	}
}

// TestNotFound has the code that the version of the protocol wants.
func TestNotFound(t *testing.T) {
	for version, want := range map[string]int64{"2024-11-05": refusal.CodeNotFound, "2025-11-25": refusal.CodeNotFound,
		"2026-07-28": jsonrpc.CodeInvalidParams} {
		err := refusal.NotFound(version, `a:"b"`).(*jsonrpc.Error)
		require.Equal(t, want, err.Code, version)
		require.JSONEq(t, `{"uri": "a:\"b\""}`, string(err.Data))
	}
}

// TestCheckParams refuses what has no name, and passes the rest on, requests without parameters too.
func TestCheckParams(t *testing.T) {
	passed := errors.New("passed on")
	check := refusal.CheckParams(func(context.Context, string, mcp.Request) (mcp.Result, error) { return nil, passed })
	for _, test := range []struct {
		req  mcp.Request
		want string
	}{
		{&mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{}}, "name is missing: the name of the tool"},
		{&mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: "a"}}, "passed on"},
		{&mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: "a", Meta: mcp.Meta{"progressToken": true}}},
			"the progress token is to be a string or an integer, it is bool"},
		{&mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: "a", Meta: mcp.Meta{"progressToken": "t"}}}, "passed on"},
		{&mcp.CallToolRequest{}, "passed on"},
		{&mcp.ServerRequest[*mcp.GetPromptParams]{Params: &mcp.GetPromptParams{}}, "the name of the prompt"},
		{&mcp.ReadResourceRequest{Params: &mcp.ReadResourceParams{}}, "the address of the resource"},
		{&mcp.ServerRequest[*mcp.SetLoggingLevelParams]{Params: &mcp.SetLoggingLevelParams{Level: "loud"}},
			`unknown level "loud"; the levels are "debug", "info"`},
	} {
		_, err := check(t.Context(), "m", test.req)
		require.ErrorContains(t, err, test.want)
	}
}

// TestFitErrors corrects what the SDK says, and leaves other errors and results alone.
func TestFitErrors(t *testing.T) {
	near := ""
	fit := func(method string, req mcp.Request, err error) error {
		handler := refusal.FitErrors(func(mcp.Request) string { return near })(
			func(context.Context, string, mcp.Request) (mcp.Result, error) { return nil, err })
		_, err = handler(t.Context(), method, req)
		return err
	}
	tool := &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: "ad"}}
	unknown := &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: `unknown tool "ad"`}
	require.NoError(t, fit("tools/call", tool, nil))
	require.Equal(t, context.Canceled, fit("tools/call", tool, context.Canceled))
	require.Equal(t, unknown, fit("tools/call", tool, unknown))
	require.ErrorContains(t, fit("tools/list", tool, unknown), "the cursor is none")
	near = "add"
	require.ErrorContains(t, fit("tools/call", tool, unknown), `unknown tool "ad"; did you mean "add"?`)
	require.Equal(t, `unknown tool "ad"`, unknown.Message)
}

// TestMissingCapability names the capability in the data.
func TestMissingCapability(t *testing.T) {
	err := refusal.MissingCapability("ask", "elicitation", "url").(*jsonrpc.Error)
	require.JSONEq(t, `{"requiredCapabilities": {"elicitation": {"url": {}}}}`, string(err.Data))
}

func TestCapitalize(t *testing.T) {
	for text, want := range map[string]string{"": "", "a": "A", "éa": "Éa", "A b": "A b", "\xff": "\ufffd"} {
		require.Equal(t, want, refusal.Capitalize(text))
	}
}

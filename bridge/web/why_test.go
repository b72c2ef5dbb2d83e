package web

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/reasons"
	"github.com/mcplogic/mcplogic/tools/bridgetest"
)

// explained is what a client got from a call of a tool.
type explained struct {
	Text       string
	Structured json.RawMessage
	IsError    bool
	Meta       map[string]json.RawMessage
}

// whyReport is what a client got when it asked a server of examples/loans why.
type whyReport struct {
	Resources                                                   []string
	Page                                                        struct{ URI, MimeType, Begins string }
	Held, Failed, Why, Cut, Deeper, WhyNot, Interview, WhyAsked explained
	Asked                                                       []string
}

// loansWhy is the path of examples/loans and the check of a report about it. Places in it depend on the path.
func loansWhy(t *testing.T) (loans string, check func(*testing.T, *whyReport)) {
	loans, err := filepath.Abs("../../examples/loans")
	require.NoError(t, err)
	return loans, func(t *testing.T, r *whyReport) {
		require.Equal(t, []string{"ui://mcplogic/why"}, r.Resources)
		require.Equal(t, "ui://mcplogic/why", r.Page.URI)
		require.Equal(t, "text/html;profile=mcp-app", r.Page.MimeType)
		require.Equal(t, "<!DOCTYPE html>", r.Page.Begins)
		var proofs []engine.Proof
		require.NoError(t, json.Unmarshal(r.Held.Meta["mcplogic/why"], &proofs))
		require.Len(t, proofs, 1)
		require.Equal(t, "may_have(ada, gold)", proofs[0].Nodes[0].Goal)
		require.Equal(t, proofs[0].Text, r.Why.Text)
		require.True(t, r.Failed.IsError)
		require.Contains(t, r.Failed.Text, "Age 17 is below MinAge 30 (Age>=MinAge)")

		var proof engine.Proof
		require.NoError(t, json.Unmarshal(r.Why.Structured, &proof))
		require.Equal(t, r.Why.Text, proof.Text)
		require.Equal(t, "eligible(ada, gold)", proof.Nodes[1].Goal)
		require.Contains(t, r.Cut.Text, "ask again with node: n1.4.")
		require.True(t, strings.HasPrefix(r.Deeper.Text, "income(ada, 72000)"), r.Deeper.Text)
		var misses reasons.Misses
		require.NoError(t, json.Unmarshal(r.WhyNot.Structured, &misses))
		require.False(t, r.WhyNot.IsError)
		require.Equal(t, misses.Line+"\n"+misses.Text, r.WhyNot.Text)
		require.Contains(t, misses.Line, "is below MinAge 30")

		require.Equal(t, "true", r.Interview.Text)
		require.Contains(t, r.WhyAsked.Text, "What does this person earn in a year: dan")
		require.Contains(t, r.WhyAsked.Text, "answered by the user")
		require.Len(t, r.Asked, 1, "an explanation asks nobody")
	}
}

// askWhy asks with the SDK's client.
func askWhy(t *testing.T, transport mcp.Transport, version string) *whyReport {
	r := &whyReport{}
	earns := func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		r.Asked = append(r.Asked, req.Params.Message)
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"income": 20000}}, nil
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{ElicitationHandler: earns})
	cs, err := client.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	require.NoError(t, err)
	defer cs.Close()
	list, err := cs.ListResources(t.Context(), nil)
	require.NoError(t, err)
	for _, resource := range list.Resources {
		r.Resources = append(r.Resources, resource.URI)
	}
	read, err := cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "ui://mcplogic/why"})
	require.NoError(t, err)
	c := read.Contents[0]
	r.Page.URI, r.Page.MimeType, r.Page.Begins = c.URI, c.MIMEType, c.Text[:15]
	const (
		ada = `{"Person": "ada", "Product": "gold"}`
		bob = `{"Person": "bob", "Product": "gold"}`
		dan = `{"Person": "dan", "Product": "starter"}`
	)
	for _, call := range []struct {
		to         *explained
		tool, args string
	}{
		{&r.Held, "may_have", ada},
		{&r.Failed, "may_have", bob},
		{&r.Why, "why", `{"tool": "may_have", "arguments": ` + ada + `, "nodes": true}`},
		{&r.Cut, "why", `{"tool": "eligible", "arguments": {"Person": "ada"}, "depth": 1}`},
		{&r.Deeper, "why", `{"tool": "eligible", "arguments": {"Person": "ada"}, "node": "n1.4"}`},
		{&r.WhyNot, "why", `{"tool": "may_have", "arguments": ` + bob + `, "nodes": true}`},
		{&r.Interview, "may_have", dan},
		{&r.WhyAsked, "why", `{"tool": "may_have", "arguments": ` + dan + `}`},
	} {
		result := bridgetest.CallTool(t, cs, call.tool, call.args)
		call.to.Text, call.to.IsError = bridgetest.TextsOf(result)[0], result.IsError
		call.to.Structured, err = json.Marshal(result.StructuredContent)
		require.NoError(t, err)
		call.to.Meta = map[string]json.RawMessage{}
		for name, value := range result.Meta {
			call.to.Meta[name], err = json.Marshal(value)
			require.NoError(t, err)
		}
	}
	return r
}

// TestWhyEverywhere asks why over both transports, in both framings, on every version of the protocol.
func TestWhyEverywhere(t *testing.T) {
	loans, check := loansWhy(t)
	w := serveSiteOf(t, loans, nil, nil, nil)
	transports := transportsOf(loans, w.url)
	for _, version := range mcp.SupportedProtocolVersions() {
		for name, transport := range transports {
			if version < "2025-06-18" {
				continue // such clients neither ask their users nor know structured content
			}
			t.Run(version+"/"+name, func(t *testing.T) { check(t, askWhy(t, transport(), version)) })
		}
	}
}

// TestWhyTypeScriptClients does the same with the official TypeScript clients.
func TestWhyTypeScriptClients(t *testing.T) {
	dir := installClients(t)
	loans, check := loansWhy(t)
	w := serveSiteOf(t, loans, nil, nil, nil)
	transports := map[string]map[string]any{
		"stdio": {"command": os.Args[0], "args": []string{}, "env": map[string]string{serveEnv: loans}},
		"http":  {"url": w.url},
	}
	for _, client := range []string{"sdk", "legacy", "modern", "auto"} {
		for transport, server := range transports {
			t.Run(fmt.Sprintf("%s/%s", client, transport), func(t *testing.T) {
				text, err := json.Marshal(maps.Clone(server))
				require.NoError(t, err)
				var r whyReport
				out := script(t, dir, "node", "why.mjs", client, string(text))
				require.NoError(t, json.Unmarshal(out, &r), "%s", out)
				check(t, &r)
			})
		}
	}
}

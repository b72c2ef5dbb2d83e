package bridge

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/schema"
	"github.com/mcplogic/mcplogic/engine"
)

// This file defines MCP Apps, the user interfaces of tools, and the capabilities that depend on
// what the knowledge base offers.

const (
	// extensionUI is the name under which MCP Apps are agreed on.
	extensionUI = "io.modelcontextprotocol/ui"
	// mimeApp is the type of the pages that are shown.
	mimeApp = "text/html;profile=mcp-app"
)

// uiSchema tells which values are true and false rather than texts.
var uiSchema = sync.OnceValues(func() (*schema.Schema, error) {
	return schema.Compile(json.RawMessage(`{"type": "object", "properties": {"prefersBorder": {"type": "boolean"}}}`))
})

// uiMeta is the _meta member of an item with a user interface. It is nil when ui is.
func (s *Server) uiMeta(c *schema.Codec, of string, ui engine.Term) mcp.Meta {
	if ui == nil {
		return nil
	}
	schema, err := uiSchema()
	var raw json.RawMessage
	if err == nil {
		raw, err = c.ToJSONAs(ui, schema)
	}
	if err != nil {
		s.opts.Log.Error("a user interface was left out", "of", of, "reason", err)
		return nil
	}
	return mcp.Meta{"ui": raw}
}

// fitCapabilities is a middleware that announces what the knowledge base has at this moment.
func (s *Server) fitCapabilities(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		if err != nil {
			return result, err
		}
		switch r := result.(type) {
		case *mcp.InitializeResult:
			s.current.Load().fit(r.Capabilities)
		case *mcp.DiscoverResult:
			s.current.Load().fit(r.Capabilities)
		}
		return result, nil
	}
}

// fit completes the capabilities of one answer.
func (o *offer) fit(caps *mcp.ServerCapabilities) {
	if !o.completes() {
		caps.Completions = nil
	}
	if o.snapshot.Capable("ui") {
		caps.AddExtension(extensionUI, map[string]any{"mimeTypes": []string{mimeApp}})
	}
}

package bridge

import (
	"cmp"
	"context"
	"encoding/json"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/tasks"
	"github.com/mcplogic/mcplogic/bridge/internal/why"
	"github.com/mcplogic/mcplogic/bridge/schema"
	"github.com/mcplogic/mcplogic/engine"
)

// This file defines MCP Apps, the user interfaces of tools, and the capabilities that depend on
// what the knowledge base offers.

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

// toolMeta is the _meta member of a tool: what its option meta says, and what else clients look for there.
func (s *Server) toolMeta(t *tool) mcp.Meta {
	meta := s.uiMeta(t.codec, "tool "+t.Name, t.UI)
	put := func(name string, value any) {
		if meta == nil {
			meta = mcp.Meta{}
		}
		meta[name] = value
	}
	if t.AlwaysLoad != nil {
		put("anthropic/alwaysLoad", *t.AlwaysLoad)
	}
	if t.MaxResult > 0 {
		put("anthropic/maxResultSizeChars", t.MaxResult)
	}
	if t.Meta == nil {
		return meta
	}
	var members map[string]json.RawMessage
	raw, err := t.codec.ToJSON(t.Meta, nil)
	if err == nil {
		err = json.Unmarshal(raw, &members)
	}
	if err != nil { // the loader has checked it
		return meta
	}
	for name, value := range members {
		put(name, value)
	}
	return meta
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
			s.fit(r.Capabilities)
			r.Instructions = cmp.Or(r.Instructions, s.instructions())
		case *mcp.DiscoverResult:
			s.fit(r.Capabilities)
			r.Instructions = cmp.Or(r.Instructions, s.instructions())
		}
		return result, nil
	}
}

// fit completes the capabilities of one answer.
func (s *Server) fit(caps *mcp.ServerCapabilities) {
	o := s.current.Load()
	if len(s.allSkills()) > 0 {
		caps.AddExtension(extensionSkills, map[string]any{})
	}
	if o.hasTasks() {
		caps.AddExtension(tasks.Extension, map[string]any{})
	}
	if !o.completes() {
		caps.Completions = nil
	}
	if o.snapshot.Capable("ui") || o.whyTool != "" {
		caps.AddExtension(why.ExtensionUI, map[string]any{"mimeTypes": []string{why.MIMEApp}})
	}
}

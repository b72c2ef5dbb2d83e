package items

import (
	"encoding/json"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/internal/schema"
)

// This file defines the _meta member of items: their user interfaces, which are MCP Apps, and what tools say by option.

// uiSchema tells which values are true and false rather than texts.
var uiSchema = sync.OnceValues(func() (*schema.Schema, error) {
	return schema.Compile(json.RawMessage(`{"type": "object", "properties": {"prefersBorder": {"type": "boolean"}}}`))
})

// uiMeta is the _meta member of an item with a user interface. It is nil when ui is.
func (m *Maker) uiMeta(c *schema.Codec, of string, ui engine.Term) mcp.Meta {
	if ui == nil {
		return nil
	}
	schema, err := uiSchema()
	var raw json.RawMessage
	if err == nil {
		raw, err = c.ToJSONAs(ui, schema)
	}
	if err != nil {
		m.set.Log.Error("a user interface was left out", "of", of, "reason", err)
		return nil
	}
	return mcp.Meta{"ui": raw}
}

// toolMeta is the _meta member of a tool: what its option meta says, and what else clients look for there.
func (m *Maker) toolMeta(t *Tool) mcp.Meta {
	meta := m.uiMeta(t.codec, "tool "+t.Name, t.UI)
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

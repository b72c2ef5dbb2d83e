package items

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/content"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/schema"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines the _meta member of items: their user interfaces, which are MCP Apps, and the options of tools. It
// also defines the goal that says how long clients may cache a result.

// uiSchema says which values are booleans rather than texts.
var uiSchema = sync.OnceValues(func() (*schema.Schema, error) {
	return schema.Compile(json.RawMessage(`{"type": "object", "properties": {"prefersBorder": {"type": "boolean"}}}`))
})

// uiMeta is the _meta member of an item with a user interface. It is nil if ui is nil.
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

// toolMeta is the _meta member of a tool: the members of its option meta, and others that clients look for.
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

const (
	ScopePublic  = "public"
	ScopePrivate = "private"
	// policyTime is the longest running time of cache_policy/4.
	policyTime = time.Second
)

var (
	varTTL   = &term.Var{Name: "TTL", ID: -3}
	varScope = &term.Var{Name: "Scope", ID: -4}
)

func (m *Maker) PolicyJob(program *engine.Program, p *kb.Provider, operation string, request engine.Term,
	hint *mcp.Cacheable) *calls.Job {
	return &calls.Job{
		Kind: operation, Name: "cache_policy",
		Program: program, Provider: p, Codec: m.newCodec(program, p), Time: min(policyTime, m.set.Time),
		Goal:   term.New("cache_policy", term.Atom(operation), request, varTTL, varScope),
		Vars:   []*term.Var{varTTL, varScope},
		Enough: firstSuffices,
		Finish: func(_ context.Context, c *calls.Call) (result mcp.Result, err error) {
			*hint, err = cacheable(c)
			return nil, err
		},
	}
}

// cacheable reads the answer of cache_policy/4.
func cacheable(c *calls.Call) (hint mcp.Cacheable, err error) {
	if len(c.Solutions) == 0 {
		return hint, calls.ErrFailed
	}
	ttl, ok := c.First(varTTL.Name).(term.Int)
	if !ok || ttl < 0 {
		return hint, fmt.Errorf("the time to live has to be a number of milliseconds from 0, it is %s",
			content.Show(c.First(varTTL.Name)))
	}
	scope := content.Text(c.First(varScope.Name))
	if !slices.Contains([]string{ScopePublic, ScopePrivate}, scope) {
		return hint, fmt.Errorf("the scope has to be public or private, it is %s", content.Show(c.First(varScope.Name)))
	}
	return mcp.Cacheable{TTLMs: int(ttl), CacheScope: scope}, nil
}

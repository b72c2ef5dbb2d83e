package items

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/content"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines the goal that says how long clients may cache a result.

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

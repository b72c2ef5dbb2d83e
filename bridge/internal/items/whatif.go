package items

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/internal/schema"
)

// This file defines the tool what_if, and the facts that come with its calls.

//go:embed whatif.json
var whatIfSchemaJSON string

// WhatIfSchema checks the arguments of the tool what_if.
var WhatIfSchema = refusal.Schema("what_if", whatIfSchemaJSON)

// DescribeWhatIf returns the tool what_if as clients see it.
func DescribeWhatIf(name string) *mcp.Tool {
	return &mcp.Tool{Name: name, Title: "What if",
		Description: "Compares the answer of another tool with the one that it would give if some facts were different: " +
			"both answers, and the reasons of both if they differ. Changes nothing.",
		InputSchema: json.RawMessage(whatIfSchemaJSON),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}
}

// Supposable is the schema of the facts that Suppose reads.
func (t *Tool) Supposable() schema.Object {
	list := t.Provider.Assumable
	return factsSchema("", list, assumedParams(t, list))
}

// Suppose reads facts and a time for a call of a tool. The facts are of any dynamic predicates with modes.
func (t *Tool) Suppose(assume, without, now json.RawMessage) (g Given, err error) {
	ps := assumedParams(t, t.Provider.Assumable)
	if len(assume) > 0 {
		if g.Assume, err = t.facts(assume, ps); err != nil {
			return g, fmt.Errorf("assume: %w", err)
		}
	}
	if len(without) > 0 {
		if g.Without, err = t.facts(without, ps); err != nil {
			return g, fmt.Errorf("without: %w", err)
		}
	}
	if len(now) > 0 {
		if g.Now, err = ParseTime(now); err != nil {
			return g, fmt.Errorf("now: %w", err)
		}
	}
	return g, nil
}

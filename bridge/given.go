package bridge

import (
	"context"
	"encoding/json"
	"time"

	"github.com/mcplogic/mcplogic/bridge/internal/items"
	"github.com/mcplogic/mcplogic/engine"
)

// This file defines what a program in Go may give calls of tools in place of the clock, of chance and of facts.

// WithGiven returns a context for requests, such as one of a middleware, whose calls of tools are given a time, a seed
// or facts. They commit nothing.
func WithGiven(ctx context.Context, g engine.Given) context.Context { return items.WithGiven(ctx, g) }

// ParseTime reads a time in ISO 8601 as a string of JSON, as calls have it in their argument now.
func ParseTime(raw json.RawMessage) (time.Time, error) { return items.ParseTime(raw) }

// ParseMoment reads a moment of a store, as calls have it in their argument as_of: a time as ParseTime reads it, but
// that a date stands for its end, or else what names a change.
func ParseMoment(raw json.RawMessage) (sequence string, t time.Time, err error) {
	return items.ParseMoment(raw, time.Local)
}

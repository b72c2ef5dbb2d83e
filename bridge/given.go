package bridge

import (
	"context"
	"encoding/json"
	"time"

	"github.com/mcplogic/mcplogic/bridge/internal/items"
	"github.com/mcplogic/mcplogic/engine"
)

// This file defines the time, the seed and the facts that a program in Go may give to calls of tools.

// WithGiven returns a context, for use in a middleware for example. Calls of tools under it get a time, a seed or
// facts, and commit nothing.
func WithGiven(ctx context.Context, g engine.Given) context.Context { return items.WithGiven(ctx, g) }

// ParseTime reads a time in ISO 8601 as a string of JSON, as calls have it in their argument now.
func ParseTime(raw json.RawMessage) (time.Time, error) { return items.ParseTime(raw) }

// ParseMoment reads a moment of a store, as calls have it in their argument as_of. It is the name of a change, or a
// time as ParseTime reads it. A date stands for its end.
func ParseMoment(raw json.RawMessage) (sequence string, t time.Time, err error) {
	return items.ParseMoment(raw, time.Local)
}

// Package eventtexts passes to the module of events how texts are made of its answers.
package eventtexts

import (
	"context"

	"github.com/mcplogic/mcplogic/engine/term"
)

// Module is the module that keeps what has occurred. Programs without events have it only while it still has
// facts.
const Module = "mcp_events"

// Texts makes texts of an answer of an event: its data in JSON, and its proof, "" for none. The context is that of
// the goal.
type Texts struct {
	Data, Proof func(ctx context.Context, row []term.Term) (string, error)
}

// key is the key of the texts among the values of a context.
type key struct{}

// With returns a context for goals of the module of events.
func With(ctx context.Context, texts *Texts) context.Context {
	return context.WithValue(ctx, key{}, texts)
}

// Of returns the texts of a context of a goal, nil for none.
func Of(ctx context.Context) *Texts {
	texts, _ := ctx.Value(key{}).(*Texts)
	return texts
}

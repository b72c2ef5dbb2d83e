package calls

import (
	"context"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// This file defines how a client of several servers with one store sees at each what it has seen at another.

// MetaSequence is the member of _meta that has the number of the last change of the store which a result may have seen.
// In a request it is the number of a change that the call has to see.
const MetaSequence = "mcplogic/sequence"

// sequenceTime is how long a call waits for the changes that it has to see.
const sequenceTime = 10 * time.Second

// sequence is the number of the last change of the store that calls see, 0 if no other server has the store.
func (r *Runner) sequence() uint64 {
	if r.limits.Store == nil {
		return 0
	}
	return r.limits.Store.Sequence()
}

// awaitChanges waits until a call sees the changes that it has to.
func (c *Call) awaitChanges(ctx context.Context, cr *Request) error {
	number := max(c.seen, cr.demanded())
	if number <= c.runner.sequence() || c.runner.limits.Store == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, sequenceTime)
	defer cancel()
	err := c.runner.limits.Store.WaitFor(ctx, number)
	if err != nil && ctx.Err() == context.DeadlineExceeded {
		err = fmt.Errorf("this server has the changes up to %d and not yet those up to %d; try again",
			c.runner.sequence(), number)
	}
	return err
}

// NoteSequence puts the number of the last change into a result.
func (r *Runner) NoteSequence(result mcp.Result) {
	if n := r.sequence(); n > 0 {
		meta := result.GetMeta()
		if meta == nil {
			meta = map[string]any{}
		}
		meta[MetaSequence] = n
		result.SetMeta(meta)
	}
}

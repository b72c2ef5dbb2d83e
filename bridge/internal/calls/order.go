package calls

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/engine"
)

// This file defines the order among calls that change the same facts. A call that has lost is run again when it is its
// turn, and the calls that would take the same facts from it wait for its end. Whoever waits gives up its place among
// the calls that run. A client of several servers with one store sees at each what it has seen at another.

// commit makes the changes of the run visible, after a call whose turn it is.
func (c *Call) commit(ctx context.Context, cr *Request) error {
	for {
		obstacle := c.Run.Obstacle()
		if obstacle == nil {
			break
		}
		if err := cr.outside(ctx, c.runner, func() error { return await(ctx, obstacle) }); err != nil {
			return err
		}
	}
	if !c.Run.Changed() {
		return c.Run.Commit() // which does nothing that could take long
	}
	_, err := c.watch(ctx, func(run *engine.Run, _ context.Context) (engine.State, error) { return 0, run.Commit() })
	if err == engine.ErrConflict {
		c.rivalry.Note(c.Run)
	}
	return err
}

// await waits until a channel is closed.
func await(ctx context.Context, closed <-chan struct{}) error {
	select {
	case <-closed:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// takeTurn waits for the turn of a call that has lost.
func (c *Call) takeTurn(ctx context.Context, cr *Request) error {
	if c.hasTurn {
		return nil
	}
	return cr.outside(ctx, c.runner, func() error {
		select {
		case c.runner.turn <- struct{}{}:
			c.hasTurn = true
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
}

// endTurn lets others have their turn. A call that waits for its user does not keep them waiting.
func (c *Call) endTurn() {
	if !c.hasTurn {
		return
	}
	c.hasTurn = false
	if c.Run != nil {
		c.Run.Prefer(nil)
	}
	<-c.runner.turn
}

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

// demanded is the number of the change that a request has to see, 0 if it names none.
func (cr *Request) demanded() (uint64, error) {
	given, ok := cr.peer.meta[MetaSequence]
	if !ok {
		return 0, nil
	}
	n, ok := given.(float64)
	if !ok || n < 0 || n >= math.MaxInt64 || n != math.Trunc(n) {
		return 0, refusal.InvalidParams("%s in _meta has to be the number of a change, such as a result has", MetaSequence)
	}
	return uint64(n), nil
}

// awaitChanges waits until a call sees the changes that it has to.
func (c *Call) awaitChanges(ctx context.Context, cr *Request) error {
	demanded, _ := cr.demanded() // Resume has checked it
	number := max(c.seen, demanded)
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

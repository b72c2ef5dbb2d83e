package calls

import (
	"context"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/kb"
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

// MetaSequence is the member of _meta that names the last change of the store which a result may have seen. In a
// request it names a change that the call has to see.
const MetaSequence = "mcplogic/sequence"

// sequenceTime is how long a call waits for the changes that it has to see.
const sequenceTime = 10 * time.Second

// sequence names the last change of the store that calls see, "" if there is no store or no change.
func (r *Runner) sequence() string {
	if r.limits.Store == nil {
		return ""
	}
	return r.limits.Store.Sequence()
}

// demanded is the change that a request has to see, "" if it names none.
func (cr *Request) demanded() (string, error) {
	given, ok := cr.peer.meta[MetaSequence]
	if !ok {
		return "", nil
	}
	text, _ := given.(string)
	if text == "" || kb.CheckSequence(text) != nil {
		return "", refusal.InvalidParams("%s in _meta has to be a text that a result has there", MetaSequence)
	}
	return text, nil
}

// awaitChanges waits until a call sees the changes that it has to.
func (c *Call) awaitChanges(ctx context.Context, cr *Request) error {
	if c.runner.limits.Store == nil {
		return nil
	}
	demanded, _ := cr.demanded() // Resume has checked it
	ctx, cancel := context.WithTimeout(ctx, sequenceTime)
	defer cancel()
	for _, sequence := range []string{c.seen, demanded} {
		err := c.runner.limits.Store.WaitFor(ctx, sequence)
		if err != nil && ctx.Err() == context.DeadlineExceeded {
			return fmt.Errorf("this server has the changes up to %s and not yet those up to %s; try again",
				c.runner.sequence(), sequence)
		} else if err != nil {
			return err
		}
	}
	return nil
}

// NoteSequence puts the name of the last change into a result.
func (r *Runner) NoteSequence(result mcp.Result) {
	if sequence := r.sequence(); sequence != "" {
		meta := result.GetMeta()
		if meta == nil {
			meta = map[string]any{}
		}
		meta[MetaSequence] = sequence
		result.SetMeta(meta)
	}
}

package calls

import (
	"context"

	"github.com/mcplogic/mcplogic/engine"
)

// This file defines the order among calls that change the same facts. A call that has lost is run again when it is its
// turn, and the calls that would take the same facts from it wait for its end. Whoever waits gives up its place among
// the calls that run.

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

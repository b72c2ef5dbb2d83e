package calls

import (
	"context"
	"errors"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/dialogue"
	"github.com/mcplogic/mcplogic/engine"
)

// This file defines how a call runs: to its end, or until it has to wait for its client, and again after a conflict.

// maxConflicts bounds how often a call is run again. A conflict means that another call has
// succeeded, so that many in a row are rare.
const maxConflicts = 100

// Advance runs the goal to its end, or until it has to wait for the client: then the error is ErrParked and the call
// lives on. Otherwise it is over. After a conflict the goal runs again, on the program that the server has by then.
func (c *Call) Advance(ctx context.Context, cr *Request) (mcp.Result, error) {
	err := c.runner.Health()
	if err == nil {
		err = c.awaitChanges(ctx, cr)
	}
	if err == nil {
		err = cr.Enter(ctx, c.runner)
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	defer cr.Exit(c.runner)
	defer c.endTurn()
	c.Client = c.runner.Client(ctx, cr.Session, cr.peer.info)
	c.CanModel = c.Job.Kind == CallTool && c.runner.host.AnswerTool() != ""
	for range maxConflicts {
		result, err := c.attempt(ctx, cr)
		err = c.decided(err)
		if err == ErrParked {
			return nil, err
		}
		if err == nil && c.Run == nil {
			err = errGivenUp
		}
		if c.Keeps && c.Run != nil {
			c.Forget()
			c.Moment = c.Run.Keep()
		}
		if err == nil {
			err = c.cut(ctx)
		}
		if err == nil {
			err = c.commit(ctx, cr)
		}
		c.Close()
		if err == nil {
			c.runner.host.Publish(ctx, &c.Changes)
		}
		if err != engine.ErrConflict {
			return result, err
		}
		if c.left() <= 0 {
			break
		}
		if err := c.takeTurn(ctx, cr); err != nil {
			return nil, err
		}
		c.Job = c.Job.onProgram(c.runner.host.Snapshot().Program)
	}
	return nil, errConflicts
}

// start begins a run of the goal.
func (c *Call) start() error {
	o := &c.runner.limits
	c.printed = &engine.Buffer{Max: o.MaxResult}
	c.Solutions, c.More, c.Asked, c.Changes = nil, false, dialogue.Asked{}, Changes{}
	run, err := c.Job.Program.StartTerm(c.Job.Goal, c.Job.Vars, &engine.RunOptions{
		Module: c.Job.Provider.Module, Transaction: true, Served: true,
		Time: c.left(), Inferences: o.Inferences, Memory: o.Memory,
		Output: c.printed, Error: o.Stderr, By: c.Job.User, TraceValues: o.Backtraces, Restricted: c.Job.Restricted(),
	})
	c.Run = run
	if err == nil && c.hasTurn {
		run.Prefer(&c.rivalry)
	}
	return err
}

// attempt runs the goal, from its start or from where it waits, and makes the result.
func (c *Call) attempt(ctx context.Context, cr *Request) (mcp.Result, error) {
	if c.Run == nil {
		if err := c.start(); err != nil {
			return nil, err
		}
	}
	cr.call, c.Request = c, cr
	if c.Asked.Open != nil {
		if err := c.converse(ctx, cr); err != nil {
			return nil, err
		}
	}
	for {
		state, err := c.next(ctx)
		switch {
		case err != nil:
			return nil, err
		case state == engine.Waiting:
			c.endTurn()
			if err := c.converse(ctx, cr); err != nil {
				return nil, err
			}
			continue
		case state == engine.Answer:
			s := c.Run.Solution()
			if s.Undefined() && !c.Job.Undefined {
				return nil, ErrUndefined
			}
			c.Solutions = append(c.Solutions, s)
			if !c.Job.Enough(c) {
				continue
			}
		case len(c.Solutions) == 0 && c.Run.Undefined():
			return nil, ErrUndefined
		}
		return c.Job.Finish(ctx, c)
	}
}

// decided is the error of an attempt, or that of a call whose answer leans on what nobody has answered. What ends a
// call from outside, such as a limit, comes first.
func (c *Call) decided(err error) error {
	var exception *engine.Exception
	if thrown := errors.As(err, &exception) && exception.Limit() == ""; !thrown &&
		!errors.Is(err, engine.ErrUndecided) && !errors.As(err, new(*failedError)) {
		return err
	}
	says := exception != nil && exceptionCode(exception) == codeUndecided
	if left := c.Undecided(says); len(left) > 0 {
		return &undecidedError{left}
	}
	return err
}

// next runs to the next solution.
func (c *Call) next(ctx context.Context) (engine.State, error) {
	return c.step(ctx, (*engine.Run).Next)
}

// cut gives up the solutions that nobody wants, and runs the cleanup goals that wait for that.
func (c *Call) cut(ctx context.Context) error {
	if c.Run.Done() {
		return nil
	}
	_, err := c.step(ctx, func(run *engine.Run, ctx context.Context) (engine.State, error) { return 0, run.Cut(ctx) })
	return err
}

// step has the run do something within the time that it has left. A goal may catch the error of the time limit and go
// on for a last word; this stops one that goes on for good.
func (c *Call) step(ctx context.Context, step runStep) (engine.State, error) {
	ctx, cancel := context.WithTimeoutCause(c.Request.Context(ctx), max(c.left(), 0)+grace(c.Job.Time), errTime)
	defer cancel()
	defer func(began time.Time) { c.spent += time.Since(began) }(time.Now())
	state, err := c.watch(ctx, step)
	if err != nil && context.Cause(ctx) == errTime && err != errGivenUp {
		return state, &timeError{c.Run.Effort()}
	}
	return state, err
}

// grace is what a goal has left that has caught the error of its time limit: the machine gives it a quarter more.
func grace(limit time.Duration) time.Duration { return limit/4 + 100*time.Millisecond }

// Probe sets more if there are more solutions than those taken. An error in the search for one more counts as one:
// the solutions that were found are good.
func (c *Call) Probe(ctx context.Context) {
	if c.Run.Done() {
		return
	}
	state, err := c.next(ctx)
	c.More = err != nil || state != engine.NoMore
}

package calls

import (
	"context"
	"errors"
	"runtime/debug"
	"time"

	"github.com/mcplogic/mcplogic/engine"
)

// This file defines how a call gets rid of a machine that does not stop: all that the engine does heeds limits and
// cancellation, but a predicate written in Go may wait for ever, and the engine may have mistakes.

// StopTime is how long a machine may take to come back once it has been stopped.
const StopTime = time.Second

// errGivenUp is the error of a call whose machine did not come back.
var errGivenUp = errors.New("its goal did not stop when its time was over or it was cancelled, and was given up")

// errTooManyStuck is the error of a call when so many machines have been given up that one more would be too much.
var errTooManyStuck = errors.New("goals of earlier calls do not stop, and no more of them can be left behind: " +
	"the server has to be restarted before it takes another call")

// FewStuck machines may be left behind in any case.
const FewStuck = 4

// Health returns an error while the server takes no calls, because as many machines as calls may run at a time, and no
// fewer than four, have been given up and have not stopped. Each holds memory, and perhaps a processor. Whoever watches
// over the server should start it anew then.
func (r *Runner) Health() error {
	if int(r.stuck.Load()) >= max(FewStuck, r.limits.Concurrent) {
		return errTooManyStuck
	}
	return nil
}

// runResult is what a run of a machine has come to.
type runResult struct {
	state    engine.State
	err      error
	panicked any
}

// runStep is something that a run does: Next, Cut or Commit.
type runStep func(run *engine.Run, ctx context.Context) (engine.State, error)

// watch has the run do something, on a goroutine of its own. When ctx has ended and the machine does not come back the
// call is over, with errGivenUp and without its run.
func (c *Call) watch(ctx context.Context, step runStep) (engine.State, error) {
	back := make(chan runResult, 1)
	go c.runner.runTo(ctx, c.Run, step, back)
	var r runResult
	select {
	case r = <-back:
	case <-ctx.Done():
		select {
		case r = <-back:
		case <-time.After(StopTime):
			c.giveUpRun(back)
			return 0, errGivenUp
		}
	}
	if r.panicked != nil {
		panic(r.panicked)
	}
	return r.state, r.err
}

// runTo has a run do something and sends the result. A panic is one of the handler that waits for it.
func (r *Runner) runTo(ctx context.Context, run *engine.Run, step runStep, back chan<- runResult) {
	defer func() {
		if p := recover(); p != nil {
			r.limits.Log.Error("a goal panicked", "panic", p, "stack", string(debug.Stack()))
			back <- runResult{panicked: p}
		}
	}()
	state, err := step(run, ctx)
	back <- runResult{state: state, err: err}
}

// giveUpRun leaves the run to itself. It may still print, so that its output is left to it too. Should it come back
// its changes are dropped, unless it was committing them.
func (c *Call) giveUpRun(back <-chan runResult) {
	run, began := c.Run, time.Now()
	run.Prefer(nil)
	c.Run, c.printed = nil, nil
	log := c.runner.limits.Log.With("call", c.Job.label(), "predicate", run.Whereabouts())
	stuck := &c.runner.stuck
	log.Error("a machine was given up that did not stop", "stuck", stuck.Add(1))
	go func() {
		if r := <-back; r.panicked == nil {
			run.Close()
		}
		stuck.Add(-1)
		log.Warn("a machine that was given up has stopped", "after", time.Since(began).Round(time.Second))
	}()
}

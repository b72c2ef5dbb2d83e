package bridge

import (
	"context"
	"errors"
	"runtime/debug"
	"time"

	"github.com/mcplogic/mcplogic/engine"
)

// This file defines how a call gets rid of a machine that does not stop: all that the engine does heeds limits and
// cancellation, but a predicate written in Go may wait for ever, and the engine may have mistakes.

// stopTime is how long a machine may take to come back once it has been stopped.
const stopTime = time.Second

// errGivenUp is the error of a call whose machine did not come back.
var errGivenUp = errors.New("its goal did not stop when its time was over or it was cancelled, and was given up")

// runResult is what a run of a machine has come to.
type runResult struct {
	state    engine.State
	err      error
	panicked any
}

// watch runs on, on a goroutine of its own. When ctx has ended and the machine does not come back the call is over,
// with errGivenUp and without its run.
func (c *call) watch(ctx context.Context) (engine.State, error) {
	back := make(chan runResult, 1)
	go c.server.runTo(ctx, c.run, back)
	var r runResult
	select {
	case r = <-back:
	case <-ctx.Done():
		select {
		case r = <-back:
		case <-time.After(stopTime):
			c.giveUpRun(back)
			return 0, errGivenUp
		}
	}
	if r.panicked != nil {
		panic(r.panicked)
	}
	return r.state, r.err
}

// runTo runs on and sends the result. A panic is one of the handler that waits for it.
func (s *Server) runTo(ctx context.Context, run *engine.Run, back chan<- runResult) {
	defer func() {
		if p := recover(); p != nil {
			s.opts.Log.Error("a goal panicked", "panic", p, "stack", string(debug.Stack()))
			back <- runResult{panicked: p}
		}
	}()
	state, err := run.Next(ctx)
	back <- runResult{state: state, err: err}
}

// giveUpRun leaves the run to itself. It may still print, so that its output is left to it too. Should it come back
// its changes are dropped.
func (c *call) giveUpRun(back <-chan runResult) {
	run, began := c.run, time.Now()
	run.Prefer(nil)
	c.run, c.printed = nil, nil
	log := c.server.opts.Log.With("call", c.job.label(), "predicate", run.Whereabouts())
	log.Error("a machine was given up that did not stop")
	go func() {
		if r := <-back; r.panicked == nil {
			run.Close()
		}
		log.Warn("a machine that was given up has stopped", "after", time.Since(began).Round(time.Second))
	}()
}

package calls

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/dialogue"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/internal/facts"
	"github.com/mcplogic/mcplogic/internal/inner"
)

// This file defines how a call runs: to its end, or until it has to wait for its client, and again after a conflict.

// maxConflicts bounds how often a call is run again. A conflict means that another call has
// succeeded, so that many in a row are rare.
const maxConflicts = 100

// Advance runs the goal to its end, or until it has to wait for the client. In the latter case the error is ErrParked
// and the call continues later; otherwise the call is over. After a conflict the goal runs again, on the program that
// the server then has.
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
	if store := c.runner.limits.Store; store != nil && !cr.quiet {
		defer store.Lasting(ctx) // what its result shows may be a change that does not last yet
	}
	defer cr.Exit(c.runner)
	defer c.rivalry.End()
	c.Client = c.runner.Client(ctx, cr.Session, cr.peer.info)
	ctx = relation.Counted(ctx, &c.Statements)
	c.CanModel = c.Job.Kind == CallTool && c.runner.host.AnswerTool() != ""
	if c.runner.limits.Record != nil && !c.Job.Trial {
		c.runner.limits.Record(cr, c)
	}
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
		if err == nil && c.Before != nil && c.Run.Changed() {
			err = c.Before(result)
		}
		if err == nil && !c.Job.Trial {
			err = c.commit(ctx, cr)
			if err != nil && c.Undone != nil && c.Run != nil { // a run that was given up may be committing
				c.Undone()
			}
		}
		c.Close()
		if err == nil && !c.Job.Trial {
			c.runner.host.Publish(ctx, &c.Changes)
		}
		if err != engine.ErrConflict {
			return result, err
		}
		if c.left() <= 0 {
			break
		}
		if !c.rivalry.InTurn() {
			if err := cr.outside(ctx, c.runner, func() error { return c.rivalry.Wait(ctx) }); err != nil {
				return nil, err
			}
		}
		c.Job = c.Job.onProgram(c.runner.host.Snapshot().Program)
	}
	return nil, errConflicts
}

func (c *Call) start() error {
	o := &c.runner.limits
	c.printed = &host.Buffer{Max: o.MaxResult}
	c.Solutions, c.More, c.Asked, c.Changes = nil, false, dialogue.Asked{}, Changes{}
	c.Sequence = c.runner.Sequence()
	run, err := inner.Of(c.Job.Program).StartTerm(c.Job.Goal, c.Job.Vars, &engine.RunOptions{
		Module: c.Job.Provider.Module, Transaction: true, Served: true,
		Limits: engine.Limits{Time: max(c.left(), 1), Inferences: o.Inferences, Memory: o.Memory},
		Output: c.printed, Error: o.Stderr, By: c.Job.User, TraceValues: o.Backtraces, Restricted: c.Job.Restricted(),
		Given: c.Given,
	})
	c.Run = run
	if err == nil {
		c.State = inner.Of(c.Job.Program).Generation(run)
	}
	if err == nil {
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
			c.rivalry.End() // a call that waits for its user ends its turn
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

// decided returns the error of an attempt. If the answer depends on a question that nobody has answered, it returns
// the error for that. What ends a call from outside, such as a limit, comes first.
func (c *Call) decided(err error) error {
	var exception *engine.Exception
	if thrown := errors.As(err, &exception) && exception.Limit() == ""; !thrown &&
		!errors.Is(err, engine.ErrUndecided) && !errors.As(err, new(*failedError)) {
		return err
	}
	says := exception != nil && exceptionCode(exception) == codeUndecided
	if errors.Is(err, engine.ErrUndecided) && len(c.Undecided(false)) == 0 {
		says = true // and a goal has caught the error
	}
	if left := c.Undecided(says); len(left) > 0 {
		return &undecidedError{left}
	}
	return err
}

// next runs to the next solution.
func (c *Call) next(ctx context.Context) (engine.State, error) {
	return c.step(ctx, (*engine.Run).Next)
}

// cut drops unwanted solutions, and runs the pending cleanup goals.
func (c *Call) cut(ctx context.Context) error {
	if c.Run.Done() {
		return nil
	}
	_, err := c.step(ctx, func(run *engine.Run, ctx context.Context) (engine.State, error) { return 0, run.Cut(ctx) })
	return err
}

// step lets the run execute a step within its remaining time. A goal may catch the error of the time limit and continue
// for a moment; step stops a goal that does not end then.
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

// grace is the time that a goal has left after it has caught the error of its time limit: the machine gives it a
// quarter more.
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

// This part abandons machines that do not stop. The engine keeps to limits and cancellation, but a predicate written in
// Go may wait for ever, and the engine may have bugs.

// StopTime is how long a machine may take to return after it has been stopped.
const StopTime = time.Second

// errGivenUp is the error of a call whose machine did not return.
var errGivenUp = errors.New("its goal did not stop when its time was over or it was cancelled, and was given up")

// errTooManyStuck is the error of a call when the server has abandoned the greatest allowed number of machines.
var errTooManyStuck = errors.New("goals of earlier calls do not stop, and no more of them can be left behind: " +
	"the server has to be restarted before it takes another call")

// FewStuck is the number of machines that may always be abandoned.
const FewStuck = 4

// Health returns an error while the server takes no calls because too many abandoned machines have not stopped. The
// bound is the number of calls that may run at a time, and at least four. Each such machine holds memory, and perhaps a
// processor. A supervisor should then restart the server.
func (r *Runner) Health() error {
	if int(r.stuck.Load()) >= max(FewStuck, r.limits.Concurrent) {
		return errTooManyStuck
	}
	return nil
}

// runResult is the result of a step of a run.
type runResult struct {
	state    engine.State
	err      error
	panicked any
}

// runStep is a step of a run: Next, Cut or Commit.
type runStep func(run *engine.Run, ctx context.Context) (engine.State, error)

// watch executes a step of the run on a separate goroutine. If ctx has ended and the machine does not return, watch
// abandons the run, and the call ends with errGivenUp.
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

// runTo executes a step of a run and sends the result. A panic is passed on to the waiting handler.
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

// giveUpRun abandons the run. The run may still print, so it keeps its output. If it returns later, its changes are
// dropped, unless it was committing them.
func (c *Call) giveUpRun(back <-chan runResult) {
	run, began := c.Run, time.Now()
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

// This part defines the order among calls that change the same facts. A call that has lost a conflict runs again when
// it is its turn, and other calls that would change the same facts wait for its end. A waiting call releases its place
// among the running calls. A client of several servers with one store sees at each server the changes that it has seen
// at another.

// commit makes the changes of the run visible, after a call whose turn it is.
func (c *Call) commit(ctx context.Context, cr *Request) error {
	if wait := c.Run.Obstacle(); wait != nil {
		if err := cr.outside(ctx, c.runner, func() error { return wait(ctx) }); err != nil {
			return err
		}
	}
	if !c.Run.Changed() {
		return c.Run.Commit() // which never takes long
	}
	_, err := c.watch(ctx, func(run *engine.Run, _ context.Context) (engine.State, error) { return 0, run.Commit() })
	switch err {
	case nil:
		c.Committed = inner.Of(c.Job.Program).Generation(c.Run)
		if c.After != nil {
			c.After()
		}
	case engine.ErrConflict:
		c.rivalry.Note(c.Run)
	}
	return err
}

// MetaSequence is the member of _meta that names a change of the store: in a result the last change that the call may
// have seen, in a request a change that the call has to see.
const MetaSequence = "mcplogic/sequence"

// sequenceTime is how long a call waits for the changes that it has to see.
const sequenceTime = 10 * time.Second

// Sequence names the last change of the store that calls see. It is "" without a store or a change.
func (r *Runner) Sequence() string {
	if r.limits.Store == nil {
		return ""
	}
	return r.limits.Store.Sequence()
}

// demanded is the change that a request has to see, or "".
func (cr *Request) demanded() (string, error) {
	given, ok := cr.peer.meta[MetaSequence]
	if !ok {
		return "", nil
	}
	text, _ := given.(string)
	if text == "" || facts.CheckSequence(text) != nil {
		return "", refusal.InvalidParams("%s in _meta has to be a text that a result has there", MetaSequence)
	}
	return text, nil
}

// errBehind is in the chain of the error of a call whose changes the server does not have.
var errBehind = errors.New("it has to see changes of facts that this server does not have")

// awaitChanges waits until a call sees the demanded changes.
func (c *Call) awaitChanges(ctx context.Context, cr *Request) error {
	if c.runner.limits.Store == nil || cr.quiet { // a repeated call has the facts of its time
		return nil
	}
	demanded, _ := cr.demanded() // Resume has checked it
	ctx, cancel := context.WithTimeout(ctx, sequenceTime)
	defer cancel()
	for _, sequence := range []string{c.seen, demanded} {
		err := c.runner.limits.Store.WaitFor(ctx, sequence)
		if err != nil && ctx.Err() == context.DeadlineExceeded {
			err = fmt.Errorf("the server has those up to %s and not yet those up to %s; try again", c.runner.Sequence(),
				sequence)
		}
		if err != nil {
			return fmt.Errorf("%w: %w", errBehind, err)
		}
	}
	return nil
}

// NoteSequence puts the name of the last change into a result.
func (r *Runner) NoteSequence(result mcp.Result) { noteMeta(result, MetaSequence, r.Sequence()) }

// MetaDecision is the member of _meta that names the record of a call.
const MetaDecision = "mcplogic/decision"

// NoteDecision puts the name of the call's record into a result.
func NoteDecision(result mcp.Result, id string) { noteMeta(result, MetaDecision, id) }

// MetaRules is the member of _meta that names the rules behind a result, by the beginning of their digest.
const MetaRules = "mcplogic/rules"

// NoteRules puts the digest of the rules into a result.
func NoteRules(result mcp.Result, digest string) {
	noteMeta(result, MetaRules, inner.ShortDigest(digest))
}

// NoteRules puts the digest of the rules of a job into a result.
func (j *Job) NoteRules(result mcp.Result) { NoteRules(result, inner.Of(j.Program).Digest()) }

// noteMeta sets a member of _meta, unless its value is "".
func noteMeta(result mcp.Result, name, value string) {
	if value == "" {
		return
	}
	meta := result.GetMeta()
	if meta == nil {
		meta = map[string]any{}
	}
	meta[name] = value
	result.SetMeta(meta)
}

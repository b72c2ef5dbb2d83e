package calls

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/dialogue"
	"github.com/mcplogic/mcplogic/bridge/internal/sealed"
	"github.com/mcplogic/mcplogic/bridge/schema"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines calls: a goal on a machine of its own, in a transaction, which may have to
// wait for the client and to be run again.

// Job is what a call runs. It does not change.
type Job struct {
	// Kind is the MCP method, name what it is about, such as the name of a tool; binding is a
	// digest of both and of the arguments.
	Kind, Name, Binding string
	// User is who asked for it over HTTP, "" when that is not known. Others cannot go on with it.
	User     string
	Program  *engine.Program
	Provider *kb.Provider
	Codec    *schema.Codec
	Goal     engine.Term
	First    engine.Term // what the goal tries first, of several things
	Vars     []*term.Var
	// Page says which solutions the client gets, see pages.go.
	Page sealed.Page
	// Enough reports whether the solutions found so far suffice.
	Enough func(c *Call) bool
	// Finish makes the result of the solutions found. An error means that the call has failed.
	Finish func(ctx context.Context, c *Call) (mcp.Result, error)
	// Advice says what else there is when there are no solutions, each in a line of its own. nil: nothing is known.
	Advice func(ctx context.Context, c *Call) string
	// Known is what else there are solutions for, the first part of that.
	Known func(ctx context.Context, c *Call) []engine.Instead
	Time  time.Duration
	// Task says when the call becomes a task, nil: never.
	Task *kb.Task
}

// Call is one run of a job. It belongs to one goroutine at a time.
type Call struct {
	runner *Runner
	Job    *Job
	// conversation has the run of the goal. Its id names the call for the client to come back to.
	dialogue.Conversation
	// Round counts how often the client was told to come back.
	Round int
	// Legs counts that for the present request, see maxLegs.
	Legs int
	// seen is the number of the last change of the store that runs at other servers may have seen.
	seen uint64
	// ModelKey is the key of the question that the model was given last.
	ModelKey string

	// spent is how long the goal has run, in all of its runs.
	spent time.Duration
	// rivalry is what runs before have lost to other calls, and hasTurn that those wait for this one.
	rivalry engine.Rivalry
	hasTurn bool

	// of the present run of the goal
	Request   *Request // the one that it runs for
	printed   *engine.Buffer
	Solutions []engine.Solution
	More      bool // there are solutions that were not asked for
	Changes   Changes

	// Moment is the state of the facts that the present run sees, nil unless keeps is set.
	Moment *engine.Moment
	Keeps  bool
}

// Forget gives up the state of the facts that the call saw.
func (c *Call) Forget() {
	c.Moment.Release()
	c.Moment = nil
}

func (r *Runner) NewCall(j *Job) *Call {
	return &Call{runner: r, Job: j, Conversation: dialogue.Conversation{ID: rand.Text(), Codec: j.Codec}}
}

// OfUser returns the job as asked for by a user, "" being nobody in particular. j itself does not change.
func (j *Job) OfUser(user string) *Job {
	if user == "" {
		return j
	}
	own := *j
	own.User, own.Binding = user, j.Binding+" "+user
	return &own
}

// onProgram returns the job as run on a program. A call that has lost to one on a newer program would lose again on its
// own, which does not learn of the changes of its successors.
func (j *Job) onProgram(p *engine.Program) *Job {
	if j.Program == p {
		return j
	}
	own := *j
	own.Program = p
	return &own
}

// ErrParked says that a call waits for its client to come back.
var ErrParked = errors.New("the call waits for an answer")

// ErrFailed is the error of a goal without solutions for which there is no advice.
var ErrFailed error = &failedError{}

// errTime is why the context of a goal ends that caught the error of its time limit and did not end.
var errTime = errors.New("time limit")

// timeError is the error of such a goal, with what it has done.
type timeError struct{ effort string }

func (e *timeError) Error() string { return "time limit" }

// errConflicts is the error of a call whose transaction met conflicts maxConflicts times.
var errConflicts = errors.New("other calls changed the same facts at the same time, again and again; " +
	"nothing was changed, try again")

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
	for range maxConflicts {
		result, err := c.attempt(ctx, cr)
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

// Close ends the present run; changes that are not committed are gone.
func (c *Call) Close() {
	if c.Run != nil {
		c.Run.Close()
		c.Run = nil
	}
}

// start begins a run of the goal.
func (c *Call) start() error {
	o := &c.runner.limits
	c.printed = &engine.Buffer{Max: o.MaxResult}
	c.Solutions, c.More, c.Asked, c.Changes = nil, false, dialogue.Asked{}, Changes{}
	run, err := c.Job.Program.StartTerm(c.Job.Goal, c.Job.Vars, &engine.RunOptions{
		Module: c.Job.Provider.Module, Transaction: true,
		Time: c.left(), Inferences: o.Inferences, Memory: o.Memory,
		Output: c.printed, Error: o.Stderr, By: c.Job.User, TraceValues: o.Backtraces,
	})
	c.Run = run
	if err == nil && c.hasTurn {
		run.Prefer(&c.rivalry)
	}
	return err
}

// left is the time that the goal has left. Runs that lost to others have used some of it.
func (c *Call) left() time.Duration { return c.Job.Time - c.spent }

// attempt runs the goal, from its start or from where it waits, and makes the result.
func (c *Call) attempt(ctx context.Context, cr *Request) (mcp.Result, error) {
	if c.Run == nil {
		if err := c.start(); err != nil {
			return nil, err
		}
	}
	cr.call, c.Request = c, cr
	c.Run.SetHost(cr)
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
			c.Solutions = append(c.Solutions, c.Run.Solution())
			if !c.Job.Enough(c) {
				continue
			}
		}
		return c.Job.Finish(ctx, c)
	}
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
	ctx, cancel := context.WithTimeoutCause(ctx, max(c.left(), 0)+grace(c.Job.Time), errTime)
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

// First returns the value of a variable in the first solution.
func (c *Call) First(name string) engine.Term { return c.Solutions[0].Get(name) }

// The methods whose handling runs goals.
const (
	CallTool     = "tools/call"
	GetPrompt    = "prompts/get"
	ReadResource = "resources/read"
	ListTools    = "tools/list"
	Complete     = "completion/complete"
)

package bridge

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

// job is what a call runs. It does not change.
type job struct {
	// kind is the MCP method, name what it is about, such as the name of a tool; binding is a
	// digest of both and of the arguments.
	kind, name, binding string
	// user is who asked for it over HTTP, "" when that is not known. Others cannot go on with it.
	user     string
	program  *engine.Program
	provider *kb.Provider
	codec    *schema.Codec
	goal     engine.Term
	first    engine.Term // what the goal tries first, of several things
	vars     []*term.Var
	// page says which solutions the client gets, see pages.go.
	page sealed.Page
	// enough reports whether the solutions found so far suffice.
	enough func(c *call) bool
	// finish makes the result of the solutions found. An error means that the call has failed.
	finish func(ctx context.Context, c *call) (mcp.Result, error)
	// advice says what else there is when there are no solutions, each in a line of its own. nil: nothing is known.
	advice func(ctx context.Context, c *call) string
	// known is what else there are solutions for, the first part of that.
	known func(ctx context.Context, c *call) []engine.Instead
	time  time.Duration
	// task says when the call becomes a task, nil: never.
	task *kb.Task
}

// call is one run of a job. It belongs to one goroutine at a time.
type call struct {
	runner *Runner
	job    *job
	// conversation has the run of the goal. Its id names the call for the client to come back to.
	dialogue.Conversation
	// round counts how often the client was told to come back.
	round int
	// legs counts that for the present request, see maxLegs.
	legs int
	// seen is the number of the last change of the store that runs at other servers may have seen.
	seen uint64
	// asked is the key of the question that the model was given last.
	asked string

	// spent is how long the goal has run, in all of its runs.
	spent time.Duration
	// rivalry is what runs before have lost to other calls, and hasTurn that those wait for this one.
	rivalry engine.Rivalry
	hasTurn bool

	// of the present run of the goal
	request   *clientRequest // the one that it runs for
	printed   *engine.Buffer
	solutions []engine.Solution
	more      bool // there are solutions that were not asked for
	changes   changes

	// moment is the state of the facts that the present run sees, nil unless keeps is set.
	moment *engine.Moment
	keeps  bool
}

// forget gives up the state of the facts that the call saw.
func (c *call) forget() {
	c.moment.Release()
	c.moment = nil
}

func (r *Runner) newCall(j *job) *call {
	return &call{runner: r, job: j, Conversation: dialogue.Conversation{ID: rand.Text(), Codec: j.codec}}
}

// ofUser returns the job as asked for by a user, "" being nobody in particular. j itself does not change.
func (j *job) ofUser(user string) *job {
	if user == "" {
		return j
	}
	own := *j
	own.user, own.binding = user, j.binding+" "+user
	return &own
}

// onProgram returns the job as run on a program. A call that has lost to one on a newer program would lose again on its
// own, which does not learn of the changes of its successors.
func (j *job) onProgram(p *engine.Program) *job {
	if j.program == p {
		return j
	}
	own := *j
	own.program = p
	return &own
}

// errParked says that a call waits for its client to come back.
var errParked = errors.New("the call waits for an answer")

// errFailed is the error of a goal without solutions for which there is no advice.
var errFailed error = &failedError{}

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

// advance runs the goal to its end, or until it has to wait for the client: then the error is errParked and the call
// lives on. Otherwise it is over. After a conflict the goal runs again, on the program that the server has by then.
func (c *call) advance(ctx context.Context, cr *clientRequest) (mcp.Result, error) {
	err := c.runner.Health()
	if err == nil {
		err = c.awaitChanges(ctx, cr)
	}
	if err == nil {
		err = cr.enter(ctx, c.runner)
	}
	if err != nil {
		c.close()
		return nil, err
	}
	defer cr.exit(c.runner)
	defer c.endTurn()
	for range maxConflicts {
		result, err := c.attempt(ctx, cr)
		if err == errParked {
			return nil, err
		}
		if err == nil && c.Run == nil {
			err = errGivenUp
		}
		if c.keeps && c.Run != nil {
			c.forget()
			c.moment = c.Run.Keep()
		}
		if err == nil {
			err = c.cut(ctx)
		}
		if err == nil {
			err = c.commit(ctx, cr)
		}
		c.close()
		if err == nil {
			c.runner.host.Publish(ctx, &c.changes)
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
		c.job = c.job.onProgram(c.runner.host.Snapshot().Program)
	}
	return nil, errConflicts
}

// close ends the present run; changes that are not committed are gone.
func (c *call) close() {
	if c.Run != nil {
		c.Run.Close()
		c.Run = nil
	}
}

// start begins a run of the goal.
func (c *call) start() error {
	o := &c.runner.limits
	c.printed = &engine.Buffer{Max: o.MaxResult}
	c.solutions, c.more, c.Asked, c.changes = nil, false, dialogue.Asked{}, changes{}
	run, err := c.job.program.StartTerm(c.job.goal, c.job.vars, &engine.RunOptions{
		Module: c.job.provider.Module, Transaction: true,
		Time: c.left(), Inferences: o.Inferences, Memory: o.Memory,
		Output: c.printed, Error: o.Stderr, By: c.job.user, TraceValues: o.Backtraces,
	})
	c.Run = run
	if err == nil && c.hasTurn {
		run.Prefer(&c.rivalry)
	}
	return err
}

// left is the time that the goal has left. Runs that lost to others have used some of it.
func (c *call) left() time.Duration { return c.job.time - c.spent }

// attempt runs the goal, from its start or from where it waits, and makes the result.
func (c *call) attempt(ctx context.Context, cr *clientRequest) (mcp.Result, error) {
	if c.Run == nil {
		if err := c.start(); err != nil {
			return nil, err
		}
	}
	cr.call, c.request = c, cr
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
			c.solutions = append(c.solutions, c.Run.Solution())
			if !c.job.enough(c) {
				continue
			}
		}
		return c.job.finish(ctx, c)
	}
}

// next runs to the next solution.
func (c *call) next(ctx context.Context) (engine.State, error) {
	return c.step(ctx, (*engine.Run).Next)
}

// cut gives up the solutions that nobody wants, and runs the cleanup goals that wait for that.
func (c *call) cut(ctx context.Context) error {
	if c.Run.Done() {
		return nil
	}
	_, err := c.step(ctx, func(run *engine.Run, ctx context.Context) (engine.State, error) { return 0, run.Cut(ctx) })
	return err
}

// step has the run do something within the time that it has left. A goal may catch the error of the time limit and go
// on for a last word; this stops one that goes on for good.
func (c *call) step(ctx context.Context, step runStep) (engine.State, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, max(c.left(), 0)+grace(c.job.time), errTime)
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

// probe sets more if there are more solutions than those taken. An error in the search for one more counts as one:
// the solutions that were found are good.
func (c *call) probe(ctx context.Context) {
	if c.Run.Done() {
		return
	}
	state, err := c.next(ctx)
	c.more = err != nil || state != engine.NoMore
}

// first returns the value of a variable in the first solution.
func (c *call) first(name string) engine.Term { return c.solutions[0].Get(name) }

// The methods whose handling runs goals.
const (
	methodCallTool     = "tools/call"
	methodGetPrompt    = "prompts/get"
	methodReadResource = "resources/read"
	methodListTools    = "tools/list"
	methodComplete     = "completion/complete"
)

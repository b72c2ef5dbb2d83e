package bridge

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

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
	vars     []*term.Var
	// enough reports whether the solutions found so far suffice.
	enough func(c *call) bool
	// finish makes the result of the solutions found. An error means that the call has failed.
	finish func(ctx context.Context, c *call) (mcp.Result, error)
	time   time.Duration
}

// call is one run of a job. It belongs to one goroutine at a time.
type call struct {
	server *Server
	job    *job
	// conversation has the run of the goal. Its id names the call for the client to come back to.
	conversation
	// round counts how often the client was told to come back.
	round int
	// asked is the key of the question that the model was given last.
	asked string

	// spent is how long the goal has run, in all of its runs.
	spent time.Duration
	// rivalry is what runs before have lost to other calls, and hasTurn that those wait for this one.
	rivalry engine.Rivalry
	hasTurn bool

	// of the present run of the goal
	printed   *engine.Buffer
	solutions []engine.Solution
	more      bool // there are solutions that were not asked for
	changes   changes
}

func (s *Server) newCall(j *job) *call {
	return &call{server: s, job: j, conversation: conversation{id: rand.Text(), codec: j.codec}}
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

// errParked says that a call waits for its client to come back.
var errParked = errors.New("the call waits for an answer")

// errFailed is the error of a goal without solutions.
var errFailed = errors.New("the goal has no solution")

// errTime is the error of a goal that caught the error of its time limit and did not end.
var errTime = errors.New("time limit")

// errConflicts is the error of a call whose transaction met conflicts maxConflicts times.
var errConflicts = errors.New("other calls changed the same facts at the same time, again and again; " +
	"nothing was changed, try again")

// maxConflicts bounds how often a call is run again. A conflict means that another call has
// succeeded, so that many in a row are rare.
const maxConflicts = 100

// advance runs the goal to its end, or until it has to wait for the client: then the error is errParked and the call
// lives on. Otherwise it is over.
func (c *call) advance(ctx context.Context, cr *clientRequest) (mcp.Result, error) {
	if err := c.server.enter(ctx); err != nil {
		c.close()
		return nil, err
	}
	cr.holdsPlace = true
	defer cr.exit(c.server)
	defer c.endTurn()
	for range maxConflicts {
		result, err := c.attempt(ctx, cr)
		if err == errParked {
			return nil, err
		}
		if err == nil && c.run == nil {
			err = errGivenUp
		}
		if err == nil {
			err = c.commit(ctx, cr)
		}
		c.close()
		if err == nil {
			c.publish(ctx)
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
	}
	return nil, errConflicts
}

// close ends the present run; changes that are not committed are gone.
func (c *call) close() {
	if c.run != nil {
		c.run.Close()
		c.run = nil
	}
}

// start begins a run of the goal.
func (c *call) start() error {
	o := &c.server.opts
	c.printed = &engine.Buffer{Max: o.MaxResult}
	c.solutions, c.more, c.dialogue, c.changes = nil, false, dialogue{}, changes{}
	run, err := c.job.program.StartTerm(c.job.goal, c.job.vars, &engine.RunOptions{
		Module: c.job.provider.Module, Transaction: true,
		Time: c.left(), Inferences: o.Inferences, Memory: o.Memory,
		Output: c.printed, Error: o.Stderr,
	})
	c.run = run
	if err == nil && c.hasTurn {
		run.Prefer(&c.rivalry)
	}
	return err
}

// left is the time that the goal has left. Runs that lost to others have used some of it.
func (c *call) left() time.Duration { return c.job.time - c.spent }

// attempt runs the goal, from its start or from where it waits, and makes the result.
func (c *call) attempt(ctx context.Context, cr *clientRequest) (mcp.Result, error) {
	if c.run == nil {
		if err := c.start(); err != nil {
			return nil, err
		}
	}
	cr.call = c
	c.run.SetHost(cr)
	if c.dialogue.open != nil {
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
			c.solutions = append(c.solutions, c.run.Solution())
			if !c.job.enough(c) {
				continue
			}
		}
		return c.job.finish(ctx, c)
	}
}

// next runs on. A goal may catch the error of the time limit and go on for a last word; this
// stops one that goes on for good.
func (c *call) next(ctx context.Context) (engine.State, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, max(c.left(), 0)+grace(c.job.time), errTime)
	defer cancel()
	defer func(began time.Time) { c.spent += time.Since(began) }(time.Now())
	state, err := c.watch(ctx)
	if err != nil && context.Cause(ctx) == errTime && err != errGivenUp {
		return state, errTime
	}
	return state, err
}

// grace is what a goal has left that has caught the error of its time limit: the machine gives it a quarter more.
func grace(limit time.Duration) time.Duration { return limit/4 + 100*time.Millisecond }

// probe sets more if there are more solutions than those taken. An error in the search for one more counts as one:
// the solutions that were found are good.
func (c *call) probe(ctx context.Context) {
	if c.run.Done() {
		return
	}
	state, err := c.next(ctx)
	c.more = err != nil || state != engine.NoMore
}

// first returns the value of a variable in the first solution.
func (c *call) first(name string) engine.Term { return c.solutions[0].Get(name) }

// clientRequest is one request of a client on behalf of a call.
type clientRequest struct {
	session *mcp.ServerSession
	version string
	user    string // as in job
	caps    *mcp.ClientCapabilities
	peer    peer
	// call is what the request is about, once it runs.
	call *call
	// progress is the token that progress is reported under, or nil.
	progress any
	// state and responses are what the client brings back from an earlier round.
	state     string
	responses mcp.InputResponseMap
	// holdsPlace says that the request holds one of the places for running calls.
	holdsPlace bool
}

// newRequest describes a request.
func newRequest[P mcp.Params](req *mcp.ServerRequest[P], state string, responses mcp.InputResponseMap) *clientRequest {
	cr := &clientRequest{session: req.Session, version: req.ProtocolVersion(), caps: req.ClientCapabilities(),
		peer: newPeer(req), state: state, responses: responses}
	if p := req.Session.InitializeParams(); p != nil && p.ProtocolVersion < cr.version {
		cr.version = p.ProtocolVersion // the SDK goes by this one when it treats results
	}
	if req.Extra != nil && req.Extra.TokenInfo != nil {
		cr.user = req.Extra.TokenInfo.UserID
	}
	if p, ok := any(req.Params).(mcp.RequestParams); ok {
		cr.progress = p.GetProgressToken()
	}
	return cr
}

// exit gives back the place that the request holds.
func (cr *clientRequest) exit(s *Server) {
	if cr.holdsPlace {
		cr.holdsPlace = false
		s.leave()
	}
}

// outside gives up the place of the request while f waits for something slow, so that another call may run.
func (cr *clientRequest) outside(ctx context.Context, s *Server, f func() error) error {
	cr.exit(s)
	if err := f(); err != nil {
		return err
	}
	if err := s.enter(ctx); err != nil {
		return err
	}
	cr.holdsPlace = true
	return nil
}

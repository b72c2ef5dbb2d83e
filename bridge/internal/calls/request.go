package calls

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/places"
	"github.com/mcplogic/mcplogic/bridge/wire"
	"github.com/mcplogic/mcplogic/engine"
)

// This file defines the request of a client for which a goal runs: who it is from, what came with it, and its place
// among the calls that run.

// Request is one request of a client on behalf of a call.
type Request struct {
	Session *mcp.ServerSession
	Version string
	User    string // as in job
	Caps    *mcp.ClientCapabilities
	peer    peer
	// call is what the request is about, once it runs.
	call *Call
	// progress is the token that progress is reported under, or nil.
	progress any
	// State and responses are what the client brings back from an earlier round.
	State     string
	Responses mcp.InputResponseMap
	// quiet says that the goal runs again to be explained: its client hears nothing of it.
	quiet bool
	// task is what the call has become, nil as long as the request waits for it.
	task *atomic.Pointer[Task]
	// place is that of the request among the running calls, nil when it has none.
	place *places.Ticket
}

// NewRequest describes a request.
func NewRequest[P mcp.Params](req *mcp.ServerRequest[P], state string, responses mcp.InputResponseMap) *Request {
	cr := &Request{Session: req.Session, Version: req.ProtocolVersion(), Caps: req.ClientCapabilities(),
		peer: newPeer(req), State: state, Responses: responses,
		task: &atomic.Pointer[Task]{}}
	if p := req.Session.InitializeParams(); p != nil && p.ProtocolVersion < cr.Version {
		cr.Version = p.ProtocolVersion // the SDK goes by this one when it treats results
	}
	cr.User = UserOf(req.Extra)
	if p, ok := any(req.Params).(mcp.RequestParams); ok {
		cr.progress = p.GetProgressToken()
	}
	return cr
}

// UserOf is the user whose token came with a request, "" if that is not known.
func UserOf(extra *mcp.RequestExtra) string {
	if extra == nil || extra.TokenInfo == nil {
		return ""
	}
	return extra.TokenInfo.UserID
}

// peer is who a request is from, and what came with it.
type peer struct {
	info *mcp.Implementation
	meta mcp.Meta
	// closeStream ends the stream of the reply and tells the client when to come back for it;
	// nil where nothing like that exists.
	closeStream func(mcp.CloseSSEStreamArgs)
}

func newPeer[P mcp.Params](req *mcp.ServerRequest[P]) peer {
	p := peer{info: req.ClientInfo(), meta: req.Params.GetMeta()}
	if req.Extra != nil {
		p.closeStream = req.Extra.CloseSSEStream
	}
	return p
}

// outside gives up the place of the request while f waits for something slow, so that another call may run.
func (cr *Request) outside(ctx context.Context, r *Runner, f func() error) error {
	cr.Exit(r)
	if err := f(); err != nil {
		return err
	}
	return cr.Enter(ctx, r)
}

// Enter waits for one of the places for running calls, as the client of the request; exit gives it back.
func (cr *Request) Enter(ctx context.Context, r *Runner) error {
	session := ""
	if cr.Session != nil {
		session = cr.Session.ID()
	}
	var err error
	cr.place, err = r.places.Enter(ctx, wire.ClientOf(ctx), session)
	return err
}

// Exit gives back the place that the request holds, if it holds one.
func (cr *Request) Exit(r *Runner) {
	if cr.place != nil {
		r.places.Leave(cr.place)
		cr.place = nil
	}
}

// demanded is the number of the change that a request has to see.
func (cr *Request) demanded() uint64 {
	n, ok := cr.peer.meta[MetaSequence].(float64)
	if !ok || n < 0 || n >= math.MaxInt64 {
		return 0
	}
	return uint64(n)
}

// hearer returns the request whose client hears what a goal says, nil when there is none: the goal is not served, or
// runs again to be explained, or has become a task.
func hearer(c *engine.Call) *Request {
	cr, ok := c.Host().(*Request)
	if !ok || cr.quiet || cr.isTask() {
		return nil
	}
	return cr
}

// isTask reports whether the call of a request has become a task.
func (cr *Request) isTask() bool { return cr.task != nil && cr.task.Load() != nil }

// Task is what a call has become that goes on when its request has been answered.
type Task interface {
	// Report says what the call is doing; its goal has said so by mcp_progress/3.
	Report(done, total float64, message string)
}

// Become says that the call of a request has become a task.
func (cr *Request) Become(t Task) { cr.task.Store(&t) }

// Quietly returns the request as that of a run of a call which explains it.
func (cr *Request) Quietly(c *Call) *Request {
	own := *cr
	own.quiet, own.call = true, c
	return &own
}

// Asking returns the request as that of a call beside its own, which cannot ask.
func Asking(session *mcp.ServerSession, version string) *Request {
	return &Request{Session: session, Version: version}
}

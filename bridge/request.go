package bridge

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
	// quiet says that the goal runs again to be explained: its client hears nothing of it.
	quiet bool
	// task is what the call has become, nil as long as the request waits for it.
	task *atomic.Pointer[task]
	// place is that of the request among the running calls, nil when it has none.
	place *places.Ticket
}

// newRequest describes a request.
func newRequest[P mcp.Params](req *mcp.ServerRequest[P], state string, responses mcp.InputResponseMap) *clientRequest {
	cr := &clientRequest{session: req.Session, version: req.ProtocolVersion(), caps: req.ClientCapabilities(),
		peer: newPeer(req), state: state, responses: responses,
		task: &atomic.Pointer[task]{}}
	if p := req.Session.InitializeParams(); p != nil && p.ProtocolVersion < cr.version {
		cr.version = p.ProtocolVersion // the SDK goes by this one when it treats results
	}
	cr.user = userOf(req.Extra)
	if p, ok := any(req.Params).(mcp.RequestParams); ok {
		cr.progress = p.GetProgressToken()
	}
	return cr
}

// userOf is the user whose token came with a request, "" if that is not known.
func userOf(extra *mcp.RequestExtra) string {
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
func (cr *clientRequest) outside(ctx context.Context, r *Runner, f func() error) error {
	cr.exit(r)
	if err := f(); err != nil {
		return err
	}
	return cr.enter(ctx, r)
}

// enter waits for one of the places for running calls, as the client of the request; exit gives it back.
func (cr *clientRequest) enter(ctx context.Context, r *Runner) error {
	session := ""
	if cr.session != nil {
		session = cr.session.ID()
	}
	var err error
	cr.place, err = r.places.Enter(ctx, wire.ClientOf(ctx), session)
	return err
}

// exit gives back the place that the request holds, if it holds one.
func (cr *clientRequest) exit(r *Runner) {
	if cr.place != nil {
		r.places.Leave(cr.place)
		cr.place = nil
	}
}

// demanded is the number of the change that a request has to see.
func (cr *clientRequest) demanded() uint64 {
	n, ok := cr.peer.meta[MetaSequence].(float64)
	if !ok || n < 0 || n >= math.MaxInt64 {
		return 0
	}
	return uint64(n)
}

// hearer returns the request whose client hears what a goal says, nil when there is none: the goal is not served, or
// runs again to be explained, or has become a task.
func hearer(c *engine.Call) *clientRequest {
	cr, ok := c.Host().(*clientRequest)
	if !ok || cr.quiet || cr.isTask() {
		return nil
	}
	return cr
}

// isTask reports whether the call of a request has become a task.
func (cr *clientRequest) isTask() bool { return cr.task != nil && cr.task.Load() != nil }

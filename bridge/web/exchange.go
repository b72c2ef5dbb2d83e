package web

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/internal/wire"
)

// This file defines exchanges. An exchange is a request over HTTP and the handlers that run for it. In a session the
// SDK lets handlers run on when the connection of the request has gone. The exchange ends them, so that no call runs
// for a client that has gone.

// exchangeHeader carries the id of an exchange through the SDK to the handlers. The header of a client is dropped.
const exchangeHeader = "Mcplogic-Exchange"

// exchange is a request whose answer may take long.
type exchange struct {
	id, session string
	client      string // the result of clientOf
	// stream says that the exchange lasts until the client, its user or the server ends it.
	stream bool
	// call is the id of its only request. It is not valid if there are several.
	call jsonrpc.ID
	// ctx ends when the handlers of the request must end.
	ctx    context.Context
	cancel context.CancelCauseFunc
	// running counts its handlers. orphaned is the timer that ends them. It is nil until the connection has gone.
	running  int
	orphaned *time.Timer
}

// exchangeTable holds the exchanges that are not over.
type exchangeTable struct {
	// idle is how long an exchange lives without a connection.
	idle time.Duration

	mu   sync.Mutex
	byID map[string]*exchange
	// resumed counts the streams of each session that send missed messages again.
	resumed map[string]int
}

func newExchangeTable(idle time.Duration) *exchangeTable {
	return &exchangeTable{idle: idle, byID: map[string]*exchange{}, resumed: map[string]int{}}
}

var (
	errVanished  = errors.New("the client has gone")
	errCancelled = errors.New("the client has cancelled the call")
)

// begin begins the exchange of a request and marks the request for the handlers. The caller calls leave when the
// connection ends.
func (t *exchangeTable) begin(r *http.Request, session string, m posted) *exchange {
	e := &exchange{id: rand.Text(), session: session, client: clientOf(r), stream: m.stream}
	if len(m.due) == 1 {
		e.call = m.due[0]
	}
	e.ctx, e.cancel = context.WithCancelCause(context.Background())
	r.Header.Set(exchangeHeader, e.id)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.byID[e.id] = e
	return e
}

// leave notes that the connection of an exchange has ended. early says that the client has gone before the end of the
// response. In a session the client may come back for a while, and the handlers run on.
func (t *exchangeTable) leave(e *exchange, early bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e.session == "" || e.stream || (e.running == 0 && !early) {
		t.drop(e, errVanished)
		return
	}
	e.orphaned = time.AfterFunc(t.idle, func() { t.giveUp(e) })
}

// drop ends an exchange and its handlers.
func (t *exchangeTable) drop(e *exchange, why error) {
	if e.orphaned != nil {
		e.orphaned.Stop()
	}
	delete(t.byID, e.id)
	e.cancel(why)
}

// giveUp ends an exchange without a connection, unless its client is getting missed messages.
func (t *exchangeTable) giveUp(e *exchange) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.resumed[e.session] > 0 {
		e.orphaned.Reset(t.idle)
		return
	}
	t.drop(e, errVanished)
}

// resume notes a stream that sends missed messages again. Call the function when it ends.
func (t *exchangeTable) resume(session string) func() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.resumed[session]++
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.resumed[session]--; t.resumed[session] == 0 {
			delete(t.resumed, session)
		}
	}
}

// cancelCall ends the handler of a call that the client has cancelled. The SDK cannot end a request that arrives
// after its cancellation.
func (t *exchangeTable) cancelCall(session string, call jsonrpc.ID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, e := range t.byID {
		if e.session == session && e.call.IsValid() && e.call == call {
			e.cancel(errCancelled) // it stays in the table, for handlers that are about to begin
		}
	}
}

func (t *exchangeTable) cancelSession(session string, why error) {
	t.cancelIf(why, func(e *exchange) bool { return e.session == session })
}

func (t *exchangeTable) cancelStreams(why error) {
	t.cancelIf(why, func(e *exchange) bool { return e.stream })
}

func (t *exchangeTable) cancelAll(why error) { t.cancelIf(why, func(*exchange) bool { return true }) }

func (t *exchangeTable) cancelIf(why error, chosen func(*exchange) bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, e := range t.byID {
		if chosen(e) {
			t.drop(e, why)
		}
	}
}

// enter counts a new handler of a request. It returns the exchange of the request, or nil.
func (t *exchangeTable) enter(req mcp.Request) *exchange {
	extra := req.GetExtra()
	if extra == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	e := t.byID[extra.Header.Get(exchangeHeader)]
	if e != nil {
		e.running++
	}
	return e
}

// exit notes that a handler has ended. After the last one an exchange without a connection is over.
func (t *exchangeTable) exit(e *exchange) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e.running--; e.running == 0 && e.orphaned != nil {
		t.drop(e, nil)
	}
}

// bind is a receiving middleware. It puts the client of a request into the context of its handler, and ends the
// handler with the exchange.
func (t *exchangeTable) bind(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		e := t.enter(req)
		if e == nil {
			return next(ctx, method, req)
		}
		defer t.exit(e)
		ctx, cancel := context.WithCancelCause(wire.WithClient(ctx, e.client))
		defer cancel(nil)
		defer context.AfterFunc(e.ctx, func() { cancel(context.Cause(e.ctx)) })()
		result, err := next(ctx, method, req)
		return result, codedError(ctx, err)
	}
}

// codedError gives an error a code. Otherwise the SDK would send the code 0, which has no meaning.
func codedError(ctx context.Context, err error) error {
	var coded *jsonrpc.Error
	switch {
	case err == nil || errors.As(err, &coded):
		return err
	case ctx.Err() != nil:
		return wire.InternalError("the request was given up: %s", context.Cause(ctx))
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: fmt.Sprint(err)}
}

// This part lists the sessions over HTTP. It limits their number and ends those that are not used. The SDK holds the
// sessions themselves.

// sessionTable lists the sessions. A session is in use while it has an open request or stream.
type sessionTable struct {
	most int
	idle time.Duration
	// end closes a session. It may take a while.
	end func(id string, why error)

	mu   sync.Mutex
	byID map[string]*httpSession
	// starting counts the requests that may begin a session.
	starting int
}

// httpSession is a session over HTTP.
type httpSession struct {
	id, user string
	open     int
	timer    *time.Timer // runs while nothing is open
}

func newSessionTable(most int, idle time.Duration, end func(id string, why error)) *sessionTable {
	return &sessionTable{most: most, idle: idle, end: end, byID: map[string]*httpSession{}}
}

var errClientIdle = errors.New("the session was not used any more")

// start reserves a place for a session that a request may begin. ok is false if there are too many sessions.
// Otherwise the caller calls done after the request.
func (t *sessionTable) start() (done func(), ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.byID)+t.starting >= t.most {
		return nil, false
	}
	t.starting++
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.starting--
	}, true
}

// add notes a session that has begun.
func (t *sessionTable) add(id, user string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := &httpSession{id: id, user: user}
	s.timer = time.AfterFunc(t.idle, func() { t.expire(s) })
	t.byID[id] = s
}

// use notes a request of a session. It returns false if the user has no such session. Otherwise the caller calls done
// after the request.
func (t *sessionTable) use(id, user string) (done func(), ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.byID[id]
	if s == nil || s.user != user {
		return nil, false
	}
	s.open++
	s.timer.Stop()
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if s.open--; s.open == 0 && t.byID[id] == s {
			s.timer.Reset(t.idle)
		}
	}, true
}

// expire ends a session after its idle time, unless it is in use again.
func (t *sessionTable) expire(s *httpSession) {
	t.mu.Lock()
	if s.open > 0 || t.byID[s.id] != s {
		t.mu.Unlock()
		return
	}
	delete(t.byID, s.id)
	t.mu.Unlock()
	t.end(s.id, errClientIdle)
}

// remove removes a session that has ended.
func (t *sessionTable) remove(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.byID[id]; s != nil {
		s.timer.Stop()
		delete(t.byID, id)
	}
}

// endAll ends all sessions and waits until they have ended.
func (t *sessionTable) endAll(why error) {
	t.mu.Lock()
	all := t.byID
	t.byID = map[string]*httpSession{}
	t.mu.Unlock()
	var ending sync.WaitGroup
	for id, s := range all {
		s.timer.Stop()
		ending.Go(func() { t.end(id, why) })
	}
	ending.Wait()
}

package events

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/items"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/internal/schema"
	"github.com/mcplogic/mcplogic/internal/wire"
)

// This file defines the methods of the extension, apart from those about hooks, and its notifications.

// Extension is the name of the extension.
const Extension = "io.modelcontextprotocol/events"

// The errors of the extension.
const (
	codeNotFound    = -32011
	codeForbidden   = -32012
	codeExhausted   = -32013
	codeUnsupported = -32014
	codeCallback    = -32015
)

func coded(code int64, message string, data ...any) error {
	return &jsonrpc.Error{Code: code, Message: message, Data: object(data...).JSON()}
}

func errExhausted(limit string, most int) error {
	return coded(codeExhausted, "ResourceExhausted: there are as many "+limit+" as there may be", "limit", limit, "max",
		most)
}

// params are the parameters of all methods.
type params struct {
	mcp.ParamsBase
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Cursor    *string         `json:"cursor"`
	MaxAge    *int64          `json:"maxAgeMs"`
	MaxEvents *int            `json:"maxEvents"`
	Delivery  *delivery       `json:"delivery"`
	TTL       *float64        `json:"ttlMs"`
}

// oldest is the time of the oldest occurrence that a client wants, or zero if the client sets no time.
func (p *params) oldest() time.Time {
	if p.MaxAge == nil || p.Cursor == nil {
		return time.Time{}
	}
	return time.Now().Add(-time.Duration(max(0, min(*p.MaxAge, lease.Milliseconds()*1000))) * time.Millisecond)
}

// from is the position after which a client wants occurrences. It is last if the client wants only later ones.
func (p *params) from(last position) position {
	if p.Cursor == nil {
		return last
	}
	return readPosition(*p.Cursor)
}

// The results.
type (
	eventType struct {
		Name        string          `json:"name"`
		Title       string          `json:"title,omitempty"`
		Description string          `json:"description,omitempty"`
		Delivery    []string        `json:"delivery"`
		Input       json.RawMessage `json:"inputSchema"`
		Payload     json.RawMessage `json:"payloadSchema"`
	}
	listResult struct {
		mcp.ResultBase
		ResultType string      `json:"resultType"`
		Events     []eventType `json:"events"`
	}
	pollResult struct {
		mcp.ResultBase
		ResultType string       `json:"resultType"`
		Events     []occurrence `json:"events"`
		Cursor     string       `json:"cursor"`
		Truncated  bool         `json:"truncated"`
		More       bool         `json:"hasMore"`
		Next       int64        `json:"nextPollMs"`
	}
	doneResult struct {
		mcp.ResultBase
		ResultType string `json:"resultType"`
	}
)

const complete = "complete"

// requestKey is the context key of a method's request, which the SDK does not pass to handlers of such methods.
type requestKey struct{}

type request = mcp.ServerRequest[*params]

// Take is a middleware for the methods of the extension.
func Take(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if own, ok := req.(*request); ok {
			ctx = context.WithValue(ctx, requestKey{}, own)
		}
		return next(ctx, method, req)
	}
}

// AddMethods adds the methods of the extension.
func (t *Table) AddMethods(server *mcp.Server) {
	err := errors.Join(addMethod(server, "events/list", t.list), addMethod(server, "events/poll", t.poll),
		addMethod(server, "events/stream", t.stream), addMethod(server, "events/subscribe", t.subscribe),
		addMethod(server, "events/unsubscribe", t.unsubscribe))
	if err != nil {
		panic("bridge: " + err.Error()) // the methods are no standard ones
	}
}

func addMethod[R mcp.Result](
	server *mcp.Server, method string, handle func(ctx context.Context, req *request) (R, error),
) error {
	return mcp.AddReceivingCustomMethod(server, method,
		func(ctx context.Context, _ *mcp.ServerSession, p *params) (r R, err error) {
			req, ok := ctx.Value(requestKey{}).(*request)
			if !ok || p == nil {
				return r, refusal.InvalidParams("params are missing")
			}
			return handle(ctx, req)
		})
}

// list lists all events on one page.
func (t *Table) list(_ context.Context, req *request) (*listResult, error) {
	if req.Params.Cursor != nil && *req.Params.Cursor != "" {
		return nil, refusal.InvalidParams("the cursor is none of this server: all events are on the first page")
	}
	return &listResult{ResultType: complete, Events: t.types(t.set.Offer())}, nil
}

// types returns the events of an offer as clients see them.
func (t *Table) types(o *items.Offer) []eventType {
	list := []eventType{}
	for _, name := range slices.Sorted(maps.Keys(o.Events)) {
		e := o.Events[name]
		d := eventType{Name: name, Title: e.Title, Description: e.Description, Delivery: []string{"poll", "push"}}
		if t.set.Callbacks != nil {
			d.Delivery = append(d.Delivery, "webhook")
		}
		d.Input, d.Payload = e.Schemas()
		list = append(list, d)
	}
	return list
}

// watched returns the watch that a request is about.
func (t *Table) watched(p *params) (*watch, error) {
	o := t.set.Offer()
	e := o.Events[p.Name]
	if e == nil {
		return nil, coded(codeNotFound, "NotFound: there is no event "+p.Name, "kind", "event")
	}
	w, err := t.newWatch(o, e, p.Arguments)
	if err != nil {
		return nil, refusal.InvalidParams("%s", err)
	}
	return w, nil
}

// told returns the error of a goal in the form that clients get.
func told(err error) error {
	var f *failure
	if limit, most := exhausted(err); limit == "event_watches" || limit == "event_hooks" {
		return errExhausted("subscriptions", most)
	}
	if errors.As(err, &f) {
		return wire.InternalError("%s", f.text)
	}
	return err
}

// ownerOf is the user or client of a request, for limits.
func ownerOf(ctx context.Context, req *request) string {
	if user := calls.UserOf(req.Extra); user != "" {
		return user
	}
	return wire.ClientOf(ctx)
}

// poll answers with occurrences. If a goal is an error, the earlier occurrences are returned first.
func (t *Table) poll(ctx context.Context, req *request) (*pollResult, error) {
	w, err := t.watched(req.Params)
	if err != nil {
		return nil, err
	}
	last, wrong := t.begin(ctx, w, ownerOf(ctx, req), time.Now().Add(lease))
	if wrong != nil && req.Params.Cursor == nil {
		return nil, told(wrong)
	}
	most := maxPolled
	if n := req.Params.MaxEvents; n != nil {
		most = max(1, min(*n, kept))
	}
	b, err := t.since(ctx, w, req.Params.from(last), most, req.Params.oldest())
	switch {
	case wrong != nil && (err != nil || len(b.events) == 0):
		return nil, told(wrong)
	case err != nil:
		return nil, told(err)
	}
	for i := range b.events {
		b.events[i].Cursor = ""
	}
	return &pollResult{ResultType: complete, Events: append([]occurrence{}, b.events...), Cursor: b.next.String(),
		Truncated: b.truncated, More: b.next != b.last, Next: pollTime.Milliseconds()}, nil
}

// heartbeat is how often a client of a stream gets a sign of life.
const heartbeat = 15 * time.Second

// stream sends occurrences until the client ends the stream or the event is gone.
func (t *Table) stream(ctx context.Context, req *request) (*doneResult, error) {
	w, err := t.watched(req.Params)
	if err != nil {
		return nil, err
	}
	owner := ownerOf(ctx, req)
	leave, err := t.enterStream(owner)
	if err != nil {
		return nil, err
	}
	defer leave()
	round := t.nextRound()
	last, err := t.begin(ctx, w, owner, time.Now().Add(lease))
	if err != nil {
		return nil, told(err)
	}
	f := &flow{table: t, req: req, watch: w, at: req.Params.from(last), oldest: req.Params.oldest(), begins: true}
	defer func(began *time.Ticker) { began.Stop() }(f.start())
	for err = f.pass(ctx); err == nil; {
		select {
		case <-round:
			round, err = t.nextRound(), f.pass(ctx)
		case <-f.beat.C:
			err = f.still(ctx)
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	if err == errGone || ctx.Err() != nil {
		err = nil
	}
	return &doneResult{ResultType: complete}, err
}

// flow is an open stream.
type flow struct {
	table   *Table
	req     *request
	watch   *watch
	at      position
	oldest  time.Time
	begins  bool // the client has not been told that the stream is open
	failure string
	beat    *time.Ticker
	renewed time.Time
}

func (f *flow) start() *time.Ticker {
	f.beat, f.renewed = time.NewTicker(heartbeat), time.Now()
	return f.beat
}

// pass sends new occurrences.
func (f *flow) pass(ctx context.Context) error {
	if end := f.renew(); end != nil {
		f.send(ctx, "terminated", "error", end)
		return errGone
	}
	for {
		b, err := f.table.since(ctx, f.watch, f.at, maxPolled, f.oldest)
		if errors.Is(err, calls.ErrFailed) { // the watch is gone, with the facts of another program or store
			if _, err = f.table.begin(ctx, f.watch, ownerOf(ctx, f.req), time.Now().Add(lease)); err == nil {
				b, err = f.table.since(ctx, f.watch, f.at, maxPolled, f.oldest)
			}
		}
		if err != nil {
			return told(err)
		}
		if f.begins || b.truncated {
			at := f.at
			if b.truncated {
				if at = b.next; len(b.events) > 0 {
					at.number = b.events[0].number - 1
				}
			}
			f.send(ctx, "active", "cursor", at.String(), "truncated", b.truncated)
		}
		f.begins, f.oldest, f.at = false, time.Time{}, b.next
		for _, o := range b.events {
			f.sendWith(ctx, "event", o.Meta, "eventId", o.ID, "name", o.Name, "timestamp", o.Time, "data", o.Data, "cursor",
				o.Cursor)
		}
		if f.at == b.last {
			break
		}
	}
	if now := f.table.failureOf(f.watch.key); now != f.failure {
		if f.failure = now; now != "" {
			f.send(ctx, "error", "error", object("code", jsonrpc.CodeInternalError, "message", now))
		}
	}
	return ctx.Err()
}

// renew continues the stream with the present rules. It returns an error if they no longer have the event, or not with
// such arguments.
func (f *flow) renew() schema.Object {
	o := f.table.set.Offer()
	if o.Events[f.watch.event.Name] == f.watch.event {
		return nil
	}
	w, end := f.table.rewatch(o, f.watch.event.Name, f.watch.arguments)
	if end == nil {
		f.watch = w
	}
	return end
}

// still sends a sign of life, and prolongs the watch.
func (f *flow) still(ctx context.Context) error {
	f.send(ctx, "heartbeat", "cursor", f.at.String())
	if time.Since(f.renewed) > lease/4 {
		f.renewed = time.Now()
		_, _ = f.table.begin(ctx, f.watch, ownerOf(ctx, f.req), f.renewed.Add(lease)) // pass reports a failure
	}
	return ctx.Err()
}

// note is a notification of the extension, with its method and members.
type note struct {
	wire.Mark
	mcp.ParamsBase
	members []any
}

// MarshalJSON begins with the mark by which the transport knows the notification.
func (n *note) MarshalJSON() ([]byte, error) {
	o := object("mcplogic/method", n.Method)
	for i := 0; i < len(n.members); i += 2 {
		o = o.With(n.members[i].(string), n.members[i+1])
	}
	return o.With("_meta", n.Meta).JSON(), nil
}

type noteKey struct{}

// send sends a notification. If the client has gone, it is dropped.
func (f *flow) send(ctx context.Context, kind string, members ...any) {
	f.sendWith(ctx, kind, nil, members...)
}

// sendWith sends a notification with members of _meta.
func (f *flow) sendWith(ctx context.Context, kind string, meta mcp.Meta, members ...any) {
	n := &note{Mark: wire.Mark{Method: "notifications/events/" + kind}, members: members}
	n.Meta = mcp.Meta{mcp.MetaKeySubscriptionID: f.req.Params.Meta[wire.MetaRequestID]}
	maps.Copy(n.Meta, meta)
	_ = f.req.Session.NotifyProgress(context.WithValue(ctx, noteKey{}, n), &mcp.ProgressNotificationParams{})
}

// Send is a middleware for notifications of the extension.
func Send(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if n, ok := ctx.Value(noteKey{}).(*note); ok && method == wire.MethodProgress {
			session, _ := req.GetSession().(*mcp.ServerSession)
			return next(ctx, method, &mcp.ServerRequest[*note]{Session: session, Params: n})
		}
		if l, ok := ctx.Value(listenedKey{}).(*listened); ok && method == "notifications/subscriptions/acknowledged" {
			own, done := l.acknowledge(req)
			defer done()
			return next(ctx, method, own)
		}
		return next(ctx, method, req)
	}
}

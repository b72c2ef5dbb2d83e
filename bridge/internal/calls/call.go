// Package calls runs goals for clients: each on its own machine, in a transaction, within limits. A goal that asks its
// client continues when the answers come. It waits on its machine, or is run again with the answers so far.
//
// A [Runner] runs the calls of one server, which it sees as a [Host]. A [Job] has the goal of a call and makes the
// result from the solutions. A [Request] is the client's request that a call runs for. [Call.Advance] runs a call to
// its end or until it has to wait. Goals talk to their client by [Predicates].
package calls

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"maps"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/dialogue"
	"github.com/mcplogic/mcplogic/bridge/internal/places"
	"github.com/mcplogic/mcplogic/bridge/internal/sealed"
	"github.com/mcplogic/mcplogic/bridge/internal/waiting"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/reasons"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/schema"
	"github.com/mcplogic/mcplogic/internal/wire"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines calls, the state that all calls of a server share, and the requests that calls run for: the client
// of a request, its parameters, and its place among the running calls.

// The methods whose handling runs goals.
const (
	CallTool     = "tools/call"
	GetPrompt    = "prompts/get"
	ReadResource = "resources/read"
	Complete     = "completion/complete"
)

// Host is the server of calls as they use it.
type Host interface {
	// Snapshot is the snapshot that is now on offer.
	Snapshot() *kb.Snapshot
	// AnswerTool is the name of the tool by which a model passes on answers, or "".
	AnswerTool() string
	// HasAdded reports whether a goal has added an item that is on offer.
	HasAdded(kind kb.ItemKind, name string) bool
	// Publish makes the changes of a call that has succeeded.
	Publish(ctx context.Context, changes *Changes)
}

// Limits bound the resources of calls, and hold the services that calls use. Each field is a field of bridge.Options.
type Limits struct {
	engine.Limits
	MaxResult      int
	Concurrent     int
	ConcurrentEach int
	AskTime        time.Duration
	MaxWaiting     int
	Backtraces     bool
	Store          *kb.Store
	// Record sets Before and After of calls that may commit changes. nil: nothing is recorded.
	Record func(cr *Request, c *Call)
	Stderr io.Writer
	Log    *slog.Logger
}

// Runner runs calls. Goroutines share it.
type Runner struct {
	limits  Limits
	host    Host
	key     sealed.Key
	places  *places.Places
	stuck   atomic.Int32 // abandoned machines that have not stopped
	Running runningTools
	clients clients

	Waiting *waiting.Room[*Call]
}

// NewRunner returns a runner for the calls of a server. key seals the states that clients keep.
func NewRunner(host Host, key sealed.Key, limits *Limits) *Runner {
	return &Runner{limits: *limits, host: host, key: key,
		places:  places.New(limits.Concurrent, limits.ConcurrentEach),
		Waiting: waiting.New[*Call](limits.AskTime, limits.MaxWaiting)}
}

// clients has what was observed of clients, by their names.
type clients struct {
	mu    sync.Mutex
	known map[string]*dialogue.Client
}

// maxClients bounds the known clients. All are forgotten when there are more.
const maxClients = 4096

// Client returns what was observed of the client of a request.
func (r *Runner) Client(ctx context.Context, session *mcp.ServerSession, info *mcp.Implementation) *dialogue.Client {
	name := wire.ClientOf(ctx)
	if session != nil {
		name += "\x00" + session.ID()
	}
	if info != nil {
		name += "\x00" + info.Name + "\x00" + info.Version
	}
	r.clients.mu.Lock()
	defer r.clients.mu.Unlock()
	if r.clients.known == nil || len(r.clients.known) > maxClients {
		r.clients.known = map[string]*dialogue.Client{}
	}
	if r.clients.known[name] == nil {
		r.clients.known[name] = &dialogue.Client{}
	}
	return r.clients.known[name]
}

// runningTools counts the running calls of each tool.
type runningTools struct {
	mu    sync.Mutex
	calls map[string]int
}

// Enter counts a running call until the returned function is called.
func (r *runningTools) Enter(name string) (leave func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.calls == nil {
		r.calls = map[string]int{}
	}
	r.calls[name]++
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.calls[name]--; r.calls[name] == 0 {
			delete(r.calls, name)
		}
	}
}

// Job is the goal of a call, with all that is needed to make its result. It is immutable.
type Job struct {
	// Kind is the MCP method. Name is its subject, such as the name of a tool. Binding is a digest of both and of the
	// arguments.
	Kind, Name, Binding string
	// User is the user who made the request over HTTP, or "" if unknown. Other users cannot continue the call.
	User     string
	Program  *engine.Program
	Provider *kb.Provider
	Codec    *schema.Codec
	Goal     engine.Term
	First    engine.Term // the alternative that the goal tries first
	Vars     []*term.Var
	// Note is a remark about the request in the result, or "".
	Note string
	// Page says which solutions the client gets, see package sealed.
	Page sealed.Page
	// Enough reports whether the solutions found so far suffice.
	Enough func(c *Call) bool
	// Undefined says that the result marks undefined solutions. Otherwise an undefined solution is an error.
	Undefined bool
	// Finish makes the result from the solutions. If it returns an error, the call has failed.
	Finish func(ctx context.Context, c *Call) (mcp.Result, error)
	// Advice returns hints for a call without solutions, one per line. nil: there are no hints.
	Advice func(ctx context.Context, c *Call) string
	// Known is the first part of Advice: the values that have solutions.
	Known func(ctx context.Context, c *Call) []reasons.Instead
	Time  time.Duration
	// Task says when the call becomes a task. nil: never.
	Task *kb.Task
	// Given has the time, the seed and the facts that were given for the call. Trial says that the client gave them:
	// then nothing is committed.
	Given engine.Given
	Trial bool
	// Outside is the part of Given that comes from a program in Go or the command, or nil.
	Outside *engine.Given
	// Arguments is the JSON of the arguments of a call of a tool, without a cursor. Secret names the arguments that are
	// not recorded. Assumes says that facts are among the arguments.
	Arguments json.RawMessage
	Secret    []string
	Assumes   bool
	// Place is where the requested item is declared. The goals of items that a restricted file declares are restricted.
	Place source.Position
}

// Restricted reports whether the goal is run as a restricted rule.
func (j *Job) Restricted() bool { return inner.Of(j.Program).IsRestricted(j.Place.File) }

// Call is one run of a job. It belongs to one goroutine at a time.
type Call struct {
	runner *Runner
	Job    *Job
	// Conversation has the run of the goal. Its ID names the call in the states that clients return.
	dialogue.Conversation
	// Round counts how often the client was told to come back.
	Round int
	// Legs counts the same for the present request, see MaxLegs.
	Legs int
	// Given is the Given of the job, completed with the time when the call began and a seed. It is the same for all
	// runs of the call.
	Given engine.Given
	// Began is when the call began.
	Began time.Time
	// Before is called with the result before changes of facts are committed; if it returns an error, the call ends
	// instead. After is called after the commit, and Undone when it is certain that nothing was committed. Each may be
	// nil.
	Before func(result mcp.Result) error
	After  func()
	Undone func()
	// State is the state of the facts that the present run sees. Committed is the state after its commit, or 0.
	State, Committed uint64
	// Sequence names the last change of the store that the present run sees.
	Sequence string
	// Statements counts the statements that all runs have put to databases.
	Statements atomic.Int64
	// seen names the last change of the store that runs at other servers may have seen.
	seen string
	// ModelKey is the key of the question that the model was given last.
	ModelKey string

	// spent is how long the goal has run, in all of its runs.
	spent time.Duration
	// rivalry remembers the conflicts that earlier runs have lost.
	rivalry engine.Rivalry

	// about the present run of the goal
	Request   *Request // the request that it runs for
	printed   *host.Buffer
	Solutions []engine.Solution
	More      bool // there are solutions that were not asked for
	Changes   Changes

	// Moment is the state of the facts that the present run sees. It is nil unless Keeps is set.
	Moment *engine.Moment
	Keeps  bool
}

// label names the subject of a job in messages.
func (j *Job) label() string {
	switch j.Kind {
	case GetPrompt:
		return "prompt " + j.Name
	case ReadResource:
		return "resource " + j.Name
	}
	return j.Name
}

// Forget releases the state of the facts that the call saw.
func (c *Call) Forget() {
	c.Moment.Release()
	c.Moment = nil
}

// NewCall returns a call that has not begun.
func (r *Runner) NewCall(j *Job) *Call {
	c := &Call{runner: r, Job: j, Given: j.Given, Conversation: dialogue.Conversation{ID: rand.Text(), Codec: j.Codec},
		Began: time.Now()}
	if c.Given.Now.IsZero() {
		c.Given.Now = c.Began
	}
	c.Given.Seed = cmp.Or(c.Given.Seed, c.ID)
	return c
}

// OfUser returns a copy of the job with a user; "" means no particular user.
func (j *Job) OfUser(user string) *Job {
	if user == "" {
		return j
	}
	own := *j
	own.User, own.Binding = user, j.Binding+" "+user
	return &own
}

// onProgram returns the job for a program. A call that lost a conflict to a call on a newer program has to run on that
// program: its own program does not get the changes of newer ones, so it would lose again.
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

// Close ends the present run and drops uncommitted changes.
func (c *Call) Close() {
	if c.Run != nil {
		c.Run.Close()
		c.Run = nil
	}
}

// left is the time that the goal has left. Runs that lost conflicts have used some of it.
func (c *Call) left() time.Duration { return c.Job.Time - c.spent }

// First returns the value of a variable in the first solution.
func (c *Call) First(name string) engine.Term { return c.Solutions[0].Get(name) }

// Change is one item added or removed by a goal.
type Change struct {
	Module string
	Kind   kb.ItemKind
	Name   string
	Item   engine.Term // nil: it is removed
}

// Changes are what a goal has changed so far in one run.
type Changes struct {
	Items   []Change
	Updated []string // URIs of resources to announce
	// view is the snapshot with the changes of this run, nil while there are none.
	view *kb.Snapshot
}

// Request is one request of a client on behalf of a call.
type Request struct {
	Session *mcp.ServerSession
	Version string
	User    string // as User in Job
	Caps    *mcp.ClientCapabilities
	peer    peer
	// call is the call of the request, once it runs.
	call *Call
	// progress is the token that progress is reported under, or nil.
	progress any
	// State and responses are what the client returns from an earlier round.
	State     string
	Responses mcp.InputResponseMap
	// quiet says that the goal runs again, for an explanation or a replay: no messages are sent to its client.
	quiet bool
	// task is the task that the call has become. It is nil as long as the request waits for the call.
	task *atomic.Pointer[Task]
	// place is the place of the request among the running calls, or nil.
	place *places.Ticket
}

// NewRequest describes a request.
func NewRequest[P mcp.Params](req *mcp.ServerRequest[P], state string, responses mcp.InputResponseMap) *Request {
	cr := &Request{Session: req.Session, Version: req.ProtocolVersion(), peer: newPeer(req), State: state,
		Responses: responses, task: &atomic.Pointer[Task]{}}
	cr.Caps = cr.peer.caps
	if p := req.Session.InitializeParams(); p != nil && p.ProtocolVersion < cr.Version {
		cr.Version = p.ProtocolVersion // the SDK goes by this one when it treats results
	}
	cr.User = UserOf(req.Extra)
	if p, ok := any(req.Params).(mcp.RequestParams); ok {
		cr.progress = p.GetProgressToken()
	}
	return cr
}

// Recorded is the request of a replayed call. No messages or questions are sent to its client.
func Recorded(version, user string, info *mcp.Implementation, caps *mcp.ClientCapabilities, meta mcp.Meta) *Request {
	return &Request{Version: version, User: user, Caps: caps, peer: peer{identity: identity{info: info}, meta: meta},
		quiet: true}
}

// Dry returns a copy of the request without messages or questions to its client.
func (cr *Request) Dry() *Request {
	own := *cr
	own.quiet = true
	return &own
}

// Client returns the client that sent the request, or nil if it is unknown, and the other data of the request.
func (cr *Request) Client() (*mcp.Implementation, mcp.Meta) { return cr.peer.info, cr.peer.meta }

// Able has the capabilities of the client as JSON, or is nil if they are unknown.
func (cr *Request) Able() json.RawMessage {
	if able := cr.peer.able; able != nil || cr.Caps == nil {
		return able
	}
	able, _ := json.Marshal(cr.Caps) // came as JSON
	return able
}

// UserOf is the user whose token came with a request, or "" if unknown.
func UserOf(extra *mcp.RequestExtra) string {
	if extra == nil || extra.TokenInfo == nil {
		return ""
	}
	return extra.TokenInfo.UserID
}

// identity is what a client says about itself. able has the capabilities as JSON. It is nil if only the session may
// have them.
type identity struct {
	info *mcp.Implementation
	caps *mcp.ClientCapabilities
	able json.RawMessage
}

// identities caches identities by their JSON. A client repeats itself in each request, and the SDK decodes each of the
// two members into a new buffer of 32 KiB. A map is never changed: a larger one takes its place.
var identities atomic.Pointer[map[string]identity]

// identityOf returns the identity of the client of a request.
func identityOf[P mcp.Params](req *mcp.ServerRequest[P]) identity {
	var meta mcp.Meta
	if !reflect.ValueOf(req.Params).IsNil() { // a request may come without params
		meta = req.Params.GetMeta()
	}
	if meta[mcp.MetaKeyClientInfo] == nil || meta[mcp.MetaKeyClientCapabilities] == nil ||
		req.ProtocolVersion() < wire.VersionStateless { // the session may have it
		return identity{info: req.ClientInfo(), caps: req.ClientCapabilities()}
	}
	info, _ := json.Marshal(meta[mcp.MetaKeyClientInfo]) // came as JSON
	able, _ := json.Marshal(meta[mcp.MetaKeyClientCapabilities])
	key := string(info) + string(able)
	known := identities.Load()
	if known != nil {
		if who, ok := (*known)[key]; ok {
			return who
		}
	}
	who := identity{req.ClientInfo(), req.ClientCapabilities(), able}
	const most, longest = 64, 4096
	if len(key) <= longest {
		next := map[string]identity{key: who}
		if known != nil && len(*known) < most {
			maps.Copy(next, *known)
		}
		identities.CompareAndSwap(known, &next)
	}
	return who
}

// CapabilitiesOf returns the capabilities of the client of a request, or nil if they are unknown.
func CapabilitiesOf[P mcp.Params](req *mcp.ServerRequest[P]) *mcp.ClientCapabilities {
	return identityOf(req).caps
}

// peer is the client that a request is from, and the data that came with the request.
type peer struct {
	identity
	meta mcp.Meta
	// closeStream ends the stream of the reply and tells the client when to fetch the reply. It is nil if the transport
	// does not support this.
	closeStream func(mcp.CloseSSEStreamArgs)
}

func newPeer[P mcp.Params](req *mcp.ServerRequest[P]) peer {
	p := peer{identity: identityOf(req), meta: req.Params.GetMeta()}
	if req.Extra != nil {
		p.closeStream = req.Extra.CloseSSEStream
	}
	return p
}

// outside releases the place of the request while f waits for something slow, so that another call may run.
func (cr *Request) outside(ctx context.Context, r *Runner, f func() error) error {
	cr.Exit(r)
	if err := f(); err != nil {
		return err
	}
	return cr.Enter(ctx, r)
}

// Enter waits for a place for running calls, on behalf of the client of the request. Exit releases the place.
func (cr *Request) Enter(ctx context.Context, r *Runner) error {
	session := ""
	if cr.Session != nil {
		session = cr.Session.ID()
	}
	var err error
	cr.place, err = r.places.Enter(ctx, wire.ClientOf(ctx), session)
	return err
}

// Exit releases the place of the request, if it has one.
func (cr *Request) Exit(r *Runner) {
	if cr.place != nil {
		r.places.Leave(cr.place)
		cr.place = nil
	}
}

// requestKey is the key of the request among the values of a context.
type requestKey struct{}

// Context returns a context for goals that run on behalf of the request. The predicates of this package find the
// request there.
func (cr *Request) Context(ctx context.Context) context.Context {
	return context.WithValue(ctx, requestKey{}, cr)
}

// requestOf returns the request that a goal runs for. ok is false if there is no request.
func requestOf(c *engine.Call) (cr *Request, ok bool) {
	cr, ok = c.Context().Value(requestKey{}).(*Request)
	return cr, ok
}

// hearer returns the request whose client gets the messages of a goal. It is nil if the goal runs without a client,
// runs again for an explanation, or has become a task.
func hearer(c *engine.Call) *Request {
	cr, ok := requestOf(c)
	if !ok || cr.quiet || cr.isTask() {
		return nil
	}
	return cr
}

// isTask reports whether the call of a request has become a task.
func (cr *Request) isTask() bool { return cr.task != nil && cr.task.Load() != nil }

// Task is a call that continues after its request has been answered.
type Task interface {
	// Report passes on the progress that the goal has reported by mcp_progress/3.
	Report(done, total float64, message string)
}

// Become turns the call of a request into a task.
func (cr *Request) Become(t Task) { cr.task.Store(&t) }

// Quietly returns a copy of the request for a run that explains a call.
func (cr *Request) Quietly(c *Call) *Request {
	own := *cr
	own.quiet, own.call = true, c
	return &own
}

// Asking returns a copy of the request for another call beside its own. That call cannot ask.
func Asking(session *mcp.ServerSession, version string) *Request {
	return &Request{Session: session, Version: version}
}

// Package calls runs goals for clients: each on a machine of its own, in a transaction, within limits. A goal that asks
// its client waits, on its machine or by being run again with the answers so far, and goes on when the answers come.
//
// A [Runner] runs the calls of one server, which it sees as a [Host]. A [Job] says what a call runs and what becomes of
// its solutions; a [Request] is that of the client for which it runs. [Call.Advance] runs a call to its end or until it
// has to wait. [Predicates] are how goals talk to their client.
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

// This file defines calls, what all calls of a server have in common, and the requests that calls run for: who a
// request is from, what came with it, and its place among the calls that run.

// The methods whose handling runs goals.
const (
	CallTool     = "tools/call"
	GetPrompt    = "prompts/get"
	ReadResource = "resources/read"
	Complete     = "completion/complete"
)

// Host is what calls need of the server that they run for.
type Host interface {
	// Snapshot is what is on offer now.
	Snapshot() *kb.Snapshot
	// AnswerTool is the name of the tool by which a model passes on answers, "" when there is none.
	AnswerTool() string
	// HasAdded reports whether a goal has added an item that is on offer.
	HasAdded(kind kb.ItemKind, name string) bool
	// Publish makes the changes of a call that has succeeded.
	Publish(ctx context.Context, changes *Changes)
}

// Limits are what calls may take, and what they use. Each field is that of bridge.Options.
type Limits struct {
	engine.Limits
	MaxResult      int
	Concurrent     int
	ConcurrentEach int
	AskTime        time.Duration
	MaxWaiting     int
	Backtraces     bool
	Store          *kb.Store
	// Record sets Before and After of calls that may commit changes. nil: it sets nothing.
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
	stuck   atomic.Int32 // machines that were given up and have not stopped
	Running runningTools
	clients clients

	Waiting *waiting.Room[*Call]
}

// NewRunner returns what runs the calls of a server, with the key that seals what their clients keep.
func NewRunner(host Host, key sealed.Key, limits *Limits) *Runner {
	return &Runner{limits: *limits, host: host, key: key,
		places:  places.New(limits.Concurrent, limits.ConcurrentEach),
		Waiting: waiting.New[*Call](limits.AskTime, limits.MaxWaiting)}
}

// clients has what has been seen of clients, by their name.
type clients struct {
	mu    sync.Mutex
	known map[string]*dialogue.Client
}

// maxClients bounds how many clients are known. All are forgotten when there are more.
const maxClients = 4096

// Client returns what has been seen of the client that a request is from.
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

// Enter counts a call; the function that it returns ends that.
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

// Job is what a call runs. It does not change.
type Job struct {
	// Kind is the MCP method, Name what it is about, such as the name of a tool. Binding is a digest of both and of
	// the arguments.
	Kind, Name, Binding string
	// User is who asked for it over HTTP, "" when that is not known. Others cannot go on with it.
	User     string
	Program  *engine.Program
	Provider *kb.Provider
	Codec    *schema.Codec
	Goal     engine.Term
	First    engine.Term // what the goal tries first, of several things
	Vars     []*term.Var
	// Note is what a result says of the request besides the solutions, or "".
	Note string
	// Page says which solutions the client gets, see package sealed.
	Page sealed.Page
	// Enough reports whether the solutions found so far suffice.
	Enough func(c *Call) bool
	// Undefined says that the result tells which solutions are neither true nor false. Otherwise one is an error.
	Undefined bool
	// Finish makes the result of the solutions found. An error means that the call has failed.
	Finish func(ctx context.Context, c *Call) (mcp.Result, error)
	// Advice says what else there is when there are no solutions, each in a line of its own. nil: nothing is known.
	Advice func(ctx context.Context, c *Call) string
	// Known is what else there are solutions for, the first part of that.
	Known func(ctx context.Context, c *Call) []reasons.Instead
	Time  time.Duration
	// Task says when the call becomes a task, nil: never.
	Task *kb.Task
	// Given is what the call was given in place of the clock, of chance and of facts. Trial says that the client gave it:
	// then nothing is committed.
	Given engine.Given
	Trial bool
	// Outside is the part of that which a program in Go or the command has given, nil if they have given nothing.
	Outside *engine.Given
	// Arguments is the JSON that a call of a tool came with, without a cursor. Secret names the arguments that are not
	// recorded. Assumes says that facts are among the arguments.
	Arguments json.RawMessage
	Secret    []string
	Assumes   bool
	// Place is where what is asked for is declared. What a restricted file declares is restricted.
	Place source.Position
}

// Restricted reports whether the goal is run as a restricted rule.
func (j *Job) Restricted() bool { return inner.Of(j.Program).IsRestricted(j.Place.File) }

// Call is one run of a job. It belongs to one goroutine at a time.
type Call struct {
	runner *Runner
	Job    *Job
	// Conversation has the run of the goal. Its ID names the call for the client to come back to.
	dialogue.Conversation
	// Round counts how often the client was told to come back.
	Round int
	// Legs counts that for the present request, see MaxLegs.
	Legs int
	// Given is that of the job, with the time when the call began and a seed. All runs of the call have the same.
	Given engine.Given
	// Began is when the call began.
	Began time.Time
	// Before is called with the result before changes of facts are committed, and an error of it ends the call instead.
	// After is called when they are, Undone when it is certain that they are not. nil: nothing is.
	Before func(result mcp.Result) error
	After  func()
	Undone func()
	// State is the state of the facts that the present run sees, Committed the one that it has led to, or 0.
	State, Committed uint64
	// Sequence names the last change of the store that the present run sees.
	Sequence string
	// Statements counts what all runs have put to databases.
	Statements atomic.Int64
	// seen names the last change of the store that runs at other servers may have seen.
	seen string
	// ModelKey is the key of the question that the model was given last.
	ModelKey string

	// spent is how long the goal has run, in all of its runs.
	spent time.Duration
	// rivalry is what runs before have lost to other calls.
	rivalry engine.Rivalry

	// of the present run of the goal
	Request   *Request // the one that it runs for
	printed   *host.Buffer
	Solutions []engine.Solution
	More      bool // there are solutions that were not asked for
	Changes   Changes

	// Moment is the state of the facts that the present run sees, nil unless Keeps is set.
	Moment *engine.Moment
	Keeps  bool
}

// label names what a job is about in messages.
func (j *Job) label() string {
	switch j.Kind {
	case GetPrompt:
		return "prompt " + j.Name
	case ReadResource:
		return "resource " + j.Name
	}
	return j.Name
}

// Forget gives up the state of the facts that the call saw.
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

// Close ends the present run; changes that are not committed are gone.
func (c *Call) Close() {
	if c.Run != nil {
		c.Run.Close()
		c.Run = nil
	}
}

// left is the time that the goal has left. Runs that lost to others have used some of it.
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
	User    string // as in Job
	Caps    *mcp.ClientCapabilities
	peer    peer
	// call is what the request is about, once it runs.
	call *Call
	// progress is the token that progress is reported under, or nil.
	progress any
	// State and responses are what the client brings back from an earlier round.
	State     string
	Responses mcp.InputResponseMap
	// quiet says that the goal runs again, to be explained or replayed: its client hears nothing of it.
	quiet bool
	// task is what the call has become, nil as long as the request waits for it.
	task *atomic.Pointer[Task]
	// place is that of the request among the running calls, nil when it has none.
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

// Recorded is the request of a call that is run again. Its client is told nothing and asked nothing.
func Recorded(version, user string, info *mcp.Implementation, caps *mcp.ClientCapabilities, meta mcp.Meta) *Request {
	return &Request{Version: version, User: user, Caps: caps, peer: peer{identity: identity{info: info}, meta: meta},
		quiet: true}
}

// Dry returns the request as one whose client is told nothing and asked nothing.
func (cr *Request) Dry() *Request {
	own := *cr
	own.quiet = true
	return &own
}

// Client is who has sent the request, nil if that is not known, with what else came with it.
func (cr *Request) Client() (*mcp.Implementation, mcp.Meta) { return cr.peer.info, cr.peer.meta }

// Able is what the client can do, as JSON. It is nil if that is not known.
func (cr *Request) Able() json.RawMessage {
	if able := cr.peer.able; able != nil || cr.Caps == nil {
		return able
	}
	able, _ := json.Marshal(cr.Caps) // came as JSON
	return able
}

// UserOf is the user whose token came with a request, "" if that is not known.
func UserOf(extra *mcp.RequestExtra) string {
	if extra == nil || extra.TokenInfo == nil {
		return ""
	}
	return extra.TokenInfo.UserID
}

// identity is what a client says of itself. able are the capabilities as JSON. It is nil if the
// session may have them.
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
		req.ProtocolVersion() < wire.VersionStateless { // the session may say it
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

// CapabilitiesOf returns what the client of a request can do, nil if that is not known.
func CapabilitiesOf[P mcp.Params](req *mcp.ServerRequest[P]) *mcp.ClientCapabilities {
	return identityOf(req).caps
}

// peer is who a request is from, and what came with it.
type peer struct {
	identity
	meta mcp.Meta
	// closeStream ends the stream of the reply and tells the client when to come back for it;
	// nil where nothing like that exists.
	closeStream func(mcp.CloseSSEStreamArgs)
}

func newPeer[P mcp.Params](req *mcp.ServerRequest[P]) peer {
	p := peer{identity: identityOf(req), meta: req.Params.GetMeta()}
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

// Enter waits for one of the places for running calls, as the client of the request; Exit gives it back.
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

// requestKey is the key of the request among the values of a context.
type requestKey struct{}

// Context returns a context for goals that run on behalf of the request. The predicates of this package find the
// request there.
func (cr *Request) Context(ctx context.Context) context.Context {
	return context.WithValue(ctx, requestKey{}, cr)
}

// requestOf returns the request that a goal runs for. ok is false when it runs for none.
func requestOf(c *engine.Call) (cr *Request, ok bool) {
	cr, ok = c.Context().Value(requestKey{}).(*Request)
	return cr, ok
}

// hearer returns the request whose client hears what a goal says, nil when there is none: the goal is not served, or
// runs again to be explained, or has become a task.
func hearer(c *engine.Call) *Request {
	cr, ok := requestOf(c)
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

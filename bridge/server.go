package bridge

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/dialogue"
	"github.com/mcplogic/mcplogic/bridge/internal/events"
	"github.com/mcplogic/mcplogic/bridge/internal/items"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/bridge/internal/sealed"
	"github.com/mcplogic/mcplogic/bridge/internal/tasks"
	"github.com/mcplogic/mcplogic/bridge/internal/why"
	"github.com/mcplogic/mcplogic/bridge/internal/workbench"
	"github.com/mcplogic/mcplogic/internal/wire"
	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/kb/decisions"
)

// This file defines the server: the items that the SDK lists, and the handlers of requests.

// Server offers a knowledge base to MCP clients, any number of them at a time. Goroutines share it.
type Server struct {
	// fixed when it is made
	opts   Options
	mcp    *mcp.Server
	runner *calls.Runner
	tasks  *tasks.Table
	events *events.Table
	seal   sealed.Key
	why    *why.Explainer
	parts  *sealed.Parts
	maker  *items.Maker
	bench  *workbench.Bench  // nil: there is none
	limits *decisions.Limits // as records have them

	subscribed *subscriptions

	past    sync.Mutex     // held while the facts of an earlier moment are read
	syncing sync.Mutex     // held by Sync; guards what follows
	listed  [4]items.List  // what the SDK lists, by kind
	others  []string       // the names of the tools that are not of the knowledge base
	added   []calls.Change // the items that goals have added, in order

	current atomic.Pointer[items.Offer]

	followed atomic.Pointer[followed] // nil: nothing is followed

	loaded chan struct{} // closed when there is a snapshot, or none will come
	once   sync.Once     // closes it
	failed error         // why there is no snapshot; set before
}

// NewServer returns a server of a snapshot. o may be nil. Give [Server.Sync] the next snapshot when the knowledge base
// has changed; [Serve] and [Server.Follow] do so by themselves. If the snapshot is nil, it is still loading: sessions
// can begin, and all other requests wait for Sync.
func NewServer(snapshot *kb.Snapshot, o *Options) *Server {
	opts := o.withDefaults()
	seal := sealed.NewKey(opts.StateKey)
	s := &Server{
		opts:  opts,
		seal:  seal,
		parts: sealed.NewParts(seal),

		loaded: make(chan struct{}),
	}
	s.current.Store(&items.Offer{Snapshot: &kb.Snapshot{}})
	s.subscribed = newSubscriptions(s.current.Load)
	limits := opts.limits()
	if opts.Decisions != nil {
		limits.Record = s.recordChanges
		s.limits = opts.recorded()
	}
	s.runner = calls.NewRunner(asHost{s}, seal, limits)
	s.why = why.NewExplainer(s.runner, &why.Settings{Most: opts.ExplainKeep, Limits: opts.Limits,
		Origins: s.origins})
	s.maker = items.NewMaker(seal, s.parts, s.why,
		opts.offers(func(name string) bool { return slices.Contains(s.others, name) }))
	if opts.Workbench != nil || opts.Desk != nil {
		s.bench = workbench.New(asHost{s}, opts.workbench())
	}
	s.events = events.NewTable(&events.Settings{Offer: s.current.Load, Runner: s.runner, Maker: s.maker,
		Callbacks: opts.Callbacks, Log: opts.Log})
	s.tasks = tasks.NewTable(s.runner.Waiting, s.taskSettings())
	s.mcp = mcp.NewServer(
		&mcp.Implementation{Name: opts.Name, Title: opts.Title, Version: opts.Version, Icons: items.IconsOf(opts.Icons)},
		&mcp.ServerOptions{
			Instructions: opts.Instructions,
			Logger:       opts.Log,
			SetCacheable: privateLists,
			Capabilities: serverCapabilities(),

			CompletionHandler:  s.handleComplete,
			SubscribeHandler:   s.subscribed.subscribe,
			UnsubscribeHandler: s.subscribed.unsubscribe,
			PageSize:           opts.PageSize,
		})
	s.subscribed.server = s.mcp
	nearest := func(req mcp.Request) string { return s.current.Load().Nearest(req) }
	s.mcp.AddReceivingMiddleware(s.recoverPanics, s.announceEvents, wire.RepairInitialize, s.awaitLoad, s.encodeURIs,
		hideSkills, s.fitCapabilities, s.hintCaching, s.fitList, s.subscribed.fitListen(s.tasks, s.events),
		refusal.CheckParams, refusal.FitErrors(nearest), tasks.Take, events.Take)
	if opts.Observe != nil {
		s.mcp.AddReceivingMiddleware(s.recoverPanics, s.observer().requests)
	}
	s.mcp.AddSendingMiddleware(dialogue.KeepAnswers, tasks.Send, events.Send)
	s.addSkills()
	s.tasks.AddMethods(s.mcp)
	s.events.AddMethods(s.mcp)
	for _, t := range opts.Tools {
		if t.add == nil {
			panic("a Tool of the options is a zero Tool, and not one of NewTool")
		}
		t.add(s.mcp)
		s.others = append(s.others, t.name)
	}
	s.Sync(snapshot)
	return s
}

// MCP is the server of the SDK, to be connected to transports.
func (s *Server) MCP() *mcp.Server { return s.mcp }

// Waiting returns how many calls wait for their clients to come back with answers.
func (s *Server) Waiting() int { return s.runner.Waiting.Count() }

// Health returns an error while the server takes no calls. Either the knowledge base is not loaded, or too many
// abandoned machines have not stopped: as many as calls may run at a time, and at least four. Each such machine holds
// memory, and perhaps a processor. A supervisor should then restart the server.
func (s *Server) Health() error {
	if s.isLoading() {
		return errors.New("loading")
	}
	return s.runner.Health()
}

// observer tells whoever observes.
func (s *Server) observer() *observer { return &observer{s.current.Load, s.opts.Tools, s.opts.Observe} }

func (s *Server) taskSettings() *tasks.Settings {
	set := &tasks.Settings{Most: s.opts.MaxTasks, AskTime: s.opts.AskTime, Grace: s.opts.Grace, Log: s.opts.Log,
		Run: s.runTool}
	if s.opts.Observe != nil {
		set.Over = s.observer().task
	}
	return set
}

// FinishTasks ends the tasks. Running tasks may continue for the Grace of the options; tasks that wait for answers end
// at once. FinishTasks returns when all tasks have ended, except for machines that do not stop.
func (s *Server) FinishTasks() { s.tasks.Finish() }

// Close ends the calls that wait for their clients, and the tasks. Call [Server.FinishTasks] before to give tasks time
// to finish.
func (s *Server) Close() {
	s.tasks.End()
	s.runner.Waiting.Close()
}

// privateLists says that the list of tools differs between clients: it depends on whether they can ask their user.
func privateLists(_ context.Context, req mcp.Request, c *mcp.Cacheable) {
	if _, ok := req.(*mcp.ListToolsRequest); ok {
		c.CacheScope = "private"
	}
}

// recoverPanics turns a panic of a handler, which is a bug, into an error of one request.
func (s *Server) recoverPanics(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (result mcp.Result, err error) {
		defer func() {
			if p := recover(); p != nil {
				s.opts.Log.Error("a handler panicked", "method", method, "panic", p, "stack", string(debug.Stack()))
				result, err = nil, refusal.ErrPanicked
			}
		}()
		return next(ctx, method, req)
	}
}

// The kinds of items.
const (
	toolItems = iota
	promptItems
	resourceItems
	templateItems
)

// Sync offers a snapshot from now on, together with the items that goals have added. Items that are the same as before
// stay. Clients are told which lists have changed. Running calls continue with the snapshot that they began with. nil
// changes nothing.
func (s *Server) Sync(snapshot *kb.Snapshot) {
	s.offer(func() *kb.Snapshot { return snapshot })
}

// offer calls Sync with the snapshot that of returns. of is called while no other snapshot is being offered.
func (s *Server) offer(of func() *kb.Snapshot) {
	s.syncing.Lock()
	defer s.syncing.Unlock()
	snapshot := of()
	if snapshot == nil {
		return
	}
	if s.opts.Decisions != nil {
		s.opts.Decisions.Serve(snapshot, s.opts.Store)
	}
	s.show(s.keepAdded(snapshot))
	s.once.Do(func() {
		if s.opts.Workbench != nil {
			o := s.current.Load()
			names := s.bench.AddTo(s.mcp, func(name string) bool {
				return o.Tools[name] != nil || o.Prompts[name] != nil || slices.Contains(s.others, name)
			})
			s.others = append(s.others, names...)
		}
		close(s.loaded)
	})
}

// show offers a snapshot; syncing is held.
func (s *Server) show(snapshot *kb.Snapshot) {
	was := s.current.Load()
	next := s.maker.Prepare(snapshot, was, s.readSkills(snapshot.FS()))
	s.current.Store(next)
	if s.events.Differ(was, next) {
		go s.events.ListChanged(slices.Collect(s.mcp.Sessions()))
	}
	s.why.ForgetAll(snapshot.Program)
	s.list(toolItems, next.ToolList(), s.addTool, s.mcp.RemoveTools)
	s.list(promptItems, next.PromptList(), s.addPrompt, s.mcp.RemovePrompts)
	plain, templates := next.ResourceLists()
	s.list(resourceItems, plain, s.addResource, s.mcp.RemoveResources)
	s.list(templateItems, templates, s.addResource, s.mcp.RemoveResourceTemplates)
}

// list makes the SDK list the items of one kind.
func (s *Server) list(kind int, next items.List, add func(key string), remove func(keys ...string)) {
	added, removed := s.listed[kind].Difference(next)
	s.listed[kind] = next
	if len(removed) > 0 {
		remove(removed...)
	}
	for _, key := range added {
		s.guard(key, func() { add(key) })
	}
}

// guard adds an item. The SDK panics if it refuses an item; guard logs this instead. The loader has already checked for
// all known faults.
func (s *Server) guard(key string, add func()) {
	defer func() {
		if p := recover(); p != nil {
			s.opts.Log.Error("an item was left out", "item", key, "reason", p)
		}
	}()
	add()
}

// This part defines the capabilities of a server, which depend on the items of the knowledge base, and its
// instructions.

// fitCapabilities is a middleware that announces the capabilities of the present knowledge base.
func (s *Server) fitCapabilities(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		if err != nil {
			return result, err
		}
		switch r := result.(type) {
		case *mcp.InitializeResult:
			s.fit(r.Capabilities)
			r.Instructions = cmp.Or(r.Instructions, s.instructions())
		case *mcp.DiscoverResult:
			s.fit(r.Capabilities)
			r.Instructions = cmp.Or(r.Instructions, s.instructions())
		default:
			return result, nil
		}
		if rules := s.current.Load().Snapshot.Rules; rules != nil {
			calls.NoteRules(result, rules.Digest)
		}
		return result, nil
	}
}

// fit completes the capabilities of one answer. While the knowledge base is loading, it announces all possible
// capabilities.
func (s *Server) fit(caps *mcp.ServerCapabilities) {
	o, loading := s.current.Load(), s.isLoading()
	if loading || len(s.allSkills()) > 0 {
		caps.AddExtension(extensionSkills, map[string]any{})
	}
	if loading || o.HasTasks() {
		caps.AddExtension(tasks.Extension, map[string]any{})
	}
	if loading || len(o.Events) > 0 {
		caps.AddExtension(events.Extension, map[string]any{"listChanged": true})
	}
	if !loading && !o.Completes() {
		caps.Completions = nil
	}
	if loading || o.Snapshot.Capable("ui") || o.WhyTool != "" {
		caps.AddExtension(why.ExtensionUI, map[string]any{"mimeTypes": []string{why.MIMEApp}})
	}
}

// announceEvents is a middleware that also announces events where clients of the draft of the extension look for them:
// beside the capabilities that the SDK knows.
func (s *Server) announceEvents(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		switch r := result.(type) {
		case *mcp.InitializeResult:
			if err == nil && r.Capabilities.Extensions[events.Extension] != nil {
				return &announced{r}, nil
			}
		case *mcp.DiscoverResult:
			if err == nil && r.Capabilities.Extensions[events.Extension] != nil {
				return &announced{r}, nil
			}
		}
		return result, err
	}
}

// announced is a result that announces events.
type announced struct{ mcp.Result }

// MarshalJSON adds the capability to the others.
func (r *announced) MarshalJSON() ([]byte, error) {
	data, err := json.Marshal(r.Result)
	if err != nil {
		return nil, err
	}
	const caps = `"capabilities":{`
	return bytes.Replace(data, []byte(caps), []byte(caps+`"events":{"listChanged":true},`), 1), nil
}

// title is the name of the server for people.
func (s *Server) title() string { return cmp.Or(s.opts.Title, s.opts.Name) }

// instructions are the generated instructions, or "" unless the options ask for them.
func (s *Server) instructions() string {
	if !s.opts.Instruct {
		return ""
	}
	if s.isLoading() {
		return s.title() + " answers from rules and facts. It is still loading them; what is asked of it waits until then."
	}
	return s.current.Load().Instructions(s.title())
}

// serverCapabilities are the capabilities of a server. Even empty lists are announced as changing, because a reload may
// fill them.
func serverCapabilities() *mcp.ServerCapabilities {
	return &mcp.ServerCapabilities{
		Logging:   &mcp.LoggingCapabilities{},
		Tools:     &mcp.ToolCapabilities{ListChanged: true},
		Prompts:   &mcp.PromptCapabilities{ListChanged: true},
		Resources: &mcp.ResourceCapabilities{ListChanged: true, Subscribe: true},
	}
}

// This part defines the observations of requests for logs, metrics and traces. They have no arguments and no results,
// which may be secret.

// observedTask is the method of the observation of a task that is over.
const observedTask = "task"

// observedMethods are the methods that have names of their own in observations.
var observedMethods = map[string]bool{"initialize": true, "ping": true, "tools/list": true, "tools/call": true,
	"prompts/list": true, "prompts/get": true, "resources/list": true, "resources/read": true,
	"resources/templates/list": true, "resources/subscribe": true, "resources/unsubscribe": true,
	"completion/complete": true, "logging/setLevel": true, "server/discover": true, "subscriptions/listen": true,
	"events/list": true, "events/poll": true, "events/stream": true, "events/subscribe": true, "events/unsubscribe": true,
	"tasks/get": true, "tasks/update": true, "tasks/cancel": true,
	"notifications/initialized": true, "notifications/cancelled": true, "notifications/progress": true,
	"notifications/roots/list_changed": true}

// TaskResult is the answer to a call that has become a task.
type TaskResult interface {
	mcp.Result
	// WhenOver makes the task call f when it is over, with its status and its result, if it has one. f must not block.
	WhenOver(f func(status string, r *mcp.CallToolResult))
}

// observer reports requests and tasks.
type observer struct {
	offer func() *items.Offer
	tools []Tool
	begin func(context.Context, Observation) (context.Context, func(Observation))
}

// task reports the end of a task.
func (o *observer) task(e *tasks.Ended) {
	seen := Observation{Method: observedTask, Name: e.Name, User: e.User, Version: wire.VersionStateless,
		Began: e.Began}
	_, end := o.begin(context.Background(), seen)
	seen.Took, seen.Outcome, seen.Code = time.Since(e.Began), e.Outcome, e.Code
	end(seen)
}

// requests is a middleware that reports requests.
func (o *observer) requests(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		seen := Observation{Method: method, Began: time.Now()}
		if !observedMethods[method] {
			seen.Method = "other"
		}
		switch p := req.GetParams().(type) {
		case *mcp.CallToolParamsRaw:
			if o.offer().Tools[p.Name] != nil || slices.ContainsFunc(o.tools,
				func(t Tool) bool { return t.name == p.Name }) {
				seen.Name = p.Name
			}
		case *mcp.GetPromptParams:
			if o.offer().Prompts[p.Name] != nil {
				seen.Name = p.Name
			}
		}
		if p := req.GetParams(); p != nil && !reflect.ValueOf(p).IsNil() { // a request may come without params
			seen.TraceParent, _ = p.GetMeta()["traceparent"].(string)
		}
		seen.User = calls.UserOf(req.GetExtra())
		ctx, end := o.begin(ctx, seen)
		result, err := next(ctx, method, req)
		seen.Took, seen.Outcome = time.Since(seen.Began), "ok"
		if err == nil && result != nil && !reflect.ValueOf(result).IsNil() {
			seen.Rules, _ = result.GetMeta()[calls.MetaRules].(string)
		}
		switch r := result.(type) {
		case *mcp.CallToolResult:
			if r != nil && r.IsError {
				seen.Outcome = "failed"
			}
		case *tasks.Result:
			if r.ResultType == tasks.KindTask {
				seen.Outcome = "task"
			}
		}
		if err != nil {
			seen.Outcome = "error"
			var coded *jsonrpc.Error
			if errors.As(err, &coded) {
				seen.Code = coded.Code
			}
		}
		end(seen)
		return result, err
	}
}

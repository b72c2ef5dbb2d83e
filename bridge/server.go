package bridge

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/dialogue"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/bridge/internal/sealed"
	"github.com/mcplogic/mcplogic/bridge/internal/skill"
	"github.com/mcplogic/mcplogic/bridge/internal/tasks"
	"github.com/mcplogic/mcplogic/bridge/internal/why"
	"github.com/mcplogic/mcplogic/bridge/internal/workbench"
	"github.com/mcplogic/mcplogic/bridge/wire"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines the server: which items the SDK lists, and who handles what.

// Server offers a knowledge base to MCP clients, any number of them at a time. Goroutines share it.
type Server struct {
	// fixed when it is made
	opts   Options
	mcp    *mcp.Server
	runner *calls.Runner
	tasks  *tasks.Table
	seal   sealed.Key
	why    *why.Explainer
	parts  *sealed.Parts

	subscribed subscriptions
	// answerShown says that a call has had more questions than clients answer in one request.
	answerShown atomic.Bool

	syncing sync.Mutex     // held by Sync; guards what follows
	listed  [4]itemList    // what the SDK lists, by kind
	added   []calls.Change // the items that goals have added, in order

	current atomic.Pointer[offer]

	base atomic.Pointer[kb.Base] // what the server follows, or nil
}

// NewServer returns a server of a snapshot. o may be nil. Give [Server.Sync] the next snapshot when the knowledge base
// has changed; [Serve] and [Server.Follow] do so by themselves.
func NewServer(snapshot *kb.Snapshot, o *Options) *Server {
	opts := o.withDefaults()
	seal := sealed.NewKey(opts.StateKey)
	s := &Server{
		opts:  opts,
		seal:  seal,
		parts: sealed.NewParts(seal),

		subscribed: subscriptions{uris: map[*mcp.ServerSession]map[string]int{}},
	}
	s.runner = calls.NewRunner(host{s}, seal, opts.limits())
	s.why = why.NewExplainer(s.runner, &why.Settings{Most: opts.ExplainKeep, Memory: opts.Memory, Inferences: opts.Inferences,
		Origins: s.origins})
	s.tasks = tasks.NewTable(s.runner.Waiting, s.taskSettings())
	s.mcp = mcp.NewServer(
		&mcp.Implementation{Name: opts.Name, Title: opts.Title, Version: opts.Version, Icons: iconsOf(opts.Icons)},
		&mcp.ServerOptions{
			Instructions: opts.Instructions,
			Logger:       opts.Log,
			SetCacheable: privateLists,
			Capabilities: serverCapabilities(),

			CompletionHandler:  s.handleComplete,
			SubscribeHandler:   s.subscribe,
			UnsubscribeHandler: s.unsubscribe,
			PageSize:           opts.PageSize,
		})
	s.mcp.AddReceivingMiddleware(s.recoverPanics, wire.RepairInitialize, s.encodeURIs, hideSkills, s.fitCapabilities,
		s.hintCaching,
		s.fitList, s.fitListen, refusal.CheckParams, s.suggestNames, refusal.FitNotFound, refusal.FitBadCursor, tasks.Take)
	if opts.Observe != nil {
		s.mcp.AddReceivingMiddleware(s.observe)
	}
	s.mcp.AddSendingMiddleware(dialogue.KeepAnswers, tasks.Send)
	s.addSkills()
	s.tasks.AddMethods(s.mcp)
	s.Sync(snapshot)
	if opts.Workbench != nil {
		bench := workbench.New(host{s}, s.runner, opts.workbench())
		bench.AddTo(s.mcp, func(name string) bool { return s.current.Load().tools[name] != nil })
	}
	return s
}

// MCP is the server of the SDK, to be connected to transports.
func (s *Server) MCP() *mcp.Server { return s.mcp }

// Waiting is how many calls wait for their client to come back with an answer.
func (s *Server) Waiting() int { return s.runner.Waiting.Count() }

// Health returns an error while the server takes no calls, because as many machines as calls may run at a time, and no
// fewer than four, have been given up and have not stopped. Each holds memory, and perhaps a processor. Whoever watches
// over the server should start it anew then.
func (s *Server) Health() error { return s.runner.Health() }

// taskSettings are those of the tasks.
func (s *Server) taskSettings() *tasks.Settings {
	set := &tasks.Settings{Most: s.opts.MaxTasks, AskTime: s.opts.AskTime, Grace: s.opts.Grace, Log: s.opts.Log, Run: s.runTool}
	if s.opts.Observe != nil {
		set.Over = s.observeTask
	}
	return set
}

// FinishTasks ends the tasks: those that run may go on for the grace of the options, those that wait for answers end at
// once. It returns when all have ended, except for machines that do not stop.
func (s *Server) FinishTasks() { s.tasks.Finish() }

// Close gives up the calls that wait for their clients, and the tasks. [Server.FinishTasks] gives these time before.
func (s *Server) Close() {
	s.tasks.End()
	s.runner.Waiting.Close()
}

// privateLists says that the list of tools differs between clients: it depends on whether they
// can ask their user.
func privateLists(_ context.Context, req mcp.Request, c *mcp.Cacheable) {
	if _, ok := req.(*mcp.ListToolsRequest); ok {
		c.CacheScope = "private"
	}
}

// recoverPanics turns a panic of a handler, a mistake of ours, into an error of one request.
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

// offer is a snapshot prepared for calls.
type offer struct {
	snapshot  *kb.Snapshot
	tools     map[string]*tool
	prompts   map[string]*prompt
	resources map[string]*resource // also templates, by their URI template
	// answerTool is the name of the tool by which a model passes on answers, "" when no
	// provider asks.
	answerTool string
	// skills are those of the folders.
	skills []*skill.Skill
	// whyTool is the name of the tool why, "" when it is not offered.
	whyTool string
}

// The kinds of items.
const (
	toolItems = iota
	promptItems
	resourceItems
	templateItems
)

// itemList is the listed items of one kind: the JSON of each by its key.
type itemList map[string]string

// difference returns the keys of items that next adds or changes, and of those it lacks.
func (s itemList) difference(next itemList) (added, removed []string) {
	for key, item := range next {
		if was, ok := s[key]; !ok || was != item {
			added = append(added, key)
		}
	}
	for key := range s {
		if _, ok := next[key]; !ok {
			removed = append(removed, key)
		}
	}
	slices.Sort(added)
	return added, removed
}

// put adds an item.
func (s itemList) put(key string, item any) {
	data, err := json.Marshal(item)
	if err != nil { // items hold schemas that were compiled, and texts
		panic(fmt.Sprintf("bridge: %q cannot be encoded: %v", key, err))
	}
	s[key] = string(data)
}

// Sync offers a snapshot from now on, together with the items that goals have added. Items that are the same as before
// stay. Clients are told which lists have changed. Running calls go on with the snapshot that they began with.
func (s *Server) Sync(snapshot *kb.Snapshot) {
	s.syncing.Lock()
	defer s.syncing.Unlock()
	s.show(s.keepAdded(snapshot))
}

// show offers a snapshot; syncing is held.
func (s *Server) show(snapshot *kb.Snapshot) {
	next := s.prepare(snapshot)
	s.current.Store(next)
	s.why.ForgetAll(snapshot.Program)
	s.list(toolItems, next.toolList(), s.addTool, s.mcp.RemoveTools)
	s.list(promptItems, next.promptList(), s.addPrompt, s.mcp.RemovePrompts)
	plain, templates := next.resourceLists()
	s.list(resourceItems, plain, s.addResource, s.mcp.RemoveResources)
	s.list(templateItems, templates, s.addResource, s.mcp.RemoveResourceTemplates)
}

// list makes the SDK list the items of one kind.
func (s *Server) list(kind int, next itemList, add func(key string), remove func(keys ...string)) {
	added, removed := s.listed[kind].difference(next)
	s.listed[kind] = next
	if len(removed) > 0 {
		remove(removed...)
	}
	for _, key := range added {
		s.guard(key, func() { add(key) })
	}
}

// guard adds an item. The SDK panics if it refuses one, and guard logs that instead: the loader has checked all that
// we know to be wrong with an item.
func (s *Server) guard(key string, add func()) {
	defer func() {
		if p := recover(); p != nil {
			s.opts.Log.Error("an item was left out", "item", key, "reason", p)
		}
	}()
	add()
}

// prepare compiles what a snapshot offers. What cannot be is left out and logged.
func (s *Server) prepare(snapshot *kb.Snapshot) *offer {
	o := &offer{snapshot: snapshot, tools: map[string]*tool{}, prompts: map[string]*prompt{},
		resources: map[string]*resource{}}
	was := s.current.Load()
	o.skills = s.readSkills()
	for _, declared := range snapshot.Tools {
		if old := was.prepared(declared, snapshot); old != nil {
			o.tools[declared.Name] = old
			continue
		}
		t, err := s.newTool(snapshot, declared)
		if err != nil {
			s.opts.Log.Error("a tool was left out", "tool", declared.Name, "place", declared.Place.String(), "reason", err)
			continue
		}
		o.tools[declared.Name] = t
	}
	for _, declared := range snapshot.Prompts {
		o.prompts[declared.Name] = s.newPrompt(snapshot, declared)
	}
	for _, declared := range snapshot.Resources {
		o.resources[declared.URI] = s.newResource(snapshot, declared)
	}
	for _, declared := range snapshot.Templates {
		t := s.newResource(snapshot, declared)
		t.template = parseTemplate(declared.URI)
		o.resources[declared.URI] = t
	}
	o.answerTool, o.whyTool = o.chooseAnswerTool(), s.chooseWhyTool(o)
	return o
}

// prepared returns a tool that is prepared already for the same program, or nil.
func (o *offer) prepared(declared *kb.Tool, snapshot *kb.Snapshot) *tool {
	if o == nil {
		return nil
	}
	if t := o.tools[declared.Name]; t != nil && t.Tool == declared && t.program == snapshot.Program {
		return t
	}
	return nil
}

// hasTasks reports whether calls of some tool may become tasks.
func (o *offer) hasTasks() bool {
	for _, t := range o.tools {
		if t.Task != nil {
			return true
		}
	}
	return false
}

// elicits reports whether a provider may ask the user.
func (o *offer) elicits(p *kb.Provider) bool { return p.Declares("elicitation") }

// freeToolName returns a name for a tool of the server: the name wanted, or with a number if the knowledge base has a
// tool of that name.
func (o *offer) freeToolName(wanted string) string {
	name := wanted
	for i := 2; o.tools[name] != nil; i++ {
		name = wanted + "_" + strconv.Itoa(i)
	}
	return name
}

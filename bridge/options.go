package bridge

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"runtime"
	"time"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/events"
	"github.com/mcplogic/mcplogic/bridge/internal/items"
	"github.com/mcplogic/mcplogic/bridge/internal/sealed"
	"github.com/mcplogic/mcplogic/bridge/internal/workbench"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/internal/schema"
	"github.com/mcplogic/mcplogic/internal/wire"
	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/kb/decisions"
)

// This file defines the options and the observations of a server.

// Options configure a [Server]. nil stands for the zero value. The comment of each field gives the meaning of its zero
// value.
type Options struct {
	// Name, Title and Version are what clients see. "": mcplogic, nothing and dev.
	Name, Title, Version string
	// Icons are icons that clients may show for the server.
	Icons []kb.Icon
	// Instructions tell a model how to use the server. "": none, unless Instruct is set.
	Instructions string
	// Instruct makes instructions from the items of the knowledge base.
	Instruct bool

	// Limits are the limits of one call. Time that it waits for the user does not count. A Time of 0: 60 s. A Memory of
	// 0: 256 MiB.
	engine.Limits
	// Solutions is how many solutions of one call are returned. 0: 100.
	Solutions int
	// MaxText bounds the bytes of the solutions in one result; the rest goes to further pages. Tools may set another
	// bound by max_result. 0: 50,000.
	MaxText int
	// MaxResult is how many bytes the result of one call may have. 0: 1 MiB.
	MaxResult int
	// Grace is how long running calls may continue after the input has ended or the server stops. 0: 5 s.
	Grace time.Duration
	// Concurrent is how many calls run at a time; others queue. 0: twice the processors.
	Concurrent int
	// ConcurrentEach is how many running calls one client may have if there are several clients. 0: all but one, and at
	// least one.
	ConcurrentEach int

	// AskTime is how long a question waits for its answer. 0: 10 minutes.
	AskTime time.Duration
	// MaxWaiting is how many calls may wait for their clients to come back. If there are more, the call that has waited
	// longest is dropped. 0: 100.
	MaxWaiting int
	// MaxTasks is how many tasks there may be, including finished ones whose results are kept. When there are more,
	// calls do not become tasks and are answered when they have ended. 0: 100.
	MaxTasks int
	// StateKey seals what a client keeps between the rounds of a call. Servers that share a key can continue each
	// other's calls. nil: a key for this server only.
	StateKey []byte

	// Store is the store of the knowledge base. If other servers share it, results say which changes their calls may
	// have seen. nil: there is no store.
	Store *kb.Store

	// Decisions records each call of a tool of the rules. nil: calls are not recorded.
	Decisions *decisions.Recorder

	// Explain offers the tool why, by which models ask for the reasons of results. Knowledge bases can ask for it too,
	// by capabilities([explain]).
	Explain bool

	// WhatIf offers the tool what_if, by which models compare answers with those under other facts. Knowledge bases can
	// ask for it too, by capabilities([what_if]).
	WhatIf bool

	// ExplainKeep is the number of last calls whose state of the facts is kept for the tool why, so that it explains
	// the answers that were given. 0: 64. Below 0: none.
	ExplainKeep int

	// Folders are the folders of the rules, in the file system that the rules are from. The skills in their subfolders
	// named skills are served.
	Folders []string
	// Workbench offers tools by which a model works on the rules. nil: no such tools.
	Workbench *Workbench
	// Desk is the workbench of [Server.Desk]. nil: there is none.
	Desk *Workbench

	// Callbacks say where events may be posted. nil: nowhere.
	Callbacks *Callbacks

	// PageSize is how many items of a list go into one answer. 0: 1000.
	PageSize int

	// Backtraces adds the full backtrace of an exception to errors. Otherwise a result has the message, the term and
	// the place of the goal, and the log has the rest.
	Backtraces bool

	// Framing is the framing of Serve's input.
	Framing Framing
	// Stderr gets the output of goals to user_error. nil: it is dropped.
	Stderr io.Writer
	// Log gets problems. nil: they are not logged.
	Log *slog.Logger
	// Tools are written in Go; see [NewTool]. If rules declare a tool with the name of one of these, their tool is left
	// out and the log says so.
	Tools []Tool

	// Observe is called when a request begins, with its method, name, user, trace and time. It returns the context in
	// which the request is answered, for example with a span, and a function that is called when the request has ended.
	// For a task, Observe is called once the task is over. Several goroutines may call it at the same time. It may be
	// nil.
	Observe func(ctx context.Context, begun Observation) (context.Context, func(ended Observation))
}

// Framing is the way messages are separated in the input of [Serve].
type Framing = wire.Framing

// The framings. FramingAuto, the default, recognises each message by its first bytes.
const (
	FramingAuto          = wire.Auto
	FramingLines         = wire.Lines
	FramingContentLength = wire.ContentLength
)

// Callbacks say where events may be posted; see [NewCallbacks].
type Callbacks = events.Callbacks

// NewCallbacks reads where events may be posted. A URL allows the addresses below it. * allows all https addresses on
// public networks, whose receivers have to answer a challenge. A network such as 10.0.0.0/8 allows names that lead
// there. The error names any other entry.
func NewCallbacks(entries []string) (*Callbacks, error) { return events.NewCallbacks(entries) }

// Workbench says that a server has a workbench.
type Workbench struct {
	// Folder is the folder of the rules. Options are the options that it is loaded with.
	Folder  string
	Options *kb.Options
	// Write offers kb_save, which changes the folder.
	Write bool
}

func (o *Options) limits() *calls.Limits {
	return &calls.Limits{Limits: o.Limits, MaxResult: o.MaxResult, Concurrent: o.Concurrent,
		ConcurrentEach: o.ConcurrentEach, AskTime: o.AskTime, MaxWaiting: o.MaxWaiting, Backtraces: o.Backtraces,
		Store: o.Store, Stderr: o.Stderr, Log: o.Log}
}

// recorded returns the limits that decisions depend on, or nil for the default.
func (o *Options) recorded() *decisions.Limits {
	plain := new(Options).withDefaults()
	differing := func(own, usual int) int {
		if own == usual {
			return 0
		}
		return own
	}
	l := &decisions.Limits{Inferences: o.Inferences, Memory: differing(o.Memory, plain.Memory),
		Solutions: differing(o.Solutions, plain.Solutions), Result: differing(o.MaxResult, plain.MaxResult),
		Text: differing(o.MaxText, plain.MaxText)}
	if *l == (decisions.Limits{}) {
		return nil
	}
	return l
}

// offers are the settings of offers and of the jobs of requests.
func (o *Options) offers(reserved func(name string) bool) *items.Settings {
	return &items.Settings{Limits: o.Limits, MaxResult: o.MaxResult, MaxText: o.MaxText,
		Solutions: o.Solutions, Explain: o.Explain, WhatIf: o.WhatIf, Reserved: reserved, Log: o.Log}
}

func (o *Options) workbench() *workbench.Settings {
	b := cmp.Or(o.Workbench, o.Desk)
	return &workbench.Settings{Folder: b.Folder, Options: b.Options, Write: b.Write,
		Concurrent: max(leastTrials, o.Concurrent), Limits: o.Limits, Log: o.Log}
}

// leastTrials is how many clients may at least try rules at the same time, so that an endless trial of one client does
// not block the others.
const leastTrials = 4

// withDefaults returns a copy in which every limit is set.
func (o *Options) withDefaults() Options {
	var c Options
	if o != nil {
		c = *o
	}
	c.Name = cmp.Or(c.Name, "mcplogic")
	c.Version = cmp.Or(c.Version, "dev")
	c.Time = cmp.Or(c.Time, time.Minute)
	c.Memory = cmp.Or(c.Memory, 256<<20)
	c.Solutions = cmp.Or(c.Solutions, 100)
	c.MaxText = cmp.Or(c.MaxText, sealed.DefaultText)
	c.MaxResult = cmp.Or(c.MaxResult, schema.DefaultMaxResult)
	c.ExplainKeep = max(cmp.Or(c.ExplainKeep, 64), 0)
	c.Grace = cmp.Or(c.Grace, 5*time.Second)
	c.Concurrent = cmp.Or(c.Concurrent, 2*runtime.GOMAXPROCS(0))
	c.ConcurrentEach = cmp.Or(c.ConcurrentEach, max(1, c.Concurrent-1))
	c.AskTime = cmp.Or(c.AskTime, 10*time.Minute)
	c.MaxWaiting = cmp.Or(c.MaxWaiting, 100)
	c.MaxTasks = cmp.Or(c.MaxTasks, 100)
	c.PageSize = max(c.PageSize, 0)
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}

// Observation is a request that has been answered, or a task that is over.
//
// Took, Outcome and Code are set once the request has ended.
type Observation struct {
	// Method is the method, "other" for an unknown method, or "task" for the end of a task. Name is the tool, prompt or
	// resource template of the request, or "" if the server does not have it.
	Method, Name string
	// User is the user of a request over HTTP, or "" if unknown.
	User string
	// Version is the protocol version, or "" if unknown.
	Version string
	// TraceParent is the context of the client's trace, as W3C Trace Context has it, or "".
	TraceParent string
	// Rules is the beginning of the digest of the rules that have answered, or "".
	Rules string
	Began time.Time
	Took  time.Duration
	// Outcome is "ok", "failed" for a tool that fails or throws, "asks" for a call that waits for the client, "task"
	// for a call that has become a task, "cancelled" for a task that was cancelled or has expired, or "error".
	Outcome string
	// Code is the code of a JSON-RPC error, or 0 for other outcomes.
	Code int64
}

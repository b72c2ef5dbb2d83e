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

// This file defines what a server may be told.

// Options configure a [Server]. nil stands for the zero value, and the zero value of each field
// for what its comment says.
type Options struct {
	// Name, Title and Version are what clients see. "": mcplogic, nothing and dev.
	Name, Title, Version string
	// Icons are what clients may show for the server.
	Icons []kb.Icon
	// Instructions tell a model how to use the server. "": none, unless Instruct is set.
	Instructions string
	// Instruct makes instructions of what the knowledge base offers.
	Instruct bool

	// Limits are those of one call, whose waiting for the user does not count. A Time of 0: 60 s. A Memory of 0: 256 MiB.
	engine.Limits
	// Solutions is how many solutions of one call are returned. 0: 100.
	Solutions int
	// MaxText is how many bytes the solutions in one result have before the rest goes to further pages. Tools may say
	// otherwise by max_result. 0: 50,000.
	MaxText int
	// MaxResult is how many bytes the result of one call may have. 0: 1 MiB.
	MaxResult int
	// Grace is how long running calls may go on once the input has ended or the server stops. 0: 5 s.
	Grace time.Duration
	// Concurrent is how many calls run at a time; others queue. 0: twice the processors.
	Concurrent int
	// ConcurrentEach is how many of them may be of one client where there are several. 0: all but one, and one where
	// only one runs.
	ConcurrentEach int

	// AskTime is how long a question waits for its answer. 0: 10 minutes.
	AskTime time.Duration
	// MaxWaiting is how many calls may wait for the client to come back; beyond it the one
	// that has waited longest is given up. 0: 100.
	MaxWaiting int
	// MaxTasks is how many tasks there may be, those that are over and whose results are kept among them. Beyond it calls
	// are answered when they have ended. 0: 100.
	MaxTasks int
	// StateKey seals what a client keeps between the rounds of a call. Servers that share a
	// key can go on with each other's calls. nil: a key of this server alone.
	StateKey []byte

	// Store is that of the knowledge base. Results say which of its changes they may have seen if other servers have it
	// too. nil: there is none.
	Store *kb.Store

	// Decisions is told of each call of a tool of the rules. nil: nobody is.
	Decisions *decisions.Recorder

	// Explain offers the tool why, by which models ask for the reasons of results. Knowledge bases can ask for it too,
	// by capabilities([explain]).
	Explain bool

	// WhatIf offers the tool what_if, by which models compare answers with those on other facts. Knowledge bases can ask
	// for it too, by capabilities([what_if]).
	WhatIf bool

	// ExplainKeep is for how many of the last calls the state of the facts that they saw is kept, if there is the tool
	// why, so that it explains what they were told. 0: 64; less: none.
	ExplainKeep int

	// Folders are the folders of the rules, in the file system that the rules are from. The skills in their subfolders
	// named skills are served.
	Folders []string
	// Workbench offers tools by which a model works on the rules. nil: there are none.
	Workbench *Workbench
	// Desk is the workbench of [Server.Desk]. nil: there is none.
	Desk *Workbench

	// Callbacks say where events may be posted. nil: nowhere.
	Callbacks *Callbacks

	// PageSize is how many items of a list go into one answer. 0: 1000.
	PageSize int

	// Backtraces makes errors tell all that is known of an exception. Else a result has its words, its term and the
	// place of the goal, and the log has the rest.
	Backtraces bool

	// Framing of the input of Serve.
	Framing Framing
	// Stderr takes what goals write to user_error. nil: it is dropped.
	Stderr io.Writer
	// Log is told what goes wrong. nil: nobody is.
	Log *slog.Logger
	// Tools are written in Go; see [NewTool]. Rules cannot take their names: a tool of theirs with such a name is left
	// out, and the log says so.
	Tools []Tool

	// Observe is told of each request that begins: its method, name, user, trace and time. It returns the context in
	// which the request is answered, such as one with a span, and a function that is told how the request has ended. It
	// is told of a task once it is over. Several goroutines call it at a time. nil: nobody is told.
	Observe func(ctx context.Context, begun Observation) (context.Context, func(ended Observation))
}

// Framing is the way messages are told apart in the input of [Serve].
type Framing = wire.Framing

// The framings. FramingAuto, the default, recognises each message by its first bytes.
const (
	FramingAuto          = wire.Auto
	FramingLines         = wire.Lines
	FramingContentLength = wire.ContentLength
)

// Callbacks say where events may be posted; see [NewCallbacks].
type Callbacks = events.Callbacks

// NewCallbacks reads where events may be posted: a URL allows the addresses below it; * allows all https addresses on
// public networks, whose receivers have to answer a challenge; a network such as 10.0.0.0/8 allows names that lead
// there. The error names an entry that is none of these.
func NewCallbacks(entries []string) (*Callbacks, error) { return events.NewCallbacks(entries) }

// Workbench says that a server has a workbench.
type Workbench struct {
	// Folder is that of the rules, Options are those that it is loaded with.
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

// recorded are the limits that decisions have rested on, nil for the default.
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

// leastTrials is how many clients may try rules at a time, however few calls run at a time: one that tries what never
// ends keeps nobody else waiting.
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
	// Method is the method, "other" for one that the server does not have, task for the end of a task; Name the tool,
	// prompt or resource template that it is about, "" if that is none of the server's.
	Method, Name string
	// User is who asked over HTTP, "" if that is not known.
	User string
	// Version is that of the protocol, "" if it is not known.
	Version string
	// TraceParent is the context of the client's trace, as W3C Trace Context has it, or "".
	TraceParent string
	// Rules is the beginning of the digest of the rules that have answered, "" if none have.
	Rules string
	Began time.Time
	Took  time.Duration
	// Outcome is ok, failed for a tool that has no answer or throws, asks for one that waits for the client, task for a
	// call that has become a task, cancelled for the end of one that was cancelled or has expired, or error.
	Outcome string
	// Code is that of a JSON-RPC error, 0 for other outcomes.
	Code int64
}

// Package calls runs goals for clients: each on a machine of its own, in a transaction, within limits. A goal that asks
// its client waits, on its machine or by being run again with the answers so far, and goes on when the answers come.
//
// A [Runner] runs the calls of one server, which it sees as a [Host]. A [Job] says what a call runs and what becomes of
// its solutions; a [Request] is that of the client for which it runs. [Call.Advance] runs a call to its end or until it
// has to wait. [Predicates] are how goals talk to their client.
package calls

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcplogic/mcplogic/bridge/internal/places"
	"github.com/mcplogic/mcplogic/bridge/internal/sealed"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines what all calls of a server have in common.

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
	Inferences     int64
	Memory         int
	MaxResult      int
	Concurrent     int
	ConcurrentEach int
	AskTime        time.Duration
	MaxWaiting     int
	Backtraces     bool
	Store          *kb.Store
	Stderr         io.Writer
	Log            *slog.Logger
}

// Runner runs calls. Goroutines share it.
type Runner struct {
	limits  Limits
	host    Host
	key     sealed.Key
	places  *places.Places
	turn    chan struct{} // held by the call whose turn it is to be run again
	stuck   atomic.Int32  // machines that were given up and have not stopped
	Running runningTools

	Waiting *WaitingRoom
}

// NewRunner returns what runs the calls of a server, with the key that seals what their clients keep.
func NewRunner(host Host, key sealed.Key, limits *Limits) *Runner {
	return &Runner{limits: *limits, host: host, key: key, turn: make(chan struct{}, 1),
		places:  places.New(limits.Concurrent, limits.ConcurrentEach),
		Waiting: newWaitingRoom(limits.AskTime, limits.MaxWaiting)}
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

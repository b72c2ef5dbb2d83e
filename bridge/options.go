package bridge

import (
	"cmp"
	"io"
	"log/slog"
	"runtime"
	"time"

	"github.com/mcplogic/mcplogic/bridge/schema"
	"github.com/mcplogic/mcplogic/bridge/wire"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines what a server may be told.

// Options configure a [Server]. nil stands for the zero value, and the zero value of each field
// for what its comment says.
type Options struct {
	// Name, Title and Version are what clients see. "": mcplogic, nothing and dev.
	Name, Title, Version string
	// Icons are what clients may show for the server.
	Icons []kb.Icon
	// Instructions tell a model how to use the server. "": none.
	Instructions string

	// Time is the longest running time of one call, not counting waiting for the user. 0: 60 s.
	Time time.Duration
	// Memory is the most that the terms of one call may take, in bytes. 0: 256 MiB.
	Memory int
	// Inferences is the largest number of predicates that one call calls. 0: no limit.
	Inferences int64
	// Solutions is how many solutions of one call are returned. 0: 100.
	Solutions int
	// MaxResult is how many bytes the result of one call may have. 0: 1 MiB.
	MaxResult int
	// Grace is how long running calls may go on once the input has ended or the server stops. 0: 5 s.
	Grace time.Duration
	// Concurrent is how many calls run at a time; others queue. 0: twice the processors.
	Concurrent int

	// AskTime is how long a question waits for its answer. 0: 10 minutes.
	AskTime time.Duration
	// MaxWaiting is how many calls may wait for the client to come back; beyond it the one
	// that has waited longest is given up. 0: 100.
	MaxWaiting int
	// StateKey seals what a client keeps between the rounds of a call. Servers that share a
	// key can go on with each other's calls. nil: a key of this server alone.
	StateKey []byte

	// PageSize is how many items of a list go into one answer. 0: 1000.
	PageSize int

	// Framing of the input of Serve.
	Framing wire.Framing
	// Stderr takes what goals write to user_error. nil: it is dropped.
	Stderr io.Writer
	// Log is told what goes wrong. nil: nobody is.
	Log *slog.Logger
}

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
	c.MaxResult = cmp.Or(c.MaxResult, schema.DefaultMaxResult)
	c.Grace = cmp.Or(c.Grace, 5*time.Second)
	c.Concurrent = cmp.Or(c.Concurrent, 2*runtime.GOMAXPROCS(0))
	c.AskTime = cmp.Or(c.AskTime, 10*time.Minute)
	c.MaxWaiting = cmp.Or(c.MaxWaiting, 100)
	c.PageSize = max(c.PageSize, 0)
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}

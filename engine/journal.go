package engine

import "github.com/mcplogic/mcplogic/engine/internal/commit"

// This file defines what keeps the facts of persistent predicates.

// What a journal is told.
type (
	// Fact is a fact of a persistent predicate.
	Fact = commit.Fact
	// FactChange is what one transaction adds to persistent predicates and removes from them.
	FactChange = commit.FactChange
	// Journal makes the changes of persistent predicates durable. Many goroutines call it at the same time.
	//
	// A journal may pass on the changes of other processes by [Program.Apply]. It then calls [FactChange.Settle] before
	// it accepts a change, and lets Append return in the order in which it has accepted changes, each after done of the
	// one before.
	Journal = commit.Journal
)

// ErrNotStored is in the chain of the error of a commit whose changes the journal could not keep.
var ErrNotStored = commit.ErrNotStored

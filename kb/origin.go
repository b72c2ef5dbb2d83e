package kb

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/kb/internal/facts"
)

// This file defines where the facts of a store come from.

// Origin says who asserted a fact, and when.
type Origin struct {
	By   string // "" for nobody in particular
	When time.Time
}

// String is the origin in words.
func (o *Origin) String() string {
	by := ""
	if o.By != "" {
		by = " by " + o.By
	}
	return fmt.Sprintf("asserted%s on %s", by, o.When.UTC().Format("2006-01-02 15:04:05"))
}

// errLate ends a search that takes too long.
var errLate = errors.New("late")

// Origins says where facts come from, in their order: nil for facts that are not in the store of the knowledge base, or
// that were there before its last snapshot. The journal is read for it, for no longer than most.
func (b *Base) Origins(list []engine.Fact, most time.Duration) []*Origin {
	found := make([]*Origin, len(list))
	program := b.Snapshot().Program
	wanted := map[string][]int{}
	for i, f := range list {
		if text, err := facts.FactText(f); err == nil && isOwn(program, f) {
			wanted[text] = append(wanted[text], i)
		}
	}
	if b.o.Store == nil || len(wanted) == 0 {
		return found
	}
	until := time.Now().Add(most)
	_ = b.o.Store.source.Each(context.Background(), func(c facts.Change) error { // what cannot be read is not known
		if time.Now().After(until) {
			clear(found) // a later change may have asserted a fact again
			return errLate
		}
		var origin *Origin
		for _, e := range c.Edits {
			if e.Sign == '-' || wanted[e.Fact] == nil {
				continue
			}
			if origin == nil {
				origin = readOrigin(c)
			}
			for _, i := range wanted[e.Fact] {
				found[i] = origin
			}
		}
		return nil
	})
	return found
}

// readOrigin returns the origin of the facts of a change, or nil if the change does not say it.
func readOrigin(c facts.Change) *Origin {
	text, by := c.Origin()
	when, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return nil
	}
	return &Origin{By: by, When: when}
}

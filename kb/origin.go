package kb

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
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
func (b *Base) Origins(facts []engine.Fact, most time.Duration) []*Origin {
	found := make([]*Origin, len(facts))
	program := b.Snapshot().Program
	wanted := map[string][]int{}
	for i, f := range facts {
		name, arity, ok := term.Indicator(f.Head)
		if !ok || !program.IsPersistent(f.Module, string(name), arity) {
			continue
		}
		if text, err := factText(f); err == nil {
			wanted[text] = append(wanted[text], i)
		}
	}
	if b.o.Store == nil || len(wanted) == 0 {
		return found
	}
	until := time.Now().Add(most)
	_ = b.o.Store.eachChange(func(_ uint64, text string) error { // what cannot be read is not known
		if time.Now().After(until) {
			clear(found) // a later change may have asserted a fact again
			return errLate
		}
		head, changes, _ := strings.Cut(text, "\n")
		var origin *Origin
		for line := range strings.Lines(changes) {
			line = strings.TrimSuffix(line, "\n")
			if line == "" || line[0] != '+' && line[0] != '^' || wanted[line[1:]] == nil {
				continue
			}
			if origin == nil {
				origin = readOrigin(head)
			}
			for _, i := range wanted[line[1:]] {
				found[i] = origin
			}
		}
		return nil
	})
	return found
}

// readOrigin reads the first line of a change.
func readOrigin(head string) *Origin {
	t, err := engine.ParseTerm(head)
	if err != nil {
		return nil
	}
	args, ok := term.Is(t, "commit", 2)
	if !ok {
		return nil
	}
	when, err := time.Parse(time.RFC3339Nano, engine.FormatText(args[0]))
	if err != nil {
		return nil
	}
	return &Origin{By: engine.FormatText(args[1]), When: when}
}

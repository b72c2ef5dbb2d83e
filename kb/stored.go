package kb

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/facts"
	"github.com/mcplogic/mcplogic/internal/inner"
)

// This file defines who asserted the facts of a store, and when.

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

// Origins returns the origins of facts, in their order. An origin is nil if the fact is not in the store of the
// knowledge base, or is older than the store's last snapshot. Origins reads the journal, for no longer than `most`.
func (b *Base) Origins(list []host.Fact, most time.Duration) []*Origin {
	found := make([]*Origin, len(list))
	if b.Snapshot() == nil {
		return found
	}
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
	_ = b.o.Store.source.Each(context.Background(), func(c facts.Change) error { // unreadable: origin unknown
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

// Persistent returns the persistent predicates with the comments of info/2.
func (s *Snapshot) Persistent() []Word {
	list := []Word{}
	for _, name := range inner.Of(s.Program).Persistent() {
		w := Word{Predicate: strings.TrimPrefix(name, "user:")}
		if d := s.described.infos[name]; d != nil {
			w.About, w.Arguments = d.comment, d.names
		}
		list = append(list, w)
	}
	return list
}

// StoredFact is a fact of the store with its arguments as texts.
type StoredFact struct {
	Arguments []string `json:"arguments"`
	By        string   `json:"by,omitempty"`
	When      string   `json:"when,omitempty"` // "" for a fact that was there before the last snapshot of the store
}

// Stored returns the last facts of a persistent predicate whose text contains a text, at most `most` facts and the
// newest first. It ignores case. count is the number of all such facts.
func (b *Base) Stored(predicate, text string, most int) (list []StoredFact, count int) {
	if b.Snapshot() == nil {
		return nil, 0
	}
	program := b.Snapshot().Program
	text = strings.ToLower(text)
	var found []host.Fact
	all, end := program.PersistentFacts()
	for f := range all {
		if f.Indicator() != predicate ||
			text != "" && !strings.Contains(strings.ToLower(strings.Join(shownArguments(f), " ")), text) {
			continue
		}
		if count, found = count+1, append(found, f); len(found) >= 2*most {
			found = slices.Delete(found, 0, most)
		}
	}
	end()
	found = found[max(0, len(found)-most):]
	origins := b.Origins(found, time.Second)
	list = []StoredFact{}
	for i, f := range slices.Backward(found) {
		one := StoredFact{Arguments: shownArguments(f)}
		if o := origins[i]; o != nil {
			one.By, one.When = o.By, o.When.UTC().Format(time.RFC3339)
		}
		list = append(list, one)
	}
	return list, count
}

// shownArguments are the displayed arguments of a fact.
func shownArguments(f host.Fact) []string {
	list := []string{}
	if c, ok := f.Head.(*term.Compound); ok {
		for _, arg := range c.Args {
			list = append(list, inner.Plain(arg))
		}
	}
	return list
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

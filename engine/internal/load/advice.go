package load

import (
	"sync"

	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines what declarations say about how a predicate is explained.

// adviceTable holds the advice by module and predicate. It is made when it is first needed.
type adviceTable struct {
	mu sync.Mutex
	// A load adds declarations, so the table is made anew when their number has changed.
	of    int // declarations that it was made of
	known map[adviceKey]*database.Advice
}

// adviceKey names a predicate.
type adviceKey struct {
	module, name string
	arity        int
}

// Advice returns what the program says about explaining a predicate.
func (p *Program) Advice(pred *database.Pred) database.Advice {
	t := &p.advice
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known == nil || t.of != len(p.declarations) {
		t.of, t.known = len(p.declarations), map[adviceKey]*database.Advice{}
		for _, d := range p.declarations {
			t.add(d)
		}
	}
	var advice database.Advice
	if a := t.known[adviceKey{pred.Module.Name, pred.Name(), pred.Arity()}]; a != nil {
		advice = *a
	}
	columns, _ := p.columns.Load(pred)
	advice.Columns, _ = columns.([]string)
	return advice
}

// add notes a declaration if it is about explaining.
func (t *adviceTable) add(d Declaration) {
	c, ok := d.Term.(*term.Compound)
	if !ok || len(c.Args) != 2 || d.Name != "explain" && d.Name != "info" {
		return
	}
	about, module := c.Args[0], d.Module
	if in, ok := term.Is(about, ":", 2); ok {
		if name, ok := in[0].(term.Atom); ok {
			about, module = in[1], string(name)
		}
	}
	name, arity, ok := Indicator(about)
	if !ok {
		return
	}
	key := adviceKey{module, name, arity}
	if t.known[key] == nil {
		t.known[key] = &database.Advice{}
	}
	if d.Name == "explain" {
		t.known[key].How, _ = term.Text(c.Args[1])
		return
	}
	inform(t.known[key], c.Args[1], arity)
}

// inform reads the keys of info/2 that are about explaining.
func inform(a *database.Advice, list term.Term, arity int) {
	items, _ := term.Slice(list)
	for _, item := range items {
		pair, ok := term.Is(item, "is", 2)
		if !ok {
			continue
		}
		switch pair[0] {
		case term.Term(term.Atom("says")):
			a.Says, _ = term.Text(pair[1])
		case term.Term(term.Atom("says_not")):
			a.SaysNot, _ = term.Text(pair[1])
		case term.Term(term.Atom("source")):
			a.Source, _ = term.Text(pair[1])
		case term.Term(term.Atom("argnames")), term.Term(term.Atom("arguments")):
			if names := argumentNames(pair[1]); len(names) == arity {
				a.Names = names
			}
		}
	}
}

// argumentNames are the names in the value of argnames or arguments.
func argumentNames(list term.Term) []string {
	items, _ := term.Slice(list)
	names := make([]string, 0, len(items))
	for _, item := range items {
		if pair, ok := term.Is(item, "-", 2); ok {
			item = pair[0]
		}
		name, _ := term.Text(item)
		names = append(names, name)
	}
	return names
}

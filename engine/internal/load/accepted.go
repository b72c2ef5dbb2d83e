package load

import (
	"sync"

	"github.com/mcplogic/mcplogic/engine/internal/body"
	"github.com/mcplogic/mcplogic/engine/internal/flow"
	"github.com/mcplogic/mcplogic/engine/internal/lint"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/typename"
)

// This file defines the analysis of the arguments with which calls can succeed, for schemas. The analysis reads the
// clauses of the database that a call reaches, at the first request.

// acceptance is the analysis of the clauses of some generation. Each commit invalidates all of it. The lock is held for
// one call, which examines a bounded number of goals.
type acceptance struct {
	mu         sync.Mutex
	generation uint64
	result     *flow.Result
}

// Accepted returns the types of the arguments with which a call can succeed, given the mode/2 types of the arguments,
// nil for any. It returns nil if no call can succeed, or if nothing is known.
func (p *Program) Accepted(module, name string, given []term.Term) []flow.Type {
	a := &p.acceptance
	a.mu.Lock()
	defer a.mu.Unlock()
	if now := p.db.Generation(); a.result == nil || a.generation != now {
		a.generation, a.result = now, flow.Explore(&clauseWorld{lintWorld{p}, p.inputTypes()})
	}
	types := make([]flow.Type, len(given))
	for i, t := range given {
		if types[i] = flow.Any; t != nil {
			types[i] = lint.TypeOf(t)
		}
	}
	return a.result.Accepted(flow.Key{Module: module, Name: name, Arity: len(given)}, types)
}

// inputTypes returns the input types of the predicates with one directive mode/2, if the types name values or bounds of
// numbers. The types also apply to calls by rules.
func (p *Program) inputTypes() map[flow.Key][]flow.Type {
	all, named := map[flow.Key][]flow.Type{}, map[string]typename.Names{}
	for _, d := range p.declarations {
		args, ok := term.Is(d.Term, "mode", 2)
		template, isCompound := (*term.Compound)(nil), false
		if ok {
			template, isCompound = args[0].(*term.Compound)
		}
		if !isCompound {
			continue
		}
		k := flow.Key{Module: d.Module, Name: string(template.Functor), Arity: len(template.Args)}
		types := make([]flow.Type, k.Arity)
		for i, arg := range template.Args {
			types[i] = flow.Any
			if input, ok := term.Is(arg, "+", 1); ok && all[k] == nil {
				if named[d.Module] == nil {
					named[d.Module] = p.namedTypes(d.Module)
				}
				t, _ := named[d.Module].Resolve(input[0])
				if found := lint.TypeOf(t); found.Listed() || found.IsBounded() {
					types[i] = found
				}
			}
		}
		all[k] = types
	}
	return all
}

// clauseWorld has the clauses of the database for the analysis.
type clauseWorld struct {
	lintWorld
	given map[flow.Key][]flow.Type
}

// The bounds of the examined clauses of one predicate, and of its facts that are not summarised.
const (
	maxRead  = 1000
	maxApart = 32
)

// Find returns a predicate of the program. It omits the clauses if explain/2 hides them.
func (w *clauseWorld) Find(k flow.Key) *flow.Predicate {
	pred := w.find(k.Module, k.Name, k.Arity)
	if pred == nil || pred.Builtin >= 0 || w.Library(k) || w.p.IsUntouched(pred) || !pred.Defined() {
		return nil
	}
	found := &flow.Predicate{Key: k, Facts: make([]flow.Type, k.Arity), Given: w.given[k], Open: isOpen(pred)}
	how, own, read := w.p.Advice(pred).How, clausesOf(pred), 0
	var facts []flow.Clause
	if how != "opaque" && how != "hidden" && own != nil {
		for _, c := range own.Clauses() {
			if !c.Committed() {
				continue
			}
			if read++; read > maxRead {
				break
			}
			head, goals := stacks.ExportClauseWith(c, nil)
			one := flow.Clause{Body: body.Part{Term: goals, Module: k.Module}}
			if c, ok := head.(*term.Compound); ok {
				one.Head = c.Args
			}
			if !c.IsFact() {
				found.Clauses = append(found.Clauses, one)
			} else {
				facts = append(facts, one)
				flow.Add(found.Facts, one.Head)
			}
		}
	}
	switch {
	case read == 0 || read > maxRead || found.Open:
		found.Open, found.Clauses = true, nil
		for i, t := range found.Facts {
			found.Facts[i] = t.Opened(read > maxRead, isOpen(pred))
		}
	case len(facts) <= maxApart:
		found.Facts, found.Clauses = nil, append(facts, found.Clauses...)
	}
	return found
}

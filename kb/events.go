package kb

import (
	"context"
	_ "embed"
	"slices"
	"strconv"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/eventtexts"
	"github.com/mcplogic/mcplogic/internal/inner"
)

// This file defines events: how events/1 is read, and the module that keeps what has occurred.

//go:embed events.pl
var eventText string

// loadEvents adds the module of events to a program that declares events, that replaces a program with the module, or
// whose store has facts of the module. The latter two have to tell the receivers of hooks that their event is gone.
func (l *loading) loadEvents(ctx context.Context) {
	declares := func(m inspect.Module) bool {
		_, ok := inner.Of(l.program).Defines(m.Name, "events", 1)
		return ok
	}
	if l.lasting || l.o.Store != nil && l.o.Store.hasWaiting(eventtexts.Module) ||
		slices.ContainsFunc(inner.Of(l.program).Modules(), declares) {
		_ = l.program.Load(ctx, source.File{Name: "library(mcp_events)", Text: eventText}) // its errors are diagnostics
	}
}

// KeepsEvents reports whether the program has the module of events.
func (s *Snapshot) KeepsEvents() bool {
	return slices.ContainsFunc(s.Providers, func(p *Provider) bool { return p.Module == eventtexts.Module })
}

// eventPredicates are the predicates by which the module of events gets the texts of an answer.
func eventPredicates() []engine.Predicate {
	type maker = func(context.Context, []engine.Term) (string, error)
	text := func(of func(*eventtexts.Texts) maker) func(c *engine.Call) (bool, error) {
		return func(c *engine.Call) (bool, error) {
			texts := eventtexts.Of(c.Context())
			row, isList := term.Slice(c.Arg(0))
			if texts == nil || !isList {
				return false, nil
			}
			made, err := of(texts)(c.Context(), row)
			return err == nil && c.Unify(1, term.String(made)), err
		}
	}
	return []engine.Predicate{
		{Name: "$event_data", Arity: 2, Modes: "+list, -string", Doc: "Is the data of an answer of an event, in JSON.",
			Call: text(func(t *eventtexts.Texts) maker { return t.Data })},
		{Name: "$event_proof", Arity: 2, Modes: "+list, -string", Doc: "Is the proof of an answer of an event.",
			Call: text(func(t *eventtexts.Texts) maker { return t.Proof })},
	}
}

// eventOptions are the options that events share with tools.
var eventOptions = []string{"every", "title", "description", "mode", "limit", "timeout", "meta", "explain"}

// events reads events/1.
func (l *loading) events(p *Provider) {
	l.eachItem(p, "events", func(item engine.Term, at source.Position) { l.event(p, item, at) })
}

// event reads one item. Name/Arity is short for an event named like its predicate.
func (l *loading) event(p *Provider, item engine.Term, at source.Position) {
	if pi, ok := term.Is(item, "/", 2); ok {
		item = term.New("event", pi[0], item)
	}
	name, pi, list := eventParts(item)
	functor, isAtom := pi[0].(term.Atom)
	arity, isInt := pi[1].(term.Int)
	if !isAtom || !isInt || arity < 0 || arity > maxArity {
		l.fail(at, "event", "got %s, want event(Name, Predicate/Arity) or event(Name, Predicate/Arity, Options)",
			l.show(item))
		return
	}
	e := &Event{Tool: &Tool{Name: name, Provider: p, Functor: string(functor), Place: at,
		Arguments: make([]Argument, arity)}}
	if !isName(e.Name, 128) {
		l.fail(at, "name", "event name %s: want 1 to 128 of A-Z a-z 0-9 _ . -", strconv.Quote(e.Name))
	}
	for _, old := range l.snapshot.Events {
		if old.Name == e.Name {
			l.fail(at, "duplicate", "event %s is already declared at %s", e.Name, old.Place)
		}
	}
	if _, ok := inner.Of(l.program).Predicate(p.Module, e.Functor, int(arity)); !ok && !l.broken {
		l.fail(at, "predicate", "event %s: %s is not defined%s", e.Name, indicator(e.Functor, int(arity)),
			l.suggest(p.Module, e.Functor, int(arity)))
	}
	options := toolOptions{mode: 1, kind: "event"}
	if list != nil {
		l.eachOption(at, "event", "event "+e.Name, list, func(name string, value engine.Term) (err error) {
			switch {
			case name == "every":
				e.Every, err = seconds(value)
			case slices.Contains(eventOptions, name):
				err = l.option(e.Tool, &options, name, value)
			default:
				l.unknown(at, "event", "option", name, eventOptions)
			}
			return err
		})
	}
	l.describe(e.Tool, options)
	e.All = true
	l.snapshot.Events = append(l.snapshot.Events, e)
}

// eventParts are the name of an event, its predicate and arity, and its options or nil. The predicate is not an atom if
// the term is not an event.
func eventParts(item engine.Term) (name string, pi []engine.Term, options engine.Term) {
	args, ok := term.Is(item, "event", 2)
	if !ok {
		if args, ok = term.Is(item, "event", 3); ok {
			options = args[2]
		}
	}
	if ok {
		name = termText(args[0])
		pi, ok = term.Is(args[1], "/", 2)
	}
	if !ok {
		pi = []engine.Term{term.Int(0), term.Int(0)}
	}
	return name, pi, options
}

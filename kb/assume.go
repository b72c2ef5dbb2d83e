package kb

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/schema"
	"github.com/mcplogic/mcplogic/internal/shapes"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines the option assume of tools: the predicates whose facts may come with a call.

// assumables reads the value of the option, a list of Name/Arity. The predicates are dynamic ones with modes.
func (l *loading) assumables(t *Tool, list engine.Term) ([]*Assumable, error) {
	items, ok := term.Slice(list)
	if !ok {
		return nil, fmt.Errorf("got %s, want a list of Name/Arity", inspect.ShowTerm(list))
	}
	found := []*Assumable{}
	for _, item := range items {
		name, arity, grammar, ok := shapes.NameArity(item)
		if !ok || grammar || arity > maxArity {
			return nil, fmt.Errorf("got %s, want Name/Arity", inspect.ShowTerm(item))
		}
		a, err := l.assumable(t.Provider, string(name), arity)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(found, func(b *Assumable) bool { return b.Name == a.Name }) {
			return nil, fmt.Errorf("%s is named twice", a.Name)
		}
		found = append(found, a)
	}
	return found, nil
}

func (l *loading) allAssumable(p *Provider) {
	for _, list := range l.modes {
		if m := list[0]; m.module == p.Module {
			if a, err := l.assumable(p, m.name, len(m.types)); err == nil {
				p.Assumable = append(p.Assumable, a)
			}
		}
	}
	slices.SortFunc(p.Assumable, func(a, b *Assumable) int { return strings.Compare(a.Name, b.Name) })
}

func (l *loading) assumable(p *Provider, name string, arity int) (*Assumable, error) {
	pi := indicator(name, arity)
	info, ok := inner.Of(l.program).Predicate(p.Module, name, arity)
	if !ok {
		return nil, fmt.Errorf("%s is not defined%s", pi, l.suggest(p.Module, name, arity))
	}
	if !info.Dynamic {
		return nil, fmt.Errorf("%s is static, and its facts cannot differ between calls; add :- dynamic %s", pi, pi)
	}
	facts := &Tool{Name: name, Provider: p, Functor: name, Arguments: make([]Argument, arity)}
	modes := l.modes[l.key(facts)]
	if len(modes) == 0 {
		return nil, fmt.Errorf("%s has no mode/2 directive, from which its facts would have their types", pi)
	}
	says := l.infos[l.key(facts)]
	if says == nil {
		says = &infoDirective{}
	}
	facts.setArguments(says)
	facts.setMode(modes[0])
	return &Assumable{name, facts.Arguments}, nil
}

// checkArguments reports two faults of a tool: it has the option assume and an argument with a reserved name, or its
// option secret names an argument that the tool lacks.with the option assume that has an argument of a reserved name
// itself, and one with the option secret that lacks an argument which it names.
func (l *loading) checkArguments(t *Tool) {
	names := make([]string, len(t.Arguments))
	for i, a := range t.Arguments {
		names[i] = a.Name
	}
	for _, name := range t.Secret {
		if t.InputSchema == nil && !slices.Contains(names, name) {
			l.fail(t.Place, "tool", "tool %s: option secret: it has no argument %s%s", t.Name, name, spell.Hint(name, names))
		}
	}
	if t.Assume == nil {
		return
	}
	if t.InputSchema != nil {
		l.fail(t.Place, "tool", "tool %s: option assume does not go with a schema of its own", t.Name)
	}
	for _, a := range t.Arguments {
		if slices.Contains(schema.Reserved, a.Name) {
			l.fail(t.Place, "tool", "tool %s: the option assume adds the argument %s, and there is one of that name", t.Name,
				a.Name)
		}
	}
}

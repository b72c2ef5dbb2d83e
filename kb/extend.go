package kb

import (
	"context"
	"errors"
	"slices"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines snapshots with items that goals have added or removed at run time.

// described holds what the directives mode/2 and info/2 of the files say.
type described struct {
	o     *Options
	modes map[string][]*modeDirective
	infos map[string]*infoDirective
}

// ItemKind is a kind of item that is offered to clients.
type ItemKind string

// The kinds of items, named like their terms.
const (
	ToolItem     ItemKind = "tool"
	PromptItem   ItemKind = "prompt"
	ResourceItem ItemKind = "resource"
	TemplateItem ItemKind = "resource_template"
)

// Clone returns a copy with lists of items of its own. Add and Remove may change them before the copy is shared.
func (s *Snapshot) Clone() *Snapshot {
	next := *s
	next.Tools, next.Prompts = slices.Clone(s.Tools), slices.Clone(s.Prompts)
	next.Resources, next.Templates = slices.Clone(s.Resources), slices.Clone(s.Templates)
	return &next
}

// Add offers one more item on behalf of a module. The item is a term such as those in the lists of tools/1,
// prompts/1, resources/1 and resource_templates/1. The error says what is wrong with it; it is then not offered. A
// name that is taken is an error.
func (s *Snapshot) Add(module string, item engine.Term) error {
	p := s.provider(module)
	if p == nil {
		return engine.ExistenceError("module", term.Atom(module))
	}
	before := *s
	l := &loading{o: s.described.o, ctx: context.Background(), program: s.Program, snapshot: s,
		texts: map[string][]string{},
		modes: s.described.modes, infos: s.described.infos}
	name, _, _ := term.Indicator(item)
	switch ItemKind(name) {
	case ToolItem:
		l.tool(p, item, engine.Position{})
	case PromptItem:
		l.prompt(p, item, engine.Position{})
		l.handles(p, "prompt_get/3")
	case ResourceItem:
		l.resource(p, string(name), item, engine.Position{}, &s.Resources)
		l.handles(p, "resource_read/3")
	case TemplateItem:
		l.resource(p, string(name), item, engine.Position{}, &s.Templates)
		l.handles(p, "resource_read/3")
	default:
		return engine.TypeError("mcp_item", item)
	}
	for _, d := range l.report {
		if d.Severity == engine.SeverityError {
			*s = before
			return errors.New(d.Message)
		}
	}
	return nil
}

// handles reports a provider without the predicate that answers for its items.
func (l *loading) handles(p *Provider, predicate string) {
	if _, ok := p.own[predicate]; !ok {
		l.fail(engine.Position{}, "predicate", "%s is not defined in module %s", predicate, p.Module)
	}
}

// Remove ends the offer of an item. It returns false when the item is not offered. The name of a resource is its URI,
// that of a template its URI template.
func (s *Snapshot) Remove(kind ItemKind, name string) bool {
	before := len(s.Tools) + len(s.Prompts) + len(s.Resources) + len(s.Templates)
	switch kind {
	case ToolItem:
		s.Tools = slices.DeleteFunc(s.Tools, func(t *Tool) bool { return t.Name == name })
	case PromptItem:
		s.Prompts = slices.DeleteFunc(s.Prompts, func(p *Prompt) bool { return p.Name == name })
	case ResourceItem:
		s.Resources = slices.DeleteFunc(s.Resources, func(r *Resource) bool { return r.URI == name })
	case TemplateItem:
		s.Templates = slices.DeleteFunc(s.Templates, func(r *Resource) bool { return r.URI == name })
	}
	return len(s.Tools)+len(s.Prompts)+len(s.Resources)+len(s.Templates) < before
}

// provider returns the provider of a module, or nil.
func (s *Snapshot) provider(module string) *Provider {
	for _, p := range s.Providers {
		if p.Module == module {
			return p
		}
	}
	return nil
}

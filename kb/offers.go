package kb

import (
	"strings"

	"github.com/yosida95/uritemplate/v3"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how prompts/1, resources/1 and resource_templates/1 are read and checked.

// prompts reads prompts/1.
func (l *loading) prompts(p *Provider) {
	l.eachItem(p, "prompts", func(item engine.Term, at source.Position) { l.prompt(p, item, at) })
	if len(l.snapshot.Prompts) > 0 {
		l.needs(p, "prompts/1", "prompt_get/3")
	}
}

// needs reports a missing predicate that a declaration requires.
func (l *loading) needs(p *Provider, declaration, predicate string) {
	info, declares := p.own[declaration]
	if _, ok := p.own[predicate]; declares && !ok && !l.broken {
		l.fail(clausePlace(info, 0), "predicate", "%s is declared but %s is not defined%s", declaration, predicate,
			l.suggest(p.Module, strings.Split(predicate, "/")[0], 3))
	}
}

// prompt reads one item of prompts/1.
func (l *loading) prompt(p *Provider, item engine.Term, at source.Position) {
	c, ok := item.(*term.Compound)
	if !ok || c.Functor != "prompt" || len(c.Args) < 3 || len(c.Args) > 5 {
		l.fail(at, "prompt", "got %s, want prompt(Name, Description, Arguments), prompt(Name, Title, Description, "+
			"Arguments) or prompt(Name, Title, Description, Arguments, Options)", l.show(item))
		return
	}
	prompt := &Prompt{Provider: p, Place: at}
	texts := []*string{&prompt.Name, &prompt.Title, &prompt.Description}
	if len(c.Args) == 3 {
		texts = []*string{&prompt.Name, &prompt.Description}
	}
	l.texted("prompt", item, c.Args, texts, at)
	if prompt.Name == "" {
		l.fail(at, "name", "the name of a prompt is empty")
	}
	for _, old := range l.snapshot.Prompts {
		if old.Name == prompt.Name {
			l.fail(at, "duplicate", "prompt %s is already declared at %s", prompt.Name, old.Place)
		}
	}
	if prompt.Description == "" {
		l.warn(at, "description", "prompt %s has no description", prompt.Name)
	}
	l.checkLength(at, "prompt "+prompt.Name, prompt.Description)
	if len(c.Args) == 5 {
		l.itemOptions("prompt "+prompt.Name, at, c.Args[4], prompt.setters())
	}
	l.promptArguments(prompt, c.Args[min(len(c.Args)-1, 3)])
	l.snapshot.Prompts = append(l.snapshot.Prompts, prompt)
}

// texted reads the first arguments of an item, which are texts.
func (l *loading) texted(kind string, item engine.Term, args []engine.Term, texts []*string, at source.Position) {
	for i, dest := range texts {
		s, ok := term.Text(args[i])
		if !ok {
			l.fail(at, kind, "%s: got %s, want a text", l.show(item), l.show(args[i]))
		}
		*dest = s
	}
}

// promptArguments reads a list of argument(Name, Description, Required).
func (l *loading) promptArguments(p *Prompt, list engine.Term) {
	items, ok := term.Slice(list)
	if !ok {
		l.fail(p.Place, "prompt", "prompt %s: got the arguments %s, want a list", p.Name, l.show(list))
	}
	for _, item := range items {
		args, ok := term.Is(item, "argument", 3)
		if !ok || termText(args[0]) == "" || termText(args[2]) != "true" && termText(args[2]) != "false" {
			l.fail(p.Place, "prompt", "prompt %s: got %s, want argument(Name, Description, Required), Required being true or "+
				"false", p.Name, l.show(item))
			continue
		}
		for _, old := range p.Arguments {
			if old.Name == termText(args[0]) {
				l.fail(p.Place, "prompt", "prompt %s: two arguments have the name %s", p.Name, old.Name)
			}
		}
		p.Arguments = append(p.Arguments, PromptArgument{Name: termText(args[0]), Description: termText(args[1]),
			Required: termText(args[2]) == "true"})
	}
}

// resources reads resources/1 and resource_templates/1.
func (l *loading) resources(p *Provider) {
	l.eachItem(p, "resources", func(item engine.Term, at source.Position) {
		l.resource(p, "resource", item, at, &l.snapshot.Resources)
	})
	l.eachItem(p, "resource_templates", func(item engine.Term, at source.Position) {
		l.resource(p, "resource_template", item, at, &l.snapshot.Templates)
	})
	if len(l.snapshot.Resources) > 0 {
		l.needs(p, "resources/1", "resource_read/3")
	}
	if len(l.snapshot.Templates) > 0 {
		l.needs(p, "resource_templates/1", "resource_read/3")
	}
}

// resource reads one item and adds it to list.
func (l *loading) resource(p *Provider, kind string, item engine.Term, at source.Position, list *[]*Resource) {
	c, ok := item.(*term.Compound)
	if !ok || string(c.Functor) != kind || len(c.Args) < 4 || len(c.Args) > 6 {
		l.fail(at, "resource", "got %[1]s, want %[2]s(URI, Name, Description, MimeType), %[2]s(URI, Name, Title, "+
			"Description, MimeType) or %[2]s(URI, Name, Title, Description, MimeType, Options)", l.show(item), kind)
		return
	}
	r := &Resource{Provider: p, Place: at}
	texts := []*string{&r.URI, &r.Name, &r.Title, &r.Description, &r.MIMEType}
	if len(c.Args) == 4 {
		texts = []*string{&r.URI, &r.Name, &r.Description, &r.MIMEType}
	}
	l.texted("resource", item, c.Args, texts, at)
	if len(c.Args) == 6 {
		l.itemOptions("resource "+r.URI, at, c.Args[5], r.setters())
	}
	if problem := badURI(r.URI, kind == "resource_template"); problem != "" {
		l.fail(at, "resource", "resource %s: %s", r.URI, problem)
	}
	if r.Name == "" {
		l.fail(at, "name", "resource %s: the name is empty", r.URI)
	}
	for _, old := range *list {
		if old.URI == r.URI {
			l.fail(at, "duplicate", "resource %s is already declared at %s", r.URI, old.Place)
		}
	}
	*list = append(*list, r)
}

// badURI says what is wrong with an address, or "".
func badURI(uri string, template bool) string {
	scheme, _, ok := strings.Cut(uri, ":")
	switch {
	case !ok || scheme == "" || strings.ContainsAny(scheme, "/?#{} "):
		return "the URI has no scheme, such as shop:"
	case strings.ContainsAny(uri, " \t\r\n"):
		return "the URI holds spaces"
	case template && strings.Count(uri, "{") != strings.Count(uri, "}"):
		return "the braces of the template do not match"
	case template && !strings.Contains(uri, "{"):
		return "the template has no variables"
	case !template && strings.ContainsAny(uri, "{}"):
		return "the URI holds braces; declare it in resource_templates/1"
	case template:
		if _, err := uritemplate.New(uri); err != nil {
			return "it is no RFC 6570 template: " + err.Error()
		}
	}
	return ""
}

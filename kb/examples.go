package kb

import (
	"encoding/json"

	"github.com/mcplogic/mcplogic/bridge/schema"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines what examples of info/2 say about a tool.

// exampleText is an example as a model sees it: the title, the arguments of a call as JSON, and its outputs. An example that
// does not fit the tool is shown as it is written.
func (l *loading) exampleText(t *Tool, example engine.Term) string {
	title, goal, bindings := splitExample(example)
	c, ok := goal.(*term.Compound)
	if !ok || string(c.Functor) != t.Functor || len(c.Args) != t.Arity() {
		return l.titled(example)
	}
	given, got := schema.Object{}, schema.Object{}
	outputs := 0
	for i, a := range t.Arguments {
		value, isOutput := c.Args[i], !a.Input()
		if v, isVar := value.(*term.Var); isVar {
			value, isOutput = bindings[v.ID], isOutput || a.Output()
		}
		if value == nil {
			continue
		}
		raw, err := l.exampleJSON(t, a, value)
		if err != nil {
			return l.titled(example)
		}
		if isOutput {
			got = got.With(a.Name, raw)
			outputs++
		} else {
			given = given.With(a.Name, raw)
		}
	}
	text := l.plain(title) + ": " + string(given.JSON())
	if outputs > 0 {
		text += " -> " + string(got.JSON())
	}
	return text
}

// exampleJSON is the value of an argument as its type has it.
func (l *loading) exampleJSON(t *Tool, a Argument, value engine.Term) (json.RawMessage, error) {
	format := func(x engine.Term) string { return l.program.FormatTerm(t.Provider.Module, x) }
	c := &schema.Codec{Parse: codec.Parse, Format: format}
	typ, err := c.ParseType(a.Type)
	if err != nil { // a type that does not exist stands for text
		typ, _ = c.ParseType(term.Atom("any"))
	}
	return c.ToJSON(value, typ)
}

// checkExamples reports examples that are none of the predicate, or whose values are not of its types. Several tools may
// show the same examples, which are checked once.
func (l *loading) checkExamples(t *Tool, info *infoDirective) {
	if info.checked {
		return
	}
	info.checked = true
	for n, example := range info.examples {
		_, goal, bindings := splitExample(example)
		if goal != nil {
			l.checkExample(t, goal, bindings, info.examplePlaces[n])
		}
	}
}

func (l *loading) checkExample(t *Tool, goal engine.Term, bindings map[int64]engine.Term, at engine.Position) {
	c, ok := goal.(*term.Compound)
	if !ok && t.Arity() == 0 && text(goal) == t.Functor {
		return
	}
	if !ok || string(c.Functor) != t.Functor || len(c.Args) != t.Arity() {
		l.warn(at, "example", "the example %s is none of %s", l.show(goal), indicator(t.Functor, t.Arity()))
		return
	}
	for i, a := range t.Arguments {
		value := c.Args[i]
		if v, isVar := value.(*term.Var); isVar {
			value = bindings[v.ID]
		}
		if value == nil {
			continue
		}
		if _, err := l.exampleJSON(t, a, value); err != nil {
			l.warn(at, "example", "the example %s: %s: %s", l.show(goal), a.Name, err)
		}
	}
}

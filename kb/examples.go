package kb

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/schema"
)

// This file reads the examples of info/2, writes them into the descriptions of tools, and turns them into tests.

// Example is an example of info/2 as a test.
type Example struct {
	// Predicate is the predicate that the example belongs to. Title is the example's name. Module is the module that
	// its goal runs in.
	Predicate, Title, Module string
	Place                    source.Position
	// Goal is the goal as it is written. Test is a goal that succeeds if the example is right. Wanted is the expected
	// outcome: bindings of variables of the goal, true, fail or an error.
	Goal, Test, Wanted engine.Term
}

// Examples returns the examples of all directives info/2, in the order of the files. Examples with an unknown kind of
// outcome are left out.
func (s *Snapshot) Examples() []Example {
	var list []Example
	for _, d := range s.described.infos {
		for i, example := range d.examples {
			title, goal, _ := splitExample(example)
			if goal == nil {
				continue
			}
			wanted := example.(*term.Compound).Args[1]
			if inner, ok := term.Is(wanted, "{}", 1); ok {
				wanted = inner[0]
			}
			if test := exampleTest(goal, wanted); test != nil {
				list = append(list, Example{Predicate: indicator(d.name, d.arity), Title: inspect.FormatText(title),
					Module: d.module, Place: d.examplePlaces[i], Goal: goal, Test: test, Wanted: wanted})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Example) int {
		return cmp.Or(cmp.Compare(a.Place.File, b.Place.File), cmp.Compare(a.Place.Line, b.Place.Line),
			cmp.Compare(a.Place.Column, b.Place.Column))
	})
	return list
}

// exampleTest returns a goal that succeeds if an example is right, or nil. Variables in expected values match anything.
func exampleTest(goal, wanted engine.Term) engine.Term {
	if name, ok := wanted.(term.Atom); ok {
		switch name {
		case "true", "yes", "{}":
			return goal
		case "fail", "false", "no":
			return term.New("\\+", goal)
		}
		return nil
	}
	if _, ok := term.Is(wanted, "error", 2); ok {
		ball := term.NewVar("")
		return term.New("catch", term.New(",", goal, term.Atom("fail")), ball, term.New("subsumes_term", wanted, ball))
	}
	_, _, bindings := splitExample(term.New("-", term.New("-", term.Atom(""), goal), term.New("{}", wanted)))
	if parts, _ := term.Conjuncts(wanted); len(bindings) != len(parts) {
		return nil
	}
	values, got := []engine.Term{}, []engine.Term{}
	vars := map[int64]*term.Var{}
	for _, v := range term.Variables(goal) {
		vars[v.ID] = v
	}
	for _, id := range slices.Sorted(maps.Keys(bindings)) {
		if vars[id] == nil {
			return nil
		}
		values, got = append(values, bindings[id]), append(got, vars[id])
	}
	return term.New(",", goal, term.New("subsumes_term", term.New("v", values...), term.New("v", got...)))
}

// exampleText writes an example for a model: the title, the arguments of a call as JSON, and its outputs. An example
// that does not fit the tool is written as it stands.
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

// exampleJSON converts the value of an argument by the argument's type.
func (l *loading) exampleJSON(t *Tool, a Argument, value engine.Term) (json.RawMessage, error) {
	format := func(x engine.Term) string { return l.program.FormatTerm(t.Provider.Module, x) }
	c := &schema.Codec{Parse: codec.Parse, Format: format, Types: l.typesOf(t.Provider.Module)}
	typ, err := c.ParseType(a.Type)
	if err != nil { // an unknown type is reported at its declaration
		typ, _ = c.ParseType(term.Atom("any"))
	}
	return c.ToJSON(value, typ)
}

// checkExamples reports examples of other predicates, and values that are not of the declared types. Several tools
// may share a directive; it is checked once.
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

// checkOtherExamples checks the examples of predicates that are not tools.
func (l *loading) checkOtherExamples() {
	for _, d := range l.infos {
		t := &Tool{Provider: &Provider{Module: d.module}, Functor: d.name, Arguments: make([]Argument, d.arity)}
		t.setArguments(d)
		if modes := l.modes[l.key(t)]; len(modes) > 0 {
			t.setMode(modes[0])
		}
		l.checkExamples(t, d)
	}
}

func (l *loading) checkExample(t *Tool, goal engine.Term, bindings map[int64]engine.Term, at source.Position) {
	c, ok := goal.(*term.Compound)
	if !ok && t.Arity() == 0 && termText(goal) == t.Functor {
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
		if _, isVar := value.(*term.Var); isVar || value == nil { // any value will do
			continue
		}
		if _, err := l.exampleJSON(t, a, value); err != nil {
			l.warn(at, "example", "the example %s: %s: %s", l.show(goal), a.Name, err)
		}
	}
}

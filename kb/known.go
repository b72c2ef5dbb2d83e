package kb

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/internal/values"
)

// This file defines what the rules know of the inputs of tools. It also defines the vocabulary of a knowledge
// base: the predicates that its files define, and what they look like.

// Known is what calls of a tool that have solutions are known to have as an input.
type Known struct {
	Argument string
	// Values are the first few texts that facts have where the rules look for the input. More says that there are others.
	Values []string
	More   bool
	// Changing says that the facts are dynamic.
	Changing bool
	// Closed says that the tool has no solution for any other value.
	Closed bool
	// Low and High are the least and the greatest number, nil for no bound.
	Low, High term.Term
}

// Bounds on the values that are shown, and on the runes of one.
const (
	knownValues  = 12
	knownLongest = 40
)

// Known returns what is known for the inputs of a tool that are text of any kind, dates and the like, or numbers. Tools
// that give no reasons tell nothing here either, and neither do predicates that explain/2 makes opaque or hides.
func (s *Snapshot) Known(t *Tool) (list []Known) {
	if t == nil || t.Provider == nil || t.Explain == ExplainNever {
		return nil
	}
	inputs, given := t.Inputs(), make([]term.Term, t.Arity())
	types := make([]term.Term, len(inputs))
	for i, a := range inputs {
		types[i], _ = t.Provider.Types.Resolve(a.Type)
		if !a.Optional() && !isAnyText(types[i]) { // facts with a text of the other kind tell which one is meant
			given[a.Position] = types[i]
		}
	}
	accepted := inner.Of(s.Program).Accepted(t.Provider.Module, t.Functor, given)
	answered := t.Provider.Defines("tool_call", 3) || t.Provider.Defines("tool_call", 4) // maybe in place of the predicate
	for i, a := range inputs {
		if accepted == nil {
			return nil
		}
		k, found := Known{Argument: a.Name}, accepted[a.Position]
		name, _ := types[i].(term.Atom)
		exact, isExact := values.Of(types[i])
		switch {
		case isAnyText(types[i]):
			k.add(found, term.Text)
			k.Closed = k.Closed && !answered
		case isExact && exact.Name != "decimal":
			k.add(found, exact.Exact)
			k.Closed = false
		case !a.Optional() && !answered && slices.Contains([]term.Atom{"integer", "positive_integer",
			"non_negative_integer", "number", "float"}, name):
			k.Low, k.High = found.Low, found.High
		}
		if len(k.Values) > 0 || k.Low != nil || k.High != nil {
			list = append(list, k)
		}
	}
	return list
}

// isAnyText reports whether a type is text without a choice of values.
func isAnyText(typ engine.Term) bool {
	name, ok := typ.(term.Atom)
	return ok && slices.Contains([]term.Atom{"atom", "string", "non_empty_atom", "any", "nonvar"}, name)
}

// add adds the values that have a text, unless it is a long one.
func (k *Known) add(found inspect.Accepted, text func(term.Term) (string, bool)) {
	k.More, k.Changing, k.Closed = found.More, found.Changing, found.Closed
	for _, value := range found.Values {
		known, ok := text(value)
		switch {
		case !ok || len([]rune(known)) > knownLongest:
			k.Closed = false
		case slices.Contains(k.Values, known):
		case len(k.Values) == knownValues:
			k.More, k.Closed = true, false
		default:
			k.Values = append(k.Values, known)
		}
	}
}

// Word is a predicate of a knowledge base.
type Word struct {
	// Predicate is its name and arity, with its module unless that is user.
	Predicate string `json:"predicate"`
	// Modes are its directives mode/2, About is the comment of info/2.
	Modes []string `json:"modes,omitempty"`
	About string   `json:"about,omitempty"`
	// Arguments are the names of its arguments in info/2, with their descriptions.
	Arguments []string `json:"arguments,omitempty"`
	// Types are the values that its arguments have when a call succeeds, in words, if the load has looked for mistakes.
	Types []string `json:"types,omitempty"`
	// Facts are the first of its facts.
	Facts []string `json:"facts,omitempty"`
	// Table describes the decision table, if the predicate is one. Labels has the labels of its rules.
	Table  string   `json:"table,omitempty"`
	Labels []string `json:"labels,omitempty"`
	File   string   `json:"file,omitempty"`
	Line   int      `json:"line,omitempty"`
}

// sampleFacts is how many facts of a predicate are shown.
const sampleFacts = 3

// Vocabulary returns the predicates that the files define, in the order of modules and names.
func (s *Snapshot) Vocabulary(ctx context.Context) []Word {
	var list []Word
	program := inner.Of(s.Program)
	labels, tables := program.Labels(), map[string]string{}
	for _, t := range program.Tables(0) {
		tables[t.Predicate] = fmt.Sprintf("decision table %s, hit policy %s, %s", program.FileName(t.File), t.Hit,
			spell.Count(t.Count, "row"))
	}
	for _, p := range s.Providers {
		for _, info := range s.Program.Predicates(p.Module) {
			if !info.BuiltIn && !strings.HasPrefix(info.Name, "$") && !Declares(info.Name, info.Arity) {
				w := s.word(ctx, p.Module, info)
				w.Table, w.Labels = tables[w.Predicate], labels[w.Predicate]
				if w.File != "" || len(w.Facts) > 0 { // else it is a hook that nobody defines
					list = append(list, w)
				}
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Word) int { return strings.Compare(a.Predicate, b.Predicate) })
	return list
}

func (s *Snapshot) word(ctx context.Context, module string, info inspect.Predicate) Word {
	w := Word{Predicate: engine.FormatTerm(term.New("/", term.Atom(info.Name), term.Int(info.Arity))),
		File: info.File, Line: info.Line}
	key := module + ":" + indicator(info.Name, info.Arity)
	for _, m := range s.described.modes[key] {
		args := make([]string, len(m.modes))
		for i := range args {
			args[i] = m.modes[i] + s.Program.FormatTerm(module, m.types[i])
		}
		w.Modes = append(w.Modes, info.Name+"("+strings.Join(args, ", ")+") is "+m.proofs)
	}
	if d := s.described.infos[key]; d != nil {
		w.About = d.comment
		for i, name := range d.names {
			if i < len(d.descriptions) && d.descriptions[i] != "" {
				name += ": " + d.descriptions[i]
			}
			w.Arguments = append(w.Arguments, name)
		}
	}
	if module != "user" {
		w.Predicate = module + ":" + w.Predicate
	}
	w.Facts = s.facts(ctx, module, info)
	w.Types = inner.Of(s.Program).Types(module, info.Name, info.Arity)
	return w
}

// facts returns the first facts of a predicate.
func (s *Snapshot) facts(ctx context.Context, module string, info inspect.Predicate) (list []string) {
	head, vars := general(info.Name, info.Arity)
	goal := term.New("clause", head, term.True)
	o := &engine.RunOptions{Module: module, Transaction: true, Limits: engine.Limits{Time: time.Second,
		Inferences: 100_000}}
	r, err := inner.Of(s.Program).StartTerm(goal, vars, o)
	if err != nil {
		return nil
	}
	defer r.Close()
	for len(list) < sampleFacts {
		state, err := r.Next(ctx)
		if err != nil || state != engine.Answer {
			break
		}
		text := s.Program.FormatTerm(module, term.New(term.Atom(info.Name), r.Solution().Values()...))
		const most = 200
		if runes := []rune(text); len(runes) > most {
			text = string(runes[:most]) + "..."
		}
		list = append(list, text)
	}
	return list
}

// Declares reports whether a predicate of this name and arity declares items or answers for them, such as tools/1 and
// tool_call/3.
func Declares(name string, arity int) bool {
	for _, d := range declared {
		if d.name == name && d.arity == arity {
			return true
		}
	}
	return false
}

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

// This file derives from the rules which inputs of tools have solutions. It also defines the vocabulary of a knowledge
// base: descriptions of the predicates that its files define.

// Known is what the rules say about an input of those calls of a tool that have solutions.
type Known struct {
	Argument string
	// Values are the first few texts of the facts in which the rules look up the input. More says that there are
	// further texts.
	Values []string
	More   bool
	// Changing says that the facts are dynamic.
	Changing bool
	// Closed says that the tool has no solution for any other value.
	Closed bool
	// Low and High are the least and the greatest number, or nil for no bound.
	Low, High term.Term
}

// Bounds on the number of shown values, and on the runes of a value.
const (
	knownValues  = 12
	knownLongest = 40
)

// Known returns what is known of those inputs of a tool that are any text, dates and the like, or numbers. It returns
// nothing for a tool without explanations, and ignores predicates that explain/2 makes opaque or hides.
func (s *Snapshot) Known(t *Tool) (list []Known) {
	if t == nil || t.Provider == nil || t.Explain == ExplainNever {
		return nil
	}
	inputs, given := t.Inputs(), make([]term.Term, t.Arity())
	types := make([]term.Term, len(inputs))
	for i, a := range inputs {
		types[i], _ = t.Provider.Types.Resolve(a.Type)
		if !a.Optional() && !isAnyText(types[i]) { // facts decide between atoms and strings
			given[a.Position] = types[i]
		}
	}
	accepted := inner.Of(s.Program).Accepted(t.Provider.Module, t.Functor, given)
	answered := t.Provider.Defines("tool_call", 3) || t.Provider.Defines("tool_call", 4) // maybe for the predicate
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

// isAnyText reports whether a type is a text that is not limited to some values.
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
	// Predicate is the name and arity, with the module unless it is user.
	Predicate string `json:"predicate"`
	// Modes are the predicate's directives mode/2. About is the comment of info/2.
	Modes []string `json:"modes,omitempty"`
	About string   `json:"about,omitempty"`
	// Arguments are the names of its arguments in info/2, with their descriptions.
	Arguments []string `json:"arguments,omitempty"`
	// Types describes the values of the arguments after a call has succeeded, if the load used the option Lint.
	Types []string `json:"types,omitempty"`
	// Facts are the first of its facts.
	Facts []string `json:"facts,omitempty"`
	// Table describes the decision table if the predicate is a decision table. Labels has the labels of its rules.
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
				if w.File != "" || len(w.Facts) > 0 { // without clauses it is a hook that is not defined
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

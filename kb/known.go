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
	"github.com/mcplogic/mcplogic/internal/shapes"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/internal/values"
)

// This file defines which values the rules know for the inputs of tools. It also defines the vocabulary of a knowledge
// base: the predicates that its files define, and what they look like.

// Known are texts that facts have where the rules look for the value of an input.
type Known struct {
	Argument string
	// Values are the first few, More says that there are others.
	Values []string
	More   bool
	// Changing says that the facts are dynamic.
	Changing bool
	// Closed says that the tool has no solution for any other value.
	Closed bool
}

// The search for known values looks at few clauses: it is for short texts, and rules that pass a value on many times
// rarely say what it may be.
const (
	knownValues   = 12
	knownDepth    = 4
	knownClauses  = 200
	knownTime     = time.Second // a guard: the bounds on clauses are met long before
	knownLongest  = 40          // runes of a value
	knownPerStage = 50          // clauses of one predicate that are followed
)

// Known returns what is known for the inputs of a tool that are text of any kind. It follows the argument from the
// clauses of the tool's predicate to the first goals that have facts for it. Tools that give no reasons tell nothing
// here either, and neither do predicates that explain/2 makes opaque or hides.
func (s *Snapshot) Known(ctx context.Context, t *Tool) []Known {
	if t == nil || t.Provider == nil || t.Explain == ExplainNever {
		return nil
	}
	var list []Known
	answered := t.Provider.Defines("tool_call", 3) || t.Provider.Defines("tool_call", 4) // maybe in place of the predicate
	for _, a := range t.Inputs() {
		typ, _ := t.Provider.Types.Resolve(a.Type)
		exact, isExact := values.Of(typ)
		if !isAnyText(typ) && (!isExact || exact.Name == "decimal") {
			continue
		}
		search := func() *knownSearch {
			return &knownSearch{s: s, ctx: ctx, left: knownClauses, until: time.Now().Add(knownTime),
				seen: map[knownColumn]bool{}, exact: exact}
		}
		c, f := knownColumn{t.Provider.Module, t.Functor, t.Arity(), a.Position}, search()
		isClosed := !isExact && !answered && f.closed(c, knownDepth)
		if !isClosed {
			f = search()
			f.column(c, knownDepth)
		}
		if len(f.values) > 0 {
			list = append(list, Known{a.Name, f.values, f.more, f.changing, isClosed})
		}
	}
	return list
}

// isAnyText reports whether a type is text without a choice of values.
func isAnyText(typ engine.Term) bool {
	name, ok := typ.(term.Atom)
	return ok && slices.Contains([]term.Atom{"atom", "string", "non_empty_atom", "any", "nonvar"}, name)
}

// knownColumn is an argument of a predicate, as a module calls it.
type knownColumn struct {
	module, name string
	arity, at    int
}

// knownSearch looks for the values of one input.
type knownSearch struct {
	s      *Snapshot
	ctx    context.Context
	left   int
	until  time.Time
	seen   map[knownColumn]bool
	values []string
	more   bool
	exact  values.Type // of dates and the like, the zero value for texts
	// changing says that a dynamic predicate gave some of the values.
	changing bool
}

// column adds what the facts of a predicate have in a column, or where there are none what the goals have that its
// rules pass the argument to. It reports whether it found something.
func (f *knownSearch) column(c knownColumn, depth int) bool {
	info, ok := f.defines(c)
	if !ok || depth == 0 || f.seen[c] {
		return false
	}
	f.seen[c] = true
	if texts := f.s.allowed(c); texts != nil {
		f.addAll(texts)
		return true
	}
	f.changing = f.changing || info.Dynamic
	type rule struct {
		v    *term.Var
		body engine.Term
	}
	var passed []rule
	found := false
	f.clauses(info, func(head *term.Compound, body engine.Term) bool {
		text, ok := term.Text(head.Args[c.at])
		if f.exact.Name != "" {
			text, ok = f.exact.Exact(head.Args[c.at])
		}
		if ok {
			found = true
			return f.add(text)
		}
		if v, ok := head.Args[c.at].(*term.Var); ok && len(passed) < knownPerStage {
			passed = append(passed, rule{v, body})
		}
		return true
	})
	for _, r := range passed {
		found = found || f.goal(info.Module, r.v, r.body, depth-1)
	}
	return found
}

// allowed returns the texts that the only directive mode/2 of a predicate allows as an input, as the header of a
// decision table does. It returns nil if there are others.
func (s *Snapshot) allowed(c knownColumn) (texts []string) {
	typ := s.declaredInput(c)
	name, arity, _ := term.Indicator(typ)
	if name != "one_of" && name != "oneof" || arity == 0 {
		return nil
	}
	list, _ := term.Slice(typ.(*term.Compound).Args[arity-1])
	for _, value := range list {
		text, isText := term.Text(value)
		if !isText || len([]rune(text)) > knownLongest {
			return nil
		}
		texts = append(texts, text)
	}
	return texts
}

// declaredInput returns the type of an input of a predicate, nil unless it has one directive mode/2.
func (s *Snapshot) declaredInput(c knownColumn) engine.Term {
	modes := s.described.modes[c.module+":"+indicator(c.name, c.arity)]
	if len(modes) != 1 || modes[0].modes[c.at] != "+" {
		return nil
	}
	typ, _ := s.described.types[c.module].Resolve(modes[0].types[c.at])
	return typ
}

// closed adds the texts in a column. It reports whether a call can only succeed with one of them: each clause has one
// in its head, or passes the argument to a predicate of this kind by its first goal, or mode/2 has a list of them.
// Recursion adds no values.
func (f *knownSearch) closed(c knownColumn, depth int) bool {
	info, ok := f.defines(c)
	if !ok || info.Dynamic || depth == 0 {
		return false
	}
	f.seen[c] = true
	if texts := f.s.allowed(c); texts != nil {
		return f.addAll(texts)
	}
	var passed []knownColumn
	ok = f.clauses(info, func(head *term.Compound, body engine.Term) bool {
		if v, isVar := head.Args[c.at].(*term.Var); isVar {
			next, ok := firstGoal(info.Module, v, body)
			passed = append(passed, next)
			return ok
		}
		text, ok := term.Text(head.Args[c.at])
		return ok && len([]rune(text)) <= knownLongest && f.add(text)
	})
	for _, next := range passed {
		ok = ok && (f.seen[next] || f.closed(next, depth-1))
	}
	return ok
}

// firstGoal returns where a variable stands in the first goal of a body.
func firstGoal(module string, v *term.Var, body engine.Term) (c knownColumn, ok bool) {
	for {
		goals, isAnd := term.Is(body, ",", 2)
		if !isAnd {
			break
		}
		body = goals[0]
	}
	if m, isIn := term.Is(body, ":", 2); isIn {
		if name, isAtom := m[0].(term.Atom); isAtom {
			module, body = string(name), m[1]
		}
	}
	goal, ok := body.(*term.Compound)
	if !ok {
		return c, false
	}
	at := slices.IndexFunc(goal.Args, func(arg engine.Term) bool { return arg == engine.Term(v) })
	return knownColumn{module, string(goal.Functor), len(goal.Args), at}, at >= 0
}

// defines returns the predicate of a column, unless the system has it or explain/2 keeps it back.
func (f *knownSearch) defines(c knownColumn) (info inspect.Predicate, ok bool) {
	info, ok = inner.Of(f.s.Program).Defines(c.module, c.name, c.arity)
	return info, ok && !info.BuiltIn && info.Explained != "opaque" && info.Explained != "hidden"
}

// goal looks at the goals of a body, the first of them first.
func (f *knownSearch) goal(module string, v *term.Var, goal engine.Term, depth int) bool {
	if goals, ok := shapes.Junction(goal); ok {
		return f.goal(module, v, goals[0], depth) || f.goal(module, v, goals[1], depth)
	}
	c, ok := goal.(*term.Compound)
	if !ok {
		return false
	}
	switch name, arity := string(c.Functor), len(c.Args); {
	case arity == 2 && name == ":":
		if m, ok := c.Args[0].(term.Atom); ok {
			return f.goal(string(m), v, c.Args[1], depth)
		}
	case arity == 1 && slices.Contains([]string{"once", "call", "ignore"}, name):
		return f.goal(module, v, c.Args[0], depth)
	default:
		for i, arg := range c.Args {
			if arg == engine.Term(v) && f.column(knownColumn{module, name, arity, i}, depth) {
				return true
			}
		}
	}
	return false
}

// addAll takes values. It returns false if there are more than are wanted.
func (f *knownSearch) addAll(texts []string) bool {
	return !slices.ContainsFunc(texts, func(text string) bool { return !f.add(text) })
}

// add takes a value. It returns false when there are enough.
func (f *knownSearch) add(text string) bool {
	if len([]rune(text)) > knownLongest || slices.Contains(f.values, text) {
		return true
	}
	f.more = len(f.values) == knownValues
	if !f.more {
		f.values = append(f.values, text)
	}
	return !f.more
}

// clauses calls each for the clauses of a predicate until it returns false or the search has looked at enough. It
// reports whether there were clauses, and each returned true for all of them.
func (f *knownSearch) clauses(info inspect.Predicate, each func(head *term.Compound, body engine.Term) bool) (
	all bool) {
	left := time.Until(f.until)
	if left <= 0 || info.Arity == 0 {
		return false
	}
	head, _ := general(info.Name, info.Arity)
	vars := []*term.Var{term.NewVar("Head"), term.NewVar("Body")}
	goal := term.New(",", term.New("=", vars[0], head), term.New("clause", vars[0], vars[1]))
	o := &engine.RunOptions{Module: info.Module, Transaction: true, Limits: engine.Limits{Time: left}}
	r, err := inner.Of(f.s.Program).StartTerm(goal, vars, o)
	if err != nil {
		return false
	}
	defer r.Close()
	for ; f.left > 0; f.left-- {
		state, err := r.Next(f.ctx)
		if err != nil || state != engine.Answer {
			return all && err == nil && state == engine.NoMore
		}
		values := r.Solution().Values()
		found, ok := values[0].(*term.Compound)
		if !ok || !each(found, values[1]) {
			return false
		}
		all = true
	}
	f.more = f.more || len(f.values) > 0
	return false
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

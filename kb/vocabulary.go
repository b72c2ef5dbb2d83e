package kb

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the vocabulary of a knowledge base: the predicates that its files define, and what they look like.

// Word is a predicate of a knowledge base.
type Word struct {
	// Predicate is its name and arity, with its module unless that is user.
	Predicate string `json:"predicate"`
	// Modes are its directives mode/2, About is the comment of info/2.
	Modes []string `json:"modes,omitempty"`
	About string   `json:"about,omitempty"`
	// Arguments are the names of its arguments in info/2, with their descriptions.
	Arguments []string `json:"arguments,omitempty"`
	// Facts are the first of its facts.
	Facts []string `json:"facts,omitempty"`
	File  string   `json:"file,omitempty"`
	Line  int      `json:"line,omitempty"`
}

// sampleFacts is how many facts of a predicate are shown.
const sampleFacts = 3

// Vocabulary returns the predicates that the files define, in the order of modules and names.
func (s *Snapshot) Vocabulary(ctx context.Context) []Word {
	var list []Word
	for _, p := range s.Providers {
		for _, info := range s.Program.Predicates(p.Module) {
			if !info.BuiltIn && !strings.HasPrefix(info.Name, "$") && !isDeclaring(info) {
				w := s.word(ctx, p.Module, info)
				if w.File != "" || len(w.Facts) > 0 { // else it is a hook that nobody defines
					list = append(list, w)
				}
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Word) int { return strings.Compare(a.Predicate, b.Predicate) })
	return list
}

// isDeclaring reports whether a predicate declares items or answers for them.
func isDeclaring(info engine.PredicateInfo) bool {
	for _, d := range declared {
		if d.name == info.Name && d.arity == info.Arity {
			return true
		}
	}
	return false
}

func (s *Snapshot) word(ctx context.Context, module string, info engine.PredicateInfo) Word {
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
	return w
}

// facts returns the first facts of a predicate.
func (s *Snapshot) facts(ctx context.Context, module string, info engine.PredicateInfo) (list []string) {
	args, vars := make([]engine.Term, info.Arity), make([]*term.Var, info.Arity)
	for i := range args {
		vars[i] = term.NewVar("")
		args[i] = vars[i]
	}
	goal := term.New("clause", term.New(term.Atom(info.Name), args...), term.True)
	o := &engine.RunOptions{Module: module, Transaction: true, Time: time.Second, Inferences: 100_000}
	r, err := s.Program.StartTerm(goal, vars, o)
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
	return isDeclaring(engine.PredicateInfo{Name: name, Arity: arity})
}

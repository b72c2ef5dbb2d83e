package lsp

import (
	"fmt"
	"strings"
	"sync"

	"github.com/mcplogic/mcplogic/engine"
)

// This file defines what is said about predicates, of the system and of the texts.

// manualEntry is a predicate of the system or a library.
type manualEntry struct {
	*engine.Documented
	chapter string
}

// manual returns the predicates of the system, by name and arity, and all of them in order.
var manual = sync.OnceValues(func() (map[key]manualEntry, []manualEntry) {
	byKey := map[key]manualEntry{}
	var list []manualEntry
	for _, c := range engine.Documentation() {
		for i := range c.Predicates {
			d := &c.Predicates[i]
			e := manualEntry{d, c.Title}
			if _, ok := byKey[key{d.Name, d.Arity}]; !ok {
				byKey[key{d.Name, d.Arity}] = e
				list = append(list, e)
			}
		}
	}
	return byKey, list
})

// markdown describes the predicate.
func (e manualEntry) markdown() string {
	return fmt.Sprintf("```prolog\n%s\n```\n%s\n\n*%s*", e.Head(), e.Text, e.chapter)
}

// argNames returns the names of the arguments of a predicate of a text.
func (p *predicate) argNames() []string {
	if len(p.names) == p.arity {
		return p.names
	}
	if args := splitArguments(p.args); len(args) == p.arity {
		return args
	}
	names := make([]string, p.arity)
	for i := range names {
		names[i] = fmt.Sprintf("A%d", i+1)
	}
	return names
}

// head returns the predicate with the names of its arguments.
func (p *predicate) head() string {
	name := strings.TrimSuffix(p.String(), fmt.Sprintf("/%d", p.arity))
	if p.arity == 0 {
		return name
	}
	return name + "(" + strings.Join(p.argNames(), ", ") + ")"
}

// markdown describes the predicate. file is where it is defined.
func (p *predicate) markdown(file string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "```prolog\n%s\n", p.head())
	for _, m := range p.modes {
		fmt.Fprintf(&b, ":- mode %s.\n", m)
	}
	b.WriteString("```\n")
	for _, text := range []string{p.info, p.comment} {
		if text != "" {
			b.WriteString(text + "\n\n")
		}
	}
	clauses := fmt.Sprintf("%d clauses", p.clauses)
	if p.clauses == 1 {
		clauses = "1 clause"
	}
	if p.dynamic {
		clauses = "dynamic, " + clauses
	}
	fmt.Fprintf(&b, "*%s, %s:%d*", clauses, file, p.at.Start.Line+1)
	return b.String()
}

// splitArguments returns the texts of the arguments of a head as it is written.
func splitArguments(head string) (args []string) {
	from := strings.IndexByte(head, '(')
	if from < 0 || !strings.HasSuffix(head, ")") {
		return nil
	}
	depth, begin := 0, from+1
	for i := from; i < len(head); i++ {
		switch head[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				args = append(args, strings.TrimSpace(head[begin:i]))
			}
		case '\'', '"', '`':
			if end := closing(head, i, len(head)); end > 0 {
				i = end
			}
		case ',':
			if depth == 1 {
				args = append(args, strings.TrimSpace(head[begin:i]))
				begin = i + 1
			}
		}
	}
	return args
}

// described is what is known about a predicate that is used.
type described struct {
	markdown string
	head     string
}

// describe says what a use in a file leads to, ok being false if nothing is known.
func (s *server) describe(prog *program, x *fileIndex, u *use) (found described, ok bool) {
	if module := prog.resolve(x, u); module != "" {
		for _, f := range prog.definitions(u.key)[module] {
			p := f.preds[u.key]
			if p.clauses > 0 || !ok {
				found, ok = described{p.markdown(s.basePath(f.path)), p.head()}, true
			}
			if p.clauses > 0 {
				return found, true
			}
		}
		return found, ok
	}
	byKey, _ := manual()
	if e, ok := byKey[u.key]; ok {
		return described{e.markdown(), e.Head()}, true
	}
	return described{}, false
}

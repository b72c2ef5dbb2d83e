package base

import (
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines what help/1 says of predicates that a program describes itself, with the directives info/2 and
// mode/2.

// helpEntry is what help/1 shows of a predicate: its head, a sentence and where it belongs.
type helpEntry struct{ head, text, title string }

// ownHelp returns the entries of predicates of a name that info/2 describes. has chooses their arities.
func ownHelp(p *load.Program, name string, has func(arity int) bool) []helpEntry {
	var list []helpEntry
	for _, d := range p.Declarations() {
		args, ok := term.Is(d.Term, "info", 2)
		if !ok {
			continue
		}
		of, n, ok := load.Indicator(args[0])
		if !ok || of != name || !has(n) {
			continue
		}
		items, _ := term.Slice(args[1])
		text, names := infoTexts(items)
		list = append(list, helpEntry{ownHead(of, names, modesOf(p, d.Module, of, n)), text, d.Module})
	}
	return list
}

// infoTexts returns the comment and the names of the arguments among the items of info/2.
func infoTexts(items []term.Term) (comment string, names []string) {
	for _, item := range items {
		pair, ok := term.Is(item, "is", 2)
		if !ok {
			continue
		}
		values, _ := term.Slice(pair[1])
		switch pair[0] {
		case term.Term(term.Atom("comment")):
			comment, _ = term.Text(pair[1])
		case term.Term(term.Atom("argnames")):
			for _, value := range values {
				names = append(names, syntax.FormatText(value))
			}
		case term.Term(term.Atom("arguments")):
			for _, value := range values {
				if args, ok := term.Is(value, "-", 2); ok {
					names = append(names, syntax.FormatText(args[0]))
				}
			}
		}
	}
	return comment, names
}

// modesOf returns the argument modes of the first mode/2 of a predicate, such as "+", or "" where there are none.
func modesOf(p *load.Program, module, name string, arity int) []string {
	modes := make([]string, arity)
	for _, d := range p.Declarations() {
		args, ok := term.Is(d.Term, "mode", 2)
		if !ok || d.Module != module {
			continue
		}
		template, ok := args[0].(*term.Compound)
		if !ok || string(template.Functor) != name || len(template.Args) != arity {
			continue
		}
		for i, arg := range template.Args {
			if c, ok := arg.(*term.Compound); ok && len(c.Args) == 1 {
				modes[i] = string(c.Functor)
			}
		}
		break
	}
	return modes
}

// ownHead is a head with modes and names. An argument without a name is _.
func ownHead(name string, names, modes []string) string {
	if len(modes) == 0 {
		return quoted(name)
	}
	args := make([]string, len(modes))
	for i, mode := range modes {
		args[i] = mode + "_"
		if i < len(names) {
			args[i] = mode + names[i]
		}
	}
	return quoted(name) + "(" + strings.Join(args, ", ") + ")"
}

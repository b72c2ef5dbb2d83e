package explain

import (
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how goals of grammars are shown: with the text that they read, not with two lists.

// grammarText writes a goal of a grammar: what it reads, or where in the text it stands when it has not come to an end.
// ok is false for other goals.
func (o *Options) grammarText(g Goal) (text string, ok bool) {
	c, ok := g.Term.(*term.Compound)
	if !ok || len(c.Args) < 2 || o.Grammar == nil {
		return "", false
	}
	n := len(c.Args) - 2
	read, open, ok := between(c.Args[n], c.Args[n+1])
	if !ok || !o.Grammar(g.Module, string(c.Functor), len(c.Args)) {
		return "", false
	}
	word := " reads "
	if open {
		word = " at "
	}
	text = o.plainText(Goal{g.Module, term.New(c.Functor, c.Args[:n]...)})
	return text + word + o.tokens(g.Module, read, open), true
}

// between returns what a list has before its rest. open says that the rest is not known, so that it is the list itself.
func between(list, rest term.Term) (items []term.Term, open, ok bool) {
	all, end := prefix(list)
	tail, tailEnd := prefix(rest)
	_, open = rest.(*term.Var)
	if len(all) == maxParts || len(tail) == maxParts {
		return nil, false, false // very long, or without an end
	}
	switch {
	case all == nil && end != term.Term(term.Nil), term.Compare(end, tailEnd) != 0 && !open:
		return nil, false, false
	case open && term.Compare(end, rest) != 0:
		return all, end == term.Term(term.Nil), true
	case len(tail) > len(all):
		return nil, false, false
	}
	read := len(all) - len(tail)
	for i, item := range tail {
		if term.Compare(all[read+i], item) != 0 {
			return nil, false, false
		}
	}
	return all[:read], false, true
}

// prefix returns the items of a list and what it ends with.
func prefix(list term.Term) (items []term.Term, end term.Term) {
	for len(items) < maxParts {
		args, ok := term.Is(list, term.Dot, 2)
		if !ok {
			break
		}
		items, list = append(items, args[0]), args[1]
	}
	return items, list
}

// tokens writes a part of a text: characters and their codes in quotes, and others as a list.
func (o *Options) tokens(module string, items []term.Term, open bool) string {
	if len(items) == 0 {
		if open {
			return "the end of the text"
		}
		return "nothing"
	}
	var chars []rune
	for _, item := range items {
		switch item := item.(type) {
		case term.Int:
			if item < ' ' && item != '\n' && item != '\t' && item != '\r' || item > 0x10ffff {
				return o.list(module, items)
			}
			chars = append(chars, rune(item))
		case term.Atom:
			r := []rune(string(item))
			if len(r) != 1 {
				return o.list(module, items)
			}
			chars = append(chars, r[0])
		default:
			return o.list(module, items)
		}
	}
	return syntax.CutText(syntax.Format(term.String(chars), &syntax.WriteOptions{Quoted: true}), longGoal)
}

// list writes items as a list.
func (o *Options) list(module string, items []term.Term) string {
	return o.plainText(Goal{module, term.List(items...)})
}

// expected says what a grammar wants where another text stands: the goal is the comparison with a terminal. It is ""
// for other goals.
func (o *Options) expected(g Goal) string {
	args, ok := term.Is(g.Term, "=", 2)
	if !ok {
		return ""
	}
	want, end := prefix(args[1])
	if _, open := end.(*term.Var); !open && end != term.Term(term.Nil) || len(want) == 0 {
		return ""
	}
	got, end := prefix(args[0])
	if end != term.Term(term.Nil) {
		return ""
	}
	return "expected " + o.tokens(g.Module, want, false) + ", got " + o.tokens(g.Module, got, true)
}

// readAsExpected words the comparison with a terminal that holds in a clause of a grammar, "" for other goals.
func (o *Options) readAsExpected(of, g Goal) string {
	args, ok := term.Is(g.Term, "=", 2)
	if !ok || !o.inGrammar(of) {
		return ""
	}
	items, end := prefix(args[0])
	if len(items) == 0 || end != term.Term(term.Nil) {
		return ""
	}
	return "as expected: " + o.tokens(g.Module, items, true)
}

// inGrammar reports whether the predicate of a goal is made of grammar rules.
func (o *Options) inGrammar(g Goal) bool {
	name, arity, ok := term.Indicator(g.Term)
	return ok && o.Grammar != nil && o.Grammar(g.Module, string(name), arity)
}

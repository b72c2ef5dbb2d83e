package explain

import (
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how goals of grammars are shown: with the text that they consume, not with two lists.

// grammarText writes a goal of a grammar with the text that it consumes, or with its position in the text if it has not
// succeeded. ok is false for other goals.
func (o *Options) grammarText(g Goal) (text string, ok bool) {
	c, ok := g.Term.(*term.Compound)
	if !ok || len(c.Args) < 2 || !o.inGrammar(g) {
		return "", false
	}
	n := len(c.Args) - 2
	read, open, ok := between(c.Args[n], c.Args[n+1])
	if !ok {
		return "", false
	}
	word := " reads "
	if open {
		word = " at "
	}
	text = o.plainText(Goal{g.Module, term.New(c.Functor, c.Args[:n]...)})
	return text + word + o.tokens(g.Module, read, open), true
}

// headText writes the head of a clause. For a grammar rule it omits the two lists.
func (o *Options) headText(g Goal) string {
	c, ok := g.Term.(*term.Compound)
	if ok && len(c.Args) >= 2 && o.inGrammar(g) {
		g.Term = term.New(c.Functor, c.Args[:len(c.Args)-2]...)
	}
	return o.plainText(g)
}

// between returns the items of a list before its rest. open says that the rest is unknown, so all items are returned.
func between(list, rest term.Term) (items []term.Term, open, ok bool) {
	all, end := prefix(list)
	tail, tailEnd := prefix(rest)
	_, open = rest.(*term.Var)
	if len(all) == maxParts || len(tail) == maxParts {
		return nil, false, false // very long or infinite
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

// prefix returns the items of a list and its final tail.
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

// tokens writes a part of a text: characters and codes in quotes, other items as a list.
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

// terminal is a unification of the text with a terminal in a clause of a grammar.
type terminal struct {
	module string
	text   []term.Term // the remaining text
	want   []term.Term // the items of the terminal
	rest   []term.Term // the number of items that must remain after it
	open   bool        // the rest is unknown
}

// terminalOf reads '$terminal'(Text, Want, N) in a clause of a module, nil for other goals.
func terminalOf(t term.Term, module string) *terminal {
	args, ok := term.Is(unqualified(t).Term, "$terminal", 3)
	if !ok {
		return nil
	}
	n, _ := args[2].(term.Int)
	text, end := prefix(args[0])
	want, wantEnd := prefix(args[1])
	_, open := wantEnd.(*term.Var)
	if end != term.Term(term.Nil) || !open && wantEnd != term.Term(term.Nil) || int(n) > len(want) {
		return nil
	}
	return &terminal{module, text, want[:n], want[n:], open}
}

// expected describes the text that a grammar expects in place of the actual text.
func (o *Options) expected(t *terminal) string {
	want, got := t.want, t.text
	if !t.open && len(want) <= len(got) && matches(want, got[:len(want)]) {
		want, got = t.rest, got[len(want):]
	}
	return "expected " + o.tokens(t.module, want, true) + ", got " + o.tokens(t.module, got, true)
}

// matches reports whether items may be equal to others, each independently.
func matches(items, others []term.Term) bool {
	for i, item := range items {
		_, unbound := item.(*term.Var)
		_, other := others[i].(*term.Var)
		if !unbound && !other && term.Compare(item, others[i]) != 0 {
			return false
		}
	}
	return true
}

// readAsExpected words a terminal that was read, "" for one without items.
func (o *Options) readAsExpected(t *terminal) string {
	if len(t.want) == 0 {
		return ""
	}
	return "as expected: " + o.tokens(t.module, t.want, false)
}

// inGrammar reports whether the predicate of a goal is defined by grammar rules.
func (o *Options) inGrammar(g Goal) bool {
	name, arity, ok := term.Indicator(g.Term)
	return ok && o.Texts != nil && o.Texts.Grammar(g.Module, string(name), arity)
}

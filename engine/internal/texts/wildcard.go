package texts

import (
	"slices"
	"unicode"

	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stream"
)

// This file defines wildcard_match/2,3. A pattern becomes a list of nodes, an automaton without memory. Matching goes
// through the text once with the set of the nodes that may match next. So its time is at most the product of both
// lengths, where backtracking could take exponential time for a pattern such as *a*a*a*b.

var wildcardTable = []machine.Builtin{
	{Name: "wildcard_match", Arity: 2, Func: wildcardMatch, Modes: "+pattern, +text",
		Doc: "The text matches the pattern, in which * is any text, ? a character, [a-z] one of some, {a,b} one of the " +
			"alternatives."},
	{Name: "wildcard_match", Arity: 3, Func: wildcardMatch, Modes: "+pattern, +text, +options",
		Doc: "As wildcard_match/2; the option case_sensitive(false) ignores case."},
}

// wildcardMatch is wildcard_match/2,3.
func wildcardMatch(m *machine.Machine, a []cell) (bool, error) {
	pattern, err := Any(m, a[0], "text")
	if err != nil {
		return false, err
	}
	text, err := Any(m, a[1], "text")
	if err != nil {
		return false, err
	}
	folded := false
	if len(a) == 3 {
		if folded, err = wildcardOptions(m, a[2]); err != nil {
			return false, err
		}
	}
	w, err := ParseWildcard(m, pattern, folded)
	if err != nil {
		return false, err
	}
	defer w.Release()
	return w.Matches(text), nil
}

// wildcardOptions reports whether the case of letters does not matter. Other options are ignored, as in SWI-Prolog.
func wildcardOptions(m *machine.Machine, list cell) (folded bool, err error) {
	err = stream.EachOption(m, list, "wildcard_option", func(o stream.Option) (bool, error) {
		if o.Name != "case_sensitive" {
			return true, nil
		}
		sensitive, err := o.Boolean(m)
		folded = !sensitive
		return true, err
	})
	return folded, err
}

// Wildcard is a pattern as a nondeterministic automaton, and the state of one match. It belongs to one machine.
type Wildcard struct {
	m      *machine.Machine
	folded bool // the case of letters does not matter
	nodes  []wildcardNode
	held   int // bytes that count as memory of the run

	// The state of the match.
	next []int // the nodes that may match the next character
	seen []int // by node, the step at which it was last added to next
	step int   // counts characters, from 1
	todo []int // the stack of add
}

// wildcardKind is the kind of a node.
type wildcardKind uint8

const (
	wildcardChar   wildcardKind = iota // the character lo
	wildcardAny                        // ?
	wildcardRest                       // *
	wildcardSet                        // [a-z]
	wildcardOneOf                      // {: what follows is one of the nodes to
	wildcardGoOn                       // the end of an alternative: what follows is the node to
	wildcardAccept                     // the end of the pattern
)

// wildcardNode is a node of a pattern. Its successor is the node behind it, or those whose numbers are in to.
type wildcardNode struct {
	kind wildcardKind
	lo   rune
	set  []runeRange
	to   []int
}

const (
	// pollNodes is how many nodes are made between two polls of the limits. nodeBytes is what a node takes, with its
	// character and its part in next, seen and todo.
	pollNodes = 1 << 12
	nodeBytes = 256
)

// runeRange is a range of characters in a set, both ends included.
type runeRange struct{ lo, hi rune }

// ParseWildcard returns the automaton of a pattern. With folded the case of letters does not matter. The nodes count as
// memory of the run until Release. A pattern with a mistake is a syntax error.
func ParseWildcard(m *machine.Machine, pattern string, folded bool) (*Wildcard, error) {
	// Each character of the pattern makes a node at the most, so this bounds what parse and Matches allocate.
	w := &Wildcard{m: m, folded: folded, held: nodeBytes * len(pattern)}
	if err := m.Hold(w.held); err != nil {
		return nil, err
	}
	parsed := false
	defer func() {
		if !parsed { // a mistake, or the panic of a limit
			w.Release()
		}
	}()
	if fault := w.parse([]rune(pattern)); fault != "" {
		return nil, m.SyntaxError(fault)
	}
	parsed = true
	return w, nil
}

// Release gives the memory of the automaton back.
func (w *Wildcard) Release() { _ = w.m.Hold(-w.held) }

// parse makes the nodes of a pattern. It returns the message of a syntax error, or "". An alternative in braces ends
// with a wildcardGoOn whose target is set when the brace closes. Braces nest; their open groups are on a stack, as the
// pattern may nest deeper than Go's stack should. The loop polls, because it has no other step at which a limit could
// end it.
func (w *Wildcard) parse(pattern []rune) (fault string) {
	var open []int   // the nodes of the braces that are open
	var ends [][]int // of each, the ends of its alternatives
	for i := 0; i < len(pattern); i++ {
		if i%pollNodes == pollNodes-1 {
			w.m.Poll(pollNodes)
		}
		n := wildcardNode{kind: wildcardChar, lo: pattern[i]}
		switch c := pattern[i]; {
		case c == '*':
			n.kind = wildcardRest
		case c == '?':
			n.kind = wildcardAny
		case c == '[':
			length, ok := 0, false
			if n.set, length, ok = parseSet(pattern[i+1:]); length < 0 {
				return "Unmatched '['"
			} else if !ok {
				return "illegal_pattern"
			}
			n.kind = wildcardSet
			i += length + 1
		case c == '{':
			n.kind, n.to = wildcardOneOf, []int{len(w.nodes) + 1}
			open, ends = append(open, len(w.nodes)), append(ends, nil)
		case (c == ',' || c == '}') && len(open) > 0:
			n.kind = wildcardGoOn
			last := len(open) - 1
			ends[last] = append(ends[last], len(w.nodes))
			if c == ',' {
				group := &w.nodes[open[last]]
				group.to = append(group.to, len(w.nodes)+1)
				break
			}
			w.nodes = append(w.nodes, n)
			for _, end := range ends[last] {
				w.nodes[end].to = []int{len(w.nodes)}
			}
			open, ends = open[:last], ends[:last]
			continue
		case c == '\\' && i+1 < len(pattern):
			i++
			n.lo = pattern[i]
		}
		w.nodes = append(w.nodes, n)
	}
	if len(open) > 0 {
		return "Unmatched '{'"
	}
	w.nodes = append(w.nodes, wildcardNode{kind: wildcardAccept})
	return ""
}

// parseSet reads a set up to its closing bracket, whose index is the length. The length is negative when the bracket is
// missing; ok is false for an empty set or a range that ends before it begins. A character behind a backslash, which
// may be a bracket or a minus, stands for itself and is no end of a range.
func parseSet(pattern []rune) (set []runeRange, length int, ok bool) {
	i := 0
	for ok = true; i < len(pattern) && pattern[i] != ']'; i++ {
		r := runeRange{pattern[i], pattern[i]}
		switch {
		case r.lo == '\\' && i+1 < len(pattern):
			i++
			r = runeRange{pattern[i], pattern[i]}
		case i+2 < len(pattern) && pattern[i+1] == '-' && pattern[i+2] != ']' && pattern[i+2] != '\\':
			i += 2
			r.hi = pattern[i]
		}
		ok = ok && r.lo <= r.hi
		set = append(set, r)
	}
	if i == len(pattern) {
		return nil, -1, false
	}
	return set, i, ok && i > 0
}

// Matches reports whether the pattern matches the whole text. It takes one step for each character, over the set of
// nodes that may match it. Each node of the set is polled.
func (w *Wildcard) Matches(text string) bool {
	w.seen = make([]int, len(w.nodes))
	w.step, w.next = 1, nil
	w.add(0)
	for _, c := range text {
		now := w.next
		w.next = make([]int, 0, len(now)+1)
		w.step++
		for _, i := range now {
			w.m.Poll(1)
			switch n := &w.nodes[i]; {
			case n.kind == wildcardRest:
				w.add(i)
			case w.accepts(n, c):
				w.add(i + 1)
			}
		}
		if len(w.next) == 0 {
			return false
		}
	}
	return w.seen[len(w.nodes)-1] == w.step
}

// add adds a node to the next ones, with those that it leads to without a character. seen keeps each node from being
// added twice in a step.
func (w *Wildcard) add(i int) {
	for w.todo = append(w.todo[:0], i); len(w.todo) > 0; {
		i := w.todo[len(w.todo)-1]
		w.todo = w.todo[:len(w.todo)-1]
		if w.seen[i] == w.step {
			continue
		}
		w.seen[i] = w.step
		switch n := &w.nodes[i]; n.kind {
		case wildcardOneOf, wildcardGoOn:
			w.todo = append(w.todo, n.to...)
			continue
		case wildcardRest:
			w.todo = append(w.todo, i+1)
		}
		w.next = append(w.next, i)
	}
}

// accepts reports whether a node matches a character, in any case of letters if the pattern is folded. Folding goes
// round the cycle of characters that Unicode takes for equal, such as k, K and the Kelvin sign.
func (w *Wildcard) accepts(n *wildcardNode, c rune) bool {
	if n.accepts(c) {
		return true
	}
	if w.folded {
		for f := unicode.SimpleFold(c); f != c; f = unicode.SimpleFold(f) {
			if n.accepts(f) {
				return true
			}
		}
	}
	return false
}

// accepts reports whether the node matches a character, in this case of letters.
func (n *wildcardNode) accepts(c rune) bool {
	switch n.kind {
	case wildcardChar:
		return c == n.lo
	case wildcardAny:
		return true
	case wildcardSet:
		return slices.ContainsFunc(n.set, func(r runeRange) bool { return r.lo <= c && c <= r.hi })
	}
	return false
}

package texts

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/arith"
	"github.com/mcplogic/mcplogic/engine/internal/arrays"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines parts of texts: sub_atom/5, sub_string/5 and the concatenations that run backwards (ISO 13211-1,
// 8.16.2, 8.16.3).
//
// A nondeterministic predicate keeps its text between answers. A text seen through a view may lie on the heap, where
// a collection moves it. So each function clones the text before it leaves a choice point, and not for the frequent
// deterministic calls.

var subTextTable = []machine.Builtin{
	{Name: "sub_atom", Arity: 5, Func: subText("atom", (*machine.Machine).NewAtom), Nondet: true,
		Modes: "+atom, ?before, ?length, ?after, ?atom",
		Doc:   "Part of an atom, with the characters before, in and after it."},
	{Name: "sub_string", Arity: 5, Func: subText("string", (*machine.Machine).NewString), Nondet: true,
		Modes: "+string, ?before, ?length, ?after, ?string",
		Doc:   "Part of a string, with the characters before, in and after it."},
	{Name: "sub_atom_icasechk", Arity: 3, Func: subAtomIgnoringCase, Modes: "+text, ?start, +text",
		Doc: "The second text occurs in the first at Start; its small letters stand for capital ones too."},
	{Name: "atom_concat", Arity: 3, Func: concat((*machine.Machine).NewAtom), Nondet: true,
		Modes: "?atomic, ?atomic, ?atomic", Doc: "The third text is the first followed by the second."},
	{Name: "string_concat", Arity: 3, Func: concat((*machine.Machine).NewString), Nondet: true,
		Modes: "?atomic, ?atomic, ?atomic", Doc: "The third text is the first followed by the second."},
	{Name: "text_concat", Arity: 3, Func: textConcat, Nondet: true, Modes: "?text, ?text, ?text",
		Doc: "As atom_concat/3; the result is a string when an argument is one."},
}

// textPart holds the numbers of a sub_atom/5: characters before, in and after the part. -1 stands for unknown.
type textPart struct {
	before, length, after int
}

// partArg returns an argument that must be unbound (-1) or a natural number. A number beyond the length of any text
// is cut to the largest int, so that no sum overflows.
func partArg(m *machine.Machine, c cell) (int, error) {
	if stacks.IsVar(m.Deref(c)) {
		return -1, nil
	}
	return arith.Natural(m, c)
}

// subText returns sub_atom/5 or sub_string/5.
func subText(typ string, build newText) machine.Func {
	return func(m *machine.Machine, a []cell) (bool, error) {
		text, err := atomicView(m, a[0], typ)
		if err != nil {
			return false, err
		}
		var p textPart
		for i, to := range []*int{&p.before, &p.length, &p.after} {
			if *to, err = partArg(m, a[1+i]); err != nil {
				return false, err
			}
		}
		// sub_atom(abc, B, 2, A, 12) is a type error and does not fail (8.16.3.3).
		if typ == "atom" && m.IsNumber(m.Deref(a[4])) {
			return false, m.TypeError(typ, a[4])
		}
		sub, known, err := optionalText(m, a[4], typ)
		if err != nil {
			return false, err
		}
		if known {
			return occurrences(m, a, text, sub, p)
		}
		return textParts(m, a, index(text), p, build)
	}
}

// occurrences answers with each place where sub is found. If the number of characters before or after is known there is
// one candidate, which is compared without a search. A search is charged one call for each 256 bytes.
func occurrences(m *machine.Machine, a []cell, text, sub string, p textPart) (bool, error) {
	x := index(text)
	n := utf8.RuneCountInString(sub)
	if p.before < 0 && p.after >= 0 {
		p.before = x.n - n - p.after
		if p.before < 0 {
			return false, nil
		}
	}
	if p.before >= 0 {
		return p.before <= x.n-n && x.slice(p.before, n) == sub && unifyPart(m, a, x, p.before, n), nil
	}
	s := search{x: x, sub: sub, n: n}
	if !s.next() {
		return false, nil
	}
	first := s.char
	if !s.next() {
		return unifyPart(m, a, x, first, n), m.Charge(1 + len(text)/256)
	}
	return furtherOccurrences(m, first, s)
}

// furtherOccurrences answers with the place at, then with the next place, which the search has already found, then with
// those found later. It always knows whether another place follows, so the last answer leaves no choice point.
func furtherOccurrences(m *machine.Machine, at int, s search) (bool, error) {
	s.x.text, s.sub = arrays.Clone(s.x.text), arrays.Clone(s.sub)
	found := true
	return m.Alternatives(func(m *machine.Machine, a []cell) (ok, more bool, err error) {
		here, more, from := at, found, s.at
		if found {
			at = s.char
			found = s.next()
		}
		return unifyPart(m, a, s.x, here, s.n), more, m.Charge(1 + (s.at-from)/256)
	})
}

// unifyPart unifies the numbers of sub_atom/5.
func unifyPart(m *machine.Machine, a []cell, x indexed, before, n int) bool {
	return m.Unify(a[1], code.MakeInt(int64(before))) && m.Unify(a[2], code.MakeInt(int64(n))) &&
		m.Unify(a[3], code.MakeInt(int64(x.n-before-n)))
}

// search finds the places of a text in another, from left to right, overlapping ones too. For texts in ASCII (offsets
// is nil) bytes and characters coincide. Otherwise it counts the characters between two places, so a whole search
// counts each character once.
type search struct {
	x    indexed
	sub  string
	n    int // characters of sub
	at   int // byte of the place found last
	char int // character there
	used bool
}

// next finds the next place. It starts one character after the last place.
func (s *search) next() bool {
	from := s.at
	if s.used {
		if from == len(s.x.text) {
			return false
		}
		_, size := utf8.DecodeRuneInString(s.x.text[from:])
		from += size
	}
	s.used = true
	i := strings.Index(s.x.text[from:], s.sub)
	if i < 0 {
		return false
	}
	if s.x.offsets == nil {
		s.char = from + i
	} else {
		s.char += utf8.RuneCountInString(s.x.text[s.at : from+i])
	}
	s.at = from + i
	return true
}

// textParts answers with each part of a text that agrees with the known numbers, in the order of the standard: by the
// characters before it, then by its length.
func textParts(m *machine.Machine, a []cell, x indexed, p textPart, build newText) (bool, error) {
	if p.before > x.n || p.length > x.n || p.after > x.n {
		return false, nil
	}
	low, high, width := partRange(x.n, p)
	if low > high {
		return false, nil
	}
	// All numbers are determined: the frequent calls with two known numbers leave no choice point and clone no text.
	if low == high && width >= 0 {
		return unifySlice(m, a, x, low, width, build)
	}
	before, length := low, max(width, 0)
	x.text = arrays.Clone(x.text)
	// It always knows whether the numbers allow another part, so the last answer leaves no choice point.
	return m.Alternatives(func(m *machine.Machine, a []cell) (ok, more bool, err error) {
		b, n := before, length
		switch {
		case p.after >= 0: // the part ends at a known place
			before, n = before+1, x.n-p.after-b
		case width >= 0:
			before++
		case length < x.n-before:
			length++
		default:
			before, length = before+1, 0
		}
		ok, err = unifySlice(m, a, x, b, n, build)
		return ok, before <= high, err
	})
}

// partRange returns the smallest and largest number of characters before the part, and its width if that is fixed,
// else -1. Numbers that contradict each other give an empty range.
func partRange(n int, p textPart) (low, high, width int) {
	switch {
	case p.before >= 0 && p.length >= 0:
		if p.before+p.length > n || p.after >= 0 && p.before+p.length+p.after != n {
			return 1, 0, 0
		}
		return p.before, p.before, p.length
	case p.before >= 0 && p.after >= 0:
		return p.before, min(p.before, n-p.after), n - p.after - p.before
	case p.length >= 0 && p.after >= 0:
		return n - p.length - p.after, min(n-p.length-p.after, n), p.length
	case p.before >= 0:
		return p.before, p.before, -1
	case p.length >= 0:
		return 0, n - p.length, p.length
	case p.after >= 0:
		return 0, n - p.after, -1
	}
	return 0, n, -1
}

// unifySlice unifies the numbers and the text of a part.
func unifySlice(m *machine.Machine, a []cell, x indexed, before, n int, build newText) (bool, error) {
	if before < 0 || n < 0 || !unifyPart(m, a, x, before, n) {
		return false, nil
	}
	return Unify(m, a[4], x.slice(before, n), build)
}

// subAtomIgnoringCase is sub_atom_icasechk/3 of SWI-Prolog. It finds the first place only, or checks a given one. A
// capital letter of the second text stands for itself alone.
func subAtomIgnoringCase(m *machine.Machine, a []cell) (bool, error) {
	text, err := anyView(m, a[0], "text")
	if err != nil {
		return false, err
	}
	start, err := partArg(m, a[1])
	if err != nil {
		return false, err
	}
	sub, err := anyView(m, a[2], "text")
	if err != nil {
		return false, err
	}
	if err := machine.Fits(m, 4*(len(text)+len(sub))); err != nil {
		return false, err
	}
	hay, needle := []rune(text), []rune(sub)
	for i := max(start, 0); i <= len(hay)-len(needle) && (start < 0 || i == start); i++ {
		n := 0
		for n < len(needle) && (hay[i+n] == needle[n] || unicode.ToLower(hay[i+n]) == needle[n]) {
			n++
		}
		if n == len(needle) {
			return m.Unify(a[1], code.MakeInt(int64(i))), nil
		}
		if err := m.Charge(1 + n/8); err != nil {
			return false, err
		}
	}
	return false, nil
}

// concat returns atom_concat/3 or string_concat/3.
func concat(build newText) machine.Func {
	return func(m *machine.Machine, a []cell) (bool, error) {
		return concatenate(m, a, build)
	}
}

// textConcat is atom_concat/3, or string_concat/3 when an argument is a string, as in SWI-Prolog.
func textConcat(m *machine.Machine, a []cell) (bool, error) {
	for _, c := range a {
		if m.IsString(m.Deref(c)) {
			return concatenate(m, a, (*machine.Machine).NewString)
		}
	}
	return concatenate(m, a, (*machine.Machine).NewAtom)
}

// concatenate joins two texts, or takes one off the whole, or answers with all splits. Only the last is
// nondeterministic.
func concatenate(m *machine.Machine, a []cell, build newText) (bool, error) {
	left, hasLeft, err := optionalText(m, a[0], "atomic")
	if err != nil {
		return false, err
	}
	right, hasRight, err := optionalText(m, a[1], "atomic")
	if err != nil {
		return false, err
	}
	if hasLeft && hasRight {
		whole, err := join(m, left, right)
		if err != nil {
			return false, err
		}
		return unifyWhole(m, a[2], whole, build)
	}
	whole, err := atomicView(m, a[2], "atomic")
	switch {
	case err != nil:
		return false, err
	case hasLeft:
		rest, ok := strings.CutPrefix(whole, left)
		return ok && m.Unify(a[1], build(m, rest)), nil
	case hasRight:
		rest, ok := strings.CutSuffix(whole, right)
		return ok && m.Unify(a[0], build(m, rest)), nil
	case m.Deref(a[0]) == m.Deref(a[1]): // two halves that are the same
		half := whole[:len(whole)/2]
		return half+half == whole && m.Unify(a[0], build(m, half)), nil
	}
	return splits(m, whole, build)
}

// unifyWhole unifies the result of a concatenation: a bound argument is compared as text, so
// that atom_concat(a, b, "ab") holds.
func unifyWhole(m *machine.Machine, c cell, whole string, build newText) (bool, error) {
	if text, bound, err := optionalText(m, c, "atomic"); bound || err != nil {
		return text == whole && err == nil, err
	}
	return m.Unify(c, build(m, whole)), nil
}

// splits answers with each way to cut a text in two. Each answer makes two texts, so it is charged by the length.
func splits(m *machine.Machine, whole string, build newText) (bool, error) {
	at := 0
	whole = arrays.Clone(whole)
	return m.Alternatives(func(m *machine.Machine, a []cell) (ok, more bool, err error) {
		i := at
		more = i < len(whole)
		if more {
			_, size := utf8.DecodeRuneInString(whole[at:])
			at += size
		}
		if err := m.Charge(1 + len(whole)/64); err != nil {
			return false, false, err
		}
		return m.Unify(a[0], build(m, whole[:i])) && m.Unify(a[1], build(m, whole[i:])), more, nil
	})
}

// Package flow computes what is known of a program before it runs: the types of the values that the arguments of a
// predicate can have when a call of it succeeds (success types; Lindahl and Sagonas, Practical Type Inference Based on
// Success Typings, 2006). [Infer] finds them as a least fixpoint over the clauses. A type says too much rather than too
// little, so a goal that fits no type never succeeds.
package flow

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// kind is a class of terms.
type kind uint16

const (
	words     kind = 1 << iota // atoms, but for those that are constants
	constants                  // atoms that are functions without arguments, such as pi
	longer                     // strings, but for those of one character
	letters                    // strings of one character, which are calculated with as its code
	integers                   // between lo and hi
	floats
	rationals
	compounds
	blobs      // streams and other things without a text
	everything = 1<<iota - 1
	atoms      = words | constants
	strs       = longer | letters
)

// Type is a set of terms: the union of classes, of single atoms and strings, and of compounds by functor. The zero
// value is the empty set. Types are values and are not changed.
type Type struct {
	kinds  kind
	lo, hi int64 // of integers; the smallest and the greatest int64 stand for no bound
	texts  []term.Term
	shapes []shape
	// seen are the atoms and strings that facts of today give, nil if they are not known. Others may come, so they are
	// no part of the set.
	seen []term.Term
}

// shape is the compounds of one functor. args is nil if they are not known.
type shape struct {
	name  term.Atom
	arity int
	args  []Type
	// each is the type of all elements of a list, nil if it is not known.
	each []Type
}

// Bounds on what a type tells apart.
const (
	maxTexts  = 24
	maxShapes = 8
	maxDepth  = 3
)

// Any is the set of all terms.
var Any = Type{kinds: everything, lo: math.MinInt64, hi: math.MaxInt64}

// The types that goals and declarations name.
var (
	Atom     = Type{kinds: atoms}
	String   = Type{kinds: strs}
	Integer  = Between(math.MinInt64, math.MaxInt64)
	Float    = Type{kinds: floats}
	Number   = Type{kinds: integers | floats | rationals, lo: math.MinInt64, hi: math.MaxInt64}
	Rational = Type{kinds: integers | rationals, lo: math.MinInt64, hi: math.MaxInt64}
	Text     = Type{kinds: atoms | strs}
	// Name is the atoms but for the empty list.
	Name = named()
	// Words are texts that are no functions.
	Words    = Type{kinds: words | strs}
	Atomic   = Type{kinds: everything &^ compounds, lo: math.MinInt64, hi: math.MaxInt64}
	Compound = Type{kinds: compounds}
	Callable = Type{kinds: atoms | compounds}
	List     = Union(Constant(term.Nil), Type{shapes: []shape{{name: term.Dot, arity: 2}}})
	TextLike = Union(Union(Text, Number), List)
	Pair     = Type{shapes: []shape{{name: "-", arity: 2}}}
	// Evaluable is what can be calculated with: numbers, expressions, texts of one character, and atoms that are functions
	// or a character.
	Evaluable = Type{kinds: constants | letters | integers | floats | rationals | compounds,
		lo: math.MinInt64, hi: math.MaxInt64}
)

// functions are the functions without arguments, and the empty list, which is the end of a text.
var functions = []term.Term{term.Nil, term.Atom("cputime"), term.Atom("e"), term.Atom("epsilon"), term.Atom("inf"),
	term.Atom("infinite"), term.Atom("max_integer"), term.Atom("max_tagged_integer"), term.Atom("min_integer"),
	term.Atom("min_tagged_integer"), term.Atom("nan"), term.Atom("pi"), term.Atom("random"), term.Atom("random_float"),
	term.Atom("realtime")}

// ListOf returns the lists whose elements are all of a type.
func ListOf(each Type) Type {
	return Union(Constant(term.Nil), Type{shapes: []shape{{name: term.Dot, arity: 2, each: []Type{each}}}})
}

// Each returns the type of the elements of lists. ok is false if they may be any terms.
func (t Type) Each() (each Type, ok bool) {
	s, ok := t.shape(term.Dot, 2)
	if !ok || s.each == nil {
		return Type{}, false
	}
	return s.each[0], true
}

func named() Type {
	t := Type{kinds: words, texts: slices.Clone(functions[1:])}
	slices.SortFunc(t.texts, compareTexts)
	return t
}

// Of is the type of the compounds with a name and an arity.
func Of(name term.Atom, arity int) Type { return Type{shapes: []shape{{name: name, arity: arity}}} }

// Order compares two types by the standard order of terms. It is -1 if each term of t stands before each of u, and 1 if
// each stands behind. It is 0 if that depends on more than their kinds.
func Order(t, u Type) int {
	low, high := t.places()
	first, last := u.places()
	switch {
	case t.Empty() || u.Empty():
		return 0
	case high < first:
		return -1
	case low > last:
		return 1
	}
	return 0
}

// places returns the first and the last place that terms of a type have in the standard order: numbers, atoms, strings,
// then compounds by their arity.
func (t Type) places() (first, last int) {
	const compound = 3
	first = math.MaxInt
	add := func(low, high int) { first, last = min(first, low), max(last, high) }
	for place, kinds := range []kind{integers | floats | rationals, atoms, strs} {
		if t.kinds&kinds != 0 {
			add(place, place)
		}
	}
	for _, text := range t.texts {
		place := 1
		if classOf(text)&strs != 0 {
			place = 2
		}
		add(place, place)
	}
	for _, s := range t.shapes {
		add(compound+s.arity, compound+s.arity)
	}
	if t.kinds&compounds != 0 {
		add(compound, math.MaxInt)
	}
	if t.kinds&blobs != 0 {
		add(0, math.MaxInt)
	}
	return first, last
}

// Between returns the integers from lo to hi. The smallest and the greatest int64 stand for no bound.
func Between(lo, hi int64) Type {
	if lo > hi {
		return Type{}
	}
	return Type{kinds: integers, lo: lo, hi: hi}
}

// Constant returns the type of one atomic term, as far as types tell terms apart.
func Constant(t term.Term) Type {
	switch t := t.(type) {
	case term.Atom, term.String:
		return Type{texts: []term.Term{t}}
	case term.Int:
		return Between(int64(t), int64(t))
	case *term.Big:
		return Integer
	case term.Float:
		return Float
	case *term.Rational:
		return Type{kinds: rationals}
	}
	return Any
}

// Empty reports whether no term is in the type.
func (t Type) Empty() bool { return t.kinds == 0 && len(t.texts) == 0 && len(t.shapes) == 0 }

// IsAny reports whether all terms are in the type.
func (t Type) IsAny() bool {
	return t.kinds == everything && t.lo == math.MinInt64 && t.hi == math.MaxInt64
}

// Equal reports whether two types are the same set.
func (t Type) Equal(u Type) bool {
	sameRange := t.kinds&integers == 0 || t.lo == u.lo && t.hi == u.hi
	return t.kinds == u.kinds && sameRange && slices.Equal(t.texts, u.texts) &&
		slices.EqualFunc(t.shapes, u.shapes, equalShapes)
}

func equalShapes(a, b shape) bool {
	return a.name == b.name && a.arity == b.arity && (a.args == nil) == (b.args == nil) &&
		slices.EqualFunc(a.args, b.args, Type.Equal) && slices.EqualFunc(a.each, b.each, Type.Equal)
}

// classOf returns the class of an atom or a string.
func classOf(t term.Term) kind {
	if s, ok := t.(term.String); ok {
		if utf8.RuneCountInString(string(s)) == 1 {
			return letters
		}
		return longer
	}
	if slices.Contains(functions, t) {
		return constants
	}
	return words
}

// compareTexts orders atoms before strings, and each by their characters.
func compareTexts(a, b term.Term) int {
	x, isAtom := a.(term.Atom)
	y, both := b.(term.Atom)
	switch {
	case isAtom && both:
		return cmp.Compare(x, y)
	case isAtom:
		return -1
	case both:
		return 1
	}
	return cmp.Compare(a.(term.String), b.(term.String))
}

// Union returns the terms of both types, perhaps with others.
func Union(t, u Type) Type {
	sum := Type{kinds: t.kinds | u.kinds}
	switch {
	case t.kinds&u.kinds&integers != 0:
		sum.lo, sum.hi = min(t.lo, u.lo), max(t.hi, u.hi)
	case t.kinds&integers != 0:
		sum.lo, sum.hi = t.lo, t.hi
	case u.kinds&integers != 0:
		sum.lo, sum.hi = u.lo, u.hi
	}
	sum.texts = append(slices.Clone(t.texts), u.texts...)
	slices.SortFunc(sum.texts, compareTexts)
	sum.texts = slices.Compact(sum.texts)
	if len(sum.texts) > maxTexts {
		for _, text := range sum.texts {
			sum.kinds |= classOf(text)
		}
	}
	if sum.kinds&(atoms|strs) != 0 {
		sum.texts = slices.DeleteFunc(sum.texts, func(text term.Term) bool { return classOf(text)&sum.kinds != 0 })
	}
	if sum.kinds&compounds == 0 {
		sum.shapes = slices.Clone(t.shapes)
		for _, s := range u.shapes {
			sum.addShape(s)
		}
	}
	known, other := t.Seen(), u.Seen()
	if known != nil && other != nil || t.Empty() || u.Empty() {
		sum.seen = slices.Concat(known, other)
		slices.SortFunc(sum.seen, compareTexts)
		if sum.seen = slices.Compact(sum.seen); len(sum.seen) == 0 || len(sum.seen) > maxTexts {
			sum.seen = nil
		}
	}
	return sum
}

// Seen returns the atoms and strings that facts of today give, nil if they are not known.
func (t Type) Seen() []term.Term {
	if len(t.texts) > 0 && t.Listed() {
		return t.texts
	}
	return t.seen
}

// addShape adds compounds of a functor.
func (t *Type) addShape(s shape) {
	at, found := slices.BinarySearchFunc(t.shapes, s, func(a, b shape) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.arity, b.arity))
	})
	switch {
	case !found && len(t.shapes) == maxShapes:
		t.kinds, t.shapes = t.kinds|compounds, nil
	case !found:
		t.shapes = slices.Insert(t.shapes, at, s)
	default:
		known := &t.shapes[at]
		known.args, known.each = unions(known.args, s.args), unions(known.each, s.each)
	}
}

// unions returns the unions of types two by two, nil if some are not known.
func unions(a, b []Type) []Type {
	if a == nil || b == nil {
		return nil
	}
	sums := make([]Type, len(a))
	for i := range sums {
		sums[i] = Union(a[i], b[i])
	}
	return sums
}

// Meet returns the terms that are in both types, perhaps with others of these.
func Meet(t, u Type) Type {
	common := Type{kinds: t.kinds & u.kinds}
	if common.kinds&integers != 0 {
		common.lo, common.hi = max(t.lo, u.lo), min(t.hi, u.hi)
		if common.lo > common.hi {
			common.kinds, common.lo, common.hi = common.kinds&^integers, 0, 0
		}
	}
	for _, text := range t.texts {
		if u.hasText(text) {
			common.texts = append(common.texts, text)
		}
	}
	for _, text := range u.texts {
		if t.kinds&classOf(text) != 0 {
			common.texts = append(common.texts, text)
		}
	}
	slices.SortFunc(common.texts, compareTexts)
	for _, s := range t.shapes {
		if same, ok := u.shape(s.name, s.arity); ok {
			if both, ok := meetShapes(s, same); ok {
				common.shapes = append(common.shapes, both)
			}
		}
	}
	if t.kinds&compounds != 0 {
		common.shapes = append(common.shapes, u.shapes...)
	}
	if common.seen = t.seen; t.seen == nil {
		common.seen = u.seen
	}
	return common
}

// hasText reports whether an atom or a string is in the type.
func (t Type) hasText(text term.Term) bool {
	return t.kinds&classOf(text) != 0 || slices.Contains(t.texts, text)
}

// shape returns the compounds of a functor that are in the type.
func (t Type) shape(name term.Atom, arity int) (shape, bool) {
	if t.kinds&compounds != 0 {
		return shape{name: name, arity: arity}, true
	}
	at := slices.IndexFunc(t.shapes, func(s shape) bool { return s.name == name && s.arity == arity })
	if at < 0 {
		return shape{}, false
	}
	return t.shapes[at], true
}

// meetShapes returns the compounds that are in two sets of one functor. ok is false if there are none.
func meetShapes(a, b shape) (both shape, ok bool) {
	each := a.each
	if each == nil {
		each = b.each
	} else if b.each != nil {
		each = []Type{Meet(a.each[0], b.each[0])}
		if each[0].Empty() {
			return shape{}, false
		}
	}
	both = shape{a.name, a.arity, make([]Type, a.arity), each}
	switch {
	case a.args == nil:
		both.args = b.args
		return both, true
	case b.args == nil:
		both.args = a.args
		return both, true
	}
	for i := range both.args {
		if both.args[i] = Meet(a.args[i], b.args[i]); both.args[i].Empty() {
			return shape{}, false
		}
	}
	return both, true
}

// MayFloat reports whether all terms of a type are integers and floats, and some are floats.
func (t Type) MayFloat() bool { return t.kinds&floats != 0 && t.Only(Union(Integer, Float)) }

// same reports whether two types are the same set, and the same texts have been seen.
func (t Type) same(u Type) bool { return t.Equal(u) && slices.Equal(t.seen, u.seen) }

// unseen returns the type without what has been seen.
func (t Type) unseen() Type {
	t.seen = nil
	return t.mapArgs(Type.unseen)
}

// widened returns a type that has no ranges of integers which a recursion could let grow for ever.
func (t Type) widened() Type {
	if t.kinds&integers != 0 {
		t.lo, t.hi = math.MinInt64, math.MaxInt64
	}
	t.seen = nil
	return t.mapArgs(Type.widened)
}

// mapArgs returns the type with other types for the arguments of its compounds.
func (t Type) mapArgs(f func(Type) Type) Type {
	if len(t.shapes) == 0 {
		return t
	}
	t.shapes = slices.Clone(t.shapes)
	for i, s := range t.shapes {
		t.shapes[i].args, t.shapes[i].each = slices.Clone(s.args), slices.Clone(s.each)
		for k := range s.each {
			t.shapes[i].each[k] = f(s.each[k])
		}
		for k := range s.args {
			t.shapes[i].args[k] = f(s.args[k])
		}
	}
	return t
}

// Coarse returns the classes that terms of the type belong to, with the texts that have been seen.
func (t Type) Coarse() Type {
	t.seen = t.Seen()
	for _, text := range t.texts {
		t.kinds |= classOf(text)
	}
	t.texts = nil
	if t.kinds&integers != 0 {
		t.lo, t.hi = math.MinInt64, math.MaxInt64
	}
	return t.mapArgs(Type.Coarse)
}

// shallow returns a type that tells compounds apart to some depth only.
func (t Type) shallow(depth int) Type {
	if len(t.shapes) == 0 {
		return t
	}
	if depth > 0 {
		return t.mapArgs(func(arg Type) Type { return arg.shallow(depth - 1) })
	}
	t.shapes = slices.Clone(t.shapes)
	for i := range t.shapes {
		t.shapes[i].args, t.shapes[i].each = nil, nil
	}
	return t
}

// Only reports whether all terms of a type that has some are in another one.
func (t Type) Only(u Type) bool { return !t.Empty() && Meet(t, u).Equal(t) }

// String describes the type as messages do: "a, b or an integer from 1 to 9".
func (t Type) String() string {
	if t.IsAny() {
		return "any term"
	}
	var parts []string
	for _, text := range t.texts {
		if t.kinds&words == 0 || classOf(text) != constants {
			parts = append(parts, syntax.FormatTerm(text))
		}
	}
	for _, one := range []struct {
		kind kind
		name string
	}{{atoms, "an atom"}, {strs, "a string"}, {integers, t.rangeText()}, {floats, "a float"}, {rationals, "a rational"},
		{compounds, "a compound"}, {blobs, "a stream"}} {
		if t.kinds&one.kind != 0 {
			parts = append(parts, one.name)
		}
	}
	for _, s := range t.shapes {
		if s.name == term.Dot && s.arity == 2 {
			parts = append(parts, "a list")
		} else {
			parts = append(parts, fmt.Sprintf("%s/%d", syntax.FormatTerm(s.name), s.arity))
		}
	}
	switch last := len(parts) - 1; {
	case last < 0:
		return "nothing"
	case last == 0:
		return parts[0]
	default:
		return strings.Join(parts[:last], ", ") + " or " + parts[last]
	}
}

// rangeText describes the integers of the type.
func (t Type) rangeText() string {
	switch low, high := t.lo > math.MinInt64, t.hi < math.MaxInt64; {
	case low && t.lo == t.hi:
		return fmt.Sprint(t.lo)
	case low && high:
		return fmt.Sprintf("an integer from %d to %d", t.lo, t.hi)
	case low:
		return fmt.Sprintf("an integer from %d up", t.lo)
	case high:
		return fmt.Sprintf("an integer up to %d", t.hi)
	}
	return "an integer"
}

// Calculable reports whether some compound of the type may be an expression.
func (t Type) Calculable(function func(name string, arity int) bool) bool {
	return t.kinds&compounds != 0 || slices.ContainsFunc(t.shapes, func(s shape) bool {
		list := s.name == term.Dot && s.arity == 2
		return list || function(string(s.name), s.arity) && !slices.ContainsFunc(s.args, func(arg Type) bool {
			inner := Meet(arg, Evaluable)
			return inner.Empty() || inner.kinds == 0 && len(inner.texts) == 0 && !inner.Calculable(function)
		})
	})
}

// Texts returns the atoms and strings that are in the type one by one.
func (t Type) Texts() []term.Term { return t.texts }

// Listed reports whether there are no other terms in the type.
func (t Type) Listed() bool { return t.kinds == 0 && len(t.shapes) == 0 }

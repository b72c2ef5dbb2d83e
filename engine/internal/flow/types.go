// Package flow analyses a program before it runs: it computes the types of the values that the arguments of a predicate
// can have when a call of it succeeds (success types; Lindahl and Sagonas, Practical Type Inference Based on Success
// Typings, 2006). [Infer] finds them as a least fixpoint over the clauses. A type may contain too many terms but never
// too few, so a goal that matches no type never succeeds.
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
	words     kind = 1 << iota // atoms, except those that are arithmetic constants
	constants                  // atoms that are functions without arguments, such as pi
	longer                     // strings, except those of one character
	letters                    // strings of one character, which arithmetic evaluates to their code
	integers
	floats
	rationals
	compounds
	blobs      // streams and other things without a text
	everything = 1<<iota - 1
	atoms      = words | constants
	strs       = longer | letters
	numbers    = integers | floats | rationals // between lo and hi
)

// Type is a set of terms: the union of classes, of single atoms and strings, and of compounds by functor. The zero
// value is the empty set. Types are values and are not changed.
type Type struct {
	kinds  kind
	lo, hi float64 // of numbers, infinite where there is no bound
	texts  []term.Term
	shapes []shape
	seen   *sight // nil if current facts do not determine the texts
}

// shape is the compounds of one functor. args is nil if they are unknown.
type shape struct {
	name  term.Atom
	arity int
	args  []Type
	// each is the type of all elements of a list, nil if it is unknown.
	each []Type
}

// sight holds the atoms, strings, dates and so on that current facts have. Later facts may have others, so these values
// do not define the set.
type sight struct {
	values []term.Term // the first ones, in the order of the text
	// more says that facts have further values, part that some texts of the type come from elsewhere, and changing that
	// runs may change the facts.
	more, part, changing bool
}

// Bounds on the precision of a type.
const (
	maxTexts  = 24
	maxShapes = 8
	maxDepth  = 3
	maxParts  = 100 // nested argument types of one stored type
)

// Any is the set of all terms.
var Any = Type{kinds: everything, lo: -inf, hi: inf}

var inf = math.Inf(1)

// The types that goals and declarations name.
var (
	Atom     = Type{kinds: atoms}
	String   = Type{kinds: strs}
	Integer  = Between(-inf, inf)
	Float    = ranged(floats, -inf, inf)
	Number   = ranged(numbers, -inf, inf)
	Rational = ranged(integers|rationals, -inf, inf)
	Text     = Type{kinds: atoms | strs}
	// Name is the set of atoms without the empty list.
	Name = named()
	// Words are texts that are not arithmetic constants.
	Words    = Type{kinds: words | strs}
	Atomic   = ranged(everything&^compounds, -inf, inf)
	Compound = Type{kinds: compounds}
	Callable = Type{kinds: atoms | compounds}
	List     = listOf(shape{name: term.Dot, arity: 2})
	TextLike = Union(Union(Text, Number), List)
	Pair     = Type{shapes: []shape{{name: "-", arity: 2}}}
	// Evaluable is the set of terms that arithmetic evaluates: numbers, expressions, texts of one character, and atoms
	// that are functions or a character.
	Evaluable = Union(Number, calculated)
	// calculated is the set of non-numbers whose value is a number.
	calculated = Type{kinds: constants | letters | compounds}
)

// functions are the constants of arithmetic, and the empty list, which terminates a code list.
var functions = []term.Term{term.Nil, term.Atom("cputime"), term.Atom("e"), term.Atom("epsilon"), term.Atom("inf"),
	term.Atom("infinite"), term.Atom("max_integer"), term.Atom("max_tagged_integer"), term.Atom("min_integer"),
	term.Atom("min_tagged_integer"), term.Atom("nan"), term.Atom("pi"), term.Atom("random"), term.Atom("random_float"),
	term.Atom("realtime")}

// ListOf returns the lists whose elements are all of a type.
func ListOf(each Type) Type { return listOf(shape{name: term.Dot, arity: 2, each: []Type{each}}) }

// listOf returns the empty list and some other lists. The empty list does not count as seen in facts.
func listOf(others shape) Type { return Type{texts: []term.Term{term.Nil}, shapes: []shape{others}} }

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

// Order compares two types by the standard order of terms. It is -1 if each term of t precedes each term of u, and 1 if
// each follows. It is 0 if the kinds do not decide that.
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

// places returns the first and the last position that terms of a type have in the standard order: numbers, atoms,
// strings, then compounds by arity.
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

// Between returns the integers from lo to hi, which may be infinite.
func Between(lo, hi float64) Type { return ranged(integers, lo, hi) }

// ranged returns the terms of some classes, with numbers from lo to hi.
func ranged(kinds kind, lo, hi float64) Type {
	if kinds&numbers == integers {
		lo, hi = math.Ceil(lo), math.Floor(hi)
	}
	if kinds&numbers == 0 || lo > hi {
		return Type{kinds: kinds &^ numbers}
	}
	return Type{kinds: kinds, lo: lo, hi: hi}
}

// IsBounded reports whether the type has numbers within bounds.
func (t Type) IsBounded() bool { return t.kinds&numbers != 0 && (t.lo > -inf || t.hi < inf) }

// Bounded returns the type without the numbers that are not from low to high. If low and high are no numbers it returns
// the type itself.
func (t Type) Bounded(low, high term.Term) Type {
	from, to := Constant(low), Constant(high)
	if !from.Only(Number) || !to.Only(Number) {
		return t
	}
	return Meet(t, Union(ranged(numbers, from.lo, to.hi), Type{kinds: everything &^ numbers}))
}

// exact bounds the integers that a float represents exactly.
const exact = 1 << 53

// Constant returns the type of one atomic term, as precisely as types can express it.
func Constant(t term.Term) Type {
	switch t := t.(type) {
	case term.Atom, term.String:
		return Type{texts: []term.Term{t}, seen: &sight{values: []term.Term{t}}}
	case term.Int:
		if n := float64(t); math.Abs(n) < exact {
			return Between(n, n)
		}
		return Integer
	case *term.Big:
		return Integer
	case term.Float:
		if n := float64(t); n == n {
			return ranged(floats, n, n)
		}
		return Float
	case *term.Rational:
		return ranged(rationals, -inf, inf)
	}
	return Any
}

// Empty reports whether no term is in the type.
func (t Type) Empty() bool { return t.kinds == 0 && len(t.texts) == 0 && len(t.shapes) == 0 }

// IsAny reports whether all terms are in the type.
func (t Type) IsAny() bool { return t.kinds == everything && t.lo == -inf && t.hi == inf }

// Equal reports whether two types are the same set.
func (t Type) Equal(u Type) bool {
	sameRange := t.kinds&numbers == 0 || t.lo == u.lo && t.hi == u.hi
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

// Union returns a type with the terms of both types, and perhaps others.
func Union(t, u Type) Type {
	sum := Type{kinds: t.kinds | u.kinds}
	switch {
	case t.kinds&numbers != 0 && u.kinds&numbers != 0:
		sum.lo, sum.hi = min(t.lo, u.lo), max(t.hi, u.hi)
	case t.kinds&numbers != 0:
		sum.lo, sum.hi = t.lo, t.hi
	default:
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
	sum.seen = seenIn(t, u)
	return sum
}

// seenIn returns the seen values of two types.
func seenIn(t, u Type) *sight {
	a, b := t.sight(), u.sight()
	switch {
	case b == nil && (a == nil || !u.hasTexts()):
		return a
	case a == nil && !t.hasTexts():
		return b
	case a != nil && b != nil && !slices.ContainsFunc(a.values, func(v term.Term) bool { return !b.has(v) }):
		a, b = b, a // the order of facts and not that of branches
	}
	both := &sight{part: a == nil && t.hasTexts() || b == nil && u.hasTexts()}
	for _, s := range []*sight{a, b} {
		if s == nil {
			continue
		}
		both.more, both.part, both.changing = both.more || s.more, both.part || s.part, both.changing || s.changing
		if both.values == nil {
			both.values = slices.Clip(s.values)
			continue
		}
		for _, v := range s.values {
			switch full := len(both.values) == maxTexts; {
			case full && both.more:
			case both.has(v):
			case full:
				both.more = true
			default:
				both.values = append(both.values, v)
			}
		}
	}
	return both
}

// has reports whether a value is among the stored ones.
func (s *sight) has(v term.Term) bool {
	return slices.ContainsFunc(s.values, func(known term.Term) bool { return term.Compare(known, v) == 0 })
}

// hasTexts reports whether the type has atoms or strings.
func (t Type) hasTexts() bool { return t.kinds&(atoms|strs) != 0 || len(t.texts) > 0 }

func (t Type) sight() *sight {
	if t.seen == nil && len(t.texts) > 0 && t.Listed() {
		return &sight{values: t.texts}
	}
	return t.seen
}

// Seen returns the atoms and strings that current facts have, nil if the list is incomplete.
func (t Type) Seen() []term.Term {
	if len(t.texts) > 0 && t.Listed() {
		return t.texts
	}
	if t.seen == nil || t.seen.more || t.seen.part {
		return nil
	}
	return t.seen.values
}

// Opened returns the type of all terms, with the values of the type as seen in facts. more says that facts have further
// values, changing that runs may change the facts.
func (t Type) Opened(more, changing bool) Type {
	if t = Union(t, Any); t.seen != nil {
		s := *t.seen
		s.more, s.changing, t.seen = s.more || more, changing, &s
	}
	return t
}

// Sighted returns the first values that current facts have, in the order of the text: atoms, strings, dates and so on.
// Some of them may not be in the type. more says that facts have further values, changing that runs may change the
// facts, and all that the type has no other values.
func (t Type) Sighted() (values []term.Term, more, changing, all bool) {
	s := t.sight()
	if s == nil {
		return nil, false, false, false
	}
	others := slices.ContainsFunc(t.texts, func(text term.Term) bool { return !s.has(text) })
	return s.values, s.more, s.changing, t.Listed() && !s.more && !others
}

// Range returns the least and the greatest number of the type, nil if there is no bound that JSON represents exactly.
func (t Type) Range() (low, high term.Term) {
	if t.kinds&numbers == 0 {
		return nil, nil
	}
	return number(t.lo), number(t.hi)
}

func number(n float64) term.Term {
	switch {
	case math.Abs(n) >= exact:
		return nil
	case n == math.Trunc(n):
		return term.Int(n)
	}
	return term.Float(n)
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

// unions returns the pairwise unions of types, nil if some are unknown.
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

// Meet returns a type with the terms of both types in common, and perhaps others of them.
func Meet(t, u Type) Type {
	common := ranged(t.kinds&u.kinds, max(t.lo, u.lo), min(t.hi, u.hi))
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
	if common.seen = t.seen; t.seen == nil || t.seen.part && u.seen != nil && !u.seen.part {
		common.seen = u.seen
	}
	return common
}

// hasText reports whether an atom or a string is in the type.
func (t Type) hasText(text term.Term) bool {
	return t.kinds&classOf(text) != 0 || slices.Contains(t.texts, text)
}

// Tells reports whether the type lists compounds of a functor, and does not contain all compounds.
func (t Type) Tells(name term.Atom, arity int) bool {
	_, ok := t.shape(name, arity)
	return ok && t.kinds&compounds == 0
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

// meetShapes intersects two sets of compounds of one functor. ok is false if there are none.
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

// same reports whether two types are the same set with the same seen texts.
func (t Type) same(u Type) bool {
	a, b := t.seen, u.seen
	return t.Equal(u) && slices.EqualFunc(t.shapes, u.shapes, func(x, y shape) bool {
		return slices.EqualFunc(x.args, y.args, Type.same) && slices.EqualFunc(x.each, y.each, Type.same)
	}) && (a == b || a != nil && b != nil && a.more == b.more && a.part == b.part &&
		a.changing == b.changing && slices.EqualFunc(a.values, b.values, func(x, y term.Term) bool {
		return term.Compare(x, y) == 0
	}))
}

// unseen returns the type without seen values.
func (t Type) unseen() Type {
	if !t.some(func(t Type) bool { return t.seen != nil }) {
		return t
	}
	t.seen = nil
	return t.mapArgs(Type.unseen)
}

// unbound removes the bounds of numbers.
func (t *Type) unbound() {
	if t.kinds&numbers != 0 {
		t.lo, t.hi = -inf, inf
	}
}

// widened returns the type without ranges of numbers that a recursion could extend forever.
func (t Type) widened() Type {
	t.unbound()
	t.seen = nil
	return t.mapArgs(Type.widened)
}

// some reports whether f holds for a type or for a nested argument type.
func (t Type) some(f func(Type) bool) bool {
	within := func(arg Type) bool { return arg.some(f) }
	return f(t) || slices.ContainsFunc(t.shapes, func(s shape) bool {
		return slices.ContainsFunc(s.args, within) || slices.ContainsFunc(s.each, within)
	})
}

// deeper reports whether a type distinguishes compounds beyond some depth.
func (t Type) deeper(depth int) bool {
	within := func(arg Type) bool { return depth == 0 || arg.deeper(depth-1) }
	return slices.ContainsFunc(t.shapes, func(s shape) bool {
		return slices.ContainsFunc(s.args, within) || slices.ContainsFunc(s.each, within)
	})
}

// mapArgs returns the type with f applied to the argument types of its compounds.
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

// Coarse returns the classes of the terms of the type, with the seen texts.
func (t Type) Coarse() Type {
	if !t.some(func(t Type) bool { return len(t.texts) > 0 || t.IsBounded() }) {
		return t
	}
	t.seen = t.sight()
	for _, text := range t.texts {
		t.kinds |= classOf(text)
	}
	t.texts = nil
	t.unbound()
	return t.mapArgs(Type.Coarse)
}

// shallow returns a type that distinguishes compounds only to some depth.
func (t Type) shallow(depth int) Type {
	if !t.deeper(depth) {
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

// bounded returns the type, with less depth if it has too many parts.
func (t Type) bounded() Type {
	for depth := maxDepth - 1; depth >= 0 && t.parts() > maxParts; depth-- {
		t = t.shallow(depth)
	}
	return t
}

// parts counts the nested argument types of a type.
func (t Type) parts() (n int) {
	for _, s := range t.shapes {
		for _, args := range [][]Type{s.args, s.each} {
			for _, arg := range args {
				n += 1 + arg.parts()
			}
		}
	}
	return n
}

// Only reports whether a type is not empty and all its terms are in another one.
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
	}{{atoms, "an atom"}, {strs, "a string"}, {integers, t.rangeText("an integer")},
		{floats, t.rangeText("a float")}, {rationals, t.rangeText("a rational")},
		{compounds, "a compound"}, {blobs, "a stream"}} {
		if t.kinds&one.kind != 0 {
			parts = append(parts, one.name)
		}
	}
	for _, s := range t.shapes {
		switch {
		case s.name == term.Dot && s.arity == 2:
			parts = append(parts, "a list")
		case s.name == term.Dict:
			parts = append(parts, "a dict")
		default:
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

// rangeText describes the numbers of the type that has a name.
func (t Type) rangeText(noun string) string {
	low, high := t.lo > -inf, t.hi < inf
	switch {
	case low && t.lo == t.hi && t.kinds&numbers == integers:
		return fmt.Sprintf("%.0f", t.lo)
	case low && high:
		return fmt.Sprintf("%s from %v to %v", noun, t.lo, t.hi)
	case low:
		return fmt.Sprintf("%s from %v up", noun, t.lo)
	case high:
		return fmt.Sprintf("%s up to %v", noun, t.hi)
	}
	return noun
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

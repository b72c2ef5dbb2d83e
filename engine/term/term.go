// Package term holds Prolog terms as Go values.
//
// A [Term] is one of
//
//	Atom, String       texts
//	Int, *Big          integers, the first those of 64 bits
//	*Rational, Float   numbers that are no integers
//	*Var               a logic variable
//	*Compound          a functor with arguments; lists are './2' and '[]', as in ISO 13211-1
//	*Opaque            any Go value
//
// All are immutable after they are built, so goroutines may share them. A Compound may contain itself; every function
// here ends on such terms unless it says otherwise, and none recurses deeply in Go.
package term

import (
	"crypto/rand"
	"fmt"
	"iter"
	"math/big"
	"slices"
	"strconv"
	"sync/atomic"
)

// Term is any Prolog term. The set of implementations is closed.
type Term interface{ isTerm() }

// Atom is a symbol such as foo, [] or 'hello world'. The value is its text, without quotes.
type Atom string

// Int is an integer in the 64-bit range. Integers outside it are *Big.
type Int int64

// Big is an integer outside the 64-bit range. Make one with [NewInt], which chooses
// between Int and *Big, so that equal integers always have the same type.
type Big struct{ n *big.Int }

// Rational is a rational number that is not an integer. Make one with [NewRational], which returns integers as
// Int or *Big.
type Rational struct{ r *big.Rat }

// Float is an IEEE 754 double.
type Float float64

// String is a text distinct from atoms.
type String string

// Marshaler is a value that converts itself to a term.
type Marshaler interface {
	// MarshalTerm returns the term; nil is an error.
	MarshalTerm() (Term, error)
}

// Unmarshaler is a value, usually a pointer, that sets itself from a term.
type Unmarshaler interface {
	// UnmarshalTerm stores the term in the receiver. Its error is the cause of an engine.ConvertError.
	UnmarshalTerm(t Term) error
}

// Var is a logic variable. Two variables are the same when their pointers are.
type Var struct {
	// Name is the name in the source text, or "" for a variable that has none.
	Name string
	// ID orders variables by age and names those without a name: _G12 or _12.
	ID int64
}

// Compound is Functor(Args...), with arguments or none: foo() is not the atom foo.
type Compound struct {
	Functor Atom
	Args    []Term
}

// Opaque is a Go value in a term. Make one with [NewOpaque]. Prolog can pass it on and compare it with others. To
// Prolog it looks like an atom whose text cannot be guessed. Two opaque terms are the same if they come from the same
// call of NewOpaque.
type Opaque struct {
	name  Atom
	value any
}

// NewOpaque returns an opaque term that holds a value. The value may be nil. A clause of the database that contains the
// term keeps the value as long as the process lives.
func NewOpaque(value any) *Opaque {
	return &Opaque{Atom(fmt.Sprintf("%s%T %s>", OpaqueMark, value, rand.Text())), value}
}

// Value returns the Go value.
func (o *Opaque) Value() any { return o.value }

// Name returns the atom that Prolog sees.
func (o *Opaque) Name() Atom { return o.name }

func (Atom) isTerm()      {}
func (Int) isTerm()       {}
func (*Big) isTerm()      {}
func (*Rational) isTerm() {}
func (Float) isTerm()     {}
func (String) isTerm()    {}
func (*Var) isTerm()      {}
func (*Compound) isTerm() {}
func (*Opaque) isTerm()   {}

// Nil is the empty list, Curly the empty curly term.
const (
	Nil   = Atom("[]")
	Curly = Atom("{}")
	Dot   = Atom(".")
	True  = Atom("true")
	False = Atom("false")
	// EndOfFile is the term that reading returns at the end of a text.
	EndOfFile = Atom("end_of_file")
	// Dict is the functor of dicts.
	Dict = Atom("C'dict'")
	// DictCall is the functor of Dict.Function in a text, with two arguments.
	DictCall = Atom("$dot")
	// OpaqueMark begins the names of opaque terms.
	OpaqueMark = "<Go value "
)

var varCount atomic.Int64

// NewVar returns a fresh variable.
func NewVar(name string) *Var { return &Var{Name: name, ID: varCount.Add(1)} }

// String is the name of v as it is written: its source name, or _ and its number.
func (v *Var) String() string {
	if v.Name != "" && v.Name != "_" {
		return v.Name
	}
	return "_G" + strconv.FormatInt(v.ID, 10)
}

// NewInt returns n as an Int when it fits and as a *Big otherwise. It keeps no reference to n.
func NewInt(n *big.Int) Term {
	if n.IsInt64() {
		return Int(n.Int64())
	}
	return &Big{n: new(big.Int).Set(n)}
}

// Int returns a copy of the number.
func (b *Big) Int() *big.Int { return new(big.Int).Set(b.n) }

// String is the number in decimal.
func (b *Big) String() string { return b.n.String() }

// NewRational returns r, as an integer when it is one. It keeps no reference to r.
func NewRational(r *big.Rat) Term {
	if r.IsInt() {
		return NewInt(r.Num())
	}
	return &Rational{r: new(big.Rat).Set(r)}
}

// Rat returns a copy of the number.
func (r *Rational) Rat() *big.Rat { return new(big.Rat).Set(r.r) }

// String is the number as it is read and written, such as 1r3.
func (r *Rational) String() string { return r.r.Num().String() + "r" + r.r.Denom().String() }

// New returns the compound functor(args...), or the atom when there are no arguments.
func New(functor Atom, args ...Term) Term {
	if len(args) == 0 {
		return functor
	}
	return &Compound{Functor: functor, Args: args}
}

// List returns the proper list of items.
func List(items ...Term) Term { return PartialList(Nil, items...) }

// PartialList returns the list of items that ends in tail.
func PartialList(tail Term, items ...Term) Term {
	for i := len(items) - 1; i >= 0; i-- {
		tail = &Compound{Functor: Dot, Args: []Term{items[i], tail}}
	}
	return tail
}

// Conjunction returns the conjunction (G1, G2, ...) of goals, true when there are none.
func Conjunction(goals ...Term) Term {
	if len(goals) == 0 {
		return True
	}
	last := len(goals) - 1
	all := goals[last]
	for i := last - 1; i >= 0; i-- {
		all = New(",", goals[i], all)
	}
	return all
}

// Curlies returns {Item, Item, ...}, the atom {} when there are no items.
func Curlies(items ...Term) Term {
	if len(items) == 0 {
		return Curly
	}
	return New(Curly, Conjunction(items...))
}

// Conjuncts returns the goals of the conjunction (G1, G2, ...), or t itself for other terms. ok is false if t is
// cyclic; the result then has each of its goals at least once.
func Conjuncts(t Term) (goals []Term, ok bool) {
	slow := t
	for {
		pair, ok := Is(t, ",", 2)
		if !ok {
			return append(goals, t), true
		}
		goals, t = append(goals, pair[0]), pair[1]
		if len(goals)%2 == 0 { // slow moves at half the speed, so that goals meets it in a cycle
			slow = slow.(*Compound).Args[1]
			if slow == t {
				return goals, false
			}
		}
	}
}

// CurlyItems returns the items of {Item, Item, ...}, none for the atom {}; ok is false for other terms and for cyclic
// ones.
func CurlyItems(t Term) (items []Term, ok bool) {
	if t == Term(Curly) {
		return nil, true
	}
	args, ok := Is(t, Curly, 1)
	if !ok {
		return nil, false
	}
	return Conjuncts(args[0])
}

// Slice returns the items of a proper list; ok is false when t is not one (a partial or cyclic list is not).
func Slice(t Term) (items []Term, ok bool) {
	slow, move := t, false
	for {
		c, isCell := t.(*Compound)
		if !isCell {
			return items, t == Term(Nil)
		}
		if c.Functor != Dot || len(c.Args) != 2 {
			return nil, false
		}
		items = append(items, c.Args[0])
		t = c.Args[1]
		if move { // cycle check: slow moves at half the speed
			slow = slow.(*Compound).Args[1]
			if slow == t {
				if _, still := t.(*Compound); still {
					return nil, false
				}
			}
		}
		move = !move
	}
}

// Is reports whether t is a compound with this functor and arity and returns its arguments.
func Is(t Term, functor Atom, arity int) (args []Term, ok bool) {
	c, ok := t.(*Compound)
	if !ok || c.Functor != functor || len(c.Args) != arity {
		return nil, false
	}
	return c.Args, true
}

// Indicator returns the name and arity of an atom or compound, the parts of a predicate
// indicator; ok is false for any other term.
func Indicator(t Term) (name Atom, arity int, ok bool) {
	switch t := t.(type) {
	case Atom:
		return t, 0, true
	case *Compound:
		return t.Functor, len(t.Args), true
	}
	return "", 0, false
}

// Text returns the text of an atom or string; ok is false for any other term.
func Text(t Term) (text string, ok bool) {
	switch t := t.(type) {
	case Atom:
		return string(t), true
	case String:
		return string(t), true
	}
	return "", false
}

// Big returns the integer as a *big.Int.
func (i Int) Big() *big.Int { return big.NewInt(int64(i)) }

// This part defines which terms are control constructs (ISO 13211-1, 7.8).

// Parts returns t and all its parts, depth first and left to right, a compound before its arguments. A part that occurs
// several times is returned several times. The sequence of a cyclic term is endless.
func Parts(t Term) iter.Seq[Term] {
	return func(yield func(Term) bool) {
		stack := []Term{t}
		for len(stack) > 0 {
			part := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if !yield(part) {
				return
			}
			if c, ok := part.(*Compound); ok {
				for i := len(c.Args) - 1; i >= 0; i-- {
					stack = append(stack, c.Args[i])
				}
			}
		}
	}
}

// Variables returns the distinct variables of terms, depth first and left to right.
func Variables(terms ...Term) []*Var {
	var list []*Var
	seenVar := map[*Var]bool{}
	seen := map[*Compound]bool{}
	stack := slices.Clone(terms)
	slices.Reverse(stack)
	for len(stack) > 0 {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch t := t.(type) {
		case *Var:
			if !seenVar[t] {
				seenVar[t] = true
				list = append(list, t)
			}
		case *Compound:
			if seen[t] {
				continue
			}
			seen[t] = true
			for i := len(t.Args) - 1; i >= 0; i-- {
				stack = append(stack, t.Args[i])
			}
		}
	}
	return list
}

// Rename returns t with variables replaced. Sharing and cycles are kept; t itself is not changed.
func Rename(t Term, to map[*Var]Term) Term {
	return Replace(t, func(part Term) (Term, bool) {
		v, ok := part.(*Var)
		if !ok {
			return nil, false
		}
		r, ok := to[v]
		return r, ok
	})
}

// Replace returns t with the parts replaced for which by returns something else and true. It does not replace parts of
// the replacements. Sharing and cycles are kept; t itself is not changed.
func Replace(t Term, by func(part Term) (Term, bool)) Term {
	copies := map[*Compound]*Compound{}
	var todo []*Compound
	one := func(t Term) Term {
		if r, ok := by(t); ok {
			return r
		}
		if t, ok := t.(*Compound); ok {
			c := copies[t]
			if c == nil {
				c = &Compound{Functor: t.Functor, Args: make([]Term, len(t.Args))}
				copies[t] = c
				todo = append(todo, t)
			}
			return c
		}
		return t
	}
	root := one(t)
	for len(todo) > 0 {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for i, a := range c.Args {
			copies[c].Args[i] = one(a)
		}
	}
	return root
}

// This part defines dicts, the maps from keys to values of SWI-Prolog 7. A dict Tag{Key: Value, ...} is a compound with
// the arguments Tag, Value, Key, Value, Key ... in the standard order of the keys, which are atoms and small integers.
// Two dicts thus unify if they have the same keys, and their tags and values unify.

// Pair is a key of a dict with its value.
type Pair struct{ Key, Value Term }

// Fits reports whether the key is allowed in a dict.
func (p Pair) Fits() bool {
	switch p.Key.(type) {
	case Atom, Int:
		return true
	}
	return false
}

// NewDict returns the dict with a tag and pairs, which it sorts. If two pairs have the same key, duplicate is this key
// and the dict is nil.
func NewDict(tag Term, pairs []Pair) (dict, duplicate Term) {
	slices.SortFunc(pairs, func(a, b Pair) int { return Compare(a.Key, b.Key) })
	args := make([]Term, 1, 1+2*len(pairs))
	args[0] = tag
	for i, p := range pairs {
		if i > 0 && p.Key == pairs[i-1].Key {
			return nil, p.Key
		}
		args = append(args, p.Value, p.Key)
	}
	return &Compound{Functor: Dict, Args: args}, nil
}

// DictOf returns the tag and the pairs of a dict, in the order of the keys; ok is false for other terms.
func DictOf(t Term) (tag Term, pairs []Pair, ok bool) {
	c, isCompound := t.(*Compound)
	if !isCompound || !c.IsDict() {
		return nil, nil, false
	}
	for i := 1; i < len(c.Args); i += 2 {
		pairs = append(pairs, Pair{Key: c.Args[i+1], Value: c.Args[i]})
	}
	return c.Args[0], pairs, true
}

// IsDict reports whether a compound is a dict.
func (c *Compound) IsDict() bool {
	if c.Functor != Dict || len(c.Args)%2 == 0 {
		return false
	}
	for i := 2; i < len(c.Args); i += 2 {
		if !(Pair{Key: c.Args[i]}).Fits() || i > 2 && Compare(c.Args[i-2], c.Args[i]) >= 0 {
			return false
		}
	}
	return true
}

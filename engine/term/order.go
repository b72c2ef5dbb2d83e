package term

import (
	"cmp"
	"math"
	"math/big"
)

// This file defines the standard order of terms (ISO 13211-1, 7.2, with strings after atoms
// and numbers compared by value, as in SWI-Prolog's manual, section 4.6.1).

// rank is the place of a type in the standard order: Var < Number < Atom < String < Compound.
func rank(t Term) int {
	switch t.(type) {
	case *Var:
		return 0
	case Int, *Big, *Rational, Float:
		return 1
	case Atom, *Opaque:
		return 2
	case String:
		return 3
	}
	return 4
}

// Compare orders a and b by the standard order and returns -1, 0 or 1. Compounds are ordered by arity, then name, then
// arguments from left to right. On cyclic terms it returns 0 for terms with the same infinite tree.
func Compare(a, b Term) int {
	type pair struct{ a, b Term }
	var seen map[[2]*Compound]bool
	stack := []pair{{a, b}}
	for steps := 0; len(stack) > 0; steps++ {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		ca, oka := p.a.(*Compound)
		cb, okb := p.b.(*Compound)
		if !oka || !okb {
			if d := compareAtomic(p.a, p.b); d != 0 {
				return d
			}
			continue
		}
		if ca == cb {
			continue
		}
		if steps > 10_000 { // from here on remembering pairs pays, and it ends cycles
			if seen == nil {
				seen = map[[2]*Compound]bool{}
			}
			if seen[[2]*Compound{ca, cb}] {
				continue
			}
			seen[[2]*Compound{ca, cb}] = true
		}
		if d := cmp.Compare(len(ca.Args), len(cb.Args)); d != 0 {
			return d
		}
		if d := cmp.Compare(ca.Functor, cb.Functor); d != 0 {
			return d
		}
		for i := len(ca.Args) - 1; i >= 0; i-- {
			stack = append(stack, pair{ca.Args[i], cb.Args[i]})
		}
	}
	return 0
}

// compareAtomic orders two terms of which at least one is not compound.
func compareAtomic(a, b Term) int {
	if d := cmp.Compare(rank(a), rank(b)); d != 0 {
		return d
	}
	a, b = asAtom(a), asAtom(b)
	switch a := a.(type) {
	case *Var:
		return cmp.Compare(a.ID, b.(*Var).ID)
	case Atom:
		return cmp.Compare(a, b.(Atom))
	case String:
		return cmp.Compare(a, b.(String))
	}
	return CompareNumbers(a, b)
}

// asAtom returns the atom that an opaque term is compared as, and other terms as they are.
func asAtom(t Term) Term {
	if o, ok := t.(*Opaque); ok {
		return o.name
	}
	return t
}

// CompareNumbers orders two numbers by value without rounding; a float that equals an
// integer or a rational comes before it, and -0.0 before 0.0. NaN comes before all other numbers.
func CompareNumbers(a, b Term) int {
	fa, isFloatA := a.(Float)
	fb, isFloatB := b.(Float)
	switch {
	case isFloatA && isFloatB:
		return cmp.Or(cmp.Compare(fa, fb), cmp.Compare(signOfZero(fb), signOfZero(fa)))
	case isFloatA:
		if d := -compareFloat(b, float64(fa)); d != 0 {
			return d
		}
		return -1
	case isFloatB:
		if d := compareFloat(a, float64(fb)); d != 0 {
			return d
		}
		return 1
	}
	ia, okA := a.(Int)
	ib, okB := b.(Int)
	if okA && okB {
		return cmp.Compare(ia, ib)
	}
	_, ratioA := a.(*Rational)
	_, ratioB := b.(*Rational)
	if ratioA || ratioB {
		return toRat(a).Cmp(toRat(b))
	}
	return toBig(a).Cmp(toBig(b))
}

// signOfZero is 1 for -0.0.
func signOfZero(f Float) int {
	if f == 0 && math.Signbit(float64(f)) {
		return 1
	}
	return 0
}

func toBig(t Term) *big.Int {
	if b, ok := t.(*Big); ok {
		return b.n
	}
	return big.NewInt(int64(t.(Int)))
}

func toRat(t Term) *big.Rat {
	if r, ok := t.(*Rational); ok {
		return r.r
	}
	return new(big.Rat).SetInt(toBig(t))
}

// compareFloat compares an integer or a rational with a float exactly.
func compareFloat(x Term, f float64) int {
	switch {
	case math.IsNaN(f):
		return 1
	case math.IsInf(f, 1):
		return -1
	case math.IsInf(f, -1):
		return 1
	}
	if r, ok := x.(*Rational); ok {
		return r.r.Cmp(new(big.Rat).SetFloat64(f))
	}
	return new(big.Float).SetInt(toBig(x)).Cmp(big.NewFloat(f))
}

// SameRounded reports whether two different numbers are equal when converted to floats, as integers beyond 2^53 may be.
func SameRounded(a, b Term) bool {
	const exact = 1 << 53
	x, okA := asFloat(a)
	y, okB := asFloat(b)
	return okA && okB && x == y && math.Abs(x) >= exact && !math.IsInf(x, 0) && !Equal(a, b)
}

// asFloat returns the float nearest to an integer or float.
func asFloat(x Term) (f float64, isNumber bool) {
	switch x := x.(type) {
	case Int:
		return float64(x), true
	case Float:
		return float64(x), true
	case *Big:
		f, _ = new(big.Float).SetInt(x.n).Float64()
		return f, true
	}
	return 0, false
}

// Equal reports whether a and b are identical: the same structure with the same variables.
func Equal(a, b Term) bool { return Compare(a, b) == 0 }

package compile

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
)

// This file defines which clauses cannot match a call because the tests at the beginning of their bodies fail for what
// the call has in an argument. They are left out of the chain for such calls, as clauses with another key are: `p(X) :-
// var(X), !, ...` does not keep a call with an atom from being deterministic.

// class is what is known of an argument besides its key, which may be [noKey]. It is the way that a call
// has taken at a switch.
type class uint8

const (
	constants class = iota // an atom or small integer
	lists
	structures
)

// refuted reports whether a clause fails at once when an argument, for which it has a variable, is of a class and has a
// key. Only tests at the beginning count that throw nothing and have no effect, as the call would miss these.
func refuted(cl *database.Clause, arg int, key cell, of class) bool {
	v := cl.HeadArg(arg)
	if !isVar(v) {
		return false
	}
	for t := cl.Body; ; {
		first, more := t, false
		if bodyFunctor(cl, t) == code.FComma {
			first, more = cl.Cells[t.Addr()+1], true
		}
		if cl.SSU {
			if bodyFunctor(cl, first) != fGuard {
				return false
			}
			first, more = cl.Cells[first.Addr()+1], false
		}
		failing, pure := testFails(cl, first, v, key, of)
		if failing || !pure || !more {
			return failing
		}
		t = cl.Cells[t.Addr()+2]
	}
}

// bodyFunctor returns the functor of a goal in the cells of a clause, 0 when it is no compound.
func bodyFunctor(cl *database.Clause, t cell) cell {
	if t.Tag() != code.Str {
		return 0
	}
	return cl.Cells[t.Addr()]
}

// testFails reports whether goal t fails, v having the key; pure says that it is a test which throws nothing.
func testFails(cl *database.Clause, t, v, key cell, of class) (failing, pure bool) {
	f := bodyFunctor(cl, t)
	test, isType := typeTests[f]
	_, compares := comparisons[f]
	if !isType && !compares {
		return false, false
	}
	if p := cl.Pred.Module.Resolve(f); p == nil || !p.Has(database.Locked) {
		return false, false
	}
	a := cl.Cells[t.Addr()+1]
	if isType {
		return a == v && typeFails(test, key, of), true
	}
	b := cl.Cells[t.Addr()+2]
	switch {
	case key.Tag() != code.Int:
	case a == v && b.Tag() == code.Int:
		return !holds(f, key.Int(), b.Int()), true
	case b == v && a.Tag() == code.Int:
		return !holds(f, a.Int(), key.Int()), true
	}
	return false, false
}

// typeFails reports whether a type test fails for all terms of a class with a key. Floats, strings and big
// integers are in no class: a switch treats them as variables, for which all clauses are tried.
func typeFails(test code.Test, key cell, of class) bool {
	known := key != noKey
	switch test {
	case code.TestVar, code.TestFloat, code.TestString:
		return true
	case code.TestAtom:
		return of != constants || known && key.Tag() != code.Atom
	case code.TestInteger, code.TestNumber:
		return of != constants || known && key.Tag() != code.Int
	case code.TestAtomic:
		return of != constants
	case code.TestCompound:
		return of == constants
	case code.TestCallable:
		return of == constants && known && key.Tag() != code.Atom
	case code.TestIsList:
		return of == structures || of == constants && known && key != code.ANil
	}
	return false
}

// holds reports whether a comparison of integers is true.
func holds(f cell, a, b int64) bool {
	switch code.AtomText(f.FunctorAtom()) {
	case "<":
		return a < b
	case "=<":
		return a <= b
	case ">":
		return a > b
	case ">=":
		return a >= b
	case "=:=":
		return a == b
	}
	return a != b
}

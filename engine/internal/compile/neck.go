package compile

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
)

// This file answers questions about the head of a clause and the goals at the neck, which come first in its body. The
// compiler and the linker both ask them, so that the code of a clause and the chain that enters it agree.

// lastArg is the last argument that a chain can test.
const lastArg = 7

// fGuard is the goal in the body of a clause with => that ends its guard.
var fGuard = code.Functor("$guard", 1)

// typeTests maps type tests to instructions.
var typeTests = map[cell]code.Test{
	code.Functor("var", 1):      code.TestVar,
	code.Functor("nonvar", 1):   code.TestNonvar,
	code.Functor("atom", 1):     code.TestAtom,
	code.Functor("integer", 1):  code.TestInteger,
	code.Functor("float", 1):    code.TestFloat,
	code.Functor("number", 1):   code.TestNumber,
	code.Functor("atomic", 1):   code.TestAtomic,
	code.Functor("compound", 1): code.TestCompound,
	code.Functor("callable", 1): code.TestCallable,
	code.Functor("string", 1):   code.TestString,
	code.Functor("is_list", 1):  code.TestIsList,
}

// comparisons maps comparisons to instructions; > and >= are < and =< with exchanged sides.
var comparisons = map[cell]code.Op{
	code.Functor("<", 2):    code.OpLess,
	code.Functor("=<", 2):   code.OpLessEq,
	code.Functor(">", 2):    code.OpLess,
	code.Functor(">=", 2):   code.OpLessEq,
	code.Functor("=:=", 2):  code.OpNumEq,
	code.Functor("=\\=", 2): code.OpNumNe,
}

// firstGoal returns the first goal in the body of a clause.
func firstGoal(cl *database.Clause) cell {
	if body := termsOf(cl); body.functor(cl.Body) == code.FComma {
		return body.args(cl.Body)[0]
	}
	return cl.Body
}

// cutsAtOnce reports whether the body of a clause begins with a cut.
func cutsAtOnce(cl *database.Clause) bool {
	first := firstGoal(cl)
	if cl.SSU {
		return termsOf(cl).functor(first) != fGuard
	}
	return first == code.ACut
}

// matchesAlways reports whether the head of a clause matches every call in which the arguments in done have the keys of
// the clause.
func matchesAlways(cl *database.Clause, done uint) bool {
	seen := map[cell]bool{}
	// A variable that occurs twice matches only if the two arguments are equal.
	restricts := func(t cell) bool {
		narrow := !isVar(t) || seen[t]
		seen[t] = true
		return narrow
	}
	for i := range cl.Pred.Arity() {
		t := cl.HeadArg(i)
		if isVar(t) {
			if restricts(t) {
				return false
			}
			continue
		}
		if i > lastArg || done>>i&1 == 0 {
			return false
		}
		if isCompound(t) && slices.ContainsFunc(termsOf(cl).args(t), restricts) {
			return false
		}
	}
	return true
}

// hasLateNeck reports whether the code of a clause marks the end of the head, unless it is guarded. A chain may enter a
// clause late only if its code has the mark. A head that matches everything does not benefit, unless a test follows.
func hasLateNeck(cl *database.Clause) bool {
	return !cl.SSU && cl.Pred.Arity() > 0 && (!matchesAlways(cl, 0) || beginsWithTest(cl))
}

// beginsWithTest reports whether the first goal of a clause is a comparison of numbers or a type test.
func beginsWithTest(cl *database.Clause) bool {
	f := termsOf(cl).functor(firstGoal(cl))
	_, isType := typeTests[f]
	_, compares := comparisons[f]
	return isType || compares
}

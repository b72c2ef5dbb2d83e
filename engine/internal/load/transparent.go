package load

import (
	"fmt"

	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines module_transparent/1. The clauses of a transparent predicate p(X) of a module m belong to a
// predicate 'p in'(Context, X) of m, in which arguments that depend on a module get Context. The compiler makes calls
// of p from a module c calls of 'p in'(c, X); goals that are built at run time come to the same. p(X) itself has one
// clause, which calls 'p in'(user, X): goals without a module belong to user.

// moduleTransparent runs module_transparent(Indicators).
func (l *Loader) moduleTransparent(args []term.Term) {
	l.eachPredicate(args[0], func(pred *database.Pred) { l.transparent(l.p.definer, pred) })
}

// transparent makes a predicate transparent. The clauses that it has are moved.
func (l *Loader) transparent(by *database.Definer, pred *database.Pred) {
	if pred.Has(database.Transparent) {
		return
	}
	l.p.Declare(by, pred, database.Transparent)
	if pred.Has(database.Dynamic|database.Tabled) || pred.Builtin >= 0 || pred.Arity() == MaxArity {
		return
	}
	earlier, ok := l.takeClauses(pred, "transparent")
	if !ok {
		by.Clear(pred, database.Transparent)
		return
	}
	own := by.MakeContext(pred)
	l.p.metaChanged = true
	l.putBehind(earlier, func(head term.Term) (*database.Pred, term.Term) { return l.headInContext(pred, own, head) })
}

// headInContext returns the predicate that a clause of a transparent one is added to, and the head of the clause there.
// It gives the transparent predicate its own clause with the first of them.
func (l *Loader) headInContext(pred, own *database.Pred, head term.Term) (*database.Pred, term.Term) {
	var args []term.Term
	if c, ok := head.(*term.Compound); ok {
		args = c.Args
	}
	if !hasClauses(pred) {
		own.File, own.Line = pred.File, pred.Line
		l.addContextCall(pred, own)
	}
	return own, compound(own.Name(), append([]term.Term{term.NewVar("Context")}, args...))
}

// addContextCall adds the clause of a transparent predicate for callers that have no module.
func (l *Loader) addContextCall(pred, own *database.Pred) {
	args := make([]term.Term, pred.Arity())
	for i := range args {
		args[i] = term.NewVar(fmt.Sprintf("A%d", i+1))
	}
	read := l.read
	defer func() { l.read = read }()
	if read != nil {
		only := *read
		only.Layout = nil
		l.read = &only
	}
	head, body := compound(pred.Name(), args), compound(own.Name(), append([]term.Term{term.Atom("user")}, args...))
	l.addClause(pred, clauseParts{home: pred.Module, scope: pred.Module, head: head, body: body})
}

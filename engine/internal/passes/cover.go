package passes

import (
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/shapes"
)

// This file defines coverage. It adds goals to clauses that count how often they are reached.

// PointKind is the kind of a point of a clause at which coverage counts.
type PointKind uint8

// A clause is entered when its head has unified, and left when its body has an answer. A branch is one of a
// disjunction or a conditional.
const (
	PointEntered PointKind = iota
	PointLeft
	PointBranch
)

// CoveredPredicate is the predicate that counts. Its argument is the number of a point.
const CoveredPredicate = "$covered"

// Coverage adds the points of one clause.
type Coverage struct {
	// Number returns the number of a new point, -1 if it is not to be counted. It is called once for each point. The
	// entry of the clause comes first, its end last.
	Number func(kind PointKind, at syntax.Place) int
	At     syntax.Place // of the clause
	Lines  []int32      // the lines of the goals that are still to come
	out    []int32      // the lines of the goals with the added ones
}

// Out returns the lines of all goals, the added ones included.
func (k *Coverage) Out() []int32 { return k.out }

// Clause adds the points of a clause to its body. at is where the clause is entered.
func (k *Coverage) Clause(body term.Term, layout *syntax.Layout, at syntax.Place) term.Term {
	entered := k.point(PointEntered, at)
	if body == term.Term(term.True) {
		return entered
	}
	body = k.body(body, layout)
	return term.New(",", entered, term.New(",", body, k.point(PointLeft, at)))
}

// point returns the goal that counts at a place. For a point that is not counted the goal is true, so that the list
// of lines still fits.
func (k *Coverage) point(kind PointKind, at syntax.Place) term.Term {
	n := k.Number(kind, at)
	k.out = append(k.out, int32(0))
	if len(k.Lines) > 0 {
		k.out[len(k.out)-1] = k.Lines[0]
	} else if len(k.out) > 1 {
		k.out[len(k.out)-1] = k.out[len(k.out)-2]
	}
	if n < 0 {
		return term.True
	}
	return term.New(CoveredPredicate, term.Int(n))
}

// body adds the points of branches to goals.
func (k *Coverage) body(t term.Term, l *syntax.Layout) term.Term {
	var done []term.Term // conjuncts, walked in a loop: there may be very many
	for {
		args, ok := term.Is(t, ",", 2)
		if !ok {
			break
		}
		done = append(done, k.part(args[0], l.Arg(0), false))
		t, l = args[1], l.Arg(1)
	}
	return term.Conjunction(append(done, k.part(t, l, false))...)
}

// part adds points to a goal that is no conjunction. branch says that it is a branch of a disjunction.
func (k *Coverage) part(t term.Term, l *syntax.Layout, branch bool) term.Term {
	if args, ok := term.Is(t, ";", 2); ok {
		first := k.part(args[0], l.Arg(0), true)
		return term.New(";", first, k.part(args[1], l.Arg(1), true))
	}
	for _, arrow := range []term.Atom{"->", "*->"} {
		if args, ok := term.Is(t, arrow, 2); ok {
			tested := k.body(args[0], l.Arg(0))
			at := k.place(l.Arg(1))
			return term.New(arrow, tested, term.New(",", k.point(PointBranch, at), k.body(args[1], l.Arg(1))))
		}
	}
	switch {
	case branch:
		return term.New(",", k.point(PointBranch, k.place(l)), k.body(t, l))
	case isConjunction(t):
		return k.body(t, l)
	}
	if args, ok := shapes.Control(t); ok && len(args) == 1 {
		return term.New(`\+`, k.body(args[0], l.Arg(0)))
	}
	if len(k.Lines) > 0 {
		k.out, k.Lines = append(k.out, k.Lines[0]), k.Lines[1:]
	}
	return t
}

func isConjunction(t term.Term) bool {
	_, ok := term.Is(t, ",", 2)
	return ok
}

// place returns the place of a layout, or that of the clause.
func (k *Coverage) place(l *syntax.Layout) syntax.Place {
	if l == nil || l.Pos.Line == 0 {
		return k.At
	}
	return syntax.Place{Line: l.Pos.Line, Column: l.Pos.Column}
}

package load

import (
	"path"

	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/law"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/shapes"
)

// This file defines coverage: goals that are added to clauses and count how often they are reached.

// PointKind says what is counted at a point of a clause.
type PointKind uint8

// A clause is entered when its head has unified, and left when its body has an answer. A branch is one of a
// disjunction or a conditional.
const (
	PointEntered PointKind = iota
	PointLeft
	PointBranch
)

// Point is a place in a clause that is counted.
type Point struct {
	syntax.Position
	Kind PointKind
	// Predicate is the indicator of the predicate. A labelled rule has its Label besides.
	Predicate, Label string
}

// Cover makes a point and returns its number, -1 if it is not to be counted. It is called once for each point, the
// entry of a clause first and its end last.
type Cover func(p Point) int

// CoveredPredicate is the predicate that counts; its argument is the number of a point.
const CoveredPredicate = "$covered"

// coverer adds the points of one clause.
type coverer struct {
	l         *Loader
	predicate string
	lines     []int32 // of the goals that are left
	out       []int32 // of the goals with those that were added
	// again are the numbers of points of another clause that this clause counts too. made is how many of them are used.
	again []int
	made  int
}

// covered returns the body of a clause with goals that count, and the lines of its goals. Tests, libraries,
// dynamic predicates and what directives define, as the wrappers of tabled predicates, are not counted. nil lines are
// not known.
func (l *Loader) covered(pred *database.Pred, c *clauseParts, lines []int32) (term.Term, []int32) {
	if l.p.opts.Cover == nil || l.read == nil || l.read.Term == nil && !l.ofTable || l.library || l.unit != nil ||
		path.Ext(l.name) == ".plt" || pred.Has(database.Dynamic|database.Tabled) {
		return c.body, lines
	}
	k := &coverer{l: l, predicate: database.FunctorText(pred.Shown()), lines: lines}
	if l.ofTable {
		return k.whole(c.body, nil, l.at()), nil
	}
	if _, directive := term.Is(l.read.Term, ":-", 1); directive {
		return c.body, lines
	}
	var layout *syntax.Layout
	if args, ok := term.Is(l.read.Term, ":-", 2); ok && len(l.read.Layout.Args) == 2 && !c.ssu {
		if _, junction := shapes.Control(args[1]); junction {
			layout = l.read.Layout.Args[1]
		}
	}
	at := l.at()
	if guarded, ok := term.Is(c.body, ",", 2); ok && c.ssu {
		if _, ok := term.Is(guarded[0], "$guard", 1); ok { // the head is not chosen before the guard holds
			rest := k.whole(guarded[1], nil, at)
			return term.New(",", guarded[0], rest), nil
		}
	}
	body := k.whole(c.body, layout, at)
	if lines == nil {
		return body, nil
	}
	return body, k.out
}

// whole adds the points of a clause to its body.
func (k *coverer) whole(body term.Term, layout *syntax.Layout, at syntax.Place) term.Term {
	entered := k.point(PointEntered, at)
	if body == term.Term(term.True) {
		return entered
	}
	body = k.body(body, layout)
	return term.New(",", entered, term.New(",", body, k.point(PointLeft, at)))
}

// point returns the goal that counts at a place. One that is not counted becomes true, so that the lines of the goals
// still fit.
func (k *coverer) point(kind PointKind, at syntax.Place) term.Term {
	n := k.number(kind, at)
	k.out = append(k.out, int32(0))
	if len(k.lines) > 0 {
		k.out[len(k.out)-1] = k.lines[0]
	} else if len(k.out) > 1 {
		k.out[len(k.out)-1] = k.out[len(k.out)-2]
	}
	if n < 0 {
		return term.True
	}
	return term.New(CoveredPredicate, term.Int(n))
}

// number returns the number of a new point, or the next number of again.
func (k *coverer) number(kind PointKind, at syntax.Place) (n int) {
	p := Point{syntax.At(k.l.name, at.Line, at.Column), kind, k.predicate, ""}
	switch r := k.l.rule; {
	case k.again != nil && kind == PointLeft:
		return k.again[len(k.again)-1]
	case k.again != nil && k.made < len(k.again)-1:
		k.made++
		return k.again[k.made-1]
	case k.again != nil:
		return -1
	case r != nil:
		p.Predicate, p.Label = database.FunctorText(r.Pred.Shown()), string(r.Label)
		n = k.l.p.opts.Cover(p)
		r.Points = append(r.Points, n)
		return n
	}
	return k.l.p.opts.Cover(p)
}

// coverApplies adds the points of a labelled rule to the clause that says whether it applies. So a rule counts as
// reached even if it is asked only as the stronger one.
func (l *Loader) coverApplies(r *law.Rule, clause term.Term) term.Term {
	if args, ok := term.Is(clause, ":-", 2); ok && len(r.Points) > 0 {
		return term.New(":-", args[0], (&coverer{l: l, again: r.Points}).whole(args[1], nil, r.At))
	}
	return clause
}

// body adds the points of branches to goals.
func (k *coverer) body(t term.Term, l *syntax.Layout) term.Term {
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

// part adds points to a goal that is no conjunction, or to one of the branches of a disjunction.
func (k *coverer) part(t term.Term, l *syntax.Layout, branch bool) term.Term {
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
	if len(k.lines) > 0 {
		k.out, k.lines = append(k.out, k.lines[0]), k.lines[1:]
	}
	return t
}

func isConjunction(t term.Term) bool {
	_, ok := term.Is(t, ",", 2)
	return ok
}

// place is that of a layout, or of the clause.
func (k *coverer) place(l *syntax.Layout) syntax.Place {
	if l == nil || l.Pos.Line == 0 {
		return k.l.at()
	}
	return syntax.Place{Line: l.Pos.Line, Column: l.Pos.Column}
}

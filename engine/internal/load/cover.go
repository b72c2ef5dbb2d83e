package load

import (
	"path"

	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/law"
	"github.com/mcplogic/mcplogic/engine/internal/passes"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/shapes"
)

// This file defines which clauses count how often they are reached, and describes the counted points.

// Point is a place in a clause that is counted.
type Point struct {
	syntax.Position
	Kind passes.PointKind
	// Predicate is the indicator of the predicate. A labelled rule has its Label besides.
	Predicate, Label string
}

// Cover makes a point and returns its number, -1 if it is not to be counted. It is called once for each point, the
// entry of a clause first and its end last.
type Cover func(p Point) int

// covered returns the body of a clause with goals that count, and the lines of its goals. Tests, libraries,
// dynamic predicates and clauses defined by directives, such as the wrappers of tabled predicates, are not counted.
// lines is nil if the lines are not known.
func (l *Loader) covered(pred *database.Pred, c *clauseParts, lines []int32) (term.Term, []int32) {
	if l.p.opts.Cover == nil || l.read == nil || l.read.Term == nil && !l.ofTable || l.library || l.unit != nil ||
		path.Ext(l.name) == ".plt" || pred.Has(database.Dynamic|database.Tabled) {
		return c.body, lines
	}
	k := &passes.Coverage{Number: l.pointNumber(pred), At: l.at(), Lines: lines}
	if l.ofTable {
		return k.Clause(c.body, nil, k.At), nil
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
	if guarded, ok := term.Is(c.body, ",", 2); ok && c.ssu {
		if _, ok := term.Is(guarded[0], "$guard", 1); ok { // the clause is not chosen before the guard holds
			rest := k.Clause(guarded[1], nil, k.At)
			return term.New(",", guarded[0], rest), nil
		}
	}
	body := k.Clause(c.body, layout, k.At)
	if lines == nil {
		return body, nil
	}
	return body, k.Out()
}

// pointNumber returns a function that numbers the points of a clause.
func (l *Loader) pointNumber(pred *database.Pred) func(kind passes.PointKind, at syntax.Place) int {
	return func(kind passes.PointKind, at syntax.Place) int {
		p, r := Point{Position: syntax.At(l.name, at.Line, at.Column), Kind: kind}, l.rule
		if r == nil {
			p.Predicate = database.FunctorText(pred.Shown())
			return l.p.opts.Cover(p)
		}
		p.Predicate, p.Label = database.FunctorText(r.Pred.Shown()), string(r.Label)
		n := l.p.opts.Cover(p)
		r.Points = append(r.Points, n)
		return n
	}
}

// coverApplies adds the points of a labelled rule to the clause that says whether it applies. So a rule counts as
// reached even if it is only tested because it overrides another rule.
func (l *Loader) coverApplies(r *law.Rule, clause term.Term) term.Term {
	args, ok := term.Is(clause, ":-", 2)
	if !ok || len(r.Points) == 0 {
		return clause
	}
	end := len(r.Points) - 1
	before := r.Points[:end]
	number := func(kind passes.PointKind, _ syntax.Place) int {
		switch {
		case kind == passes.PointLeft:
			return r.Points[end]
		case len(before) == 0:
			return -1
		}
		n := before[0]
		before = before[1:]
		return n
	}
	return term.New(":-", args[0], (&passes.Coverage{Number: number}).Clause(args[1], nil, r.At))
}

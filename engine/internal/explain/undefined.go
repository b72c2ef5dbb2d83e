package explain

import (
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how answers are explained that are neither true nor false in the well-founded semantics.

// neither describes such a goal.
const neither = "neither true nor false"

// undefinedReason marks the nodes of goals that are neither true nor false and returns the reason as a line: a loop
// through negation, or a goal that is undefined by itself. rests says whether the answer depends on such a goal. If
// not, only goals that are undefined by themselves are marked, and the line is "".
func (n *Node) undefinedReason(rests bool) string {
	w := undefinedWalk{seen: map[*Node]bool{}, rests: rests}
	w.mark(n, nil)
	if !rests {
		return ""
	}
	n.Undefined = true
	line := "`" + n.shown + "` is " + neither
	switch {
	case len(w.loop) > 0:
		line += ": " + strings.Join(w.loop, ", ")
	case w.leaf != "":
		line += ": it rests on `" + w.leaf + "`"
	}
	return line + "\n"
}

// undefinedWalk searches a proof for the reason of an undefined goal.
type undefinedWalk struct {
	seen  map[*Node]bool
	rests bool
	loop  []string // the goals of a loop, each with the one that it depends on
	leaf  string   // a goal below which nothing is shown
}

// mark marks a node and those below it. way holds the undefined goals from the root down to it.
func (w *undefinedWalk) mark(n *Node, way []*Node) {
	if w.seen[n] {
		return
	}
	w.seen[n] = true
	if n.Undefined {
		way = append(slices.Clip(way), n)
		w.close(way)
	}
	for _, kid := range n.kids {
		w.mark(kid, way)
		if w.rests && kid.Undefined && n.By == "rule" {
			n.Undefined = true
		}
	}
}

// close notes the loop if the last goal negates an earlier one, else the last goal if nothing is below it.
func (w *undefinedWalk) close(way []*Node) {
	last := way[len(way)-1]
	if w.loop != nil || len(last.kids) > 0 {
		return
	}
	if w.leaf == "" {
		w.leaf = last.shown
	}
	of := goalOf(negated(last.call.Term)).Term
	from := slices.IndexFunc(way, func(n *Node) bool { return of != nil && term.Compare(n.call.Term, of) == 0 })
	if from < 0 {
		return
	}
	for i, n := range way[from : len(way)-1] {
		if negated(n.call.Term) == nil {
			w.loop = append(w.loop, "`"+n.shown+"` rests on `"+way[from+i+1].shown+"`")
		}
	}
}

// negated returns the goal that another goal negates, nil for other goals.
func negated(goal term.Term) term.Term {
	for _, negation := range []term.Atom{"tnot", "\\+", "not"} {
		if args, ok := term.Is(goal, negation, 1); ok {
			return args[0]
		}
	}
	return nil
}

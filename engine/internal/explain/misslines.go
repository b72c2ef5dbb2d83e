package explain

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines the nodes of misses.

// cutLines returns the first lines of a text, in at most most bytes, with dots for the rest.
func cutLines(text string, most int) string {
	const dots = "...\n"
	if len(text) <= most {
		return text
	}
	text = syntax.CutText(text, max(most-len(dots), 0))
	if end := strings.LastIndexByte(text, '\n') + 1; end > 0 {
		return text[:end] + dots
	}
	return text + "\n"
}

// missNodes makes nodes of misses. Misses of one clause that say the same share a node.
type missNodes struct{ seen map[string]*Node }

// list makes the nodes of misses. The last node says how many more there are.
func (w *missNodes) list(misses []*miss, more int) (nodes []*Node) {
	for i, m := range misses {
		made := w.nodes(m)
		if i >= maxWhole {
			made[0].brief = m.brief()
			made = made[:1]
		}
		nodes = append(nodes, made...)
	}
	if more > 0 {
		text := "and " + spell.Count(more, "other clause") + " that lack as much or more"
		nodes = append(nodes, &Node{By: "more", shown: text, text: text})
	}
	return nodes
}

// maxWhole bounds the misses of one goal that are shown in full. The others get one line each.
const maxWhole = 3

// brief is a miss in one line.
func (m *miss) brief() string {
	if m.kind != "clause" {
		return m.under("")
	}
	return m.clause() + ": " + withoutPlace(m.reasonAt(m.goal, ""), m.place.String())
}

// clause returns the goal of a miss with the place of its clause.
func (m *miss) clause() string {
	text := m.denial()
	if m.place.Body != nil {
		text += "  [" + cmp.Or(withSource(m.place, m.source), "a clause that was asserted") + "]"
	}
	return text
}

// denial says in words that the goal of a miss has no answer. It only names a goal that throws.
func (m *miss) denial() string {
	if m.innermost().throws() {
		return m.goal
	}
	return cmp.Or(m.denied, "not "+m.goal)
}

// throws reports whether the goal at which a clause fails throws an error.
func (m *miss) throws() bool { return m.next() != nil && m.next().what() == "error" }

// title is the first line of a miss of a clause, with the number of its goals that hold.
func (m *miss) title() (text, count string) {
	count = strconv.Itoa(m.heldCount) + " of " + strconv.Itoa(m.total) + " goals hold"
	return saying(m.says, m.clause()) + following(", ", count), count
}

// isDisjunction reports whether a goal is a disjunction without conditions.
func isDisjunction(goal term.Term) bool {
	args, ok := term.Is(goal, ";", 2)
	if !ok {
		return false
	}
	_, then := term.Is(args[0], "->", 2)
	_, soft := term.Is(args[0], "*->", 2)
	return !then && !soft
}

// nodes returns the node of a miss with its reasons below it, or the proofs of a negated goal if they suffice.
func (w *missNodes) nodes(m *miss) []*Node {
	n := &Node{By: m.kind, Detail: m.detail, Goal: m.code, Says: m.says, Source: m.source, Turns: m.turns, call: m.call,
		place: m.place}
	if m.kind != "clause" {
		brief := *m
		brief.as, brief.also = "", "" // the proof explains it
		n.shown = brief.reasonAt(m.goal, "")
		n.text = brief.under("") + following(", true with ", m.turns)
		n.kids = m.proofs
		if len(m.proofs) > 0 && strings.HasPrefix(m.proofs[0].line(), n.text) {
			n.kids = append(slices.Clip(m.proofs[0].kids), w.list(m.because, m.more)...)
			m.proofs[0].kids = n.kids
			return m.proofs
		}
		n.kids = append(slices.Clip(n.kids), w.list(m.because, m.more)...)
		return []*Node{n}
	}
	n.shown = m.denial()
	n.text, n.Note = m.title()
	key := n.text + "\x00" + m.failed + "\x00" + m.reason()
	if old := w.seen[key]; old != nil {
		return []*Node{old}
	}
	w.seen[key] = n
	failed := &Node{By: "failed", Goal: m.failedCode, call: m.failedGoal, shown: m.failed, kids: w.list(m.because, m.more)}
	failed.Note = strings.TrimPrefix(m.othersText()+m.earlier, "; ")
	failed.label()
	failed.text += following("\n        ", failed.Note)
	for _, other := range m.branches {
		if other.own {
			continue
		}
		text := other.reason("")
		if other.lacks != nil {
			text += following(", true with ", other.lacks.turns)
		}
		failed.kids = append(failed.kids, &Node{By: "branch", shown: text, text: text})
	}
	n.kids = append(append(slices.Clip(m.held), failed), m.behind...)
	return []*Node{n}
}

// number names the nodes of misses and lists them.
func (g *Graph) number(roots []*Node) {
	top := &Node{kids: roots}
	for queue := []*Node{top}; len(queue) > 0; queue = queue[1:] {
		for i, kid := range queue[0].kids {
			if kid.ID == "" {
				kid.ID = cmp.Or(queue[0].ID, "m") + "." + strconv.Itoa(i+1)
				g.Nodes, queue = append(g.Nodes, kid), append(queue, kid)
			}
			queue[0].From = append(queue[0].From, kid.ID)
		}
	}
}

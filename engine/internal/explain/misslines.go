package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines misses as lines of text.

// missText writes misses as lines, the misses of the goals that failed under them. more is how many others there are.
func missText(misses []*Miss, more int) string {
	w := missWriter{seen: map[string]bool{}}
	w.list(misses, more, 0)
	return w.b.String()
}

// cutLines is the beginning of a text of lines that is not longer than most bytes, with dots for the rest.
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

// missWriter writes misses. It writes none of a clause twice.
type missWriter struct {
	b    strings.Builder
	seen map[string]bool
}

func (w *missWriter) line(indent string, words ...string) {
	w.b.WriteString(indent + strings.Join(words, "") + "\n")
}

func (w *missWriter) list(misses []*Miss, more, level int) {
	for i, m := range misses {
		if i < maxWhole {
			w.miss(m, level)
		} else {
			w.line(strings.Repeat("  ", level), m.brief())
		}
	}
	if more > 0 {
		w.line(strings.Repeat("  ", level), "and ", spell.Count(more, "other clause"), " that lack as much or more")
	}
}

// maxWhole bounds the misses of one goal that are shown whole. Of the others there is a line each.
const maxWhole = 3

// brief is a miss in one line.
func (m *Miss) brief() string {
	if m.Kind != "clause" {
		return m.under("")
	}
	return m.clause() + ": " + withoutPlace(m.reasonAt(m.Goal, ""), m.place.String())
}

// clause is the goal of a miss with the place of its clause.
func (m *Miss) clause() string {
	text := cmp.Or(m.denied, "not "+m.Goal)
	if m.place.Body != nil {
		text += "  [" + cmp.Or(withSource(m.place, m.Source), "a clause that was asserted") + "]"
	}
	return text
}

// title is the first line of a miss of a clause.
func (m *Miss) title() string {
	text := saying(m.Says, m.clause())
	goals, _ := term.Conjuncts(m.place.Body)
	if slices.ContainsFunc(goals, isDisjunction) {
		return text // the goals of one way through it are counted, and the lines have it as one
	}
	return text + ", " + strconv.Itoa(m.HeldCount) + " of " + strconv.Itoa(m.Total) + " goals hold"
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

func (w *missWriter) miss(m *Miss, level int) {
	indent := strings.Repeat("  ", level)
	if m.Kind != "clause" {
		turns := ""
		if m.Turns != "" {
			turns = ", true with " + m.Turns
		}
		brief := *m
		brief.as, brief.also = "", "" // the proof says it

		if line := brief.under("") + turns; !strings.HasPrefix(m.Proof, line) { // else the proof begins with it
			w.line(indent, line)
			indent += "  "
		}
		for proved := range strings.Lines(m.Proof) {
			w.b.WriteString(indent + proved)
		}
		w.list(m.Because, m.More, level+1)
		return
	}
	title := m.title()
	key := title + "\x00" + m.Failed + "\x00" + m.reason()
	if w.seen[key] {
		w.line(indent, title, ", see above")
		return
	}
	w.seen[key] = true
	w.line(indent, title)
	indent += "  "
	for _, held := range m.Held {
		label := "held    "
		if strings.HasSuffix(held, " ("+neither+")") {
			label = "open    "
		}
		w.line(indent, label, held)
	}
	if m.Failed != "" {
		w.line(indent, "failed  ", m.Failed)
	}
	if others := m.othersText() + m.earlierText(); others != "" {
		w.line(indent, "        ", strings.TrimPrefix(others, "; "))
	}
	w.list(m.Because, m.More, level+2)
	if m.Branch != "" {
		w.line(indent, "  ", m.Branch)
	}
	for _, c := range m.Behind {
		if c.Verdict == "failed" {
			w.line(indent, "failed  ", c.Goal, ", too", following(": ", c.Reason))
		} else {
			w.line(indent, fmt.Sprintf("%-6s  ", c.Verdict), c.Goal)
		}
	}
}

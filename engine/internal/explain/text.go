package explain

import "strings"

// This file defines proofs as lines of text.

// text writes the nodes as lines, each indented under the one that it explains. A node that was written before is named
// and not written again. It may be longer than most by a line.
func (p *Proof) text(most int) string {
	byID := map[string]*Node{}
	for _, n := range p.Nodes {
		byID[n.ID] = n
	}
	var b strings.Builder
	written := map[string]bool{}
	type line struct {
		id    string
		level int
	}
	for stack := []line{{p.Nodes[0].ID, 0}}; len(stack) > 0 && b.Len() <= most; {
		l := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := byID[l.id]
		b.WriteString(strings.Repeat("  ", l.level))
		b.WriteString(n.line())
		if written[n.ID] && len(n.From) > 0 {
			b.WriteString(", see above\n")
			continue
		}
		written[n.ID] = true
		if n.Cut {
			b.WriteString(" ... (" + n.ID + ")")
		}
		b.WriteByte('\n')
		for i := len(n.From) - 1; i >= 0; i-- {
			stack = append(stack, line{n.From[i], l.level + 1})
		}
	}
	return b.String()
}

// line is one node in words.
func (n *Node) line() string {
	var b strings.Builder
	if n.By == "missed" {
		if at := n.place.String(); at != "" {
			return "not by " + withSource(n.place, n.Source) + ": " + n.Note
		}
		return n.Note
	}
	if n.Says != "" {
		b.WriteString(n.Says + ": ")
	}
	b.WriteString(n.shown)
	if at := withSource(n.place, n.Source); at != "" {
		b.WriteString("  [" + at + "]")
	} else if n.origin != "" {
		b.WriteString("  [" + n.origin + "]")
	} else if word := byWords[n.By]; word != "" {
		b.WriteString("  [" + word + "]")
	}
	if n.Undefined {
		b.WriteString("  (" + neither + ")")
	}
	for _, more := range []string{n.Turns, n.Note, n.missing} {
		if more != "" {
			b.WriteString("  (" + more + ")")
		}
	}
	if len(n.Via) > 0 {
		b.WriteString("  via " + strings.Join(n.Via, ", "))
	}
	return b.String()
}

// byWords say by what nodes without a place hold.
var byWords = map[string]string{
	"asserted": "asserted", "given": "assumed in this call", "asked": "answered by the user",
	"constraint": "constraint", "table": "table",
}

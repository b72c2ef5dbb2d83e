package explain

import (
	"cmp"
	"slices"
	"strings"
)

// This file defines explanations as lines of text.

// nodesText writes nodes as lines, each indented below the one that it explains. It only names a node that was written
// before. The text may exceed most by a line.
func nodesText(roots []*Node, most int) string {
	var b strings.Builder
	written := map[*Node]bool{}
	type line struct {
		*Node
		level int
	}
	var stack []line
	push := func(nodes []*Node, level int) {
		for _, n := range slices.Backward(nodes) {
			stack = append(stack, line{n, level})
		}
	}
	for push(roots, 0); len(stack) > 0 && b.Len() <= most; {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		indent := strings.Repeat("  ", n.level)
		b.WriteString(indent + strings.ReplaceAll(cmp.Or(n.brief, n.line()), "\n", "\n"+indent))
		switch {
		case n.brief != "":
		case written[n.Node] && len(n.kids) > 0:
			b.WriteString(", see above")
		default:
			if written[n.Node] = true; n.Cut {
				b.WriteString(strings.TrimSuffix(" ... ("+n.ID+")", " ()"))
			}
			push(n.kids, n.level+1)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// line is one node in words.
func (n *Node) line() string {
	if n.text != "" {
		return n.text
	}
	var b strings.Builder
	if n.By == "missed" {
		if at := n.place.String(); at != "" {
			return "not by " + withSource(n.place, n.Source) + ": " + n.Note
		}
		return n.Note
	}
	b.WriteString(saying(n.Says, n.shown))
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

// byWords are the words for the By of nodes without a place.
var byWords = map[string]string{
	"asserted": "asserted", "given": "assumed in this call", "asked": "answered by the user",
	"constraint": "constraint", "table": "table",
}

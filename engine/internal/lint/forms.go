package lint

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the search for forms that clients refuse.

// formats are those that a property of a form may have in MCP.
var formats = []string{"date", "date-time", "email", "uri"}

// forms reports formats in questions to the user that MCP does not know.
func (c *checker) forms(cl *clause) {
	for _, asking := range []key{{cl.key.module, "mcp_elicit", 3}, {cl.key.module, "mcp_elicit_all", 2}} {
		if own := c.predicates[asking]; own != nil && len(own.clauses) > 0 {
			continue
		}
		goal{cl.body, cl.layout}.each(func(g goal) {
			args, ok := g.call(asking)
			if !ok {
				return
			}
			at := len(args) - 2
			goal{args[at], g.layout.Arg(at)}.each(func(part goal) { c.format(cl, part) })
		})
	}
}

// format reports a part of a schema that is a format which MCP does not know.
func (c *checker) format(cl *clause, part goal) {
	pair, ok := term.Is(part.term, "-", 2)
	if !ok || pair[0] != term.Term(term.Atom("format")) {
		return
	}
	if name, isText := term.Text(pair[1]); isText && pair[1] != term.Nil && !slices.Contains(formats, name) {
		c.report(cl, part.layout, "format", "forms have no format %s, and clients may refuse this one; "+
			"there are date, date-time, email and uri", name)
	}
}

// each calls f for a term and its parts, with their layouts.
func (g goal) each(f func(goal)) {
	stack := []goal{g}
	for n := 0; len(stack) > 0 && n < maxVisited; n++ {
		one := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		f(one)
		if c, ok := one.term.(*term.Compound); ok {
			for i, arg := range c.Args {
				stack = append(stack, goal{arg, one.layout.Arg(i)})
			}
		}
	}
}

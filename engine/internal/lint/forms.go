package lint

import (
	"strings"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/formats"
)

// This file defines the search for forms that clients refuse, and for formats that have too few or too many arguments.

// formatted are the predicates whose calls are looked at.
var formatted = []key{{"", "mcp_elicit", 3}, {"", "mcp_elicit_all", 2}, {"", "format", 2}, {"", "format", 3}}

// forms reports formats in questions to the user that MCP does not know, and arguments that do not fit a format of
// format/2,3.
func (c *checker) forms(cl *clause) {
	own := func(k key) bool { p := c.predicates[k]; return p != nil && len(p.clauses) > 0 }
	each(cl.goals, func(g goal) {
		for _, k := range formatted {
			k.module = cl.key.module
			args, ok := k.call(g)
			switch at := len(args) - 2; {
			case !ok || own(k):
			case k.name == "format":
				c.formatArguments(cl, g, args[at], args[at+1])
			default:
				each(g.Arg(at), func(part goal) { c.format(cl, part); c.required(cl, part) })
			}
		}
	})
}

// formatArguments reports a format whose arguments are too few or too many.
func (c *checker) formatArguments(cl *clause, g goal, format, args term.Term) {
	text, isText := term.Text(format)
	items, isList := term.Slice(args)
	if !isText || !isList {
		return
	}
	if wanted, ok := argumentsOf(text); ok && wanted != len(items) {
		c.report(cl, g.Layout, "format_arguments", "arguments of the format: %d wanted, %d given", wanted, len(items))
	}
}

// argumentsOf counts the arguments that a format takes. ok is false for one that is wrong.
func argumentsOf(format string) (n int, ok bool) {
	for {
		_, rest, found := strings.Cut(format, "~")
		if !found {
			return n, true
		}
		if after, fill := strings.CutPrefix(rest, "`"); fill {
			_, size := utf8.DecodeRuneInString(after)
			rest = after[size:]
		} else if after, star := strings.CutPrefix(rest, "*"); star {
			rest = after
			n++
		}
		rest = strings.TrimPrefix(strings.TrimLeft(rest, "0123456789"), ":")
		switch {
		case rest == "":
			return 0, false
		case strings.IndexByte("~nt|+", rest[0]) >= 0:
		case strings.IndexByte("acdDeEfgGhHiIkpqrRsw@", rest[0]) >= 0:
			n++
		case rest[0] == 'W':
			n += 2
		default:
			return 0, false
		}
		format = rest[1:]
	}
}

// format reports a part of a schema that is a format which MCP does not know.
func (c *checker) format(cl *clause, part goal) {
	pair, ok := term.Is(part.Term, "-", 2)
	if !ok || pair[0] != term.Term(term.Atom("format")) {
		return
	}
	name, isText := term.Text(pair[1])
	if _, known := formats.Known[name]; isText && pair[1] != term.Nil && !known {
		c.report(cl, part.Layout, "format", "forms have no format %s, and clients may refuse this one; there are %s", name,
			formats.Names())
	}
}

// required reports a part of a schema that requires a property which its properties lack.
func (c *checker) required(cl *clause, part goal) {
	keywords, _ := membersOf(part.Term)
	names, _ := term.Slice(keywords["required"])
	properties, ok := membersOf(keywords["properties"])
	_, open := term.CurlyItems(keywords["additionalProperties"])
	if !ok || open || keywords["patternProperties"] != nil {
		return
	}
	for _, name := range names {
		if text, isText := term.Text(name); isText && properties[text] == nil {
			c.report(cl, part.Layout, "schema", "required names %q, which properties lacks; clients may refuse the form", text)
		}
	}
}

// membersOf returns the members of an object in curly notation. ok is false if it is none or is not wholly known.
func membersOf(object term.Term) (members map[string]term.Term, ok bool) {
	items, ok := term.CurlyItems(object)
	members = map[string]term.Term{}
	for _, item := range items {
		pair, isPair := term.Is(item, "-", 2)
		if !isPair {
			return nil, false
		}
		name, isText := term.Text(pair[0])
		members[name], ok = pair[1], ok && isText
	}
	return members, ok
}

// each calls f for a term and its parts, with their layouts.
func each(g goal, f func(goal)) {
	stack := []goal{g}
	for n := 0; len(stack) > 0 && n < maxVisited; n++ {
		one := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		f(one)
		if c, ok := one.Term.(*term.Compound); ok {
			for i := range c.Args {
				stack = append(stack, one.Arg(i))
			}
		}
	}
}

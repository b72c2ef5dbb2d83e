package syntax

import (
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/bignum"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/shapes"
)

// This file defines the layout of clauses, as SWI-Prolog's portray_clause/1 and listing/1 show them.

const (
	lineWidth    = 78  // a goal that does not fit gets a line for each argument
	maxBodyDepth = 100 // control constructs nested deeper are written on one line
	step         = 4   // of indentation
)

// PortrayClause writes t as listing/1 shows clauses, with its full stop and a newline. Variables are A, B ..., those
// that occur once _, unless o.VarNames names them. Of the options only Ops, Flags, VarNames, Portray, MaxBytes, Indent,
// Metas and Meter count; MaxBytes limits each goal. The error is that of w, which receives a long text in pieces.
func PortrayClause(w io.Writer, t term.Term, o *WriteOptions) error {
	p := newPortrayer(w, t, o)
	p.text(strings.Repeat(" ", p.o.Indent))
	p.clause(t)
	if classOf(p.last)&symbol != 0 {
		p.text(" ") // keeps the full stop apart
	}
	p.text(".\n")
	p.flush()
	return p.err
}

type portrayer struct {
	o    WriteOptions
	out  io.Writer
	buf  []byte
	last rune  // the last character
	err  error // of out; nothing more is written
}

func newPortrayer(w io.Writer, t term.Term, o *WriteOptions) *portrayer {
	p := &portrayer{out: w}
	if o != nil {
		p.o = WriteOptions{Ops: o.Ops, Flags: o.Flags, VarNames: o.VarNames, Portray: o.Portray, MaxBytes: o.MaxBytes,
			Meter: o.Meter, Indent: o.Indent, Metas: o.Metas}
	}
	p.o.Quoted, p.o.NumberVars, p.o.SpaceArgs, p.o.Cycles = true, true, true, true
	p.o.VarNames = NameVariables(t, p.o.VarNames, "", p.o.Meter)
	return p
}

// NameVariables names the variables of t that have no name in given: _ when there is one
// occurrence, otherwise A, B and so on after the prefix.
func NameVariables(t term.Term, given map[*term.Var]string, prefix string, meter bignum.Meter) map[*term.Var]string {
	counts := map[*term.Var]int{}
	var order []*term.Var
	walk(t, meter, func(v *term.Var) {
		if counts[v]++; counts[v] == 1 {
			order = append(order, v)
		}
	})
	names := make(map[*term.Var]string, len(order))
	taken := map[string]bool{}
	for _, name := range given {
		taken[name] = true
	}
	next := int64(0)
	for _, v := range order {
		if name, ok := given[v]; ok {
			names[v] = name
		} else if counts[v] == 1 {
			names[v] = "_"
		} else {
			for taken[prefix+numberedVar(next)] {
				next++
			}
			names[v] = prefix + numberedVar(next)
			next++
		}
	}
	return names
}

// NumberedVariables names the variables of a term _1, _2 and so on in the order of their occurrence. meter is that of
// WriteOptions.
func NumberedVariables(t term.Term, meter bignum.Meter) map[*term.Var]string {
	names := map[*term.Var]string{}
	walk(t, meter, func(v *term.Var) {
		if names[v] == "" {
			names[v] = "_" + strconv.Itoa(len(names)+1)
		}
	})
	return names
}

// walk calls visit for each occurrence of a variable, from left to right. In a large term, later visits of the same
// compound report each of its variables only once more. This suffices to find singletons and terminates on cyclic
// terms.
func walk(t term.Term, meter bignum.Meter, visit func(*term.Var)) {
	var seen map[*term.Compound]int
	if !isTree(t, meter) {
		seen = map[*term.Compound]int{}
	}
	stack := []term.Term{t}
	for n := 0; len(stack) > 0; n++ {
		pollAt(n, meter)
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch t := t.(type) {
		case *term.Var:
			visit(t)
		case *term.Compound:
			if seen != nil {
				if seen[t]++; seen[t] > 2 {
					continue
				}
			}
			for i := len(t.Args) - 1; i >= 0; i-- {
				stack = append(stack, t.Args[i])
			}
		}
	}
}

// Write adds to the text, for the writer of terms.
func (p *portrayer) Write(text []byte) (int, error) {
	if len(text) > 0 {
		p.last, _ = utf8.DecodeLastRune(text)
	}
	if p.buf = append(p.buf, text...); len(p.buf) >= flushSize {
		p.flush()
	}
	return len(text), p.err
}

func (p *portrayer) flush() {
	if p.err == nil {
		_, p.err = p.out.Write(p.buf)
	}
	p.buf = p.buf[:0]
}

func (p *portrayer) text(s string) { _, _ = p.Write([]byte(s)) } // keeps the error

func (p *portrayer) newline(indent int) { p.text("\n" + strings.Repeat(" ", p.o.Indent+indent)) }

// inline writes t on one line.
func (p *portrayer) inline(t term.Term, prio int) {
	o := p.o
	o.Priority = prio
	if err := Write(p, t, &o); err != nil && err != ErrTooLong && p.err == nil {
		p.err = err
	}
}

// onOneLine reports whether a goal that begins at a column is written on one line: it fits, or breaking it would not
// help.
func (p *portrayer) onOneLine(c *term.Compound, indent, prio int) bool {
	if indent == 0 {
		return true
	}
	functor := QuoteAtom(c.Functor) + "("
	o := p.o
	o.Priority, o.MaxBytes = prio, utf8.UTFMax*(lineWidth+2)+len(functor)
	line := Format(c, &o)
	if indent+utf8.RuneCountInString(line) <= lineWidth || !strings.HasPrefix(line, functor) {
		return true
	}
	return len(cycleHeads(c, p.o.Meter)) > 0
}

// clause writes a clause, directive or any other term.
func (p *portrayer) clause(t term.Term) {
	c, ok := t.(*term.Compound)
	switch {
	case ok && len(c.Args) == 2 && (c.Functor == ":-" || c.Functor == "-->" || c.Functor == "=>"):
		p.inline(c.Args[0], maxPriority-1)
		if c.Functor == ":-" && c.Args[1] == term.Term(term.True) {
			return
		}
		p.text(" " + string(c.Functor))
		p.newline(step)
		p.body(c.Args[1], step, maxPriority-1, 0)
	case ok && len(c.Args) == 1 && (c.Functor == ":-" || c.Functor == "?-"):
		p.text(string(c.Functor) + " ")
		p.body(c.Args[0], len(c.Functor)+1, maxPriority-1, 0)
	default:
		p.body(t, 0, maxPriority, 0)
	}
}

// body writes a goal that begins at column indent in a place that takes priorities up to prio.
func (p *portrayer) body(t term.Term, indent, prio, depth int) {
	if p.err != nil {
		return
	}
	c, ok := t.(*term.Compound)
	if !ok || depth > maxBodyDepth {
		p.inline(t, min(prio, argPriority))
		return
	}
	_, junction := shapes.Junction(c)
	switch {
	case isInfix(c, ","):
		p.conjunction(c, indent, prio, depth)
	case junction:
		p.alternatives(c, indent, depth)
	case c.Functor == "\\+" && len(c.Args) == 1:
		p.text("\\+ ")
		p.body(c.Args[0], indent+3, 900, depth+1)
	case c.Functor == term.Curly && len(c.Args) == 1:
		p.text("{ ")
		p.body(c.Args[0], indent+2, maxPriority, depth+1)
		p.newline(indent)
		p.text("}")
	default:
		p.goal(c, indent, prio, depth)
	}
}

// isInfix reports whether a term has two arguments and one of the names.
func isInfix(c *term.Compound, names ...term.Atom) bool {
	return len(c.Args) == 2 && slices.Contains(names, c.Functor)
}

// conjunction writes one goal a line, in parentheses where they are needed.
func (p *portrayer) conjunction(c *term.Compound, indent, prio, depth int) {
	start := indent
	if prio < 1000 {
		p.text("( ")
		start += 2
	}
	seen := map[*term.Compound]bool{} // a cyclic conjunction ends
	var rest term.Term = c
	for {
		c, ok := rest.(*term.Compound)
		if !ok || !isInfix(c, ",") || seen[c] {
			break
		}
		seen[c] = true
		p.conjunct(c.Args[0], start, depth)
		p.text(",")
		p.newline(start)
		rest = c.Args[1]
	}
	p.body(rest, start, argPriority, depth+1)
	if prio < 1000 {
		p.newline(indent)
		p.text(")")
	}
}

// conjunct writes an element of a conjunction; a nested conjunction is flattened.
func (p *portrayer) conjunct(t term.Term, indent, depth int) {
	prio := argPriority
	if c, ok := t.(*term.Compound); ok && isInfix(c, ",") {
		prio = maxPriority
	}
	p.body(t, indent, prio, depth+1)
}

// alternatives writes disjunctions and if-then-else.
func (p *portrayer) alternatives(c *term.Compound, indent, depth int) {
	p.text("(   ")
	seen := map[*term.Compound]bool{}
	for isInfix(c, ";", "|") && !seen[c] {
		seen[c] = true
		p.branch(c.Args[0], indent, depth)
		p.newline(indent)
		p.text(string(c.Functor) + "   ")
		next, _ := c.Args[1].(*term.Compound)
		if _, junction := shapes.Junction(c.Args[1]); !junction || next.Functor == "," {
			p.branch(c.Args[1], indent, depth)
			p.newline(indent)
			p.text(")")
			return
		}
		c = next
	}
	p.branch(c, indent, depth)
	p.newline(indent)
	p.text(")")
}

// branch writes one alternative, with its condition when it has one.
func (p *portrayer) branch(t term.Term, indent, depth int) {
	c, ok := t.(*term.Compound)
	if !ok || !isInfix(c, "->", "*->") {
		p.body(t, indent+step, maxPriority, depth+1)
		return
	}
	p.body(c.Args[0], indent+step, maxPriority, depth+1)
	p.newline(indent)
	p.text(string(c.Functor))
	p.text("    "[:step-len(c.Functor)])
	p.body(c.Args[1], indent+step, maxPriority, depth+1)
}

// goal writes a goal that is no control construct: on one line if it fits and contains no goals of several lines.
func (p *portrayer) goal(c *term.Compound, indent, prio, depth int) {
	spec, spread := "", false
	if p.o.Metas != nil {
		spec = p.o.Metas(string(c.Functor), len(c.Args))
	}
	isGoal := func(i int) bool { return i < len(spec) && spec[i] >= '0' && spec[i] <= '9' }
	for i, arg := range c.Args {
		_, junction := shapes.Junction(arg)
		spread = spread || junction && isGoal(i)
	}
	if !spread && p.onOneLine(c, indent, prio) {
		p.inline(c, prio)
		return
	}
	functor := QuoteAtom(c.Functor)
	p.text(functor + "(")
	column := indent + utf8.RuneCountInString(functor) + 1
	for i, arg := range c.Args {
		if i > 0 {
			p.text(",")
			p.newline(column)
		}
		if isGoal(i) {
			p.body(arg, column, argPriority, depth+1)
		} else {
			p.inline(arg, argPriority)
		}
	}
	p.text(")")
}

package pushdown

import (
	"slices"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/values"
)

// This file defines filters: conditions of a query that are weaker than the goals they come from. The goals are called
// after the query, so a filter must only pass all rows for which its goal holds or throws.

// filterOps maps the goals of two arguments that become filters to the operators of filters.
var filterOps = map[term.Atom]string{"<": "<", ">": ">", "=<": "<=", ">=": ">=", "=:=": "=", "=\\=": "<>", "@<": "@<",
	"@>": "@>", "@=<": "@<=", "@>=": "@>=", "==": "==", "=": "==", "\\==": "\\==", "\\=": "\\=="}

// mirroredOps maps filters to those with exchanged sides.
var mirroredOps = map[string]string{"@<": "@>", "@>": "@<", "@<=": "@>=", "@>=": "@<=", "==": "==", "\\==": "\\=="}

// filterReader makes a filter of a goal.
type filterReader struct {
	columns map[*term.Var]int
	// values are the values for the filters in the question. row has the values before them.
	values []term.Term
	row    int
	// throws says that the goal may throw.
	throws bool
	// texts are the columns that the goal reads as text.
	texts []*term.Var
	// others are the variables that are no columns.
	others []*term.Var
	// weak says that the filter also passes rows for which the goal fails or has several answers. once says that the
	// goal has one answer.
	weak, once bool
}

// filter reads a goal. ok is false if it cannot become a filter.
func (r *filterReader) filter(goal term.Term) (f relation.Filter, ok bool) {
	if inner, isOnce := term.Is(goal, "once", 1); isOnce {
		before := r.once
		defer func() { r.once = before }()
		r.once = true
		return r.filter(inner[0])
	}
	for _, name := range []term.Atom{",", ";"} {
		if parts, is := term.Is(goal, name, 2); is {
			return r.both(string(name), parts)
		}
	}
	if args, is := term.Is(goal, "sub_atom", 5); is {
		op := "within"
		if args[1] == term.Term(term.Int(0)) {
			op = "prefix"
		}
		r.weak = r.weak || !isAnywhere(args, r.once)
		return r.compared(op, args[0], args[4], args[1:4]...)
	}
	if args, is := term.Is(goal, "atom_concat", 3); is {
		_, isRest := args[1].(*term.Var)
		r.weak = r.weak || !isRest
		return r.compared("prefix", args[2], args[0], args[1])
	}
	c, is := goal.(*term.Compound)
	if !is || len(c.Args) != 2 || filterOps[c.Functor] == "" {
		return f, false
	}
	op := filterOps[c.Functor]
	if other := mirroredOps[op]; other != "" {
		left, right := c.Args[0], c.Args[1]
		if !r.isColumn(left) {
			left, right, op = right, left, other
		}
		return r.compared(op, left, right)
	}
	r.throws = true
	f.Op = op
	for _, side := range c.Args {
		e, ok := r.expression(side, 0)
		if !ok {
			return f, false
		}
		f.Sides = append(f.Sides, e)
	}
	return f, true
}

// isAnywhere reports whether the arguments of a sub_atom/5 search a text at the beginning, or once anywhere.
func isAnywhere(args []term.Term, once bool) bool {
	_, isVar := args[1].(*term.Var)
	_, isRest := args[3].(*term.Var)
	text, _ := args[4].(term.Atom)
	if n, isInt := args[2].(term.Int); isInt && (text == "" || int(n) != utf8.RuneCountInString(string(text))) {
		return false
	}
	return isRest && (isVar && once || args[1] == term.Term(term.Int(0)))
}

// both is a filter of a conjunction or a disjunction. A conjunction has no parts after one that may throw, since they
// would exclude rows for which it throws.
func (r *filterReader) both(op string, parts []term.Term) (f relation.Filter, ok bool) {
	f.Op = map[string]string{",": "and", ";": "or"}[op]
	r.weak = r.weak || op == ";" && !r.once
	threw := r.throws
	defer func() { r.throws = r.throws || threw }()
	r.throws = false
	for _, goal := range parts {
		if op == "," && r.throws {
			r.weak = true
			break
		}
		if _, isCondition := term.Is(goal, "->", 2); isCondition {
			return f, false
		}
		if of, ok := r.filter(goal); ok {
			f.Of = append(f.Of, of)
		} else {
			return f, false
		}
	}
	return f, true
}

func (r *filterReader) isColumn(t term.Term) bool {
	v, isVar := t.(*term.Var)
	_, known := r.columns[v]
	return isVar && known
}

// compared is a filter of a column and a value. more are arguments that must not be columns.
func (r *filterReader) compared(op string, column, value term.Term, more ...term.Term) (f relation.Filter, ok bool) {
	if !r.isColumn(column) || slices.ContainsFunc(append(more, value), r.isColumn) {
		return f, false
	}
	for _, t := range more {
		switch t := t.(type) {
		case *term.Var:
			r.weak = r.weak || slices.Contains(r.others, t)
			r.others = append(r.others, t)
		case term.Int:
		default:
			return f, false
		}
	}
	if op == "prefix" || op == "within" { // a value that is no text may be an error
		_, isAtom := value.(term.Atom)
		r.throws = r.throws || !isAtom
		r.texts = append(r.texts, column.(*term.Var))
	}
	side, ok := r.value(value)
	return relation.Filter{Op: op, Sides: []relation.Expression{{Column: r.columns[column.(*term.Var)] + 1}, side}}, ok
}

// value reads a value, given in the text or bound at the call.
func (r *filterReader) value(t term.Term) (e relation.Expression, ok bool) {
	if v, isVar := t.(*term.Var); isVar {
		r.values = append(r.values, v)
		return relation.Expression{Given: r.row + len(r.values)}, true
	}
	c, ok := relation.NewConstant(t)
	return relation.Expression{Value: &c}, ok
}

// expression reads an expression that a goal evaluates.
func (r *filterReader) expression(t term.Term, depth int) (e relation.Expression, ok bool) {
	const most = 4
	if r.isColumn(t) {
		return relation.Expression{Column: r.columns[t.(*term.Var)] + 1}, true
	}
	switch t := t.(type) {
	case term.Int, term.Float, *term.Var:
		return r.value(t)
	case *term.Compound:
		if depth == most || len(t.Args) != 2 || !slices.Contains([]term.Atom{"+", "-", "*", "/", "mod"}, t.Functor) {
			return e, false
		}
		e.Op = string(t.Functor)
		for _, arg := range t.Args {
			of, ok := r.expression(arg, depth+1)
			if !ok {
				return e, false
			}
			e.Of = append(e.Of, of)
		}
		return e, true
	}
	return e, false
}

// filterOf reads a goal of a run as a filter, given the columns of variables, and the index of the first value of the
// filter. It returns nil if the goal has no column, or if another goal has a variable that this goal may bind.
func filterOf(goal term.Term, columns map[*term.Var]int, row int, run []sqlGoal) (f *relation.Filter, r *filterReader) {
	r = &filterReader{columns: columns, row: row}
	made, ok := r.filter(goal)
	if !ok || !slices.ContainsFunc(term.Variables(goal), func(v *term.Var) bool { return r.isColumn(v) }) {
		return nil, r
	}
	for _, v := range r.others {
		for _, g := range run {
			if g.term != goal && slices.Contains(term.Variables(g.term), v) {
				return nil, r
			}
		}
	}
	return &made, r
}

// filters reports whether a goal becomes a filter of a run in which some variables are columns. A goal that may throw
// ends the run, as later conditions would exclude rows for which it throws.
func (cl *Clause) filters(goals []sqlGoal, i int, columns map[*term.Var]bool) (ok, last bool) {
	g := &goals[i]
	g.filter = false
	known := map[*term.Var]int{}
	for v := range columns {
		known[v] = 0
	}
	for _, t := range g.tests {
		_, isVar := t.number.(*term.Var)
		if columns[t.column] && (!t.standard && (isVar || isNumber(t.number) || t.op == relation.NotNull) ||
			t.standard && (!isAtomic(t.number) && !isVar || isTyped(goals[:i], t.column))) {
			return false, false
		}
	}
	name, arity, _ := term.Indicator(g.term)
	f, r := filterOf(g.term, known, 0, goals)
	g.filter = f != nil && !cl.isOwn(name, arity)
	return g.filter, r.throws || slices.ContainsFunc(r.texts, func(v *term.Var) bool { return isTyped(goals[:i], v) })
}

func isNumber(t term.Term) bool {
	switch t.(type) {
	case term.Int, term.Float, *term.Rational, *term.Big:
		return true
	}
	return false
}

func isAtomic(t term.Term) bool {
	_, ok := relation.NewConstant(t)
	return ok
}

// isTyped reports whether tests compare the values of a column as terms, such as dates.
func isTyped(goals []sqlGoal, column *term.Var) bool {
	for _, g := range goals {
		if !g.asks() {
			continue
		}
		at := slices.Index(g.args, term.Term(column))
		if at >= 0 {
			return slices.Contains(values.Names, g.query.Columns[at].Type)
		}
	}
	return false
}

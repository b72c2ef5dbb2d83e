package load

import (
	"iter"
	"slices"
	"sync"

	"github.com/mcplogic/mcplogic/engine/internal/body"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/shapes"
)

// This file defines how a clause is laid out in cells. It also defines the parts of a clause before expansion, and
// functions on goals that need no loader.

// cellWriter lays out a term as relocatable cells, breadth first. vars may be nil for ground terms. One goroutine uses
// it.
type cellWriter struct {
	cells []code.Cell
	vars  map[*term.Var]code.Cell
	todo  []cellTask
}

// cellTask is a compound whose arguments are still to be laid out.
type cellTask struct {
	from *term.Compound
	at   int
}

// cellWriters pools writers of ground facts. Reuse is safe, as their cells are copied into the array of the predicate.
var cellWriters = sync.Pool{New: func() any { return &cellWriter{vars: map[*term.Var]code.Cell{}} }}

// Clause makes the clause Head :- Body of a predicate. The clause has no position.
func Clause(pred *database.Pred, head, body term.Term) *database.Clause {
	if c, ok := flatFact(pred, head, body, database.Source{}); ok {
		return c
	}
	return newClause(pred, head, callVars(body), database.Source{})
}

// newClause makes the clause Head :- Body of a predicate.
func newClause(pred *database.Pred, head, body term.Term, at database.Source) *database.Clause {
	w := cellWriters.Get().(*cellWriter)
	root := w.write(&term.Compound{Functor: ":-", Args: []term.Term{head, body}})
	c := database.NewClauseAt(pred, w.cells, root, at)
	// Large buffers are not kept: most clauses are small.
	const large = 1 << 10
	if c.InArray() && cap(w.cells) <= large && cap(w.todo) <= large {
		clear(w.todo)
		w.cells, w.todo = w.cells[:0], w.todo[:0]
		cellWriters.Put(w)
	}
	return c
}

// callVars puts call(V) for the variables in goal position of a body (ISO 13211-1, 7.6.2) and f for f(), as
// SWI-Prolog does. It copies the control constructs around them.
func callVars(body term.Term) term.Term {
	if !hasOddGoal(body) {
		return body
	}
	todo := []*term.Term{&body}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch t := (*at).(type) {
		case *term.Var:
			*at = term.New("call", t)
		case *term.Compound:
			if isEmptyGoal(t) {
				*at = t.Functor
			} else if first, ok := constructOf(t); ok {
				c := &term.Compound{Functor: t.Functor, Args: slices.Clone(t.Args)}
				*at = c
				for i := len(c.Args) - 1; i >= first; i-- {
					todo = append(todo, &c.Args[i])
				}
			}
		}
	}
	return body
}

// hasOddGoal reports whether a goal of a body is stored in another form.
func hasOddGoal(body term.Term) bool {
	todo := []term.Term{body}
	for len(todo) > 0 {
		t := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch t := t.(type) {
		case *term.Var:
			return true
		case *term.Compound:
			if isEmptyGoal(t) {
				return true
			}
			if first, ok := constructOf(t); ok {
				for i := len(t.Args) - 1; i >= first; i-- {
					todo = append(todo, t.Args[i])
				}
			}
		}
	}
	return false
}

// isEmptyGoal reports whether a goal is f(). !() is no cut and stays as it is.
func isEmptyGoal(c *term.Compound) bool { return len(c.Args) == 0 && c.Functor != "!" }

// constructOf returns which argument of a control construct is its first goal. A variable that is negated or
// module-qualified is called as call(V).
func constructOf(c *term.Compound) (first int, ok bool) {
	if _, ok := shapes.Junction(c); ok {
		return 0, true
	}
	isNot, isQualified := c.Functor == "\\+" && len(c.Args) == 1, c.Functor == ":" && len(c.Args) == 2
	if !isNot && !isQualified {
		return 0, false
	}
	first = len(c.Args) - 1
	_, isVar := c.Args[first].(*term.Var)
	return first, !isVar
}

// flatFact makes the clause of a fact whose arguments are atoms and small integers. ok is false for other clauses.
func flatFact(pred *database.Pred, head, body term.Term, at database.Source) (c *database.Clause, ok bool) {
	t, isCompound := head.(*term.Compound)
	if !isCompound || body != term.Term(term.True) {
		return nil, false
	}
	var few [8]code.Cell
	args := few[:0]
	for _, arg := range t.Args {
		switch arg := arg.(type) {
		case term.Atom:
			args = append(args, code.AtomCell(string(arg)))
		case term.Int:
			if !code.FitsInt(int64(arg)) {
				return nil, false
			}
			args = append(args, code.MakeInt(int64(arg)))
		default:
			return nil, false
		}
	}
	return pred.NewFact(args, at), true
}

// write lays a term out and returns its root.
func (w *cellWriter) write(t term.Term) code.Cell {
	root := w.one(t)
	w.rest()
	return root
}

// rest lays out the arguments of the compounds that are still to be laid out.
func (w *cellWriter) rest() {
	for i := 0; i < len(w.todo); i++ {
		task := w.todo[i]
		for j, arg := range task.from.Args {
			if v, ok := arg.(*term.Var); ok {
				w.variable(v, task.at+j)
				continue
			}
			c := w.one(arg)
			w.cells[task.at+j] = c
		}
	}
}

// variable writes a variable to a cell. The first cell of a variable holds a reference to itself.
func (w *cellWriter) variable(v *term.Var, at int) {
	c, ok := w.vars[v]
	if !ok {
		c = code.MakeRef(at)
		w.vars[v] = c
	}
	w.cells[at] = c
}

// one returns the cell of a term. The arguments of a compound are left for rest, so that deep terms need no recursion.
func (w *cellWriter) one(t term.Term) code.Cell {
	switch t := t.(type) {
	case term.Atom:
		return code.AtomCell(string(t))
	case *term.Opaque:
		c := code.AtomCell(string(t.Name()))
		code.HoldOpaque(string(t.Name()), t)
		return c
	case term.Int:
		if code.FitsInt(int64(t)) {
			return code.MakeInt(int64(t))
		}
		return w.blob(code.BigBlob(t.Big()))
	case *term.Big:
		return w.blob(code.BigBlob(t.Int()))
	case *term.Rational:
		return w.blob(code.RatioBlob(t.Rat()))
	case term.Float:
		return w.float(float64(t))
	case term.String:
		return w.blob(code.StringBlobOf(string(t)))
	}
	return w.compound(t.(*term.Compound))
}

// float lays out a float as a blob of one word, because no cell has room for it.
func (w *cellWriter) float(f float64) code.Cell {
	at := len(w.cells)
	w.cells = append(w.cells, code.MakeBlobHeader(code.FloatBlob, 1, 0), code.FloatWord(f))
	return code.MakeBlob(at)
}

// blob lays out a number or string that is given as the words of a blob, its header first.
func (w *cellWriter) blob(words []code.Cell) code.Cell {
	at := len(w.cells)
	w.cells = append(w.cells, words...)
	return code.MakeBlob(at)
}

// compound lays out a compound with empty arguments, and notes them for rest.
func (w *cellWriter) compound(t *term.Compound) code.Cell {
	at, n := len(w.cells), len(t.Args)
	c := code.MakeLst(at)
	if t.Functor != term.Dot || n != 2 {
		w.cells = append(w.cells, code.Functor(string(t.Functor), n))
		c, at = code.MakeStr(at), at+1
	}
	for range n {
		w.cells = append(w.cells, 0)
	}
	w.todo = append(w.todo, cellTask{t, at})
	return c
}

// clauseParts is a clause of a text. The predicate belongs to the module home, the body runs in the module scope.
type clauseParts struct {
	home, scope *database.Module
	head, body  term.Term
	ssu         bool // Head => Body
}

// scopedBody returns the body of a clause as it is stored: with its module if that is not the module of the predicate.
func (c *clauseParts) scopedBody() term.Term {
	goals := callVars(c.body)
	if c.home == c.scope || goals == term.Term(term.True) {
		return goals
	}
	if guarded, ok := term.Is(goals, ",", 2); ok && c.ssu {
		if guard, ok := term.Is(guarded[0], "$guard", 1); ok {
			return term.New(",", term.New("$guard", inModule(c.scope, guard[0])), inModule(c.scope, guarded[1]))
		}
	}
	return inModule(c.scope, goals)
}

// inModule returns the term Module:Goal.
func inModule(m *database.Module, goal term.Term) term.Term {
	return term.New(":", term.Atom(m.Name), goal)
}

// kindOf describes a term that is not callable, for messages.
func kindOf(t term.Term) string {
	switch t.(type) {
	case *term.Var:
		return "a variable"
	case term.String:
		return "the string " + syntax.ShowTerm(t)
	}
	return "the number " + syntax.ShowTerm(t)
}

// isHelperName reports whether a name is that of a helper predicate.
func isHelperName(name string) bool { return len(name) > 1 && name[0] == '$' }

// MaxArity is the largest number of arguments of a predicate.
const MaxArity = 255

// goalLines lists the source lines of the goals of a clause, left to right, packed as the code area keeps them. It
// returns nil for a term that is no rule, or whose layout is not known.
func goalLines(read *syntax.Read) []int32 {
	if read.Layout == nil || len(read.Layout.Args) != 2 {
		return nil
	}
	c, ok := read.Term.(*term.Compound)
	if !ok || c.Functor != ":-" {
		return nil
	}
	var lines []int32
	for goal := range body.Goals(body.Part{Term: c.Args[1], Layout: read.Layout.Args[1]}) {
		if goal.Layout == nil {
			return nil
		}
		lines = append(lines, int32(goal.Layout.Pos.Line))
	}
	return lines
}

// goalsOf yields the goals of a body, from left to right.
func goalsOf(t term.Term) iter.Seq2[int, term.Term] {
	return func(yield func(int, term.Term) bool) {
		i := 0
		for goal := range body.Goals(body.Part{Term: t}) {
			if !yield(i, goal.Term) {
				return
			}
			i++
		}
	}
}

// qualified qualifies a goal with its module unless that is user.
func qualified(m *database.Module, goal term.Term) term.Term {
	if m.Name == "user" {
		return goal
	}
	return inModule(m, goal)
}

// compound returns name(args...), or the atom when there are none.
func compound(name string, args []term.Term) term.Term {
	if len(args) == 0 {
		return term.Atom(name)
	}
	return term.New(term.Atom(name), args...)
}

package load

import (
	"fmt"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the directive table/1. A tabled predicate p is a wrapper: one clause that passes the call to the
// table space. The clauses of p in the text become clauses of 'p tabled'.

// table runs table(Specs). A specification is Name/Arity, Name//Arity, or a head whose arguments are _, index or a mode
// that joins answers.
func (l *Loader) table(args []term.Term) {
	specs, _ := term.Conjuncts(args[0])
	for _, spec := range specs {
		flags := database.Tabled
		if as, ok := term.Is(spec, "as", 2); ok {
			spec, flags = as[0], flags|tableOptions.read(l, "table/1", as[1])
		}
		l.tableSpec(spec, flags)
	}
}

// tableSpec tables the predicates of a declaration, each with flags: Name/Arity, or a head whose arguments are modes.
func (l *Loader) tableSpec(spec term.Term, flags database.Flag) {
	l.each(spec, func(m *database.Module, t term.Term) {
		if name, arity, ok := Indicator(t); ok {
			l.tablePred(m, name, make([]term.Term, arity), flags)
			return
		}
		name, arity, ok := term.Indicator(t)
		if !ok {
			l.report(source.SeverityError, "table", "%s cannot be tabled; want name/arity or a head with modes",
				syntax.ShowTerm(t))
			return
		}
		modes := make([]term.Term, arity)
		if c, ok := t.(*term.Compound); ok {
			for i, a := range c.Args {
				if modes[i], ok = tableMode(a, m); !ok {
					l.report(source.SeverityError, "table", "%s is not a mode of tabling; "+
						"want _, index, -, min, max, first, last, sum, lattice(PI) or po(PI)", syntax.ShowTerm(a))
					return
				}
			}
		}
		l.tablePred(m, string(name), modes, flags)
	})
}

// tableMode reads the mode of an argument. nil stands for an argument that distinguishes answers.
func tableMode(t term.Term, m *database.Module) (mode term.Term, ok bool) {
	switch t := t.(type) {
	case *term.Var:
		return nil, true
	case term.Atom:
		switch t {
		case "index", "+":
			return nil, true
		case "-":
			return term.Atom("first"), true
		case "min", "max", "first", "last", "sum":
			return t, true
		}
	case *term.Compound:
		if len(t.Args) == 1 && (t.Functor == "lattice" || t.Functor == "po") {
			return joinMode(t, m)
		}
	}
	return nil, false
}

// joinMode reads lattice(PI) and po(PI), where PI is a name, name/arity or a head.
func joinMode(t *term.Compound, m *database.Module) (mode term.Term, ok bool) {
	pi := t.Args[0]
	for {
		args, ok := term.Is(pi, ":", 2)
		if !ok {
			break
		}
		pi = args[1]
	}
	name, _, ok := term.Indicator(pi)
	if n, _, isPI := Indicator(pi); isPI {
		name = term.Atom(n)
	}
	return term.New(t.Functor, qualified(m, name)), ok
}

// tablePred makes a predicate the wrapper of its present and later clauses. The clauses may stand in another file than
// the directive.
func (l *Loader) tablePred(m *database.Module, name string, modes []term.Term, flags database.Flag) {
	pred := l.definable(m, code.Functor(name, len(modes)))
	switch {
	case pred == nil || pred.Has(database.Tabled):
		return
	case pred.Has(database.Dynamic):
		l.p.definer.Clear(pred, database.Dynamic)
		flags |= database.Dynamic
	}
	earlier, ok := l.takeClauses(pred, "tabled")
	if !ok {
		return
	}
	delete(l.seen, pred)
	l.last = nil
	head, body, moded := tableWrapper(m, name, modes)
	l.addClause(pred, clauseParts{head: head, body: body})
	l.p.definer.Set(pred, flags&^database.Dynamic)
	if moded {
		l.p.definer.Set(pred, database.ModeDirected)
	}
	l.p.Declare(l.p.definer, tabledClauses(pred),
		database.Defined|flags&(database.Incremental|database.Private|database.Dynamic))
	l.putBehind(earlier, func(head term.Term) (*database.Pred, term.Term) { return tabledHead(pred, head) })
}

// putBehind adds the clauses that takeClauses has removed. behind returns the predicate behind the wrapper for a
// clause, and the head there.
func (l *Loader) putBehind(earlier []earlierClause, behind func(term.Term) (*database.Pred, term.Term)) {
	here, read := l.name, l.read
	for _, c := range earlier {
		l.name, l.read = c.at.File, &syntax.Read{Pos: c.at}
		own, head := behind(c.head)
		l.addClause(own, clauseParts{head: head, body: c.body})
	}
	l.name, l.read = here, read
}

// earlierClause is a clause from before the directive that tables its predicate.
type earlierClause struct {
	head, body term.Term
	at         syntax.Position
}

// takeClauses removes the clauses of a predicate and returns them. The caller adds them to the predicate behind the
// wrapper. property is the declared property, for messages. After an error no clause is removed.
func (l *Loader) takeClauses(pred *database.Pred, property string) ([]earlierClause, bool) {
	clauses := pred.Clauses()
	if len(clauses) == 0 {
		return nil, true
	}
	if pred.Has(database.SSU) {
		l.report(source.SeverityError, "table", "%s has rules Head => Body already; it must be declared %s before them",
			database.FunctorText(pred.Functor), property)
		return nil, false
	}
	args := make([]term.Term, pred.Arity())
	for i := range args {
		args[i] = term.NewVar("")
	}
	head, body, list := compound(pred.Name(), args), term.NewVar("Body"), term.NewVar("List")
	find := term.New("clause", term.New(":", term.Atom(pred.Module.Name), head), body)
	values, err := l.solve(term.New("findall", term.New("-", head, body), find, list), []*term.Var{list}, l.module)
	if err != nil {
		l.exception("table", err)
		return nil, false
	}
	items, _ := term.Slice(values[0])
	taken := make([]earlierClause, 0, len(items))
	for i, item := range items {
		pair := item.(*term.Compound).Args
		taken = append(taken, earlierClause{pair[0], pair[1], syntax.At(clauses[i].File, int(clauses[i].Line), 1)})
	}
	for _, c := range clauses {
		l.p.db.EraseNow(c)
	}
	return taken, true
}

// tableWrapper returns the clause of a tabled predicate. moded says that there are modes.
func tableWrapper(m *database.Module, name string, modes []term.Term) (head, body term.Term, moded bool) {
	args := make([]term.Term, len(modes))
	var keys, values, joins []term.Term
	for i, mode := range modes {
		args[i] = term.NewVar(fmt.Sprintf("A%d", i+1))
		if mode == nil {
			keys = append(keys, args[i])
			continue
		}
		values, joins = append(values, args[i]), append(joins, mode)
	}
	head = compound(name, args)
	goal := qualified(m, compound(name+database.BehindTable, args))
	if len(joins) == 0 {
		return head, term.New("$tbl_call", goal), false
	}
	tuple := term.New("ret", append(keys, values...)...)
	return head, term.New("$tbl_moded", goal, tuple, term.Int(len(keys)), term.List(joins...)), true
}

// tabledClauses returns the predicate with the clauses of a tabled predicate, and the place of their module.
func tabledClauses(pred *database.Pred) *database.Pred {
	own := pred.Behind()
	own.File, own.Line = pred.File, pred.Line
	return own
}

// isEmptyTable reports whether a predicate is tabled and has no clauses.
func isEmptyTable(pred *database.Pred) bool {
	return pred.Has(database.Tabled) && len(pred.Behind().Clauses()) == 0
}

// tabledHead returns the predicate that receives a clause of a tabled predicate, and the head of the clause there.
func tabledHead(pred *database.Pred, head term.Term) (*database.Pred, term.Term) {
	own := tabledClauses(pred)
	var args []term.Term
	if c, ok := head.(*term.Compound); ok {
		args = c.Args
	}
	return own, compound(own.Name(), args)
}

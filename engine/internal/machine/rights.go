package machine

import (
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
)

// This file defines restricted rules: rules that reach less outside of the machine than other rules do. It also defines
// which rules the clauses of a program may add while it runs.
//
// The compiler puts instructions around the body of a restricted rule that switch a cell on the heap on and off. The
// switch is trailed, so exceptions and backtracking restore it. A goal is restricted while a restricted rule is active,
// however it has been called and whatever it calls. What would run later, in another place, is restricted for good:
// goals that are kept are wrapped, and an attribute, a suspended reader of a table, or the body of a restricted rule
// that is taken apart restricts the rest of the run.

var rightsTable = []Builtin{
	{Name: "$restricted", Func: func(m *Machine, _ []cell) (bool, error) { return m.Restricted(), nil },
		Doc: "A restricted rule is active."},
	{Name: "$restrict", Func: func(m *Machine, _ []cell) (bool, error) { return m.restrict(code.ATrue) },
		Doc: "The rule that begins here is restricted."},
	{Name: "$unrestrict", Func: func(m *Machine, _ []cell) (bool, error) { return m.restrict(code.ANil) },
		Doc: "A restricted rule, which no other one has called, ends here."},
	{Name: "$kept_goal", Arity: 2, Modes: "+goal, -kept",
		Func: func(m *Machine, a []cell) (bool, error) { return m.Unify(a[1], m.keptGoal(a[0])), nil },
		Doc:  "Kept is what is kept of goal, to be called later."},
}

// rights says whether the run is restricted. switched is a list cell whose head is true while a restricted rule is
// active, 0 until one is called.
type rights struct {
	switched cell
	forGood  bool
}

// Restricted reports whether a restricted rule is active.
func (m *View) Restricted() bool {
	return m.rights.forGood || m.rights.switched != 0 && m.Arg(m.rights.switched, 0) == code.ATrue
}

// RestrictRest restricts the rest of the run if a restricted rule is active: it has left something that runs later.
func (m *View) RestrictRest() { m.rights.forGood = m.Restricted() }

// RestrictRun restricts the run from here on.
func (m *Machine) RestrictRun() { m.rights.forGood = true }

// WasRestricted reports whether the run has entered a restricted rule.
func (m *Machine) WasRestricted() bool { return m.rights.forGood || m.rights.switched != 0 }

// restrict turns the switch, until backtracking turns it back.
func (m *Machine) restrict(on cell) (bool, error) {
	if m.rights.switched == 0 {
		m.rights.switched = m.NewList(code.ANil, code.ANil)
		m.Protect(0)
	}
	m.SetArg(m.rights.switched, 0, on, true)
	return true, nil
}

// keptGoal returns what is kept of a goal that is to be called later.
func (m *Machine) keptGoal(goal cell) cell {
	if m.Restricted() {
		return m.NewStruct("$restrictedly", goal)
	}
	return goal
}

// comingRules says which predicates may get rules that the program does not have yet.
type comingRules struct {
	generation uint64 // of the program whose clauses were read
	// heads are the functors of predicates that get rules. any says that all those may which are dynamic, not defined or
	// of a library, files that all those of the program may.
	heads      map[cell]bool
	any, files bool
}

// rulesOf reads what the clauses of the program add, unless that is known.
func (s *SharedTables) rulesOf(m *Machine) *comingRules {
	s.mu.Lock()
	rules := s.rules
	s.mu.Unlock()
	if generation := m.program.Generation(); rules == nil || rules.generation != generation {
		rules = &comingRules{generation: generation, heads: map[cell]bool{}}
		r := newEffectReader(m, rules)
		for _, p := range m.program.Preds() {
			if p.Has(database.Ruled) && !r.ours(p) {
				r.clauses(p, "")
			}
		}
		s.mu.Lock()
		s.rules = rules
		s.mu.Unlock()
	}
	return rules
}

// may reports whether a predicate with a functor may get rules if it can change.
func (c *comingRules) may(f cell) bool { return c.any || c.files || c.heads[f] }

// ours notes what a goal adds that calls a predicate of the system or of a library.
func (c *comingRules) ours(r *effectReader, p *database.Pred, in *database.Clause, name string, args []cell) {
	switch {
	case loaders[name]:
		c.files = true
	case name == "format_predicate":
		c.heads[fFormats] = true
	case !strings.Contains(name, "assert") || name == "assertion":
	case len(args) == 0:
		c.any = true
	default:
		c.added(r, p, in, args[0])
	}
}

// added notes that a term of a clause is added as a clause, whose goals add more.
func (c *comingRules) added(r *effectReader, p *database.Pred, in *database.Clause, term cell) {
	f := functorIn(in, term)
	switch at := term.Addr(); {
	case f == 0:
		c.any = true
	case f == code.FColon:
		c.added(r, p, in, in.Cells[at+2])
	case f == code.FNeck || f == fSSU:
		head := in.Cells[at+1]
		if functorIn(in, head) == code.FComma { // the head of => and its guard
			head = in.Cells[head.Addr()+1]
		}
		for functorIn(in, head) == code.FColon {
			head = in.Cells[head.Addr()+2]
		}
		f = functorIn(in, head)
		c.heads[f] = true
		c.any = c.any || f == 0
		r.goal(p, in, in.Cells[at+2], 0, p.Module)
	}
}

// functorIn returns the functor of a callable term in a clause, 0 if it is none.
func functorIn(c *database.Clause, term cell) cell {
	switch {
	case term.Tag() == code.Atom:
		return code.MakeFunctor(term.Atom(), 0)
	case term.Tag() == code.Str && c.Cells[term.Addr()].IsFunctor():
		return c.Cells[term.Addr()]
	}
	return 0
}

var fSSU = code.Functor("=>", 2)

// loaders are the predicates that load files, or change which predicates a goal calls.
var loaders = wordSet(`consult reconsult load_files ensure_loaded use_module make include reexport unload_file
	import import_module add_import_module delete_import_module set_base_module set_module @`)

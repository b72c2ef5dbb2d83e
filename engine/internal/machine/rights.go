package machine

import "github.com/mcplogic/mcplogic/engine/internal/code"

// This file defines restricted rules: rules with less access to the outside than other rules. It also defines which
// rules the clauses of a program may add while it runs.
//
// The compiler puts instructions around the body of a restricted rule that switch a cell on the heap on and off. The
// switch is trailed, so exceptions and backtracking restore it. A goal is restricted while a restricted rule is active,
// however it has been called and whatever it calls. Goals that run later, in another place, stay restricted: goals that
// are kept are wrapped. An attribute, a suspended reader of a table, or a decomposed body of a restricted rule
// restricts the rest of the run.

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
// active. It is 0 until a restricted rule is called.
type rights struct {
	switched cell
	forGood  bool
}

// Restricted reports whether a restricted rule is active.
func (m *View) Restricted() bool {
	return m.rights.forGood || m.rights.switched != 0 && m.Arg(m.rights.switched, 0) == code.ATrue
}

// RestrictRest restricts the rest of the run if a restricted rule is active, as that rule has left a goal that runs
// later.
func (m *View) RestrictRest() { m.rights.forGood = m.Restricted() }

// RestrictRun restricts the run from here on.
func (m *Machine) RestrictRun() { m.rights.forGood = true }

// WasRestricted reports whether the run has entered a restricted rule.
func (m *Machine) WasRestricted() bool { return m.rights.forGood || m.rights.switched != 0 }

// restrict sets the switch, until backtracking resets it.
func (m *Machine) restrict(on cell) (bool, error) {
	if m.rights.switched == 0 {
		m.rights.switched = m.NewList(code.ANil, code.ANil)
		m.Protect(0)
	}
	m.SetArg(m.rights.switched, 0, on, true)
	return true, nil
}

// keptGoal returns the goal to store for a goal that is to be called later.
func (m *Machine) keptGoal(goal cell) cell {
	if m.Restricted() {
		return m.NewStruct("$restrictedly", goal)
	}
	return goal
}

package machine

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines what one run passes on to the next besides the program and its streams: engines, tries, queues,
// mutexes, the atoms in these, and random numbers.

// Handover is the state that a run leaves to the next one.
type Handover struct {
	team      *team
	atoms     *code.AtomSet
	atomBytes int
	held      map[uint32]struct{} // see gcState
	random    *Random
	tx        *database.Tx // the view of the engines; nil without engines
}

// HandOver takes the state for the next run from a machine that is about to be reset. Engines that see an isolated
// transaction end with it.
func HandOver(m *Machine) *Handover {
	m.leaveTransaction()
	if m.team != nil && !m.tx.Direct() {
		m.team.endEngines()
	}
	h := &Handover{team: m.team, random: m.Random, held: m.HeldAtoms}
	if m.ownsAtoms() {
		m.OwnAtoms.Release(func(n uint32) bool {
			_, held := h.held[n]
			if !held {
				m.AtomBytes -= len(code.AtomText(n)) + stacks.AtomOverhead
			}
			return held
		})
	} else {
		m.tx.Rest(m.codeInUse())
		h.tx, m.tx = m.tx, nil
	}
	h.atoms, h.atomBytes = m.OwnAtoms, m.AtomBytes
	m.team, m.OwnAtoms = nil, &code.AtomSet{}
	return h
}

// takeOver gives a run the state that the previous run has left.
func (m *Machine) takeOver(h *Handover, direct bool) {
	m.team, m.OwnAtoms, m.AtomBytes, m.HeldAtoms, m.Random = h.team, h.atoms, h.atomBytes, h.held, h.random
	if m.team == nil {
		return
	}
	m.team.root = m
	if h.tx != nil && !direct {
		m.team.endEngines()
		h.tx.Rollback()
	} else if h.tx != nil {
		m.tx.Rollback()
		m.tx = h.tx
	}
	for _, e := range m.team.engines {
		e.m.OwnAtoms, e.m.IO, e.m.Commit, e.m.Loading, e.m.Given = m.OwnAtoms, m.IO, m.Commit, m.Loading, m.Given
		m.ExtraBytes += e.held
	}
	for _, t := range m.team.tries {
		m.ExtraBytes += t.bytes
	}
}

// visit makes a run share all that belongs to the run of the host, which waits for it: it runs a goal of a text that
// the host loads.
func (m *Machine) visit(host *Machine) {
	host.ensureTeam()
	if host.HeldAtoms == nil {
		host.HeldAtoms = map[uint32]struct{}{}
	}
	m.host, m.team, m.OwnAtoms, m.HeldAtoms = host, host.team, host.OwnAtoms, host.HeldAtoms
	m.AtomBytes, m.Random = host.AtomBytes, host.Random
	m.team.root = m
}

// endVisit ends what visit began.
func (m *Machine) endVisit() {
	if m.host != nil {
		m.host.AtomBytes, m.host.Random, m.team.root = m.AtomBytes, m.Random, m.host
		m.host, m.team, m.OwnAtoms = nil, nil, &code.AtomSet{}
	}
}

// Settle turns the state into a template that any number of runs may copy. Its atoms become permanent. It returns nil
// if the template would be empty.
func (h *Handover) Settle() *Handover {
	for _, n := range h.atoms.Numbers() {
		code.PinAtom(n)
	}
	if h.team == nil && h.random == nil {
		return nil
	}
	if h.team != nil {
		for _, t := range h.team.tries {
			t.shared = true
		}
	}
	return h
}

// EngineNames returns the names of the engines of a run.
func EngineNames(m *Machine) (names []string) {
	if m.team != nil {
		for _, n := range slices.Sorted(maps.Keys(m.team.engines)) {
			names = append(names, cmp.Or(m.team.engines[n].alias, strconv.Itoa(n)))
		}
	}
	return names
}

// Seeded returns the state with the random numbers of another run, if that run has set a seed.
func (h *Handover) Seeded(by *Handover) *Handover {
	if by != nil && by.random != nil {
		if h == nil {
			h = &Handover{atoms: &code.AtomSet{}}
		}
		h.random = by.random
	}
	return h
}

// Copy returns a copy of the template, for a run to begin with. The template must be settled.
func (h *Handover) Copy() *Handover {
	c := &Handover{atoms: &code.AtomSet{}}
	if h.random != nil {
		source := *h.random.Source
		c.random = &Random{Rand: rand.New(&source), Source: &source}
	}
	if t := h.team; t != nil {
		c.team = &team{engines: map[int]*engineState{}, aliases: map[string]*engineState{}, last: t.last,
			tries: maps.Clone(t.tries), queues: maps.Clone(t.queues), mutexes: maps.Clone(t.mutexes)}
		for key, q := range c.team.queues {
			c.team.queues[key] = &messageQueue{slices.Clone(q.messages), q.size}
		}
	}
	return c
}

// Abandon ends the engines of the state.
func (h *Handover) Abandon() {
	if h.tx != nil {
		h.team.endEngines()
		h.tx.Rollback()
		h.tx = nil
	}
}

// This part defines global variables. A run begins with the variables that the directives of the program have set. It
// copies each value to its heap at the first access.

var globalTable = []Builtin{
	{Name: "b_getval", Arity: 2, control: (*Machine).controlGetGlobal, Modes: "+name, ?value",
		Doc: "Value is the value of a global variable."},
	{Name: "nb_getval", Arity: 2, control: (*Machine).controlGetGlobal, Modes: "+name, ?value",
		Doc: "Value is the value of a global variable."},
	{Name: "nb_delete", Arity: 1, Func: deleteGlobal, Modes: "+name",
		Doc: "Deletes a global variable."},
}

// Globals returns the initial global variables of a run, by name. The map does not change.
type Globals func() map[string]term.Term

var fnMissingGlobal = code.Functor("$missing_global", 2)

// controlGetGlobal is b_getval/2 and nb_getval/2. The hook user:exception/3 may give a variable that does not exist a
// value.
func (m *Machine) controlGetGlobal(int) error {
	name, err := m.AtomArg(m.X[0])
	if err != nil {
		return err
	}
	if value, ok := m.Global(name); ok {
		m.P = m.CP
		m.proceedIf(m.Unify(m.X[1], value))
		return nil
	}
	if m.program.User().FindHook(fException) != nil {
		return m.invoke(fnMissingGlobal, nil)
	}
	return m.ExistenceError("variable", m.X[0])
}

// SetGlobal gives a global variable a value. Without backtrackable it is a copy and stays.
func (m *Machine) SetGlobal(name string, v cell, backtrackable bool) {
	holder := m.globals[name]
	if holder == 0 || !backtrackable && m.Arg(holder, 1) != code.ATrue {
		holder = m.newGlobal(name)
	}
	m.SetArg(holder, 0, v, backtrackable)
	if !backtrackable {
		Outlasts(m, 0)
	}
	switch tail := m.Arg(holder, 1); {
	case !backtrackable && tail == code.ANil:
		m.SetArg(holder, 1, code.ATrue, false)
	case backtrackable && tail == code.ANil:
		m.SetArg(holder, 1, code.AMinus, true)
	case backtrackable && tail == code.ATrue:
		m.SetArg(holder, 1, code.AFalse, false)
	}
}

// newGlobal makes the holder of a global variable: a list cell that backtracking spares. Its head is the value. Its
// tail is [] if the variable has no value, true if the last value is permanent, false if backtracking restores a
// permanent value, and - if backtracking removes the only value. In the last two cases the next permanent value gets
// another holder, which backtracking does not reach.
func (m *Machine) newGlobal(name string) cell {
	if m.globals == nil {
		m.globals = map[string]cell{}
	}
	if m.globals[name] == 0 {
		m.holdEntry(name, 0)
	}
	holder := m.NewList(code.ANil, code.ANil)
	m.Protect(0)
	m.globals[name] = holder
	return holder
}

// Global returns the value of a global variable.
func (m *Machine) Global(name string) (v cell, ok bool) {
	holder, ok := m.globals[name]
	if holder != 0 && m.Arg(holder, 1) != code.ANil {
		return m.Arg(holder, 0), true
	}
	if ok && holder == 0 || m.first == nil {
		return 0, false
	}
	value, ok := m.first()[name]
	if !ok {
		return 0, false
	}
	m.SetGlobal(name, m.Import(value), false)
	return m.Arg(m.globals[name], 0), true
}

// deleteGlobal is nb_delete/1. A variable of the program remains for other runs.
func deleteGlobal(m *Machine, a []cell) (bool, error) {
	name, err := m.AtomArg(a[0])
	if err != nil {
		return false, err
	}
	if _, ok := m.Global(name); ok {
		m.globals[name] = 0
		Outlasts(m, 0)
	}
	return true, nil
}

// Undo takes back all bindings and backtrackable assignments of the goal.
func (m *Machine) Undo() {
	m.cutTo(stacks.ChoiceBase)
	m.undo()
}

// GlobalNames returns the names of the global variables in order. With lasting set these are the variables that the run
// has read or has given a permanent value.
func (m *Machine) GlobalNames(lasting bool) []string {
	names := slices.Collect(maps.Keys(m.globals))
	if lasting {
		names = slices.DeleteFunc(names, func(name string) bool {
			holder := m.globals[name]
			return holder != 0 && (m.Arg(holder, 1) == code.ANil || m.Arg(holder, 1) == code.AMinus)
		})
	} else if m.first != nil {
		names = slices.AppendSeq(names, maps.Keys(m.first()))
	}
	names = slices.DeleteFunc(names, func(name string) bool { holder, ok := m.globals[name]; return ok && holder == 0 })
	slices.Sort(names)
	return slices.Compact(names)
}

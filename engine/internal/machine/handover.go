package machine

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
)

// This file defines what one run hands over to the next besides the program and its streams: engines, tries, queues,
// mutexes, the atoms that these mention, and random numbers.

// Handover is what a run has left for the next one.
type Handover struct {
	team      *team
	atoms     *code.AtomSet
	atomBytes int
	held      map[uint32]struct{} // see gcState
	random    *Random
	tx        *database.Tx // the view of the engines; nil without engines
}

// HandOver takes from a machine what the next run goes on with, before the machine is reset. Engines that see an
// isolated transaction end with it.
func HandOver(m *Machine) *Handover {
	m.leaveTransaction()
	if m.team != nil && !m.tx.Direct() {
		m.team.endEngines()
	}
	h := &Handover{team: m.team, random: m.Random, held: m.gc.held}
	if m.ownsAtoms() {
		m.ownAtoms.Release(func(n uint32) bool {
			_, held := h.held[n]
			if !held {
				m.atomBytes -= len(code.AtomText(n)) + atomOverhead
			}
			return held
		})
	} else {
		m.tx.Rest(m.codeInUse())
		h.tx, m.tx = m.tx, nil
	}
	h.atoms, h.atomBytes = m.ownAtoms, m.atomBytes
	m.team, m.ownAtoms = nil, &code.AtomSet{}
	return h
}

// takeOver gives a run what the one before it has left.
func (m *Machine) takeOver(h *Handover, direct bool) {
	m.team, m.ownAtoms, m.atomBytes, m.gc.held, m.Random = h.team, h.atoms, h.atomBytes, h.held, h.random
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
		e.m.ownAtoms, e.m.IO, e.m.Loading = m.ownAtoms, m.IO, m.Loading
		m.extraBytes += e.held
	}
	for _, t := range m.team.tries {
		m.extraBytes += t.bytes
	}
}

// visit makes a run share all that belongs to the run of the host, which waits for it: it runs a goal of a text that
// the host loads.
func (m *Machine) visit(host *Machine) {
	host.ensureTeam()
	if host.gc.held == nil {
		host.gc.held = map[uint32]struct{}{}
	}
	m.host, m.team, m.ownAtoms, m.gc.held = host, host.team, host.ownAtoms, host.gc.held
	m.atomBytes, m.Random = host.atomBytes, host.Random
	m.team.root = m
}

// endVisit ends what visit began.
func (m *Machine) endVisit() {
	if m.host != nil {
		m.host.atomBytes, m.host.Random, m.team.root = m.atomBytes, m.Random, m.host
		m.host, m.team, m.ownAtoms = nil, nil, &code.AtomSet{}
	}
}

// Settle makes what is left a template, of which any number of runs may have copies. Its atoms stay for ever.
func (h *Handover) Settle() {
	for _, n := range h.atoms.Numbers() {
		code.PinAtom(n)
	}
	if h.team != nil {
		for _, t := range h.team.tries {
			t.shared = true
		}
	}
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

// Seeded returns what is left with the random numbers of another run, if that has given a seed.
func (h *Handover) Seeded(by *Handover) *Handover {
	if by != nil && by.random != nil {
		if h == nil {
			h = &Handover{atoms: &code.AtomSet{}}
		}
		h.random = by.random
	}
	return h
}

// Copy returns what a run begins with that goes on with a template. The template must be settled.
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

// Abandon ends the engines that are left.
func (h *Handover) Abandon() {
	if h.tx != nil {
		h.team.endEngines()
		h.tx.Rollback()
		h.tx = nil
	}
}

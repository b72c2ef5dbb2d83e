package database

import (
	"strconv"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/native"
)

// This file defines how code gets native code.

// CodeAndTable returns the code words with the table of their native code, nil when there is none.
func (p *Program) CodeAndTable() ([]code.Instr, *native.Table) {
	now := p.area.current.Load()
	return now.words, now.table
}

// Translate makes native code for the clause or predicate to whose code an address belongs. It reports whether there is
// some now.
func (p *Program) Translate(at uint32, o native.Options) bool {
	entry := at
	if c := p.ClauseAt(at); c != nil && c.Pred.Has(Dynamic) {
		entry = c.addr.Load()
	} else if c != nil {
		entry = c.Pred.Entry
	}
	unit := p.area.translate(int(entry), o)
	if unit != nil && native.Mapped() {
		unit.Name(p.OwnerName(entry))
	}
	return unit != nil || p.hasNative(entry)
}

// hasNative reports whether there is native code for an address.
func (p *Program) hasNative(at uint32) bool {
	_, units := p.CodeAndTable()
	return units != nil && units.Has(int(at))
}

// OwnerName returns the indicator of the predicate whose entry or clause an address is in, for messages.
func (p *Program) OwnerName(at uint32) string {
	pred := p.PredAt(at)
	if c := p.ClauseAt(at); c != nil {
		pred = c.Pred
	}
	if pred == nil {
		return "code at " + strconv.Itoa(int(at))
	}
	return pred.Indicator()
}

// translate makes native code for what begins at an address, unless there is some already or the code changes
// meanwhile.
func (a *area) translate(entry int, o native.Options) *native.Unit {
	now := a.current.Load()
	if entry == 0 || entry >= len(now.words) || now.table != nil && now.table.Has(entry) && !o.WithFloats ||
		a.hasRefused(entry) {
		return nil
	}
	unit := native.Translate(now.words, entry, o)
	a.mu.Lock()
	defer a.mu.Unlock()
	if unit == nil {
		if a.refused == nil {
			a.refused = map[int]bool{}
		}
		a.refused[entry] = true
		return nil
	}
	next := *a.current.Load()
	if next.changes != now.changes {
		return nil
	}
	switch {
	case next.table == nil:
		next.table = firstTable(next.words, o)
	case next.table.Len() < len(next.words):
		next.table = next.table.Clone(cap(next.words))
	}
	if next.table == nil {
		return nil
	}
	next.table.Add(unit)
	a.current.Store(&next)
	return unit
}

// hasRefused reports whether the code at an address has turned out not to be translatable.
func (a *area) hasRefused(entry int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.refused[entry]
}

// firstTable returns a table with the code that every program has, nil if there can be none.
func firstTable(words []code.Instr, o native.Options) *native.Table {
	first := native.NewTable(cap(words))
	if first == nil {
		return nil
	}
	for _, at := range []int{native.AddrCatch, native.AddrPopCatch} {
		if unit := native.Translate(words, at, o); unit != nil {
			first.Add(unit)
		}
	}
	return first
}

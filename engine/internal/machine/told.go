package machine

import (
	"strconv"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/effort"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines the report of a run on its calls when a limit has run out.

// tellEffort unifies with the work that the run had done when a limit last ran out.
func tellEffort(m *Machine, a []cell) (bool, error) {
	if m.calls.Told == nil {
		return false, nil
	}
	return m.Unify(a[0], m.NewString(m.calls.Told.Text(func(file string) string { return file }))), nil
}

// EffortOf returns what a run has done so far. The machine must not be at work, other than in a built-in.
func EffortOf(m *Machine) *effort.Effort {
	e := &effort.Effort{Calls: m.Inferences()}
	if last := m.lastBuiltin(); last != nil && !strings.HasPrefix(last.Name, "$") {
		e.Last = ", the last of " + last.indicator()
	}
	var tables []*database.Pred
	for _, f := range m.tables.frames {
		tables = append(tables, f.table.pred)
	}
	m.calls.Fill(e, &m.Terms, m.program, tables)
	m.generatorOf(e)
	return e
}

// generatorOf finds the oldest built-in that may have more answers.
func (m *Machine) generatorOf(e *effort.Effort) {
	if pred := m.tables.onRows; pred != nil {
		e.Generator, e.Growing = effort.TabledBy(pred).Indicator(), true
		return
	}
	const manyAnswers = 500 // of one built-in are a search
	if m.calls.Redos < manyAnswers {
		return
	}
	e.Answers = m.calls.Redos
	for b, n := m.B, 0; b != stacks.ChoiceBase && n < effort.MostFrames; b, n = int(m.Choices[b+stacks.ChoicePrev]), n+1 {
		if m.alternative(b) != addrRedo {
			continue
		}
		last := b + stacks.ChoiceArgs + int(m.Choices[b+stacks.ChoiceArity]&0xffff) - 1
		generator := &m.builtins[m.Choices[last].Int()]
		if !effort.IsTabling(generator.Name) {
			e.Generator, e.Growing = generator.indicator(), false
		} else if t := m.tableAt(m.Choices[b+stacks.ChoiceArgs]); t != nil && t.pred != nil {
			e.Generator, e.Growing = effort.TabledBy(t.pred).Indicator(), !t.complete
		}
	}
}

// lastBuiltin is the built-in that was called last, nil if none was. Any goroutine may ask, as for Whereabouts.
//
//go:norace
func (m *Machine) lastBuiltin() *Builtin {
	if last := m.builtinNow; last > 0 {
		return &m.builtins[last-1]
	}
	return nil
}

func (b *Builtin) indicator() string { return b.Name + "/" + strconv.Itoa(b.Arity) }

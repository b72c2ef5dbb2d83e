package machine

import (
	"encoding/binary"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines the answers of mode-directed tables: among answers with equal first arguments only one is kept,
// whose other arguments are joined by their modes.

// tblPut adds an answer, or joins it with the existing one. If goals must do the joining, it succeeds with the existing
// answer.
func tblPut(m *Machine, t *table, a []cell) (bool, error) {
	key, err := m.bestKey(a[1], a[2])
	if err != nil {
		return false, err
	}
	i, ok := t.best[string(key)]
	if !ok {
		return false, m.putBest(t, key, a[1])
	}
	if t.answers.undefined(int(i)) {
		m.addTaint()
	}
	best := m.answerTuple(t, int(i))
	all, changed, ok := m.joinTuples(best, m.Deref(a[1]), int(m.Deref(a[2]).Int()), a[3])
	switch {
	case !ok:
		return m.Unify(a[4], best), nil
	case changed:
		return false, m.putBest(t, key, all)
	}
	return false, nil
}

// tblReplace replaces the answer with the same key by a tuple, once goals have decided which is better.
func tblReplace(m *Machine, t *table, a []cell) (bool, error) {
	key, err := m.bestKey(a[1], a[2])
	if err != nil {
		return false, err
	}
	return true, m.putBest(t, key, a[1])
}

// bestKey returns bytes that identify the first arguments of a tuple. The next call overwrites them.
func (m *Machine) bestKey(tuple, width cell) ([]byte, error) {
	c := m.Deref(tuple)
	n, err := m.widthArg(c, width)
	if err != nil {
		return nil, err
	}
	key := m.tables.key[:0]
	for i := range n {
		arg := m.Deref(m.Arg(c, i))
		if arg.Tag() != code.Atom && arg.Tag() != code.Int {
			return m.frozenKey(c, n)
		}
		key = binary.LittleEndian.AppendUint64(key, uint64(arg))
	}
	m.tables.key = key
	return key, nil
}

// frozenKey is bestKey for arguments that are not all atoms and small integers. It has an odd length.
func (m *Machine) frozenKey(tuple cell, n int) ([]byte, error) {
	args := make([]cell, n)
	for i := range args {
		args[i] = m.Arg(tuple, i)
	}
	f := m.FreezeWith(m.NewStruct("ret", args...), true)
	if hasAttributed(f.Cells) {
		return nil, m.TypeError("free_of_attvar", tuple)
	}
	m.tables.key = append(appendKey(m.tables.key[:0], f), 0)
	return m.tables.key, nil
}

// putBest replaces the answer with the same key.
func (m *Machine) putBest(t *table, key []byte, tuple cell) error {
	t.answers.width = m.Functor(m.Deref(tuple)).FunctorArity()
	cells, err := m.flatten(tuple, t.answers.width)
	if err != nil {
		return err
	}
	before := t.answers.bytes()
	n := 0
	if old, ok := t.best[string(key)]; ok {
		t.answers.drop(int(old))
	} else {
		n = len(key) + 40
	}
	if t.best == nil {
		t.best = map[string]int32{}
	}
	t.best[string(key)] = int32(t.answers.push(cells, m.tainted()))
	m.wakeConsumers(t)
	m.noteUnanswered(t)
	return m.hold(t, n+t.answers.bytes()-before)
}

// answerTuple builds answer i of a table on the heap.
func (m *Machine) answerTuple(t *table, i int) cell {
	cells := m.answerCells(t, i)
	if len(cells) != t.answers.width {
		return m.Thaw(stacks.Frozen{Root: code.MakeStr(0), Cells: cells})
	}
	return m.NewStruct("ret", cells...)
}

// joinTuples joins two tuples whose arguments after the first width ones have modes. changed reports whether the result
// differs from old. ok is false if goals must do the joining.
func (m *Machine) joinTuples(old, tuple cell, width int, modes cell) (all cell, changed, ok bool) {
	var room [8]cell
	args := room[:0]
	for i := range m.Functor(tuple).FunctorArity() {
		a, b := m.Arg(old, i), m.Arg(tuple, i)
		if i < width {
			args = append(args, a)
			continue
		}
		list := m.Deref(modes)
		if list.Tag() != code.Lst {
			return 0, false, false
		}
		value, other, ok := m.joinValues(m.Deref(m.Arg(list, 0)), a, b)
		if !ok {
			return 0, false, false
		}
		args, changed = append(args, value), changed || other
		modes = m.Arg(list, 1)
	}
	if !changed {
		return old, false, true
	}
	return m.NewStruct("ret", args...), true, true
}

// joinValues joins two values by their mode.
func (m *Machine) joinValues(mode, old, value cell) (joined cell, changed, ok bool) {
	replaced := false
	switch mode {
	case modeMin:
		replaced = m.Compare(value, old) < 0
	case modeMax:
		replaced = m.Compare(value, old) > 0
	case modeFirst:
	case modeLast:
		atomic := func(c cell) bool { return !stacks.IsCompound(m.Deref(c)) && !stacks.IsVar(m.Deref(c)) }
		if !atomic(old) || !atomic(value) {
			return 0, false, false // they may be variants
		}
		replaced = m.Compare(value, old) != 0
	case modeSum:
		a, b := m.Deref(old), m.Deref(value)
		if a.Tag() != code.Int || b.Tag() != code.Int || !code.FitsInt(a.Int()+b.Int()) {
			return 0, false, false
		}
		return code.MakeInt(a.Int() + b.Int()), b.Int() != 0, true
	default:
		return 0, false, false
	}
	if replaced {
		return value, true, true
	}
	return old, false, true
}

// The modes that need no goals.
var (
	modeMin   = code.AtomCell("min")
	modeMax   = code.AtomCell("max")
	modeFirst = code.AtomCell("first")
	modeLast  = code.AtomCell("last")
	modeSum   = code.AtomCell("sum")
)

// widthArg returns the number of arguments of a dereferenced tuple that form the key of an answer.
func (m *Machine) widthArg(tuple, width cell) (int, error) {
	w := m.Deref(width)
	if !stacks.IsCompound(tuple) || w.Tag() != code.Int || w.Int() < 0 ||
		w.Int() > int64(m.Functor(tuple).FunctorArity()) {
		return 0, m.TypeError("tuple", tuple)
	}
	return int(w.Int()), nil
}

// tblFree throws unless the moded arguments of a call are unbound: the table computes their values.
func tblFree(m *Machine, a []cell) (bool, error) {
	c := m.Deref(a[0])
	width, err := m.widthArg(c, a[1])
	if err != nil {
		return false, err
	}
	for i := width; i < m.Functor(c).FunctorArity(); i++ {
		if arg := m.Deref(m.Arg(c, i)); !stacks.IsVar(arg) {
			return false, m.UninstantiationError(arg)
		}
	}
	return true, nil
}

package machine

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/arrays"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/datalog"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines the answers of a table: a growing list of tuples without duplicates. It also defines the predicates
// by which a goal inspects the tables of its run. A replaced answer is dropped and its replacement added at the end, so
// that readers of the list see every change.

// answerSet is a list of tuples with a hash index. All cells stand in one slice. A set that no longer grows may have
// rows of numbers in place of cells.
type answerSet struct {
	width int      // arguments of a tuple
	rows  []uint32 // the tuples as numbers of names; nil if they stand in cells
	names []cell
	cells []cell   // the tuples
	ends  []uint32 // where they end; nil as long as each has width cells
	marks []uint8  // by answer
	slots []uint64 // hash index: half a hash, half the number of an answer plus one; or 0
	count int      // answers that are not dropped
	sure  int      // answers that are true, not undefined

	clock *uint32  // counts the answers of all tables of a run that explains itself, else nil
	born  []uint32 // by answer: the clock when it was added
}

// The marks of an answer.
const (
	markDropped = 1 << iota
	markUndefined
)

func (s *answerSet) len() int             { return len(s.marks) }
func (s *answerSet) dropped(i int) bool   { return s.marks[i]&markDropped != 0 }
func (s *answerSet) undefined(i int) bool { return s.marks[i]&markUndefined != 0 }

// bytes returns the size of the set.
func (s *answerSet) bytes() int {
	return 8*cap(s.cells) + 4*len(s.rows) + 4*cap(s.ends) + cap(s.marks) + 8*cap(s.slots) + 4*cap(s.born)
}

// takeRows makes unchanging rows the answers of an empty set.
func (s *answerSet) takeRows(r *datalog.Relation, names []cell) {
	s.rows, s.names, s.marks = r.Rows(), names, make([]uint8, r.Len())
	s.count, s.sure = r.Len(), r.Len()
	for i := range s.marks {
		if r.Undefined(r.Row(i)) {
			s.marks[i] = markUndefined
			s.sure--
		}
	}
}

// answerCells returns the cells of answer i of a table. They may be overwritten with TupleBuf.
func (m *Machine) answerCells(t *table, i int) []cell {
	s := &t.answers
	if s.rows == nil {
		return s.cellsOf(i)
	}
	m.TupleBuf = m.TupleBuf[:0]
	for _, n := range s.rows[i*s.width : (i+1)*s.width] {
		m.TupleBuf = append(m.TupleBuf, s.names[n])
	}
	return m.TupleBuf
}

// cellsOf returns the cells of answer i of a set without rows.
func (s *answerSet) cellsOf(i int) []cell {
	if s.ends == nil {
		return s.cells[i*s.width : (i+1)*s.width]
	}
	from := uint32(0)
	if i > 0 {
		from = s.ends[i-1]
	}
	return s.cells[from:s.ends[i]]
}

// add adds a tuple unless it is there. An undefined answer becomes true when it is derived again without undefined
// goals.
func (s *answerSet) add(tuple []cell, undefined bool) {
	if 4*s.len() >= 3*len(s.slots) {
		s.rehash()
	}
	hash := hashCells(tuple)
	at := s.find(hash, tuple)
	if slot := s.slots[at]; slot != 0 {
		old := int(uint32(slot)) - 1
		if undefined || !s.undefined(old) {
			return
		}
		s.drop(old)
	}
	s.slots[at] = uint64(hash)<<32 | uint64(s.push(tuple, undefined)+1)
}

// push appends a tuple and returns its number.
func (s *answerSet) push(tuple []cell, undefined bool) int {
	if s.ends == nil && len(tuple) != s.width {
		s.ends = make([]uint32, s.len())
		for i := range s.ends {
			s.ends[i] = uint32((i + 1) * s.width)
		}
	}
	s.cells = arrays.Append(s.cells, tuple...)
	if s.ends != nil {
		s.ends = arrays.Push(s.ends, uint32(len(s.cells)))
	}
	mark := uint8(markUndefined)
	if !undefined {
		mark = 0
		s.sure++
	}
	s.marks = arrays.Push(s.marks, mark)
	s.count++
	if s.clock != nil {
		*s.clock++
		s.born = arrays.Push(s.born, *s.clock)
	}
	return s.len() - 1
}

// drop takes an answer out of the list.
func (s *answerSet) drop(i int) {
	s.count--
	if !s.undefined(i) {
		s.sure--
	}
	s.marks[i] |= markDropped
}

// find returns the slot where a tuple is or would be.
func (s *answerSet) find(hash uint32, tuple []cell) int {
	mask := len(s.slots) - 1
	for at := int(hash) & mask; ; at = (at + 1) & mask {
		slot := s.slots[at]
		if slot == 0 || uint32(slot>>32) == hash && slices.Equal(s.cellsOf(int(uint32(slot))-1), tuple) {
			return at
		}
	}
}

// rehash doubles the index.
func (s *answerSet) rehash() {
	old := s.slots
	s.slots = make([]uint64, max(8, 2*len(old)))
	mask := len(s.slots) - 1
	for _, slot := range old {
		if slot == 0 {
			continue
		}
		at := int(slot>>32) & mask
		for s.slots[at] != 0 {
			at = (at + 1) & mask
		}
		s.slots[at] = slot
	}
}

// hashCells mixes cells word by word, so that all bits of them reach all bits of the hash.
func hashCells(cells []cell) uint32 {
	h := uint64(14695981039346656037)
	for _, c := range cells {
		h = (h ^ uint64(c)) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return uint32(h ^ h>>32)
}

// reset forgets all answers.
func (s *answerSet) reset() {
	s.cells, s.rows, s.ends, s.marks, s.born = s.cells[:0], nil, nil, s.marks[:0], s.born[:0]
	clear(s.slots)
	s.count, s.sure = 0, 0
}

// finish drops the parts that only a growing set needs.
func (s *answerSet) finish() {
	s.slots = nil
	if s.count == s.len() {
		return
	}
	all := *s
	s.cells, s.ends, s.marks, s.count, s.sure, s.clock, s.born = nil, nil, nil, 0, 0, nil, nil
	for i := range all.len() {
		if all.dropped(i) {
			continue
		}
		s.push(all.cellsOf(i), all.undefined(i))
		if all.clock != nil {
			s.born = append(s.born, all.born[i])
		}
	}
}

// This part defines what library(explain) learns of tables: in which order their answers were found. A derivation uses
// answers that were found before its own, so a proof that goes from younger to older answers has no circles.

// explainBegin is $explain_begin/0. Complete tables are forgotten, because their answers have no stamps.
func explainBegin(m *Machine, _ []cell) (bool, error) {
	m.dropDeadFrames()
	if m.tables.clock == nil {
		m.tables.clock = new(uint32)
		return tblAbolish(m, nil)
	}
	return true, nil
}

// explainTaint is $explain_taint/1: how far the derivation rests on something undefined. A number resets the taint, for
// a separate search; 0 means that the derivation depends on nothing undefined.
func explainTaint(m *Machine, a []cell) (bool, error) {
	taint := m.Deref(a[0])
	if stacks.IsVar(taint) {
		return m.Unify(taint, code.MakeInt(int64(m.taint()))), nil
	}
	m.tables.stuck = false
	m.setTaint(int(taint.Int()))
	if m.tables.tainted && m.taint() == 0 {
		m.SetArg(m.Envs[restsAt], 1, code.ANil, true)
	}
	return true, nil
}

func explainTainted(m *Machine, _ []cell) (bool, error) { return m.tables.tainted, nil }

func explainMisses(m *Machine, a []cell) (bool, error) {
	m.tables.missing = m.Deref(a[0]) == code.ATrue
	return true, nil
}

// explainTable is $explain_table/2. It fails for a goal without a complete table whose answers all have stamps.
func explainTable(m *Machine, a []cell) (bool, error) {
	m.dropDeadFrames()
	f := m.FreezeWith(a[0], true)
	if hasAttributed(f.Cells) {
		return false, nil
	}
	s := &m.tables
	s.key = appendKey(s.key[:0], f)
	t := s.variants[string(s.key)]
	if t == nil || !t.complete || len(t.answers.born) != t.answers.len() {
		return false, nil
	}
	return m.Unify(a[1], code.MakeInt(int64(t.number))), nil
}

// explainAnswer goes through the answers of a complete table. The tuple of a mode-directed table is given; that of
// others is made of the variables of the key.
func explainAnswer(m *Machine, t *table, _ []cell) (bool, error) {
	i := 0
	return m.Alternatives(func(m *Machine, a []cell) (ok, more bool, err error) {
		if i >= t.answers.len() {
			return false, false, nil
		}
		tuple := m.Deref(a[2])
		if stacks.IsVar(tuple) {
			tuple = m.tupleOf(a[1], t.goal)
		}
		undefined := code.ATrue
		if !t.answers.undefined(i) {
			undefined = m.NewAtom("false")
		}
		stamp := code.MakeInt(int64(t.answers.born[i]))
		ok = m.giveAnswer(t, i, tuple) && m.Unify(a[3], stamp) && m.Unify(a[4], undefined)
		i++
		return ok, i < t.answers.len(), m.Charge(1)
	})
}

var tableListTable = []Builtin{
	{Name: "$tbl_list", Arity: 1, Func: tableList, Modes: "-list", Doc: "Lists the tables of the run as goal-number."},
	{Name: "$explain_taint", Arity: 1, Func: explainTaint, Modes: "?taint",
		Doc: "Taint is how far the answer rests on something undefined; a number sets it."},
	{Name: "$explain_tainted", Arity: 0, Func: explainTainted, Modes: "",
		Doc: "Some goal of the run has rested on something undefined."},
	{Name: "$explain_misses", Arity: 1, Func: explainMisses, Modes: "+on",
		Doc: "While on is true cuts do not look at what is undefined: what is missing is looked for."},
	{Name: "$explain_begin", Arity: 0, Func: explainBegin, Modes: "",
		Doc: "Stamps the answers of tables from now on; forgets the complete tables."},
	{Name: "$explain_table", Arity: 2, Func: explainTable, Modes: "+key, -table",
		Doc: "Table is the complete table of a goal."},
	{Name: "$explain_answer", Arity: 5, Func: onTable(explainAnswer), Nondet: true,
		Modes: "+table, +key, +tuple, -stamp, -undefined",
		Doc:   "Key is an instance that is an answer of a table; stamp tells which answers are older."},
}

func tableList(m *Machine, a []cell) (bool, error) {
	var list []cell
	for _, t := range m.tables.list {
		if t != nil {
			list = append(list, m.NewStruct("-", m.Thaw(t.goal), code.MakeInt(int64(t.number))))
		}
	}
	return m.Unify(a[0], m.List(list, code.ANil)), nil
}

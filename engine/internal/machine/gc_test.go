package machine

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/stretchr/testify/require"
)

// The bounds that the collector keeps: the growth between two collections is minGrowth cells at least, and at most
// maxPatience times the live cells.
const (
	minGrowth   = 48 << 10
	maxPatience = 4
)

// newTestMachine returns a machine that has no program but the fixed code, with the stacks as
// they are at the start of a query.
func newTestMachine() *Machine {
	p := database.New()
	Prepare(p)
	m := New(p, nil, nil, testArithmetic, nil)
	m.Code = p.Code()
	m.pushBase()
	return m
}

// testArithmetic knows no functions.
var testArithmetic = Arithmetic{Function: func(string, int) (int, bool) { return 0, false }}

// afterCall returns a return address at which n slots are live.
func afterCall(n int) int { return addrStubs + 2*n + 1 }

// shape describes everything that the run can reach by numbers in the order of discovery, so
// that two heaps have the same shape if they differ only in addresses. It also tells the order
// of the addresses.
type shape struct {
	m     *Machine
	words []uint64
	names map[int]uint64
	order []int
	todo  []int
}

func shapeOf(m *Machine, live int) []uint64 {
	s := &shape{m: m, names: map[int]uint64{}}
	s.addAll(m.X[:live])
	slots := func(start, end int) { s.addAll(m.Envs[start:end]) }
	m.EachEnv(m.E, m.LiveSlots(m.CP), make([]uint64, len(m.Envs)>>6+1), slots)
	for a := range s.names {
		s.order = append(s.order, a)
	}
	slices.Sort(s.order)
	for _, a := range s.order {
		s.words = append(s.words, s.names[a])
	}
	return s.words
}

func (s *shape) addAll(cells []cell) {
	for _, c := range cells {
		s.add(c)
		for len(s.todo) > 0 {
			a := s.todo[len(s.todo)-1]
			s.todo = s.todo[:len(s.todo)-1]
			s.add(s.m.Heap[a])
		}
	}
}

// add describes one cell and remembers the cells that it leads to.
func (s *shape) add(c cell) {
	if !c.IsPointer() {
		s.words = append(s.words, uint64(c))
		return
	}
	a, n := c.Addr(), 1
	s.words = append(s.words, uint64(c.Tag()))
	switch c.Tag() {
	case code.Lst, code.Att:
		n = 2
	case code.Str:
		n = 1 + s.m.Heap[a].FunctorArity()
	case code.Blob:
		n = 1 + s.m.Heap[a].BlobWords()
	}
	for i := a + n - 1; i >= a; i-- {
		if _, ok := s.names[i]; !ok {
			s.names[i] = uint64(len(s.names))
			if c.Tag() == code.Blob {
				s.words = append(s.words, uint64(s.m.Heap[i]))
			} else if s.m.Heap[i].Tag() == code.Hdr {
				s.words = append(s.words, uint64(s.m.Heap[i]))
			} else {
				s.todo = append(s.todo, i)
			}
		}
		s.words = append(s.words, s.names[i])
	}
}

// testRegs is the number of argument registers that random runs use.
const testRegs = 8

// randomStep does to a machine what instructions and built-ins do, as r says. Two machines in
// corresponding states and with equal r come to corresponding states.
func randomStep(m *Machine, r *rand.Rand) {
	reg := func() *cell { return &m.X[r.Intn(testRegs)] }
	switch r.Intn(20) {
	case 0, 1:
		*reg() = m.NewVar()
	case 2, 3:
		*reg() = m.NewList(*reg(), *reg())
	case 4:
		*reg() = m.NewStruct("f", *reg(), m.NewVar(), *reg())
	case 5:
		*reg() = m.NewFloat(r.Float64())
	case 6:
		*reg() = m.NewString("some text that fills words"[:r.Intn(26)])
	case 7:
		*reg() = m.NewInt(int64(r.Uint64()))
	case 8:
		v := m.NewVar()
		m.PutAttributes(v, *reg())
		*reg() = v
	case 9, 10, 11:
		randomBind(m, *reg(), *reg())
	case 12:
		if c := m.Deref(*reg()); stacks.IsCompound(c) {
			m.SetArg(c, r.Intn(2), *reg(), true)
		}
	case 13:
		if c := m.Deref(*reg()); stacks.IsCompound(c) {
			*reg() = code.MakeRef(m.ArgAddr(c, r.Intn(2)))
		}
	case 14:
		m.pushChoice(r.Intn(testRegs+1), addrFail)
	case 15, 16:
		randomFrame(m, r.Intn(4), reg)
	case 17:
		if m.E != 2 {
			m.popFrame()
		}
	case 18:
		randomFail(m, r.Intn(2) == 0)
	case 19:
		randomCut(m, r.Intn(4))
	}
	m.Wake, m.WakeGoals = false, 0
}

func randomBind(m *Machine, v, value cell) {
	v, value = m.Deref(v), m.Deref(value)
	if stacks.IsVar(v) && v != value {
		if stacks.IsVar(value) {
			m.BindVars(v, value)
		} else {
			m.Bind(v, value)
		}
	}
}

func randomFrame(m *Machine, n int, reg func() *cell) {
	m.pushFrame(n)
	for i := range n {
		m.Envs[m.E+stacks.EnvY+i] = *reg()
	}
	m.CP = afterCall(n)
}

// randomFail backtracks; last says that no more alternatives are left.
func randomFail(m *Machine, last bool) {
	f := m.Choices[m.B:]
	m.undo()
	m.E, m.CP, m.Etop = int(f[stacks.ChoiceE]), int(f[stacks.ChoiceCP]), int(f[stacks.ChoiceEtop])
	for i := m.restoreArgs(); i < testRegs; i++ {
		m.X[i] = code.MakeInt(int64(i))
	}
	if last && m.B != stacks.ChoiceBase {
		m.dropChoice()
	}
}

func randomCut(m *Machine, depth int) {
	b := m.B
	for ; depth > 0 && b != stacks.ChoiceBase; depth-- {
		b = int(m.Choices[b+stacks.ChoicePrev])
	}
	m.cutTo(b)
}

// TestCollectRandom runs pairs of machines through the same random steps. One machine of each pair collects now and
// then, and both must reach the same cells.
func TestCollectRandom(t *testing.T) {
	for seed := range int64(120) {
		m, plain := newTestMachine(), newTestMachine()
		m.Stress = stacks.StressVerify
		for _, m := range []*Machine{m, plain} {
			for i := range testRegs {
				m.X[i] = code.MakeInt(int64(i))
			}
		}
		r := rand.New(rand.NewSource(seed))
		for step := range 400 {
			next := r.Int63()
			randomStep(m, rand.New(rand.NewSource(next)))
			randomStep(plain, rand.New(rand.NewSource(next)))
			if r.Intn(8) == 0 {
				require.NoError(t, m.collect(testRegs))
				require.NoError(t, m.Verify(testRegs, m.roots()))
			}
			require.LessOrEqual(t, m.H, plain.H)
			if step%10 == 0 || m.H < 200 {
				require.Equal(t, shapeOf(plain, testRegs), shapeOf(m, testRegs), "seed %d step %d", seed, step)
			}
		}
	}
}

// TestCollectTerms collects under terms of all kinds, some deep or cyclic.
func TestCollectTerms(t *testing.T) {
	const deep = 100_000
	tests := map[string]func(m *Machine) cell{
		"atom":     func(m *Machine) cell { return code.ANil },
		"variable": func(m *Machine) cell { return m.NewVar() },
		"float":    func(m *Machine) cell { return m.NewFloat(1.5) },
		"bigint":   func(m *Machine) cell { return m.NewInt(-1 << 63) },
		"string":   func(m *Machine) cell { return m.NewString(fmt.Sprintf("%01000d", 7)) },
		"empty":    func(m *Machine) cell { return m.NewString("") },
		"long list": func(m *Machine) cell {
			return m.NewCodes(fmt.Sprintf("%0100000d", 7), code.ANil)
		},
		"right deep": func(m *Machine) cell { return deepTerm(m, deep, 1) },
		"left deep":  func(m *Machine) cell { return deepTerm(m, deep, 0) },
		"cyclic": func(m *Machine) cell {
			v := m.NewVar()
			c := m.NewStruct("f", v, m.NewList(v, v))
			m.Bind(m.Deref(v), c)
			return c
		},
	}
	for name, build := range tests {
		t.Run(name, func(t *testing.T) {
			m := newTestMachine()
			m.Stress = stacks.StressVerify
			m.NewCodes("garbage", code.ANil)
			m.X[0] = build(m)
			before := m.Export(m.X[0])
			require.NoError(t, m.collect(1))
			require.NoError(t, m.Verify(1, m.roots()))
			requireSame(t, before, m.Export(m.X[0]))
			h := m.H
			m.NewCodes("garbage", code.ANil)
			require.NoError(t, m.collect(1))
			require.Equal(t, h, m.H)
		})
	}
}

// TestCollectDeepTerms counts the live cells of very deep terms.
func TestCollectDeepTerms(t *testing.T) {
	const deep = 1_000_000
	for arg := range 2 {
		m := newTestMachine()
		m.X[0] = deepTerm(m, deep, arg)
		require.NoError(t, m.collect(1))
		require.Equal(t, 1+3*deep, m.H)
		for c := m.X[0]; stacks.IsCompound(c); c = m.Arg(c, arg) {
			if !m.Heap[c.Addr()].IsFunctor() {
				require.Fail(t, "no compound", "at %d", c.Addr())
			}
		}
	}
}

// deepTerm returns f(f(f(..., 0, 0), 0, 0), 0, 0), nested in argument arg.
func deepTerm(m *Machine, depth, arg int) cell {
	c := code.MakeInt(0)
	for range depth {
		args := []cell{code.MakeInt(0), code.MakeInt(0)}
		args[arg] = c
		c = m.NewStruct("f", args...)
		m.NewVar() // dead
	}
	return c
}

// requireSame compares exported terms up to the names of variables. It takes any depth.
func requireSame(t *testing.T, a, b term.Term) {
	t.Helper()
	type pair struct{ a, b term.Term }
	seen := map[pair]bool{}
	for todo := []pair{{a, b}}; len(todo) > 0; {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		x, ok := p.a.(*term.Compound)
		if !ok {
			if _, ok := p.a.(*term.Var); ok {
				require.IsType(t, p.a, p.b)
			} else {
				require.Equal(t, p.a, p.b)
			}
			continue
		}
		y, ok := p.b.(*term.Compound)
		require.True(t, ok)
		require.Equal(t, x.Functor, y.Functor)
		require.Len(t, y.Args, len(x.Args))
		if !seen[p] {
			seen[p] = true
			for i := range x.Args {
				todo = append(todo, pair{x.Args[i], y.Args[i]})
			}
		}
	}
}

// TestCollectDeepStacks collects under a million environments, each protected by a choice
// point. A walk that takes more than linear time would not end.
func TestCollectDeepStacks(t *testing.T) {
	const depth = 1_000_000
	m := newTestMachine()
	m.X[0] = m.NewVar()
	for i := range depth {
		m.pushFrame(2)
		m.Envs[m.E+stacks.EnvY] = m.NewList(code.MakeInt(int64(i)), code.ANil)
		m.Envs[m.E+stacks.EnvY+1] = m.X[0]
		m.NewVar()
		m.CP = afterCall(2)
		m.pushChoice(1, addrFail)
	}
	require.NoError(t, m.collect(1))
	require.Equal(t, 2*depth+2, m.H)
	require.NoError(t, m.Verify(1, m.roots()))
	for i := depth - 1; i >= 0; i-- {
		item := m.Arg(m.Envs[m.E+stacks.EnvY], 0)
		require.Equal(t, code.MakeInt(int64(i)), item)
		require.Equal(t, m.X[0], m.Envs[m.E+stacks.EnvY+1])
		m.popFrame()
	}
}

// TestCollectSlots shows which slots of environments are roots.
func TestCollectSlots(t *testing.T) {
	tests := []struct {
		name          string
		slots, live   int
		mid           int // live slots of a choice point inside the clause; -1: none
		kept, cleared int
	}{
		{"all", 3, 3, -1, 3, 0},
		{"trimmed", 3, 1, -1, 1, 0},
		{"none", 3, 0, -1, 0, 0},
		{"for a choice point", 3, 1, 2, 2, 0},
		{"for the same choice point", 3, 2, 2, 2, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := newTestMachine()
			m.pushFrame(tt.slots)
			for i := range tt.slots {
				m.Envs[m.E+stacks.EnvY+i] = m.NewFloat(float64(i))
			}
			if tt.mid >= 0 {
				m.pushChoice(0, addrFail)
				m.Choices[m.B+stacks.ChoiceArity] |= cell(tt.mid+1) << 16
			}
			m.CP = afterCall(tt.live)
			require.NoError(t, m.collect(0))
			require.Equal(t, 1+2*tt.kept, m.H)
			for i := range tt.kept {
				require.Equal(t, float64(i), m.FloatValue(m.Envs[m.E+stacks.EnvY+i]))
			}
		})
	}
}

// TestCollectStaleSlots puts pointers into slots that were assigned after a choice point to which the machine has
// returned. The pointers lead to places that now hold something else.
func TestCollectStaleSlots(t *testing.T) {
	const text = "wwwwwwwwOOOOOOOO\x7f\x7f\x7f\x7f\x00\x00\x00\x00\x0f\x00\x00\x00\x02\x00\x00\x00"
	for _, tag := range []cell{code.Ref, code.Str, code.Lst, code.Blob} {
		for at := range 60 {
			m := newTestMachine()
			m.Stress = []stacks.StressMode{stacks.StressNone, stacks.StressVerify}[at&1]
			at /= 2
			m.pushFrame(2)
			m.CP = afterCall(2)
			m.X[0] = m.NewStruct("f", m.NewFloat(2), m.NewString(text), m.NewVar())
			m.NewString(text) // dead
			m.X[1] = m.NewList(m.NewInt(1<<62), m.NewVar())
			m.Envs[m.E+stacks.EnvY] = cell(at)<<3 | tag
			m.Envs[m.E+stacks.EnvY+1] = m.X[0]
			a, b := m.Export(m.X[0]), m.Export(m.X[1])
			for range 3 {
				require.NoError(t, m.collect(2))
				require.NoError(t, m.Verify(2, m.roots()))
				requireSame(t, a, m.Export(m.X[0]))
				requireSame(t, b, m.Export(m.X[1]))
				require.Equal(t, m.X[0], m.Envs[m.E+stacks.EnvY+1])
				m.NewString(text)
			}
		}
	}
}

// TestCollectTrail shows which trail entries survive.
func TestCollectTrail(t *testing.T) {
	t.Run("without choice points none", func(t *testing.T) {
		m := newTestMachine()
		v := m.NewVar()
		m.pushChoice(0, addrFail)
		m.Bind(v, code.MakeInt(1))
		m.cutTo(stacks.ChoiceBase)
		require.Equal(t, 1, m.TR)
		require.NoError(t, m.collect(0))
		require.Zero(t, m.TR)
	})
	t.Run("of dead variables none", func(t *testing.T) {
		m := newTestMachine()
		v := m.NewVar()
		m.X[0] = m.NewVar()
		m.pushChoice(0, addrFail)
		m.Bind(v, code.MakeInt(1))
		m.Bind(m.X[0], code.MakeInt(2))
		require.NoError(t, m.collect(1))
		require.Equal(t, 1, m.TR)
		require.Equal(t, code.MakeInt(2), m.Deref(m.X[0]))
		m.undo()
		require.True(t, stacks.IsVar(m.Deref(m.X[0])))
	})
	t.Run("variables that only backtracking reaches are reset", func(t *testing.T) {
		m := newTestMachine()
		m.X[0] = m.NewVar()
		m.pushChoice(1, addrFail)
		m.Bind(m.X[0], m.NewString("large"))
		require.NoError(t, m.collect(0))
		require.Zero(t, m.TR)
		require.Equal(t, 2, m.H)
		m.undo()
		m.restoreArgs()
		require.True(t, stacks.IsVar(m.Deref(m.X[0])))
	})
	t.Run("of old values the oldest", func(t *testing.T) {
		m := newTestMachine()
		m.X[0] = m.NewStruct("f", m.NewString("first"))
		m.pushChoice(0, addrFail)
		for i := range 100 {
			m.SetArg(m.X[0], 0, m.NewString(fmt.Sprint("next ", i)), true)
		}
		require.NoError(t, m.collect(1))
		require.Equal(t, 2, m.TR)
		require.Equal(t, "next 99", m.StringValue(m.Arg(m.X[0], 0)))
		m.undo()
		require.Equal(t, "first", m.StringValue(m.Arg(m.X[0], 0)))
	})
}

// TestCollectLimits fills the heap with live data beyond the limit.
func TestCollectLimits(t *testing.T) {
	m := newTestMachine()
	m.Limits.Memory = 1 << 20
	m.pushChoice(0, addrFail)
	m.X[0] = m.NewCodes(fmt.Sprintf("%070000d", 7), code.ANil)
	var ex *Exception
	require.ErrorAs(t, m.collect(1), &ex)
	formal := ex.Ball().(*term.Compound).Args[0]
	require.Equal(t, &term.Compound{Functor: "resource_error", Args: []term.Term{term.Atom("memory")}}, formal)
	m.undo()
	require.NoError(t, m.collect(0))
	require.Less(t, m.H, 10)
	require.Less(t, len(m.Heap), 1<<18)
}

// TestCollectSize lets live data grow and shrink and looks at the size of the heap.
func TestCollectSize(t *testing.T) {
	m := newTestMachine()
	m.X[0] = code.ANil
	cells := 0
	for range 2_000_000 {
		m.X[0] = m.NewList(code.MakeInt(1), m.X[0])
		if m.H > m.HSoft {
			require.NoError(t, m.collect(1))
			cells += m.H
			require.LessOrEqual(t, len(m.Heap), 4*(1+maxPatience)*max(m.H, minGrowth+2*stacks.Slack))
		}
	}
	require.Less(t, cells, 4*2*2_000_000, "cells copied in all")
	m.X[0] = code.ANil
	for range 10 {
		require.NoError(t, m.collect(1))
	}
	require.Less(t, len(m.Heap), 4*(1+maxPatience)*minGrowth)
	require.Equal(t, m.Done.HeapBytes, 8*m.H)
}

// TestCollectAtoms gives back atoms that only this run knew.
func TestCollectAtoms(t *testing.T) {
	const many = 30_000
	newAtoms := func(m *Machine) {
		for i := range many {
			m.X[i&3] = m.NewAtom(fmt.Sprintf("an atom of the collector test %d", i))
		}
	}
	tests := []struct {
		name string
		obj  any
		kept int
	}{
		{"known objects", &bag{}, 4},
		{"held by a bag", &bag{chunks: [][]cell{{code.MakeInt(1)}}}, 4},
		{"unknown objects", struct{}{}, many},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := newTestMachine()
			defer m.Reset()
			before := code.AtomCount()
			m.Objs = append(m.Objs, tt.obj)
			newAtoms(m)
			require.True(t, m.CollectionDue(m.ownsAtoms()))
			require.Greater(t, m.H, m.HSoft, "the next call collects, though the heap has room")
			require.NoError(t, m.collect(4))
			require.Equal(t, tt.kept, code.AtomCount()-before)
			require.False(t, m.ManyAtoms())
			require.Equal(t, fmt.Sprintf("an atom of the collector test %d", many-4), stacks.AtomText(m.X[0]))
		})
	}
	t.Run("a saved term", func(t *testing.T) {
		m := newTestMachine()
		defer m.Reset()
		saved := m.Save(m.NewStruct("saved in a test", m.NewString("text"), m.NewAtom("inside a saved term")))
		m.Objs = append(m.Objs, Next(nil))
		newAtoms(m)
		require.NoError(t, m.collect(4))
		require.Len(t, m.OwnAtoms.Numbers(), 6)
		want := &term.Compound{Functor: "saved in a test", Args: []term.Term{term.String("text"),
			term.Atom("inside a saved term")}}
		requireSame(t, want, m.Export(m.Restore(saved)))
	})
	t.Run("a bag's items", func(t *testing.T) {
		m := newTestMachine()
		defer m.Reset()
		b := &bag{}
		m.Objs = append(m.Objs, b)
		b.chunks = m.Freeze(m.NewStruct("held by a bag", m.NewAtom("inside a bag"))).HeldCells()
		newAtoms(m)
		require.NoError(t, m.collect(4))
		require.Len(t, m.OwnAtoms.Numbers(), 6)
	})
}

// TestCollectSameAtoms makes some thousands of atoms round after round: they are given back a few times and then stay.
// If each round makes other atoms, they are given back in every round.
func TestCollectSameAtoms(t *testing.T) {
	const count, rounds = 10_000, 20
	looks := func(round func(i int) int) int {
		m := newTestMachine()
		defer m.Reset()
		n := 0
		for i := range rounds {
			for k := range count {
				m.X[0] = m.NewAtom(fmt.Sprintf("an atom of round %d, %d", round(i), k))
				if m.ManyAtoms() {
					require.NoError(t, m.collect(1))
					n++
				}
			}
		}
		return n
	}
	require.Less(t, looks(func(int) int { return 0 }), rounds/2)
	require.Greater(t, looks(func(i int) int { return i }), rounds)
}

// TestVerify breaks a heap in many ways.
func TestVerify(t *testing.T) {
	tests := map[string]func(m *Machine){
		"reference beyond the top":   func(m *Machine) { m.X[0] = code.MakeRef(m.H) },
		"list beyond the top":        func(m *Machine) { m.X[0] = code.MakeLst(m.H - 1) },
		"compound without functor":   func(m *Machine) { m.X[0] = code.MakeStr(m.X[1].Addr() + 1) },
		"reference to a functor":     func(m *Machine) { m.X[0] = code.MakeRef(m.X[1].Addr()) },
		"arguments beyond the top":   func(m *Machine) { m.Heap[m.X[1].Addr()] = code.MakeFunctor(0, 1000) },
		"blob inside a blob":         func(m *Machine) { m.X[0] = code.MakeBlob(m.X[2].Addr() + 1) },
		"reference into a blob":      func(m *Machine) { m.X[0] = code.MakeRef(m.X[2].Addr() + 1) },
		"header as a term":           func(m *Machine) { m.X[0] = code.FDot },
		"attributes away from home":  func(m *Machine) { m.Heap[m.X[1].Addr()+1] = m.Heap[m.X[3].Addr()] },
		"slot":                       func(m *Machine) { m.Envs[m.E+stacks.EnvY] = code.MakeRef(m.H) },
		"saved argument":             func(m *Machine) { m.Choices[m.B+stacks.ChoiceArgs] = code.MakeStr(1 << 40) },
		"trail address":              func(m *Machine) { m.Trail[0] = code.MakeRef(m.H) },
		"trail tag":                  func(m *Machine) { m.Trail[0] = code.MakeStr(1) },
		"heap top of a choice point": func(m *Machine) { m.Choices[m.B+stacks.ChoiceH] = cell(m.H + 1) },
	}
	for name, breakIt := range tests {
		t.Run(name, func(t *testing.T) {
			m := newTestMachine()
			m.X[0] = code.ANil
			m.X[1] = m.NewStruct("f", m.NewVar())
			m.X[2] = m.NewString("\x0f\x00\x00\x00\x01\x00\x00\x00........")
			m.X[3] = m.NewVar()
			m.PutAttributes(m.X[3], code.ANil)
			m.X[3] = stacks.Keep(m.Deref(m.X[3]))
			m.pushFrame(1)
			m.Envs[m.E+stacks.EnvY] = m.X[1]
			m.CP = afterCall(1)
			m.pushChoice(1, addrFail)
			m.Bind(m.Deref(m.Arg(m.X[1], 0)), code.ANil)
			require.NoError(t, m.collect(4))
			require.NoError(t, m.Verify(4, m.roots()))
			breakIt(m)
			require.Error(t, m.Verify(4, m.roots()))
		})
	}
}

// BenchmarkCollect collects heaps that are partly live: lists of structures, some in address order and some not.
func BenchmarkCollect(b *testing.B) {
	for _, bm := range []struct{ megabytes, percent int }{{16, 30}, {100, 7}, {100, 30}, {100, 90}} {
		b.Run(fmt.Sprintf("%dMB/%d%%", bm.megabytes, bm.percent), func(b *testing.B) {
			m := newTestMachine()
			m.Limits.Memory = 1 << 30
			for b.Loop() {
				b.StopTimer()
				m.H = 1
				fillHeap(m, bm.megabytes<<17, bm.percent)
				b.StartTimer()
				if err := m.collect(testRegs); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// fillHeap builds about n cells. percent of them are live from the registers.
func fillHeap(m *Machine, n, percent int) {
	r := rand.New(rand.NewSource(1))
	for i := range testRegs {
		m.X[i] = code.ANil
	}
	f := code.Functor("item", 3)
	for m.H < n {
		at := &m.X[r.Intn(testRegs)]
		item := m.NewCompound(f, []cell{code.MakeInt(int64(m.H)), m.NewVar(), code.ATrue})
		if r.Intn(100) < percent {
			*at = m.NewList(item, *at)
		} else {
			m.NewList(item, *at)
		}
	}
}

// BenchmarkCollectShare measures the share of time that collections take while a program only builds lists. The given
// number of cells of these lists stays live.
func BenchmarkCollectShare(b *testing.B) {
	for _, live := range []int{100, 1 << 16, 1 << 20, 1 << 23} {
		b.Run(fmt.Sprint(live), func(b *testing.B) {
			m := newTestMachine()
			m.X[0], m.X[1] = code.ANil, code.ANil
			for n := 0; b.Loop(); n++ {
				if n%live == 0 {
					m.X[1], m.X[0] = m.X[0], code.ANil
				}
				m.X[0] = m.NewList(code.MakeInt(int64(n)), m.X[0])
				if m.H > m.HSoft {
					if err := m.collect(2); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(100*float64(m.Done.GCTime)/float64(b.Elapsed()), "%gc")
			b.ReportMetric(float64(m.Done.HeapPeak)/(1<<20), "MB")
		})
	}
}

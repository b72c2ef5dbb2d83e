package machine

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/native"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines how a run switches from the loop to native code and back. Code that is called often is translated.
// The loop runs code without a translation, and the instructions that native code leaves to it.

// NativeMode says whether a run uses native code.
type NativeMode uint8

// NativeOn uses native code if there is some. NativeCheck runs each stretch of native code a second time in the loop
// and compares the results; it is slow.
const (
	NativeOn NativeMode = iota
	NativeOff
	NativeCheck
)

// nativeRun is what a machine needs for native code.
type nativeRun struct {
	table      *native.Table // of the code that the machine has loaded, or nil
	mode       NativeMode
	hot        int                // the number of calls from which code is translated
	heat       map[int]int        // calls by address, for code that is not translated
	stride     int                // calls that the loop makes before it checks for native code again
	loops      int                // runs of the loop
	checked    int                // stretches that NativeCheck has compared
	inside     bool               // native code is running
	intrinsics []native.Intrinsic // of the built-ins, by their numbers
	copied     []*snapshot        // memory for the copies that NativeCheck makes
	copies     int                // how many of them are in use
}

const (
	// mostHeat is the number of addresses for which calls are counted.
	mostHeat = 1 << 12
	// usuallyHot is the number of calls from which code is translated. The loop takes about as long for that many calls
	// as the translation takes.
	usuallyHot = 4096
	// mostProbed is the largest number of calls between two checks for native code.
	mostProbed = 1024
	// loopsWarmed says that one of this many runs of the loop is counted at its start address. Code that backtracks
	// into built-ins may make no calls.
	loopsWarmed = 16
	// exitHeat is the weight, in calls, of leaving native code.
	exitHeat = 64
	// cold is the counter value for code that could not be translated.
	cold = -1 << 16
)

// exitInterpret is the exit of native code for an instruction that the loop must run. exitAlarm is the exit for a check
// of the limits.
const (
	exitInterpret = exitNoMore + 1
	exitAlarm     = exitNoMore + 2
)

// initNative describes the layout of machines to package native, once.
var initNative = sync.OnceValue(func() bool {
	var m Machine
	var line predKey
	var pred database.Pred
	var kinds [16][2]uint8
	for i, k := range testKinds {
		kinds[i] = [2]uint8{k.yes, k.inspect}
	}
	in := func(offset uintptr) int { return int(offset) }
	native.Init(native.Layout{
		P: in(unsafe.Offsetof(m.P)), H: in(unsafe.Offsetof(m.H)), S: in(unsafe.Offsetof(m.S)), E: in(unsafe.Offsetof(m.E)),
		CP: in(unsafe.Offsetof(m.CP)), B: in(unsafe.Offsetof(m.B)), B0: in(unsafe.Offsetof(m.B0)),
		TR: in(unsafe.Offsetof(m.TR)), ElseP: in(unsafe.Offsetof(m.ElseP)),
		Shallow: in(unsafe.Offsetof(m.Shallow)), ShallowTR: in(unsafe.Offsetof(m.ShallowTR)),
		ShallowH: in(unsafe.Offsetof(m.ShallowH)), TryAlt: in(unsafe.Offsetof(m.TryAlt)),
		TryArgs: in(unsafe.Offsetof(m.TryArgs)), Fuel: in(unsafe.Offsetof(m.Fuel)),
		CutHook: in(unsafe.Offsetof(m.CutHook)), UA: in(unsafe.Offsetof(m.UA)), UB: in(unsafe.Offsetof(m.UB)),
		Rest: in(unsafe.Offsetof(m.Rest)), X: in(unsafe.Offsetof(m.X)),
		ObjsLen: in(unsafe.Offsetof(m.Objs)) + stacks.CellBytes,
		State:   in(unsafe.Offsetof(m.State)), PredLines: in(unsafe.Offsetof(m.preds)) + in(unsafe.Offsetof(m.preds.lines)),
		Lines:       len(m.preds.lines),
		LineFunctor: in(unsafe.Offsetof(line.functor)), LineModule: in(unsafe.Offsetof(line.mod)),
		LinePred: in(unsafe.Offsetof(line.pred)), PredEntry: in(unsafe.Offsetof(pred.Entry)),
		Exits: native.Exits{
			Interpret: uint8(exitInterpret), Unify: uint8(exitUnify), Arith: uint8(exitArith), Builtin: uint8(exitBuiltin),
			Dynamic: uint8(exitDynamic), RetryDyn: uint8(exitRetryDyn), Redo: uint8(exitRedo), Meta: uint8(exitMeta),
			Term: uint8(exitTerm), Test: uint8(exitTest),
		},
	}, kinds, orderAtoms)
	return native.Available()
})

// Package native relies on the addresses of the code that every program has. With other addresses this does not
// compile.
var _ = map[bool]bool{false: true, addrFail == native.AddrFail && addrCatch == native.AddrCatch &&
	addrRetryDyn == native.AddrRetryDyn && addrRedo == native.AddrRedo && addrPopCatch == native.AddrPopCatch &&
	addrProceed == native.AddrProceed && addrRowsRetry == native.AddrRowsRetry &&
	addrAfterDet == native.AddrAfterDet: true}

// NativeAvailable reports whether there is native code on this processor and system.
func NativeAvailable() bool { return initNative() }

// NativeMap writes the addresses of native code that is made from now on to w, in the map format of Linux perf.
func NativeMap(w io.Writer) {
	if initNative() {
		native.MapTo(w)
	}
}

// broken is set when native code has faulted. From then on no run uses native code.
var broken atomic.Bool

// setNative says how the run that begins uses native code. An eager run translates code at its first call.
func (m *Machine) setNative(mode NativeMode, eager bool) {
	if broken.Load() {
		mode = NativeOff
	}
	m.mode, m.hot = mode, usuallyHot
	if eager {
		m.hot = 1
	}
}

// faultInNative adds the place to the message of a panic in native code.
func (m *Machine) faultInNative(r any) any {
	if !m.inside {
		return r
	}
	broken.Store(true)
	at := m.program.OwnerName(uint32(m.P))
	return fmt.Sprintf("fault in native code entered in %s, none is used from now on: %v", at, r)
}

// loadCode makes the run see newly added code, and its native code.
func (m *Machine) loadCode() { m.Code, m.table = m.program.CodeAndTable() }

// advance runs from m.p until something has to be done outside: natively where there is native code, else by the loop.
func (m *Machine) advance() exit {
	if m.mode == NativeOff || m.Loading {
		return m.loop()
	}
	for {
		if m.canEnter() {
			why := m.runNative()
			if why == exitInterpret && m.P == addrFail { // it has backtracked for long enough
				if m.Alarm.Load() {
					return exitAlarm
				}
				continue
			}
			if why != exitInterpret {
				return why
			}
		}
		slice := max(min(m.Fuel, m.stride), 0)
		kept := m.Fuel - slice
		m.Fuel = slice
		if m.loops++; m.loops%loopsWarmed == 0 {
			m.warm(m.P, loopsWarmed)
		}
		why := m.loop()
		m.Fuel += kept
		if why != exitCheck || m.Fuel < 0 || m.H > m.HSoft {
			m.stride = 0
			return why
		}
		// Only the slice is exhausted: m.p is the called address.
		if m.canEnter() {
			m.stride = 0
			continue
		}
		m.warm(m.P, max(m.stride, 1))
		m.stride = min(2*m.stride+1, mostProbed)
	}
}

// canEnter reports whether there is native code for m.p that may be run now. Waiting goals must run before the next
// test or cut, and goals of undo/1 before the next built-in. Native code checks for neither, and it always rounds
// floats to the nearest.
func (m *Machine) canEnter() bool {
	return m.table != nil && m.table.Has(m.P) && len(m.Code) <= m.table.Len() && !m.Waiting() && len(m.Undos) == 0 &&
		!m.UnderflowError
}

// runNative runs native code from m.p on.
func (m *Machine) runNative() exit {
	if m.mode == NativeCheck {
		return m.runChecked()
	}
	why := m.enterNative()
	if why == exitInterpret {
		m.left(m.P)
	}
	return why
}

// enterNative runs native code until it exits to the loop or work has to be done outside.
func (m *Machine) enterNative() exit {
	s := &m.State
	s.Use(m.table, unsafe.Pointer(m.program.User()))
	s.Heap, s.HeapLim = address(unsafe.Pointer(&m.Heap[0])), native.HeapLimit(len(m.Heap))
	s.Trail, s.TrailLim = address(unsafe.Pointer(&m.Trail[0])), uint64(len(m.Trail))
	s.Envs = address(unsafe.Pointer(&m.Envs[0]))
	s.EnvsEnd = s.Envs + uint64(len(m.Envs))*stacks.CellBytes
	s.Etop, s.Betop = s.Envs+uint64(m.Etop)*stacks.CellBytes, s.Envs+uint64(m.Betop)*stacks.CellBytes
	s.Choices = address(unsafe.Pointer(&m.Choices[0]))
	s.ChoicesLim = s.Choices + native.ChoicesLimit(len(m.Choices))
	s.Code = address(unsafe.Pointer(&m.Code[0]))
	s.HSoft, s.HB = uint64(max(m.HSoft, 0))*stacks.CellBytes, uint64(m.HB)*stacks.CellBytes
	m.inside = true
	s.Run(unsafe.Pointer(m))
	m.inside = false
	runtime.KeepAlive(m.table)
	p, why := s.Left()
	m.P, m.HB = p, int(s.HB/stacks.CellBytes)
	m.Etop, m.Betop = int((s.Etop-s.Envs)/stacks.CellBytes), int((s.Betop-s.Envs)/stacks.CellBytes)
	return exit(why)
}

// address converts an address to the form that native code uses.
func address(p unsafe.Pointer) uint64 { return uint64(uintptr(p)) }

// left counts that native code has left the instruction at p to the loop. If the instruction calls code without a
// translation, that code gets warmer.
func (m *Machine) left(p int) {
	if !m.table.Has(p) {
		m.warm(p, exitHeat)
		return
	}
	if op := m.Code[p].Op(); op >= code.OpLess && op <= code.OpMul || op == code.OpAddI {
		m.leftFloat(p)
	}
}

// floatsMet is the number of floats after which native code is translated again for floats.
const floatsMet = 16

// leftFloat counts an operand that native code cannot work on, if it is a float.
func (m *Machine) leftFloat(p int) {
	if _, _, ok := m.floatOperands(m.Code[p]); !ok {
		return
	}
	if u := m.table.UnitAt(p); u != nil && !u.WithFloats && u.Floats.Add(1) == floatsMet {
		if m.translate(p, true) {
			m.loadCode()
		}
	}
}

// warm counts n calls of the code at p, and translates it when it is hot.
func (m *Machine) warm(p, n int) {
	if len(m.heat) >= mostHeat || m.heat == nil {
		m.heat = map[int]int{}
	}
	if m.heat[p] += n; m.heat[p] < m.hot {
		return
	}
	m.heat[p] = cold
	if m.translate(p, false) {
		delete(m.heat, p)
		m.loadCode()
	}
}

// translate makes native code for the unit that contains the code at p, and reports whether there is some now.
func (m *Machine) translate(p int, withFloats bool) bool {
	if !initNative() {
		m.mode = NativeOff
		return false
	}
	o := native.Options{WithFloats: withFloats, Intrinsics: m.knownIntrinsics()}
	return m.program.Translate(uint32(p), o)
}

// knownIntrinsics returns the native templates of built-ins, by their numbers.
func (m *Machine) knownIntrinsics() []native.Intrinsic {
	for at := len(m.intrinsics); at < len(m.builtins); at++ {
		var i native.Intrinsic
		if b := &m.builtins[at]; b.Module == "" {
			i = native.Intrinsics[b.indicator()]
		}
		m.intrinsics = append(m.intrinsics, i)
	}
	return m.intrinsics
}

// This part defines NativeCheck: the loop repeats each stretch of native code from the same state, and both must reach
// the same state.

// snapshot is the state of a machine that a stretch of code can change.
type snapshot struct {
	registers                  stacks.Registers
	waking                     stacks.Waking
	objs                       int
	walked                     int
	heap, envs, choices, trail []cell
}

const (
	// checkedCells bounds the size of heap and stacks, in cells, of stretches that are checked. Both are copied for
	// each stretch.
	checkedCells = 1 << 14
	// checkedCalls is the number of calls in a stretch.
	checkedCalls = 12
	// checkRoom is how far above their tops environments and choice points may be read before they are written.
	checkRoom = 1 << 9
)

// runChecked runs native code from m.p on, and the loop where native code exits to it. Then it compares the result with
// that of the loop alone.
func (m *Machine) runChecked() exit {
	if m.H+m.Etop+m.ChoicesTop()+m.TR > checkedCells {
		return m.enterNative()
	}
	defer func(inUse int) { m.copies = inUse }(m.copies)
	from, before := m.P, m.snapshot()
	stretch := max(min(m.Fuel, m.checked%checkedCalls), 0)
	m.checked++
	kept, batch := m.Fuel-stretch, m.Batch
	m.Fuel = stretch
	why := m.enterNative()
	left := m.P
	if why == exitInterpret {
		m.left(left)
		why = m.loop()
	}
	why, failed := m.settle(why)
	m.exchange(before)
	after := before
	m.Fuel = stretch
	whyLoop, failedLoop := m.settle(m.loop())
	// A walk over a term may exhaust the fuel, in both runs at the same place. A heap that grows changes the time of
	// the next collection.
	same := !failed && !failedLoop && m.Batch == batch && m.HSoft == after.registers.HSoft
	if diff := m.differs(after, why, whyLoop); diff != "" && same {
		panic(fmt.Sprintf("native code of %s, entered at %d (%s) and left at %d (%s), differs from the loop: %s",
			m.program.OwnerName(uint32(from)), from, code.Disassemble(m.Code, from), left, code.Disassemble(m.Code, left), diff))
	}
	m.Fuel += kept
	return whyLoop
}

// settle does the work behind exits that only native code or only the loop may have taken, up to another exit. It
// undoes work that ends in an exception, and then failed is true.
func (m *Machine) settle(why exit) (settled exit, failed bool) {
	for m.mayDiffer(why) {
		before := m.snapshot()
		if m.handle(why) != nil || m.Fuel < 0 {
			m.restore(before)
			m.copies--
			return why, true
		}
		m.copies--
		why = m.loop()
	}
	return why, false
}

// mayDiffer reports whether an exit is one that only native code or only the loop may have taken. The work behind such
// an exit can be done twice.
func (m *Machine) mayDiffer(why exit) bool {
	switch w := m.Code[m.P-1]; why {
	case exitUnify:
		return true
	case exitArith:
		return w.Op() != code.OpEval && w.Op() != code.OpArith && w.Op() != code.OpArith1 && !m.evaluates(w)
	case exitBuiltin:
		return m.Fuel > 0 && m.knownIntrinsics()[w.Imm()] != 0
	}
	return false
}

// evaluates reports whether an operand of a comparison is an expression and no number. Its value may be random and
// differ each time.
func (m *Machine) evaluates(w code.Instr) bool {
	isExpression := func(c cell) bool {
		switch m.Deref(c).Tag() {
		case code.Str, code.Lst, code.Atom:
			return true
		}
		return false
	}
	two := w.Op() < code.OpLessI || w.Op() > code.OpNumNeI && w.Op() < code.OpAddI
	return isExpression(m.X[w.A()]) || two && isExpression(m.X[w.B()])
}

// snapshot copies the state, if possible into the memory of an earlier copy. Copies are released in the reverse order,
// with descending copies.
func (m *Machine) snapshot() *snapshot {
	if m.copies == len(m.copied) {
		m.copied = append(m.copied, &snapshot{})
	}
	s := m.copied[m.copies]
	m.copies++
	s.registers, s.waking, s.objs, s.walked = m.Registers, m.Waking, len(m.Objs), m.Walked
	s.heap = append(s.heap[:0], m.Heap[:m.H]...)
	s.trail = append(s.trail[:0], m.Trail[:m.TR]...)
	s.envs = append(s.envs[:0], m.Envs[:min(len(m.Envs), max(m.Etop, m.Betop)+checkRoom)]...)
	s.choices = append(s.choices[:0], m.Choices[:min(len(m.Choices), m.ChoicesTop()+checkRoom)]...)
	return s
}

// restore sets the state from the copy.
func (m *Machine) restore(s *snapshot) {
	m.Registers, m.Waking, m.Objs, m.Walked = s.registers, s.waking, m.Objs[:s.objs], s.walked
	copy(m.Heap, s.heap)
	copy(m.Trail, s.trail)
	copy(m.Envs, s.envs)
	copy(m.Choices, s.choices)
}

// exchange swaps the current state with that of a copy.
func (m *Machine) exchange(s *snapshot) {
	h, tr, etop, choices := m.H, m.TR, max(m.Etop, m.Betop), m.ChoicesTop()
	m.Registers, s.registers = s.registers, m.Registers
	m.Waking, s.waking = s.waking, m.Waking
	m.Walked, s.walked = s.walked, m.Walked
	m.Objs, s.objs = m.Objs[:s.objs], len(m.Objs)
	s.heap = exchangeCells(s.heap, m.Heap, h)
	s.trail = exchangeCells(s.trail, m.Trail, tr)
	s.envs = exchangeCells(s.envs, m.Envs, etop)
	s.choices = exchangeCells(s.choices, m.Choices, choices)
}

// exchangeCells swaps the cells of a copy with the live cells. It returns the copy with n cells.
func exchangeCells(copied, cells []cell, n int) []cell {
	var chunk [256]cell
	for at := 0; at < len(copied); at += len(chunk) {
		here := copied[at:min(at+len(chunk), len(copied))]
		copy(chunk[:], here)
		copy(here, cells[at:])
		copy(cells[at:], chunk[:len(here)])
	}
	if n > len(copied) {
		return append(copied, cells[len(copied):n]...)
	}
	return copied[:n]
}

// differs compares the state after native code with the machine's, and returns their difference, "" if there is none.
// exits says why each run stopped.
func (m *Machine) differs(s *snapshot, why, whyLoop exit) string {
	r := &s.registers
	if why != whyLoop || r.P != m.P {
		return fmt.Sprintf("exit %d at %d, exit %d at %d", why, r.P, whyLoop, m.P)
	}
	for _, d := range []struct {
		name     string
		got, has int
	}{
		{"h", r.H, m.H}, {"e", r.E, m.E}, {"cp", r.CP, m.CP}, {"b", r.B, m.B}, {"b0", r.B0, m.B0}, {"hb", r.HB, m.HB},
		{"tr", r.TR, m.TR}, {"etop", r.Etop, m.Etop}, {"betop", r.Betop, m.Betop}, {"fuel", r.Fuel, m.Fuel},
		{"objs", s.objs, len(m.Objs)},
	} {
		if d.got != d.has {
			return fmt.Sprintf("%s is %d, not %d", d.name, d.got, d.has)
		}
	}
	for _, d := range []struct {
		name     string
		got, has []cell
	}{
		{"heap", s.heap, m.Heap[:m.H]}, {"trail", s.trail, m.Trail[:m.TR]},
		{"environments", s.envs[:m.Etop], m.Envs[:m.Etop]},
		{"choice points", s.choices[:m.ChoicesTop()], m.Choices[:m.ChoicesTop()]},
		{"arguments", r.X[:m.argumentsAt(why)], m.X[:m.argumentsAt(why)]},
	} {
		if i := m.differAt(d.got, d.has); i >= 0 {
			return fmt.Sprintf("%s at %d are %#x, not %#x", d.name, i, d.got[i], d.has[i])
		}
	}
	if r.Shallow != m.Shallow || r.Shallow && r.ElseP != m.ElseP {
		return "shallow choices"
	}
	return ""
}

// differAt returns where two lists of words of the same length differ, -1 if they do not.
func (m *Machine) differAt(got, has []cell) int {
	const chunk = 64 // words compared at once as bytes, which is fast
	for at := 0; at < len(got); at += chunk {
		end := min(at+chunk, len(got))
		if bytes.Equal(cellBytesOf(got[at:end]), cellBytesOf(has[at:end])) {
			continue
		}
		for i := at; i < end; i++ {
			if got[i] != has[i] && m.target(got[i]) != m.target(has[i]) {
				return i
			}
		}
	}
	return -1
}

// cellBytesOf returns the memory of words.
func cellBytesOf(cells []cell) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(cells))), len(cells)*stacks.CellBytes)
}

// target dereferences a word, as the loop stores dereferenced cells in some places where native code does not. A word
// that is no cell may look like a reference.
func (m *Machine) target(c cell) cell {
	for c.Tag() == code.Ref && c.Addr() < m.H && m.Heap[c.Addr()] != c {
		c = m.Heap[c.Addr()]
	}
	return c
}

// argumentsAt returns how many argument registers are in use at an exit, as far as that is known.
func (m *Machine) argumentsAt(why exit) int {
	switch why {
	case exitCheck:
		return m.Live
	case exitBuiltin, exitMeta, exitDynamic:
		return int(m.Code[m.P-1].A())
	}
	return 0
}

package native

import (
	"encoding/binary"
	"maps"
	"slices"
	"unsafe"

	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// This file defines how the code of one predicate is found and gone through.

// maxWords is the size of the code of a predicate, in instructions, from which it is not translated.
const maxWords = 20_000

// translator makes the native code of one predicate.
type translator struct {
	asm
	words  []code.Instr
	seen   map[int]bool // addresses of instructions
	leader map[int]bool // those that something jumps or returns to
	arity  map[int]int  // at alternatives, of how many arguments the choice point is
	labels map[int]label
	todo   []int
	later  []func() // slow paths, which lie behind all code
	bails  []place
	also   []addressRange // other words that the code counts on
	done   map[int]bool   // parts that stand within the sequence of another instruction

	fail       label
	withFloats bool
	intrinsics []Intrinsic // of built-ins, by their numbers
	known      uint64      // argument registers in processor registers that hold small integers
}

// place is where an instruction gives up. In the middle of a compound that is read, read is set and offset the
// distance of the next part from rS.
type place struct {
	at     label
	p      int
	read   bool
	offset int
}

// Places of the machine, see setLayout.
var (
	layout                                          Layout
	fS, fCP, fB, fB0, fTR, fElse                    mem
	fShallow, fShallowTR, fShallowH, fAlt, fArgs    mem
	fFuel, fCutHook, fUA, fUB, fObjs                mem
	sHeap, sHeapLim, sHSoft, sHB, sTrail, sTrailLim mem
	sEnvs, sEnvsEnd, sEtop, sBetop                  mem
	sChoices, sChoicesLim, sSlots, sSlotCount       mem
	sCode, sUser, sExitP, sExitCode, sRet, sNext    mem
	sFail, sInterpret, sExit, sUnify, sRows, sFails mem
	sSpill                                          mem
)

// setLayout notes where the fields of a machine are.
func setLayout(l Layout) {
	layout = l
	for _, f := range []struct {
		place  *mem
		offset int
	}{
		{&fS, l.S}, {&fCP, l.CP}, {&fB, l.B}, {&fB0, l.B0}, {&fTR, l.TR}, {&fElse, l.ElseP},
		{&fShallow, l.Shallow}, {&fShallowTR, l.ShallowTR}, {&fShallowH, l.ShallowH}, {&fAlt, l.TryAlt},
		{&fArgs, l.TryArgs}, {&fFuel, l.Fuel}, {&fCutHook, l.CutHook}, {&fUA, l.UA}, {&fUB, l.UB},
		{&fObjs, l.ObjsLen},
	} {
		*f.place = at(rM, f.offset)
	}
	var s State
	for _, f := range []struct {
		place  *mem
		offset uintptr
	}{
		{&sHeap, unsafe.Offsetof(s.Heap)}, {&sHeapLim, unsafe.Offsetof(s.HeapLim)},
		{&sHSoft, unsafe.Offsetof(s.HSoft)}, {&sHB, unsafe.Offsetof(s.HB)},
		{&sTrail, unsafe.Offsetof(s.Trail)}, {&sTrailLim, unsafe.Offsetof(s.TrailLim)},
		{&sEnvs, unsafe.Offsetof(s.Envs)}, {&sEnvsEnd, unsafe.Offsetof(s.EnvsEnd)},
		{&sEtop, unsafe.Offsetof(s.Etop)}, {&sBetop, unsafe.Offsetof(s.Betop)},
		{&sChoices, unsafe.Offsetof(s.Choices)}, {&sChoicesLim, unsafe.Offsetof(s.ChoicesLim)},
		{&sSlots, unsafe.Offsetof(s.slots)}, {&sSlotCount, unsafe.Offsetof(s.slotCount)},
		{&sCode, unsafe.Offsetof(s.Code)}, {&sUser, unsafe.Offsetof(s.user)},
		{&sExitP, unsafe.Offsetof(s.exitP)}, {&sExitCode, unsafe.Offsetof(s.exitCode)},
		{&sRet, unsafe.Offsetof(s.ret)}, {&sNext, unsafe.Offsetof(s.next)},
		{&sSpill, unsafe.Offsetof(s.spill)}, {&sFails, unsafe.Offsetof(s.fails)},
		{&sFail, unsafe.Offsetof(s.fail)}, {&sInterpret, unsafe.Offsetof(s.interpret)},
		{&sExit, unsafe.Offsetof(s.exit)}, {&sUnify, unsafe.Offsetof(s.unify)}, {&sRows, unsafe.Offsetof(s.rows)},
	} {
		*f.place = at(rM, l.State+int(f.offset))
	}
}

// xMem is the place of an argument register in the machine.
func xMem(n int) mem { return at(rM, layout.X+8*n) }

// Options say how code is translated.
type Options struct {
	// WithFloats makes arithmetic ready for floats, which takes more room and time where there are none.
	WithFloats bool
	// Intrinsics are the built-ins with templates, by the numbers that instructions give them.
	Intrinsics []Intrinsic
}

// Translate makes the native code of the predicate or clause whose code begins at an address. It returns nil if that
// cannot be translated: its code is too long, or not such as clauses have, or there is no memory for it.
func Translate(words []code.Instr, entry int, o Options) *Unit {
	if !translatable(words[entry].Op()) {
		return nil
	}
	t := &translator{words: words, seen: map[int]bool{}, leader: map[int]bool{}, arity: map[int]int{},
		labels: map[int]label{}, done: map[int]bool{}, withFloats: o.WithFloats,
		intrinsics: o.Intrinsics}
	t.fail = t.newLabel()
	if !t.find(entry) {
		return nil
	}
	u := t.translate()
	if u != nil {
		u.root = entry
	}
	return u
}

// translatable reports whether code that begins with an operation is that of clauses.
func translatable(op code.Op) bool {
	switch op {
	case code.OpUndefined, code.OpDynamic, code.OpMeta, code.OpBuiltinEnd, code.OpQualify, code.OpDet,
		code.OpFail, code.OpRetryDyn, code.OpRedo:
		return false
	}
	return true
}

// find follows the code from an address, without going into calls. It reports whether there is not too much.
func (t *translator) find(entry int) bool {
	t.reach(entry)
	for len(t.todo) > 0 {
		p := t.todo[len(t.todo)-1]
		t.todo = t.todo[:len(t.todo)-1]
		t.follow(p)
		if len(t.seen) > maxWords {
			return false
		}
	}
	return true
}

// reach notes that something jumps to an address.
func (t *translator) reach(p int) {
	if p == code.TargetFail || p == code.TargetElse {
		return
	}
	t.leader[p] = true
	if !t.seen[p] {
		t.seen[p] = true
		t.todo = append(t.todo, p)
	}
}

// follow goes through the code from p to where it leaves or meets what has been seen.
func (t *translator) follow(p int) {
	for {
		w := t.words[p]
		next := p + w.Words()
		if !t.successors(w, p, next) {
			return
		}
		p = next
		if t.seen[p] {
			return
		}
		t.seen[p] = true
	}
}

// successors notes where the instruction w at p leads to, and reports whether it may go on at next.
func (t *translator) successors(w code.Instr, p, next int) (goesOn bool) {
	switch w.Op() {
	case code.OpCall, code.OpBuiltin, code.OpArith, code.OpArith1, code.OpPutTerm, code.OpPutBlob, code.OpGetBlob:
		t.leader[next] = true
	case code.OpExecute, code.OpDeallocateExecute, code.OpNeckExecute,
		code.OpFail, code.OpElse, code.OpProceed, code.OpNeckProceed, code.OpDeallocateProceed, code.OpUndefined,
		code.OpDynamic, code.OpRetryDyn, code.OpRows, code.OpRowsFound, code.OpRowsRetry, code.OpRedo, code.OpMeta,
		code.OpCallN, code.OpExit, code.OpNoMore, code.OpShallowFail, code.OpCatchFail, code.OpCleanupFail,
		code.OpResume, code.OpBuiltinEnd, code.OpDetFail, code.OpLive:
		return false
	case code.OpJump, code.OpTrust:
		t.reach(w.Imm())
		return false
	case code.OpTryElse, code.OpRetryElse:
		t.reach(w.Imm())
	case code.OpSwitch:
		t.reach(w.Imm())
		for _, target := range []int{int(uint32(t.words[p+1])), int(t.words[p+1] >> 32), int(t.words[p+2])} {
			t.reach(target)
		}
		if list := int(t.words[p+1] >> 32); t.takesList(w, list) {
			t.leader[list+1] = true
		}
		return false
	case code.OpSwitchTable:
		t.reach(int(t.words[p+1]))
		for i := 0; i <= w.Imm(); i++ {
			if t.words[p+2+2*i] != 0 {
				t.reach(int(t.words[p+3+2*i]))
			}
		}
		return false
	case code.OpTry, code.OpGuard, code.OpShallow:
		if w.Op() == code.OpTry {
			t.arity[next] = int(w.A())
		}
		t.reach(w.Imm())
		t.reach(next)
		return false
	case code.OpTryHead:
		t.reach(w.Imm())
		otherwise, alternative := int(uint32(t.words[p+1])), int(t.words[p+1]>>32)
		t.arity[alternative] = int(w.A())
		t.reach(alternative)
		t.reach(otherwise)
		return false
	case code.OpRetry:
		if n, ok := t.arity[p]; ok {
			t.arity[next] = n
		}
		t.reach(w.Imm())
		t.reach(next)
		return false
	}
	if w.Op() >= code.OpTest && w.Op() <= code.OpNumNeI {
		t.reach(w.Imm())
	}
	return true
}

// takesList reports whether a switch does the OpGetListXX where it leads to with a list.
func (t *translator) takesList(w code.Instr, list int) bool {
	v := t.words[list]
	return list > code.TargetElse && v.Op() == code.OpGetListXX && v.A() == w.A()
}

// translate emits the code of all instructions found, in the order of their addresses.
func (t *translator) translate() *Unit {
	addresses := slices.Sorted(maps.Keys(t.seen))
	open := map[int]bool{} // may be entered from outside
	for _, p := range addresses {
		if t.done[p] {
			continue
		}
		if t.leader[p] {
			t.known = 0
		}
		open[p] = t.known == 0
		t.bind(t.labelOf(p))
		t.emit(p)
	}
	for len(t.later) > 0 {
		slow := t.later
		t.later = nil
		for _, emit := range slow {
			emit()
		}
	}
	t.emitBails()
	return t.unit(addresses, open)
}

// labelOf returns the label of an address of the predicate's own code.
func (t *translator) labelOf(p int) label {
	if p == code.TargetFail {
		return t.fail
	}
	l, ok := t.labels[p]
	if !ok {
		l = t.newLabel()
		t.labels[p] = l
	}
	return l
}

// bail returns the place to go to when the instruction at p gives up with nothing done.
func (t *translator) bail(p int) label { return t.giveUp(place{p: p}) }

func (t *translator) giveUp(b place) label {
	for i := len(t.bails) - 1; i >= 0 && i > len(t.bails)-8; i-- {
		if known := t.bails[i]; known.p == b.p && known.read == b.read && known.offset == b.offset {
			return known.at
		}
	}
	b.at = t.newLabel()
	t.bails = append(t.bails, b)
	return b.at
}

// emitBails makes the ways out of the unit.
func (t *translator) emitBails() {
	for _, b := range t.bails {
		t.bind(b.at)
		if b.read {
			t.storePart(b.offset)
		}
		t.movImm(rT0, int64(b.p))
		t.jmpMem(sInterpret)
	}
	t.bind(t.fail)
	t.jmpMem(sFail)
}

// storePart stores the index of the part at an offset from rS for the machine.
func (t *translator) storePart(offset int) {
	t.lea(rT2, at(rS, offset))
	t.shift(shr, rT2, 3)
	t.store(fS, rT2)
}

// unit returns what has been emitted. Where it may be entered are the open addresses.
func (t *translator) unit(addresses []int, open map[int]bool) *Unit {
	u := &Unit{also: t.also, WithFloats: t.withFloats}
	for _, p := range addresses {
		end := p + t.words[p].Words()
		if n := len(u.ranges); n > 0 && u.ranges[n-1].end >= p {
			u.ranges[n-1].end = end
		} else {
			u.ranges = append(u.ranges, addressRange{p, end})
		}
		if open[p] {
			u.entries = append(u.entries, entryPoint{p, t.offset(t.labels[p])})
		}
	}
	u.pages, u.size = publish(&t.buffer), len(t.code)
	if u.pages == nil {
		return nil
	}
	return u
}

// This part defines what the assemblers of all processors share: labels, and the operations that templates are written
// in. An assembler is the type asm of asm_GOARCH.go; its methods are the same everywhere.

// reg is a register of the processor.
type reg uint8

// noReg stands for no index.
const noReg reg = 0xff

// mem is a place in memory: base + index<<scale + disp.
type mem struct {
	base, index reg
	scale       uint8
	disp        int
}

// at returns the place disp bytes behind base.
func at(base reg, disp int) mem { return mem{base, noReg, 0, disp} }

// indexed returns the place disp bytes behind base + index<<scale.
func indexed(base, index reg, scale uint8, disp int) mem { return mem{base, index, scale, disp} }

// heapAt returns the place of the cell whose address r holds as a byte offset, disp bytes further on.
func heapAt(r reg, disp int) mem { return mem{rHeap, r, 0, disp} }

// alu is an operation of two operands that sets the flags.
type alu uint8

// shiftKind is a direction of shifts.
type shiftKind uint8

// cond is a condition of a jump.
type cond uint8

// label is a place in the code that may not be known yet.
type label int

// fixup is a place in the code that needs the address of a label. How it is written depends on its kind, which the
// assembler knows.
type fixup struct {
	at   int
	to   label
	kind uint8
}

// buffer is the code so far.
type buffer struct {
	code   []byte
	labels []int // offsets; -1 for those that are not bound yet
	fixups []fixup
	words  []fixup // 8-byte addresses
}

func (b *buffer) newLabel() label {
	b.labels = append(b.labels, -1)
	return label(len(b.labels) - 1)
}

// bind puts a label here.
func (b *buffer) bind(l label) { b.labels[l] = len(b.code) }

// offset returns where a bound label is.
func (b *buffer) offset(l label) int { return b.labels[l] }

func (b *buffer) bytes(list ...byte) { b.code = append(b.code, list...) }

func (b *buffer) word32(n uint32) { b.code = binary.LittleEndian.AppendUint32(b.code, n) }

func (b *buffer) word64(n uint64) { b.code = binary.LittleEndian.AppendUint64(b.code, n) }

// address lays down the address of a label.
func (b *buffer) address(l label) {
	b.words = append(b.words, fixup{at: len(b.code), to: l})
	b.word64(0)
}

// resolve writes the addresses of labels into code that will lie at base.
func (b *buffer) resolve(base uintptr) {
	for _, f := range b.fixups {
		patchJump(b.code, f, b.labels[f.to])
	}
	for _, f := range b.words {
		binary.LittleEndian.PutUint64(b.code[f.at:], uint64(base)+uint64(b.labels[f.to]))
	}
}

// fits8 and fits32 report whether a number is a signed one of that many bits.
func fits8(n int) bool  { return n == int(int8(n)) }
func fits32(n int) bool { return n == int(int32(n)) }

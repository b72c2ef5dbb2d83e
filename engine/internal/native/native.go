// Package native translates the code of predicates to that of the processor.
//
// It is a template compiler: each instruction of the machine becomes some instructions of the processor, and the
// machine's stacks still hold addresses of the machine's own code. So the collector, exceptions and all other Go code
// do not depend on native code. An instruction that cannot be completed, as the heap is full or an operand is no small
// integer, leaves native code without an effect; the machine's loop runs it.
//
// Native code calls nothing and uses no stack. It runs on the stack of its goroutine, between two instructions of
// [Run], and returns after at most as many calls as the machine has fuel for.
//
// The idea of templates with exits is that of the copy-and-patch and baseline compilers, such as Xu and Kjolstad,
// "Copy-and-Patch Compilation", OOPSLA 2021.
package native

import (
	"unsafe"

	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// State is the part of a machine that only native code uses. Pointers are addresses of arrays that the machine keeps
// alive; offsets and lengths count bytes, but for the trail.
type State struct {
	Heap, HeapLim       uint64 // the heap, and the offset of its top from which there is no room for a clause
	HSoft, HB           uint64 // offsets for indexes of the machine
	Trail, TrailLim     uint64 // the trail, and how many entries it has room for
	Envs, EnvsEnd       uint64
	Etop, Betop         uint64 // addresses
	Choices, ChoicesLim uint64
	Code                uint64 // the machine's code

	slots, slotCount      uint64 // of the table
	user                  uint64 // module user
	exitP, exitCode       uint64 // why native code was left, and where the machine continues
	ret, next             uint64 // of a routine: its return address, and the next instruction
	fail, interpret, exit uint64 // addresses of routines
	unify, rows           uint64
	fails                 uint64 // how often native code may still backtrack before it is left
	spill                 uint64
}

// Exits are the numbers of the machine's exits that native code takes.
type Exits struct {
	// Interpret means that the machine's loop must run the instruction at which native code was left.
	Interpret                                                        uint8
	Unify, Test, Arith, Builtin, Dynamic, RetryDyn, Redo, Meta, Term uint8
}

// Layout gives the places of a machine's fields, in bytes from its beginning.
type Layout struct {
	P, H, S, E, CP, B, B0, TR, ElseP                          int
	Shallow, ShallowTR, ShallowH, TryAlt, TryArgs             int
	Fuel, CutHook, UA, UB, Rest, X, ObjsLen, State, PredLines int
	Lines                                                     int // the number of lines of the predicate cache
	LineFunctor, LineModule, LinePred, PredEntry              int // of one of its lines, and of a predicate
	Exits                                                     Exits
}

// The layout of a choice point, in words.
const (
	ChoicePrev = iota
	ChoiceAlt
	ChoiceE
	ChoiceCP
	ChoiceTR
	ChoiceH
	ChoiceEtop
	ChoiceObjs
	ChoiceArity
	ChoiceArgs
)

// The layout of an environment, in words.
const (
	EnvE = iota
	EnvCP
	EnvY
)

// Native code shares these limits with the machine's loop: the room for one more choice point and for a term in a body,
// and the number of unification steps.
const (
	ChoiceRoom = ChoiceArgs + 256
	BuildRoom  = 512
	UnifySteps = 1 << 13
	RestDepth  = 64
)

// Where some of the code stands that every program has.
const (
	AddrFail      = 2
	AddrCatch     = 4
	AddrRetryDyn  = 5
	AddrRedo      = 6
	AddrPopCatch  = 11
	AddrProceed   = 13
	AddrRowsRetry = 20
	AddrAfterDet  = 25
)

// headRoom is the room on the heap that a clause may use between two checks, in words.
const headRoom = BuildRoom + 300

// HeapLimit is the offset in a heap of the given size from which there is no room for a clause.
func HeapLimit(words int) uint64 { return uint64(max(words-headRoom, 0)) * 8 }

// ChoicesLimit is the offset in a choice point stack of the given size from which there is no room for another choice
// point.
func ChoicesLimit(words int) uint64 { return uint64(words-2*ChoiceRoom-16) * 8 }

// Use makes native code run on a table, whose program has the module user at an address.
func (s *State) Use(t *Table, user unsafe.Pointer) {
	slots, count := uint64(uintptr(unsafe.Pointer(unsafe.SliceData(t.slots)))), uint64(len(t.slots))
	if s.slots == slots && s.slotCount == count {
		return
	}
	s.slots, s.slotCount = slots, count
	s.user = uint64(uintptr(user))
	s.fail, s.interpret, s.exit = routines.fail, routines.interpret, routines.exit
	s.unify, s.rows = routines.unify, routines.rows
}

// mostFails is how often native code backtracks before it is left, some tens of microseconds of work, as the machine's
// fuel counts only calls.
const mostFails = 2000

// Left returns where the machine continues and why native code was left.
func (s *State) Left() (p int, exit uint8) { return int(s.exitP), uint8(s.exitCode) }

// Init sets the layout of machines. It must be called once, before anything else. kinds has, for each [code.Test], bit
// masks of the tags for which it holds and of those for which the machine must read the heap. orders has the atoms for
// the orders of two terms.
func Init(l Layout, kinds [16][2]uint8, orders [8]code.Cell) {
	setLayout(l)
	for i, k := range kinds {
		testKinds[i].yes, testKinds[i].inspect = k[0], k[1]
	}
	orderAtoms = orders
}

// Available reports whether this processor and this system run native code.
func Available() bool { return prepare() }

// Run runs native code on a machine, whose state has been set up, from the machine's p on. There
// must be native code for it in the table.
func (s *State) Run(machine unsafe.Pointer) {
	s.fails = mostFails
	call(machine, uintptr(routines.enter))
}

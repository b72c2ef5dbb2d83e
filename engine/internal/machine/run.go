package machine

import (
	"cmp"
	"context"
	"errors"
	"runtime/debug"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/effort"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the outer loop: starting and resuming queries, and the work behind each exit of the run loop.

// Addresses of the code that every program has, laid down by Prepare. A call instruction before each return address
// tells the collector how many slots are live.
const (
	addrFail     = 2 + iota // backtrack
	addrDead                // alternative of a choice point that was cut softly
	addrCatch               // alternative of a catch frame
	addrRetryDyn            // next clause of a dynamic predicate
	addrRedo                // next answer of a built-in
	addrNoMore              // bottom of the choice points
	_
	addrExit // continuation of the query
	_
	addrPopCatch // continuation of the goal of catch/3
	_
	addrProceed
	addrShallow // alternative of a choice point that was a shallow choice
	addrCleanup // alternative of a cleanup frame
	_
	addrAfterCleanup // continuation of the goal of setup_call_cleanup/3
	_
	addrRowsFound // binds to the row of a fact
	addrRowsRetry // next row of a fact
	addrDetFail   // alternative of a watched call
	addrMaybe     // alternative of a choice point whose failure is in doubt
	addrDoubt     // alternative of a choice point that an undefined success has cut
	_
	addrAfterDet // continuation of a watched call
	_
	addrStubs // continuations of suspended calls, two words for each number of slots
)

// Prepare lays down the code that every machine needs. It must be the first to add code.
func Prepare(p *database.Program) {
	words := []code.Instr{
		code.Make(code.OpFail, 0, 0, 0, 0),
		code.Make(code.OpCatchFail, 0, 0, 0, 0),
		code.Make(code.OpCatchFail, 0, 0, 0, 0),
		code.Make(code.OpRetryDyn, 0, 0, 0, 0),
		code.Make(code.OpRedo, 0, 0, 0, 0),
		code.Make(code.OpNoMore, 0, 0, 0, 0),
		code.MakeBC(code.OpCall, 0, 2, 0),
		code.Make(code.OpExit, 0, 0, 0, 0),
		code.MakeBC(code.OpCall, 0, 1, 0),
		code.MakeBC(code.OpPopCatch, 0, 2, 0),
		code.Make(code.OpDeallocateProceed, 0, 0, 0, 0),
		code.Make(code.OpProceed, 0, 0, 0, 0),
		code.Make(code.OpShallowFail, 0, 0, 0, 0),
		code.Make(code.OpCleanupFail, 0, 0, 0, 0),
		code.MakeBC(code.OpCall, 0, 2, 0),
		code.Make(code.OpCleanupExit, 0, 0, 0, 0),
		code.Make(code.OpDeallocateProceed, 0, 0, 0, 0),
		code.Make(code.OpRowsFound, 0, 0, 0, 0),
		code.Make(code.OpRowsRetry, 0, 0, 0, 0),
		code.Make(code.OpDetFail, 0, 0, 0, 0),
		code.Make(code.OpDetFail, 1, 0, 0, 0),
		code.Make(code.OpDetFail, 2, 0, 0, 0),
		code.MakeBC(code.OpCall, 0, 2, 0),
		code.MakeBC(code.OpDetExit, 0, 3, 0),
		code.Make(code.OpDeallocateProceed, 0, 0, 0, 0),
	}
	for n := range MaxArgs + putOffArgs + 1 {
		words = append(words, code.MakeBC(code.OpCall, 0, n, 0), code.Make(code.OpResume, 0, 0, 0, 0))
	}
	p.Patch(code.TargetElse, []code.Instr{code.Make(code.OpElse, 0, 0, 0, 0)})
	if at := p.AddCode(words); at != addrFail {
		panic("machine.Prepare: program has code already")
	}
}

// Query is a goal to run and its options.
type Query struct {
	// Goal is the goal. Vars are its variables.
	Goal term.Term
	// Vars are the variables whose values are the answer.
	Vars []*term.Var
	// Module is where the goal is called; nil stands for user.
	Module *database.Module
	// Globals are the global variables of the program, nil for none.
	Globals Globals
	// Left is the state that the previous run has left. Host is the machine of a run that waits for this one and shares
	// its state. nil stands for none.
	Left *Handover
	Host *Machine
	// Direct commits changes of the database at once. Otherwise they form a transaction, ended by Commit or Reset.
	Direct bool
	// At is the generation whose state the run sees, nil for the current one. Direct is false then.
	At *database.Moment
	// Limits bound the run.
	Limits stacks.Limits
	// Stress exercises the collector.
	Stress stacks.StressMode
	// Native says whether the run uses native code. Eager makes it translate code at the first call.
	Native NativeMode
	Eager  bool
	// TableMemory bounds the tables that the runs of the program share. All runs must give the same value. 0 stands for
	// 64 MiB.
	TableMemory int
	// Values makes uncaught exceptions note the variable values of the active clauses.
	Values bool
}

// Binding is a variable of a goal and its value.
type Binding struct {
	Var   *term.Var
	Value term.Term
}

// Start prepares the machine, which must be fresh or reset, for a query. Run then finds the first answer. Variables of
// the goal that have a value are bound from the beginning. The values share no variables with the goal.
func (m *Machine) Start(q Query, bound ...Binding) {
	m.Limits, m.Stress, m.first, m.valued = q.Limits, q.Stress, q.Globals, q.Values
	m.setNative(q.Native, q.Eager)
	m.tables.memory = cmp.Or(q.TableMemory, defaultTableMemory)
	if q.At != nil {
		m.tx = m.program.BeginAt(q.At, m.Lane)
	} else {
		m.tx = m.program.BeginIn(m.Lane, q.Direct, m.over)
		m.over = nil
	}
	if q.Left != nil {
		m.takeOver(q.Left, q.Direct && q.At == nil)
	}
	if q.Host != nil {
		m.visit(q.Host)
	}
	m.preds.renew(m.program.Sweeps())
	m.loadCode()
	m.Counted, m.Batch, m.Fuel, m.Walked, m.Spent, m.Overtime = 0, 0, 0, 0, 0, false
	m.builtinNow = 0
	m.calls.Reset()
	m.RanOut = false
	m.stopClock()
	m.Began = time.Time{}
	if q.Module != nil {
		m.module = q.Module
	}
	m.pushBase()
	goal := m.importQuery(&q, bound)
	m.restOnNothing()
	m.X[0] = goal
	m.Live = 1
	m.P = int(m.program.System().Lookup(code.FCall).Entry)
	m.SetSoft()
	if m.module != m.program.User() {
		m.X[0] = m.NewStruct(":", m.NewAtom(m.module.Name), goal)
	}
}

var atomVars = code.AtomCell("$vars")

// importQuery builds the goal of a query, and its variables in the environment at the bottom.
func (m *Machine) importQuery(q *Query, bound []Binding) (goal cell) {
	values, im := stacks.Importer{M: &m.Terms}, stacks.Importer{M: &m.Terms}
	for _, b := range bound {
		im.Note(b.Var, values.Term(b.Value))
	}
	goal = im.Term(q.Goal)
	var few [8]cell
	cells := few[:0]
	for _, v := range q.Vars {
		cells = append(cells, im.Term(v))
	}
	m.Envs[m.E+stacks.EnvY] = atomVars
	if len(cells) > 0 {
		m.Envs[m.E+stacks.EnvY] = m.NewCompound(code.MakeFunctor(atomVars.Atom(), len(cells)), cells)
	}
	return goal
}

// Keep keeps the generation of the database that the run sees.
func (m *Machine) Keep() (kept *database.Moment, generation uint64) { return m.tx.Keep() }

// pushBase lays down the environment and choice point at the bottom of the stacks.
func (m *Machine) pushBase() {
	m.Envs[2+stacks.EnvE], m.Envs[2+stacks.EnvCP] = 0, addrExit
	m.Envs[2+stacks.EnvY], m.Envs[restsAt] = code.MakeInt(0), code.MakeInt(0)
	m.E, m.Etop, m.CP = 2, 2+stacks.EnvY+2, addrExit
	f := m.Choices[stacks.ChoiceBase : stacks.ChoiceBase+stacks.ChoiceArgs]
	clear(f)
	f[stacks.ChoiceAlt], f[stacks.ChoiceE], f[stacks.ChoiceCP] = addrNoMore, 2, addrExit
	f[stacks.ChoiceH], f[stacks.ChoiceEtop] = cell(m.H), cell(m.Etop)
	m.B, m.B0, m.HB, m.Betop = stacks.ChoiceBase, stacks.ChoiceBase, m.H, m.Etop
}

// system returns a predicate of module system.
func (m *Machine) system(name string, arity int) *database.Pred {
	return m.program.System().Lookup(code.Functor(name, arity))
}

// Run goes on to the next answer. The context, which may be nil, cancels the run; so does the
// time limit, which counts the time spent in Run since Start. After False or an error other than ErrSuspend the run is
// over. An *Exception is an uncaught Prolog term.
func (m *Machine) Run(ctx context.Context) (status Status, err error) {
	m.Ctx = ctx
	if m.self == nil {
		m.tx.Wake()
	}
	m.loadCode()
	m.startClock()
	defer m.unwatch(m.watch(ctx))
	if s := m.sampler; s != nil {
		s.tick(m)
		defer func() {
			if s := m.sampler; s != nil {
				s.pause()
			}
		}()
	}
	defer func() {
		if status == Suspended || !m.Deterministic() { // else nobody reads it
			m.Spent += time.Since(m.Started)
		}
	}()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	for {
		m.Pollable = true
		status, err = m.runProtected()
		m.Pollable = false
		switch err {
		case stacks.OutOfMemory:
			err = m.ResourceError("memory")
		case stacks.Interrupted:
			err = m.refuel()
		default:
			if err == nil && status != Suspended && (m.IsCancelled() || m.IsAnyLate()) {
				if err = m.refuel(); err != nil { // an answer that comes too late does not count
					status = False
				}
			}
			m.Ctx = nil
			return status, err
		}
		m.Work = m.Work[:0]
		m.Overdraw = true
		err = m.raise(err, 0)
		m.Overdraw = false
		if err != nil {
			m.Ctx = nil
			return False, err
		}
	}
}

// runProtected is the outer loop. A panic in a built-in ends it with the panic as error.
func (m *Machine) runProtected() (status Status, err error) {
	defer func() {
		r := recover()
		if why, is := r.(stacks.StopReason); is {
			err, m.inBuiltin = why, 0
		} else if r != nil {
			panic(m.faultInNative(r))
		}
	}()
	for {
		why := m.advance()
		if m.Alarm.Load() {
			m.Alarm.Store(false)
			m.emptyFuel()
			m.setAlarm()
			if s := m.sampler; s != nil {
				s.take(m, why)
			}
		}
		switch why {
		case exitAnswer:
			if m.goalsWait() {
				m.P, m.Live = addrExit, 0
				m.startWake()
				continue
			}
			return True, nil
		case exitNoMore:
			m.P, m.Live = addrNoMore, 0
			if m.goalsWait() {
				m.startWake()
				continue
			}
			err, m.leaving = m.leaving, nil
			return False, err
		}
		if m.Stress == stacks.StressGrow {
			m.Crowd(why != exitEnvs)
		}
		if err = m.handle(why); err == nil {
			if m.H+stacks.Slack > len(m.Heap) { // compiled code relies on it after every exit
				m.GrowHeap(m.H + stacks.Slack)
			}
			if m.pausing {
				m.pausing = false
				return Suspended, nil
			}
			continue
		}
		if err == ErrSuspend && m.self != nil {
			err = m.PermissionError("ask", "user", m.engineHandle(m.self)) // nobody could give the answer to an engine
		}
		if err == ErrSuspend {
			m.tx.Rest(m.codeInUse())
			m.stopClock()
			return Suspended, nil
		}
		if err = m.raise(err, 0); err != nil {
			return False, err
		}
	}
}

// Redo makes the next Run look for another answer.
func (m *Machine) Redo() { m.P = addrFail }

// Cut drops the remaining answers after an answer, as a cut does, and runs the cleanup goals. It returns errors as Run
// does. After an error the run is over.
func (m *Machine) Cut(ctx context.Context) error {
	if m.Deterministic() && len(m.Undos) == 0 {
		return nil
	}
	m.collectCleanups(stacks.ChoiceBase, nil)
	m.cutTo(stacks.ChoiceBase)
	m.passUndone()
	if !m.goalsWait() {
		return nil
	}
	m.P, m.Live = addrExit, 0
	status, err := m.Run(ctx)
	if err == nil && status == Suspended {
		err = errCleanupWaits
	}
	return err
}

// errCleanupWaits is the error of a cleanup goal that waits for an answer when nobody resumes the run.
var errCleanupWaits = errors.New("a cleanup goal waits for an answer, which it cannot do after the last solution")

// Deterministic reports, after an answer, that no other can follow.
func (m *Machine) Deterministic() bool { return m.undoubted() == stacks.ChoiceBase }

// undoubted returns the newest choice point that may have an answer, skipping those that a doubt has left.
func (m *Machine) undoubted() int {
	b := m.B
	for m.Choices[b+stacks.ChoiceAlt] == addrDoubt {
		b = int(m.Choices[b+stacks.ChoicePrev])
	}
	return b
}

// Answer returns the values of the query's variables, in the order of Query.Vars. The slice is part of the heap.
func (m *Machine) Answer() []cell {
	c := m.Envs[2+stacks.EnvY]
	if c.Tag() != code.Str { // the query has no variables
		return nil
	}
	return m.Heap[c.Addr()+1:][:m.Functor(c).FunctorArity()]
}

// handle does the work behind an exit of the run loop. It returns a Prolog exception to be raised, ErrSuspend, or an
// error that ends the run.
func (m *Machine) handle(why exit) error {
	switch why {
	case exitCheck:
		return m.check()
	case exitAlarm:
		return nil
	case exitHeap:
		m.P--
		if m.TR+8 > len(m.Trail) {
			m.GrowTrail()
		}
		return m.makeRoom()
	case exitEnvs:
		m.P--
		m.GrowEnvs()
		return m.checkMemory()
	case exitChoices:
		m.GrowChoices()
		return m.checkMemory()
	case exitUnify:
		m.proceedIf(m.Unify(m.UA, m.UB))
		return nil
	case exitOrder:
		if m.wakeBeforeTest() {
			return nil
		}
		return m.inlineOrder()
	case exitTestFirst:
		if !m.wakeBeforeTest() {
			return m.inlineAny()
		}
		return nil
	case exitTest:
		m.inlineTest()
		return nil
	case exitArith:
		if m.wakeBeforeTest() {
			return nil
		}
		return m.inlineArith()
	case exitBuiltin:
		return m.callBuiltin()
	case exitUndefined:
		return m.callUndefined(m.program.Preds()[m.Code[m.P-1].Imm()])
	case exitDynamic:
		return m.callDynamic(m.program.Preds()[m.Code[m.P-1].Imm()])
	case exitQualify:
		m.qualifyOwn(m.program.Preds()[m.Code[m.P-1].Imm()])
		return nil
	case exitDet:
		return m.watchDet(m.Code[m.P-1])
	case exitRetryDyn:
		return m.retryDynamic()
	case exitRedo:
		return m.redoBuiltin()
	case exitMeta:
		return m.callControl(m.program.Preds()[m.Code[m.P-1].Imm()])
	case exitCut:
		return m.cutInline()
	case exitShallow:
		if m.Code[m.P-1].Op() == code.OpShallowFail {
			m.failShallow()
		} else {
			m.P--
			m.deepen()
		}
		return nil
	case exitSoftCut:
		m.inlineSoftCut()
		return nil
	case exitWakeFirst:
		m.P--
		m.wakeFirst()
		return nil
	case exitTerm:
		return m.inlineTerm()
	case exitExpand:
		m.P--
		return m.expandAttributed(m.Code[m.P])
	case exitResume:
		m.resumeCall()
		return nil
	case exitCleanup:
		if m.Code[m.P-1].Op() == code.OpCleanupFail {
			m.cleanupFail()
		} else {
			m.cleanupExit()
		}
		return nil
	}
	panic("machine: unknown exit")
}

// proceedIf goes on at m.p, or backtracks.
func (m *Machine) proceedIf(ok bool) {
	if !ok {
		m.P = addrFail
	}
}

// check does the work at a call that the loop cannot do: limits, collection, wake-up.
func (m *Machine) check() error {
	if m.Fuel < 0 {
		m.calls.Note(&m.Terms, m.P, m.Live)
		if err := m.refuel(); err != nil {
			return err
		}
	}
	if m.CollectionDue(m.ownsAtoms()) {
		if err := m.collect(m.Live); err != nil {
			return err
		}
		if m.Stress == stacks.StressVerify {
			if err := m.Verify(m.Live, m.roots()); err != nil {
				panic(err)
			}
		}
	}
	if m.goalsWait() {
		m.startWake()
	} else {
		m.SetSoft() // an undone wake-up has lowered it
	}
	return nil
}

// makeRoom grows the heap for an instruction that found none.
func (m *Machine) makeRoom() error {
	need := m.H + stacks.Slack
	switch w := m.Code[m.P]; w.Op() {
	case code.OpPutStruct, code.OpGetStruct:
		need += cell(m.Code[m.P+1]).FunctorArity()
	}
	if need > len(m.Heap) {
		m.GrowHeap(need)
	}
	return m.checkMemory()
}

// checkMemory returns the resource error of a run that exceeds its memory.
func (m *Machine) checkMemory() error {
	if m.Used() > m.LimitBytes() {
		return m.ResourceError("memory")
	}
	return nil
}

// test jumps to the target of instruction w if its test has the result ok.
func (m *Machine) test(w code.Instr, ok bool) {
	if ok {
		return
	}
	if m.P = w.Imm(); m.P == code.TargetFail {
		m.P = addrFail
	}
}

// testKinds says of each [code.Test] for which tags of a dereferenced cell it holds, and for which tags it must read
// the heap. The sets are bit masks.
var testKinds = func() (kinds [16]struct{ yes, inspect uint8 }) {
	const compound, text = 1<<code.Str | 1<<code.Lst, 1 << code.Atom
	kinds[code.TestVar].yes = 1<<code.Ref | 1<<code.Att
	kinds[code.TestNonvar].yes = compound | text | 1<<code.Int | 1<<code.Blob
	kinds[code.TestAtom].yes = text
	kinds[code.TestAtomic].yes = text | 1<<code.Int | 1<<code.Blob
	kinds[code.TestCompound].yes = compound
	kinds[code.TestCallable].yes = compound | text
	for _, number := range []code.Test{code.TestInteger, code.TestNumber} {
		kinds[number].yes, kinds[number].inspect = 1<<code.Int, 1<<code.Blob
	}
	for _, blob := range []code.Test{code.TestFloat, code.TestString} {
		kinds[blob].inspect = 1 << code.Blob
	}
	kinds[code.TestIsList].inspect = 0xff
	return kinds
}()

// inlineTest does the tests that must read more than the tag.
func (m *Machine) inlineTest() {
	w := m.Code[m.P-1]
	switch w.Op() {
	case code.OpTest:
		m.test(w, m.isKind(m.UA, code.Test(w.B())))
	case code.OpIdent:
		m.test(w, m.Identical(m.X[w.A()], m.X[w.B()]) != (w.C() != 0))
	case code.OpUnify:
		m.test(w, m.Unify(m.X[w.A()], m.X[w.B()]))
	}
}

// inlineAny does a test that the loop leaves to it.
func (m *Machine) inlineAny() error {
	switch w := m.Code[m.P-1]; w.Op() {
	case code.OpTest:
		m.UA = m.Deref(m.X[w.A()])
		kind := testKinds[w.B()&15]
		m.test(w, kind.yes>>m.UA.Tag()&1 != 0 || kind.inspect>>m.UA.Tag()&1 != 0 && m.isKind(m.UA, code.Test(w.B())))
	case code.OpIdent:
		m.inlineTest()
	case code.OpBefore, code.OpOrder:
		return m.inlineOrder()
	default:
		return m.inlineArith()
	}
	return nil
}

// orderAtoms are the atoms for the orders of two terms.
var orderAtoms = [8]cell{
	code.OrderLess: code.AtomCell("<"), code.OrderEqual: code.AEqual, code.OrderGreater: code.AtomCell(">"),
}

// inlineOrder does the term comparison before m.p.
func (m *Machine) inlineOrder() error {
	w := m.Code[m.P-1]
	a, b := m.X[w.A()], m.X[w.B()]
	if w.Op() == code.OpOrder && w.Imm() != 0 {
		return m.callOrder(m.X[w.C()], a, b)
	}
	order := uint8(code.OrderLess) << (1 + m.Compare(a, b))
	if w.Op() == code.OpOrder {
		m.X[w.C()] = orderAtoms[order]
	} else {
		m.test(w, w.C()&order != 0)
	}
	return nil
}

// callOrder is compare/3 with an order that may be bound.
func (m *Machine) callOrder(args ...cell) error {
	b := &m.builtins[m.system("compare", 3).Builtin]
	ok, err := b.Func(m, args)
	if err != nil {
		return m.raise(err, code.Functor(b.Name, b.Arity))
	}
	m.proceedIf(ok)
	return nil
}

// isKind tests a dereferenced cell that is a blob, or any cell for the list test.
func (m *Machine) isKind(c cell, kind code.Test) bool {
	switch kind {
	case code.TestInteger:
		return m.IsBig(c)
	case code.TestNumber:
		return m.IsNumber(c)
	case code.TestFloat:
		return m.IsFloat(c)
	case code.TestString:
		return m.IsString(c)
	case code.TestIsList:
		return m.IsProperList(c)
	}
	return true
}

// inlineTerm does the instructions that move runs of words.
func (m *Machine) inlineTerm() error {
	w := m.Code[m.P-1]
	words := m.Code[m.P : m.P+w.Imm()]
	m.P += len(words)
	switch w.Op() {
	case code.OpPutTerm:
		m.X[w.A()] = m.template(words)
	case code.OpPutBlob:
		m.X[w.A()] = m.wordsToHeap(words)
	default:
		m.proceedIf(m.Unify(m.X[w.A()], m.wordsToHeap(words)))
	}
	return m.checkMemory()
}

// wordsToHeap copies the words of a blob from the code.
func (m *Machine) wordsToHeap(words []code.Instr) cell {
	m.Room(len(words))
	at := m.H
	for _, w := range words {
		m.Push(cell(w))
	}
	return code.MakeBlob(at)
}

// template builds the term of an OpPutTerm: a root, then cells with relative pointers. Its variables are registers
// (below 256) or slots.
func (m *Machine) template(words []code.Instr) cell {
	m.Room(len(words))
	base := cell(m.H) << 3
	for i := 1; i < len(words); i++ {
		c := cell(words[i])
		switch {
		case c.Tag() == code.Att:
			c = m.templateVar(c)
		case c.IsPointer():
			c += base
		case c.Tag() == code.Hdr && !c.IsFunctor():
			m.Push(c)
			for n := c.BlobWords(); n > 0; n-- {
				i++
				m.Push(cell(words[i]))
			}
			continue
		}
		m.Push(c)
	}
	root := cell(words[0])
	if root.IsPointer() {
		root += base
	}
	return root
}

// templateVar returns the value of a variable of a template: an argument register below 256, else a slot of the
// environment.
func (m *Machine) templateVar(c cell) cell {
	if n := c.Addr(); n < 256 {
		return m.X[n]
	} else {
		return m.Envs[m.E+stacks.EnvY+n-256]
	}
}

// expandAttributed binds an attributed variable to a compound of fresh variables. The instruction w, at m.p, expected a
// compound and can be run again afterwards.
func (m *Machine) expandAttributed(w code.Instr) error {
	functor := code.FDot
	c := m.X[w.A()]
	switch w.Op() {
	case code.OpGetStruct:
		functor = cell(m.Code[m.P+1])
	case code.OpUniList:
		c = m.Heap[m.S]
	case code.OpUniVarUniList:
		m.S--
		c = m.Heap[m.S+1]
	}
	args := make([]cell, functor.FunctorArity())
	for i := range args {
		args[i] = m.NewVar()
	}
	m.Unify(c, m.NewCompound(functor, args))
	return m.checkMemory()
}

// callBuiltin calls the predicate of the OpBuiltin or OpBuiltinEnd before m.p.
func (m *Machine) callBuiltin() error {
	w := m.Code[m.P-1]
	if m.goalsWaitFor(&m.builtins[w.Imm()]) && w.BC() < MaxArgs {
		m.P--
		m.Live = int(w.A())
		m.startWakeIn(w.BC() - 1)
		return nil
	}
	if m.Fuel--; m.Fuel < 0 {
		m.calls.Note(&m.Terms, effort.BuiltinAt(w.Imm()), int(w.A()))
		if err := m.refuel(); err != nil {
			return err
		}
	}
	b := &m.builtins[w.Imm()]
	m.builtinNow = w.Imm() + 1
	if w.Op() == code.OpBuiltinEnd {
		m.P = m.CP
	}
	m.inBuiltin = w.Imm() + 1
	ok, err := b.Func(m, m.X[:w.A()])
	m.inBuiltin = 0
	if err != nil {
		return m.builtinError(err, b, w)
	}
	if m.pendingNext != nil {
		return m.startAlternatives(w.Imm())
	}
	m.proceedIf(ok)
	if m.H+stacks.Slack > len(m.Heap) {
		m.GrowHeap(m.H + stacks.Slack)
	}
	return m.overflow()
}

// overflow reports that the heap has passed its limit and a collection would not help.
func (m *Machine) overflow() error {
	if m.ExtraBytes > m.LimitBytes() {
		return m.ResourceError("memory")
	}
	return nil
}

// builtinError prepares the error of a built-in: a suspension resumes after the call, and an error term gets its
// context.
func (m *Machine) builtinError(err error, b *Builtin, w code.Instr) error {
	if err == ErrSuspend {
		m.suspended, m.suspendedInstr = m.X[w.A()-1], w
		return err
	}
	if b.Name == "throw" {
		return m.raise(err, 0) // the ball is the program's own
	}
	return m.raise(err, code.Functor(b.Name, b.Arity))
}

// Running returns the built-in that is running, or nil. After a panic it returns the built-in that panicked.
func (m *Machine) Running() *Builtin {
	if m.inBuiltin == 0 {
		return nil
	}
	return &m.builtins[m.inBuiltin-1]
}

// Suspension returns, after Suspended, the predicate that waits and its arguments.
func (m *Machine) Suspension() (waits *Builtin, args []cell) {
	waits = &m.builtins[m.suspendedInstr.Imm()]
	return waits, m.X[:waits.Arity]
}

// Resume gives the predicate that waits its answer, which is unified with its last argument.
func (m *Machine) Resume(answer term.Term) { m.proceedIf(m.Unify(m.suspended, m.Import(answer))) }

// ResumeError makes the predicate that waits throw err.
func (m *Machine) ResumeError(err error) error { return m.raise(err, 0) }

// startAlternatives pushes a choice point for a nondeterministic built-in and takes its first
// answer. The choice point saves the number of the built-in behind its arguments.
func (m *Machine) startAlternatives(number int) error {
	next, arity := m.pendingNext, m.builtins[number].Arity
	if m.pendingSequence != nil {
		m.Objs = append(m.Objs, m.pendingSequence)
		m.CutHook++
	} else {
		m.Objs = append(m.Objs, next)
	}
	m.pendingNext, m.pendingSequence = nil, nil
	m.X[arity] = code.MakeInt(int64(number))
	m.pushChoice(arity+1, addrRedo)
	return m.nextAnswer(next, arity)
}

// redoBuiltin takes the next answer after backtracking.
func (m *Machine) redoBuiltin() error {
	next, ok := m.Objs[len(m.Objs)-1].(Next)
	if !ok {
		next = m.Objs[len(m.Objs)-1].(*sequence).next
	}
	n := m.restoreArgs()
	m.calls.Redos++
	m.P = m.CP
	if err := m.Charge(1); err != nil { // the goals after it may be comparisons only, which count nothing
		return err
	}
	return m.nextAnswer(next, n-1)
}

// nextAnswer calls Next until there is an answer or no more. The choice point is on top.
func (m *Machine) nextAnswer(next Next, arity int) error {
	var behind collector // of the code at read
	for b, read, collects := m.B, -1, false; ; {
		m.inBuiltin = int(m.X[arity].Int()) + 1
		ok, more, err := next(m, m.X[:arity])
		m.inBuiltin = 0
		if err != nil {
			return m.raise(err, 0)
		}
		if !more {
			m.popChoice()
			m.proceedIf(ok)
			return m.roomAfter()
		}
		if ok {
			if read != m.P {
				read = m.P
				behind, collects = collectorAt(m)
			}
			if !collects || m.B != b || m.Waiting() || m.Alarm.Load() {
				return m.roomAfter()
			}
			if gone, err := behind.give(m); gone || err != nil {
				return err
			}
		}
		m.undo()
		m.restoreArgs()
		if err := m.Charge(1); err != nil {
			return err
		}
	}
}

// roomAfter makes room again after a function of Go has put terms on the heap. The loop relies on slack cells being
// free behind each instruction that left it.
func (m *Machine) roomAfter() error {
	if m.H+stacks.Slack > len(m.Heap) {
		m.GrowHeap(m.H + stacks.Slack)
	}
	return nil
}

// pushChoice pushes a choice point that saves the first n argument registers.
func (m *Machine) pushChoice(n, alt int) {
	top := m.ChoicesTop()
	for top+n+2*stacks.ChoiceRoom > len(m.Choices) {
		m.GrowChoices()
	}
	f := m.Choices[top : top+stacks.ChoiceArgs+n]
	f[stacks.ChoicePrev], f[stacks.ChoiceAlt] = cell(m.B), cell(alt)
	f[stacks.ChoiceE], f[stacks.ChoiceCP] = cell(m.E), cell(m.CP)
	f[stacks.ChoiceTR], f[stacks.ChoiceH] = cell(m.TR), cell(m.H)
	f[stacks.ChoiceEtop], f[stacks.ChoiceObjs] = cell(m.Etop), cell(len(m.Objs))
	f[stacks.ChoiceArity] = cell(n)
	for i := range n {
		f[stacks.ChoiceArgs+i] = stacks.Keep(m.X[i])
	}
	m.B, m.HB, m.Betop = top, m.H, m.Etop
}

// splitChoice pushes a copy of the newest choice point, which becomes the choice point of a doubt. A Go object belongs
// to the copy.
func (m *Machine) splitChoice() {
	b, top := m.B, m.ChoicesTop()
	for 2*top-b+2*stacks.ChoiceRoom > len(m.Choices) {
		m.GrowChoices()
	}
	copy(m.Choices[top:2*top-b], m.Choices[b:top])
	m.Choices[top+stacks.ChoicePrev], m.B = cell(b), top
	if m.objOf(b) != nil {
		m.Choices[b+stacks.ChoiceObjs]--
	}
	m.Choices[b+stacks.ChoiceAlt] = addrDoubt
	m.noteSplit(top)
}

// popChoice drops the newest choice point, and the Go object that it pushed.
func (m *Machine) popChoice() {
	top := m.Choices[m.B+stacks.ChoiceObjs] - 1
	if s, ok := m.Objs[top].(*sequence); ok {
		s.close(m)
	}
	m.Objs = m.Objs[:top]
	m.dropChoice()
}

// dropChoice drops the newest choice point.
func (m *Machine) dropChoice() { m.setChoice(int(m.Choices[m.B+stacks.ChoicePrev])) }

// setChoice makes b the newest choice point.
func (m *Machine) setChoice(b int) {
	m.B, m.HB, m.Betop = b, int(m.Choices[b+stacks.ChoiceH]), int(m.Choices[b+stacks.ChoiceEtop])
}

// restoreArgs loads the saved arguments of the newest choice point.
func (m *Machine) restoreArgs() int {
	n := int(m.Choices[m.B+stacks.ChoiceArity] & 0xffff)
	copy(m.X[:n], m.Choices[m.B+stacks.ChoiceArgs:])
	return n
}

// undo takes back the bindings made since the newest choice point, as the loop's fail does.
func (m *Machine) undo() {
	m.H = int(m.Choices[m.B+stacks.ChoiceH])
	m.UndoTrail(int(m.Choices[m.B+stacks.ChoiceTR]))
	m.Wake, m.WakeGoals, m.LiveCleanups = false, 0, 0
}

// cutTo removes the choice points newer than b.
func (m *Machine) cutTo(b int) {
	if b >= m.B {
		return
	}
	m.setChoice(b)
	m.Objs = m.Objs[:m.Choices[b+stacks.ChoiceObjs]]
}

// inlineSoftCut does the soft cut of the instruction before m.p, or the waiting goals first.
func (m *Machine) inlineSoftCut() {
	if m.Wake {
		m.P--
		m.wakeFirst()
		return
	}
	m.softCut(int(m.Envs[m.E+stacks.EnvY+m.Code[m.P-1].Imm()].Int()))
}

// softCut kills the choice point that was pushed right after b, and leaves newer ones.
func (m *Machine) softCut(b int) {
	f := m.B
	for int(m.Choices[f+stacks.ChoicePrev]) != b {
		f = int(m.Choices[f+stacks.ChoicePrev])
	}
	m.Choices[f+stacks.ChoiceAlt] = addrDead
	if m.inDoubt(f) {
		m.noteDoubt(f, addrDoubt)
	} else if f == m.B {
		m.setChoice(b)
	}
}

package machine

import (
	"cmp"
	"context"
	"errors"
	"runtime/debug"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the outer loop: starting and resuming queries, and the work behind each exit of the run loop.

// Addresses of the code that every program has, laid down by Prepare. Before each return
// address stands a call that tells the collector how many slots are live.
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
	addrMaybe     // alternative of a choice point whose failure rests on something undefined
	addrDoubt     // alternative of a choice point that was cut by such a success
	_
	addrAfterDet // continuation of a watched call
	_
	addrStubs // continuations of calls put off, two words for each number of slots
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

// Query is a goal to run and how.
type Query struct {
	// Goal is the goal. Vars are its variables.
	Goal term.Term
	// Vars are the variables whose values are asked for.
	Vars []*term.Var
	// Module is where the goal is called; nil stands for user.
	Module *database.Module
	// Globals are the global variables of the program. nil: there are none.
	Globals Globals
	// Left is what the run before has left, Host the machine of a run that waits for this one and shares all with it; nil:
	// there is none.
	Left *Handover
	Host *Machine
	// Direct commits changes of the database as they are made. Otherwise they form a
	// transaction, ended by Commit or Reset.
	Direct bool
	// At is a moment whose state the run sees, nil for the present one. Direct is false then.
	At *database.Moment
	// Limits bound the run.
	Limits Limits
	// Stress exercises the collector.
	Stress StressMode
	// Native says whether the run uses native code. Eager makes it translate at once what is called.
	Native NativeMode
	Eager  bool
	// TableMemory bounds the tables that the runs of the program share; all give the same. 0: 64 MiB.
	TableMemory int
	// Values makes exceptions that nobody catches note the values in the clauses that are active.
	Values bool
}

// Binding is a variable of a goal and its value.
type Binding struct {
	Var   *term.Var
	Value term.Term
}

// Start prepares the machine, which must be fresh or reset, for a query. Run then finds the first answer. The variables
// of the goal that are bound have their values from the beginning. The values share no variables with the goal.
func (m *Machine) Start(q Query, bound ...Binding) {
	m.limits, m.stress, m.first, m.valued = q.Limits, q.Stress, q.Globals, q.Values
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
	m.inferences, m.batch, m.fuel, m.walked, m.spent, m.overtime = 0, 0, 0, 0, 0, false
	m.builtinNow = 0
	m.calls.reset()
	m.stopClock()
	m.began = time.Time{}
	if q.Module != nil {
		m.module = q.Module
	}
	m.pushBase()
	goal := m.importQuery(&q, bound)
	m.restOnNothing()
	m.x[0] = goal
	m.live = 1
	m.p = int(m.program.System().Lookup(code.FCall).Entry)
	m.setSoft()
	if m.module != m.program.User() {
		m.x[0] = m.NewStruct(":", m.NewAtom(m.module.Name), goal)
	}
}

var atomVars = code.AtomCell("$vars")

// importQuery builds the goal of a query, and its variables in the environment at the bottom.
func (m *Machine) importQuery(q *Query, bound []Binding) (goal cell) {
	values, im := importer{m: &m.Terms}, importer{m: &m.Terms}
	for _, b := range bound {
		im.note(b.Var, values.term(b.Value))
	}
	goal = im.term(q.Goal)
	var few [fewVariables]cell
	cells := few[:0]
	for _, v := range q.Vars {
		cells = append(cells, im.term(v))
	}
	m.envs[m.e+envY] = atomVars
	if len(cells) > 0 {
		m.envs[m.e+envY] = m.NewCompound(code.MakeFunctor(atomVars.Atom(), len(cells)), cells)
	}
	return goal
}

// Keep keeps the generation of the database that the run sees.
func (m *Machine) Keep() (kept *database.Moment, generation uint64) { return m.tx.Keep() }

// pushBase lays down the environment and choice point at the bottom of the stacks.
func (m *Machine) pushBase() {
	m.envs[2+envE], m.envs[2+envCP], m.envs[2+envY], m.envs[restsAt] = 0, addrExit, code.MakeInt(0), code.MakeInt(0)
	m.e, m.etop, m.cp = 2, 2+envY+2, addrExit
	f := m.choices[choiceBase : choiceBase+choiceArgs]
	clear(f)
	f[choiceAlt], f[choiceE], f[choiceCP] = addrNoMore, 2, addrExit
	f[choiceH], f[choiceEtop] = cell(m.h), cell(m.etop)
	m.b, m.b0, m.hb, m.betop = choiceBase, choiceBase, m.h, m.etop
}

// system returns a predicate of module system.
func (m *Machine) system(name string, arity int) *database.Pred {
	return m.program.System().Lookup(code.Functor(name, arity))
}

// Run goes on to the next answer. The context, which may be nil, cancels the run; so does the
// time limit, which counts the time spent in Run since Start. After False or an error other than ErrSuspend there is
// nothing more to run. An *Exception is a Prolog term that nobody caught.
func (m *Machine) Run(ctx context.Context) (status Status, err error) {
	m.ctx = ctx
	if m.self == nil {
		m.tx.Wake()
	}
	m.loadCode()
	m.startClock()
	defer m.unwatch(m.watch(ctx))
	if s := m.calls.sampler; s != nil {
		s.tick(m)
		defer func() {
			if s := m.calls.sampler; s != nil {
				s.pause()
			}
		}()
	}
	defer func() {
		if status == Suspended || !m.Deterministic() { // else nobody asks
			m.spent += time.Since(m.started)
		}
	}()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	for {
		m.pollable = true
		status, err = m.runProtected()
		m.pollable = false
		switch err {
		case outOfMemory:
			err = m.ResourceError("memory")
		case interrupted:
			err = m.refuel()
		default:
			if err == nil && status != Suspended && (m.isCancelled() || m.isAnyLate()) {
				if err = m.refuel(); err != nil { // an answer that comes late is none
					status = False
				}
			}
			m.ctx = nil
			return status, err
		}
		m.work = m.work[:0]
		m.overdraw = true
		err = m.raise(err, 0)
		m.overdraw = false
		if err != nil {
			m.ctx = nil
			return False, err
		}
	}
}

// runProtected is the outer loop. A built-in that a panic has ended ends it, with that as error.
func (m *Machine) runProtected() (status Status, err error) {
	defer func() {
		r := recover()
		if why, is := r.(stopReason); is {
			err, m.inBuiltin = why, 0
		} else if r != nil {
			panic(m.faultInNative(r))
		}
	}()
	for {
		why := m.advance()
		if m.alarm.Load() {
			m.alarm.Store(false)
			m.emptyFuel()
			m.setAlarm()
			if s := m.calls.sampler; s != nil {
				s.take(m, why)
			}
		}
		switch why {
		case exitAnswer:
			if m.goalsWait() {
				m.p, m.live = addrExit, 0
				m.startWake()
				continue
			}
			return True, nil
		case exitNoMore:
			m.p, m.live = addrNoMore, 0
			if m.goalsWait() {
				m.startWake()
				continue
			}
			err, m.leaving = m.leaving, nil
			return False, err
		}
		if m.stress == StressGrow {
			m.crowd(why)
		}
		if err = m.handle(why); err == nil {
			if m.h+slack > len(m.heap) { // code counts on it after every exit
				m.growHeap(m.h + slack)
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
func (m *Machine) Redo() { m.p = addrFail }

// Cut gives up, after an answer, the answers that may follow, as a cut does, and runs the cleanup goals that wait for
// that. The error is that of Run. After an error there is nothing more to run.
func (m *Machine) Cut(ctx context.Context) error {
	m.collectCleanups(choiceBase, loudCleanup)
	m.cutTo(choiceBase)
	if !m.goalsWait() {
		return nil
	}
	m.p, m.live = addrExit, 0
	status, err := m.Run(ctx)
	if err == nil && status == Suspended {
		err = errCleanupWaits
	}
	return err
}

// errCleanupWaits is the error of a goal that waits for an answer when nobody goes on with the run.
var errCleanupWaits = errors.New("a cleanup goal waits for an answer, which it cannot do after the last solution")

// Deterministic reports, after an answer, that no other can follow.
func (m *Machine) Deterministic() bool { return m.undoubted() == choiceBase }

// undoubted returns the newest choice point that may have an answer: none that a doubt has left behind.
func (m *Machine) undoubted() int {
	b := m.b
	for m.choices[b+choiceAlt] == addrDoubt {
		b = int(m.choices[b+choicePrev])
	}
	return b
}

// Answer returns the values of the query's variables, in the order of Query.Vars. The slice is part of the heap.
func (m *Machine) Answer() []cell {
	c := m.envs[2+envY]
	if c.Tag() != code.Str { // the query has no variables
		return nil
	}
	return m.heap[c.Addr()+1:][:m.Functor(c).FunctorArity()]
}

// handle does the work behind an exit of the run loop. An error is a Prolog exception to be
// raised, ErrSuspend, or ends the run.
func (m *Machine) handle(why exit) error {
	switch why {
	case exitCheck:
		return m.check()
	case exitAlarm:
		return nil
	case exitHeap:
		m.p--
		if m.tr+8 > len(m.trail) {
			m.growTrail()
		}
		return m.makeRoom()
	case exitEnvs:
		m.p--
		m.growEnvs()
		return m.checkMemory()
	case exitChoices:
		m.growChoices()
		return m.checkMemory()
	case exitUnify:
		m.proceedIf(m.Unify(m.ua, m.ub))
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
		return m.callUndefined(m.program.Preds()[m.code[m.p-1].Imm()])
	case exitDynamic:
		return m.callDynamic(m.program.Preds()[m.code[m.p-1].Imm()])
	case exitQualify:
		m.qualifyOwn(m.program.Preds()[m.code[m.p-1].Imm()])
		return nil
	case exitDet:
		return m.watchDet(m.code[m.p-1])
	case exitRetryDyn:
		return m.retryDynamic()
	case exitRedo:
		return m.redoBuiltin()
	case exitMeta:
		return m.callControl(m.program.Preds()[m.code[m.p-1].Imm()])
	case exitCut:
		return m.cutInline()
	case exitShallow:
		if m.code[m.p-1].Op() == code.OpShallowFail {
			m.failShallow()
		} else {
			m.p--
			m.deepen()
		}
		return nil
	case exitSoftCut:
		m.inlineSoftCut()
		return nil
	case exitWakeFirst:
		m.p--
		m.wakeFirst()
		return nil
	case exitTerm:
		return m.inlineTerm()
	case exitExpand:
		m.p--
		return m.expandAttributed(m.code[m.p])
	case exitResume:
		m.resumeCall()
		return nil
	case exitCleanup:
		if m.code[m.p-1].Op() == code.OpCleanupFail {
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
		m.p = addrFail
	}
}

// check does at a call what cannot be done inside the loop: limits, collection, wake-up.
func (m *Machine) check() error {
	if m.fuel < 0 {
		m.noteCall(m.p, m.live)
		if err := m.refuel(); err != nil {
			return err
		}
	}
	if m.collectionDue() {
		if err := m.collect(m.live); err != nil {
			return err
		}
		if m.stress == StressVerify {
			if err := m.verify(m.live); err != nil {
				panic(err)
			}
		}
	}
	if m.goalsWait() {
		m.startWake()
	} else {
		m.setSoft() // a wake-up that was undone has lowered it
	}
	return nil
}

// makeRoom grows the heap for an instruction that found none.
func (m *Machine) makeRoom() error {
	need := m.h + slack
	switch w := m.code[m.p]; w.Op() {
	case code.OpPutStruct, code.OpGetStruct:
		need += cell(m.code[m.p+1]).FunctorArity()
	}
	if need > len(m.heap) {
		m.growHeap(need)
	}
	return m.checkMemory()
}

// checkMemory returns the resource error of a run that takes more than it may.
func (m *Machine) checkMemory() error {
	if m.used() > m.limitBytes() {
		return m.ResourceError("memory")
	}
	return nil
}

// test goes to the target of a test of instruction w that came out as ok.
func (m *Machine) test(w code.Instr, ok bool) {
	if ok {
		return
	}
	if m.p = w.Imm(); m.p == code.TargetFail {
		m.p = addrFail
	}
}

// testKinds says of each [code.Test] for which tags of a dereferenced cell it holds, and for which
// a look at the heap is needed; as bits.
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

// inlineTest does the tests that need more than a glance.
func (m *Machine) inlineTest() {
	w := m.code[m.p-1]
	switch w.Op() {
	case code.OpTest:
		m.test(w, m.isKind(m.ua, code.Test(w.B())))
	case code.OpIdent:
		m.test(w, m.Identical(m.x[w.A()], m.x[w.B()]) != (w.C() != 0))
	case code.OpUnify:
		m.test(w, m.Unify(m.x[w.A()], m.x[w.B()]))
	}
}

// inlineAny does a test that the loop has given up.
func (m *Machine) inlineAny() error {
	switch w := m.code[m.p-1]; w.Op() {
	case code.OpTest:
		m.ua = m.Deref(m.x[w.A()])
		kind := testKinds[w.B()&15]
		m.test(w, kind.yes>>m.ua.Tag()&1 != 0 || kind.inspect>>m.ua.Tag()&1 != 0 && m.isKind(m.ua, code.Test(w.B())))
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

// inlineOrder does the comparison of terms before m.p.
func (m *Machine) inlineOrder() error {
	w := m.code[m.p-1]
	a, b := m.x[w.A()], m.x[w.B()]
	if w.Op() == code.OpOrder && w.Imm() != 0 {
		return m.callOrder(m.x[w.C()], a, b)
	}
	order := uint8(code.OrderLess) << (1 + m.Compare(a, b))
	if w.Op() == code.OpOrder {
		m.x[w.C()] = orderAtoms[order]
	} else {
		m.test(w, w.C()&order != 0)
	}
	return nil
}

// callOrder is compare/3 with an order that may be known.
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
	w := m.code[m.p-1]
	words := m.code[m.p : m.p+w.Imm()]
	m.p += len(words)
	switch w.Op() {
	case code.OpPutTerm:
		m.x[w.A()] = m.template(words)
	case code.OpPutBlob:
		m.x[w.A()] = m.wordsToHeap(words)
	default:
		m.proceedIf(m.Unify(m.x[w.A()], m.wordsToHeap(words)))
	}
	return m.checkMemory()
}

// wordsToHeap copies the words of a blob from the code.
func (m *Machine) wordsToHeap(words []code.Instr) cell {
	m.Room(len(words))
	at := m.h
	for _, w := range words {
		m.push(cell(w))
	}
	return code.MakeBlob(at)
}

// template builds the term of an OpPutTerm: a root, then cells with relative pointers;
// variables are registers (below 256) or slots.
func (m *Machine) template(words []code.Instr) cell {
	m.Room(len(words))
	base := cell(m.h) << 3
	for i := 1; i < len(words); i++ {
		c := cell(words[i])
		switch {
		case c.Tag() == code.Att:
			c = m.templateVar(c)
		case c.IsPointer():
			c += base
		case c.Tag() == code.Hdr && !c.IsFunctor():
			m.push(c)
			for n := c.BlobWords(); n > 0; n-- {
				i++
				m.push(cell(words[i]))
			}
			continue
		}
		m.push(c)
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
		return m.x[n]
	} else {
		return m.envs[m.e+envY+n-256]
	}
}

// expandAttributed binds an attributed variable to a compound of fresh variables. The instruction w, at
// m.p, found it in place of a compound and can be run again afterwards.
func (m *Machine) expandAttributed(w code.Instr) error {
	functor := code.FDot
	c := m.x[w.A()]
	switch w.Op() {
	case code.OpGetStruct:
		functor = cell(m.code[m.p+1])
	case code.OpUniList:
		c = m.heap[m.s]
	case code.OpUniVarUniList:
		m.s--
		c = m.heap[m.s+1]
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
	w := m.code[m.p-1]
	if m.goalsWaitFor(&m.builtins[w.Imm()]) && w.BC() < MaxArgs {
		m.p--
		m.live = int(w.A())
		m.startWakeIn(w.BC() - 1)
		return nil
	}
	if m.fuel--; m.fuel < 0 {
		m.noteCall(builtinAt(w.Imm()), int(w.A()))
		if err := m.refuel(); err != nil {
			return err
		}
	}
	b := &m.builtins[w.Imm()]
	m.builtinNow = w.Imm() + 1
	if w.Op() == code.OpBuiltinEnd {
		m.p = m.cp
	}
	m.inBuiltin = w.Imm() + 1
	ok, err := b.Func(m, m.x[:w.A()])
	m.inBuiltin = 0
	if err != nil {
		return m.builtinError(err, b, w)
	}
	if m.pendingNext != nil {
		return m.startAlternatives(w.Imm())
	}
	m.proceedIf(ok)
	if m.h+slack > len(m.heap) {
		m.growHeap(m.h + slack)
	}
	return m.overflow()
}

// overflow reports a heap that has passed the limit with nothing to collect in sight.
func (m *Machine) overflow() error {
	if m.extraBytes > m.limitBytes() {
		return m.ResourceError("memory")
	}
	return nil
}

// builtinError prepares the error of a built-in: a suspension is to be resumed behind the
// call, an error term gets its context.
func (m *Machine) builtinError(err error, b *Builtin, w code.Instr) error {
	if err == ErrSuspend {
		m.suspended, m.suspendedInstr = m.x[w.A()-1], w
		return err
	}
	if b.Name == "throw" {
		return m.raise(err, 0) // the ball is the program's own
	}
	return m.raise(err, code.Functor(b.Name, b.Arity))
}

// Running returns the built-in that is at work, or nil: after a panic the one that panicked.
func (m *Machine) Running() *Builtin {
	if m.inBuiltin == 0 {
		return nil
	}
	return &m.builtins[m.inBuiltin-1]
}

// Suspension returns, after Suspended, the predicate that waits and its arguments.
func (m *Machine) Suspension() (waits *Builtin, args []cell) {
	waits = &m.builtins[m.suspendedInstr.Imm()]
	return waits, m.x[:waits.Arity]
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
		m.objs = append(m.objs, m.pendingSequence)
		m.cutHook++
	} else {
		m.objs = append(m.objs, next)
	}
	m.pendingNext, m.pendingSequence = nil, nil
	m.x[arity] = code.MakeInt(int64(number))
	m.pushChoice(arity+1, addrRedo)
	return m.nextAnswer(next, arity)
}

// redoBuiltin takes the next answer after backtracking.
func (m *Machine) redoBuiltin() error {
	next, ok := m.objs[len(m.objs)-1].(Next)
	if !ok {
		next = m.objs[len(m.objs)-1].(*sequence).next
	}
	n := m.restoreArgs()
	m.calls.redos++
	m.p = m.cp
	if err := m.Charge(1); err != nil { // the goals after it may be comparisons alone, which count nothing
		return err
	}
	return m.nextAnswer(next, n-1)
}

// nextAnswer asks until there is an answer or no more. The choice point is on top.
func (m *Machine) nextAnswer(next Next, arity int) error {
	for {
		m.inBuiltin = int(m.x[arity].Int()) + 1
		ok, more, err := next(m, m.x[:arity])
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
			return m.roomAfter()
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
	if m.h+slack > len(m.heap) {
		m.growHeap(m.h + slack)
	}
	return nil
}

// pushChoice pushes a choice point that saves the first n argument registers.
func (m *Machine) pushChoice(n, alt int) {
	top := m.choicesTop()
	for top+n+2*choiceRoom > len(m.choices) {
		m.growChoices()
	}
	f := m.choices[top : top+choiceArgs+n]
	f[choicePrev], f[choiceAlt] = cell(m.b), cell(alt)
	f[choiceE], f[choiceCP] = cell(m.e), cell(m.cp)
	f[choiceTR], f[choiceH] = cell(m.tr), cell(m.h)
	f[choiceEtop], f[choiceObjs] = cell(m.etop), cell(len(m.objs))
	f[choiceArity] = cell(n)
	for i := range n {
		f[choiceArgs+i] = keep(m.x[i])
	}
	m.b, m.hb, m.betop = top, m.h, m.etop
}

// splitChoice pushes a copy of the newest choice point, which becomes that of a doubt. A Go object belongs to the copy.
func (m *Machine) splitChoice() {
	b, top := m.b, m.choicesTop()
	for 2*top-b+2*choiceRoom > len(m.choices) {
		m.growChoices()
	}
	copy(m.choices[top:2*top-b], m.choices[b:top])
	m.choices[top+choicePrev], m.b = cell(b), top
	if m.objOf(b) != nil {
		m.choices[b+choiceObjs]--
	}
	m.choices[b+choiceAlt] = addrDoubt
	m.noteSplit(top)
}

// popChoice drops the newest choice point, and the Go object that it pushed.
func (m *Machine) popChoice() {
	top := m.choices[m.b+choiceObjs] - 1
	if s, ok := m.objs[top].(*sequence); ok {
		s.close(m)
	}
	m.objs = m.objs[:top]
	m.dropChoice()
}

// dropChoice drops the newest choice point.
func (m *Machine) dropChoice() { m.setChoice(int(m.choices[m.b+choicePrev])) }

// setChoice makes b the newest choice point.
func (m *Machine) setChoice(b int) {
	m.b, m.hb, m.betop = b, int(m.choices[b+choiceH]), int(m.choices[b+choiceEtop])
}

// restoreArgs loads the saved arguments of the newest choice point.
func (m *Machine) restoreArgs() int {
	n := int(m.choices[m.b+choiceArity] & 0xffff)
	copy(m.x[:n], m.choices[m.b+choiceArgs:])
	return n
}

// undo takes back the bindings made since the newest choice point, as the loop's fail does.
func (m *Machine) undo() {
	m.h = int(m.choices[m.b+choiceH])
	m.undoTrail(int(m.choices[m.b+choiceTR]))
	m.wake, m.wakeGoals, m.liveCleanups = false, 0, 0
}

// undoTrail unbinds what the trail has noted since it had the length to. An entry with the tag of a variable is one
// that was bound. Any other lies above the old value of an assignment.
func (m *Terms) undoTrail(to int) {
	for m.tr > to {
		m.tr--
		a := m.trail[m.tr]
		if a.Tag() == code.Ref {
			m.heap[a.Addr()] = a
		} else {
			m.tr--
			m.heap[a.Addr()] = m.trail[m.tr]
		}
	}
}

// cutTo removes the choice points newer than b.
func (m *Machine) cutTo(b int) {
	if b >= m.b {
		return
	}
	m.setChoice(b)
	m.objs = m.objs[:m.choices[b+choiceObjs]]
}

// inlineSoftCut does the soft cut of the instruction before m.p, or goals that wait first.
func (m *Machine) inlineSoftCut() {
	if m.wake {
		m.p--
		m.wakeFirst()
		return
	}
	m.softCut(int(m.envs[m.e+envY+m.code[m.p-1].Imm()].Int()))
}

// softCut kills the choice point that was pushed right after b, and leaves newer ones.
func (m *Machine) softCut(b int) {
	f := m.b
	for int(m.choices[f+choicePrev]) != b {
		f = int(m.choices[f+choicePrev])
	}
	m.choices[f+choiceAlt] = addrDead
	if m.inDoubt(f) {
		m.noteDoubt(f, addrDoubt)
	} else if f == m.b {
		m.setChoice(b)
	}
}

package machine

import (
	"sync/atomic"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines engines: goals whose answers another goal requests one by one. An engine is a machine of its own,
// with its own heap, stacks and global variables. It has the transaction and the streams of the run that made it, runs
// on the goroutine of that run while that run waits for it, and ends with it. Its time, inferences and memory count as
// the run's.

var engineTable = []Builtin{
	{Name: "$engine_create", Arity: 3, Func: engineCreate, Meta: ":+-", Modes: ":answer, +alias, -engine",
		Doc: "Makes an engine for Template-Goal; alias is [] for none."},
	{Name: "engine_next", Arity: 2, Func: taking((*Machine).engineArg, engineNext), Modes: "+engine, -answer",
		Doc: "Answer is the next answer of an engine."},
	{Name: "engine_post", Arity: 2, Func: taking((*Machine).engineArg, enginePost), Modes: "+engine, +term",
		Doc: "Gives an engine a term, which it takes by engine_fetch/1."},
	{Name: "engine_fetch", Arity: 1, Func: engineFetch, Modes: "-term",
		Doc: "Term is the term that engine_post/2 has given to the calling engine."},
	{Name: "engine_yield", Arity: 1, Func: engineYield, Modes: "+term",
		Doc: "Makes term an answer of the calling engine, which continues when it is asked for the next answer."},
	{Name: "engine_self", Arity: 1, Func: engineSelf, Modes: "-engine", Doc: "Engine is the calling engine."},
	{Name: "engine_destroy", Arity: 1, Func: taking((*Machine).engineArg, engineDestroy), Modes: "+engine",
		Doc: "Ends an engine; its pending cleanup goals are called."},
	{Name: "is_engine", Arity: 1, Func: isEngine, Modes: "@term", Doc: "Term is an engine."},
	{Name: "$engines", Arity: 1, Func: listEngines, Modes: "-list", Doc: "Lists the engines."},
}

// crew connects the machines of a run.
type crew struct {
	team     *team                   // nil if the run has no engines
	self     *engineState            // the engine that runs on this machine, nil on the machine of the run itself
	inner    atomic.Pointer[Machine] // the engine that the machine waits for
	waiter   *Machine                // the machine that waits for the engine
	pausing  bool                    // Run returns before the next instruction
	host     *Machine                // see visit
	alarms   alarms
	awaiting atomic.Pointer[Patience] // of Await
}

// team is a run's engines, and what they share.
type team struct {
	root    *Machine
	engines map[int]*engineState
	aliases map[string]*engineState
	last    int // number of the newest
	queues  map[string]*messageQueue
	mutexes map[string]int // how many times each mutex is locked
	tries   map[int64]*trie
}

// engineState is an engine and how far it has come.
type engineState struct {
	m       *Machine
	number  int
	alias   string
	status  engineStatus
	yielded *Saved // the answer of engine_yield/1
	post    *Saved // the term for engine_fetch/1
	held    int    // bytes that the run has been charged for it
}

// engineStatus says what an engine can do next.
type engineStatus uint8

const (
	engineFresh  engineStatus = iota
	engineWaits               // has given an answer and may have more
	enginePaused              // has given one by engine_yield/1
	engineRunning
	engineDone
)

var (
	fnEngine = code.Functor("$engine", 1)
	fnPair   = code.Functor("-", 2)
)

// engineBytes is the approximate size of a machine that has not run.
const engineBytes = 64 << 10

// eachMachine calls f for the machine of the run and for the machines of its engines.
func (m *Machine) eachMachine(f func(*Machine)) {
	if m.team == nil {
		f(m)
		return
	}
	f(m.team.root)
	for _, e := range m.team.engines {
		f(e.m)
	}
}

// dropEngines ends all engines of the run without notice.
func (m *Machine) dropEngines() {
	if m.team == nil || m.self != nil {
		return
	}
	m.team.endEngines()
	m.team = nil
}

// endEngines ends all engines without notice.
func (t *team) endEngines() {
	for _, e := range t.engines {
		e.discard()
	}
	clear(t.engines)
	clear(t.aliases)
}

// discard releases what the machine of an engine holds.
func (e *engineState) discard() {
	e.status = engineDone
	e.m.leaveTransaction()
	e.m.tx, e.m.OwnAtoms = nil, &code.AtomSet{}
	e.m.Reset()
	e.m.Memory.Release()
}

// engineHandle returns the term that stands for an engine.
func (m *Machine) engineHandle(e *engineState) cell {
	if e.alias != "" {
		return m.NewAtom(e.alias)
	}
	return m.NewCompound(fnEngine, []cell{code.MakeInt(int64(e.number))})
}

// findEngine returns the engine that a term stands for, or nil.
func (m *Machine) findEngine(c cell) *engineState {
	if m.team == nil {
		return nil
	}
	c = m.Deref(c)
	switch {
	case c.Tag() == code.Atom:
		return m.team.aliases[stacks.AtomText(c)]
	case c.Tag() == code.Str && m.Functor(c) == fnEngine:
		if n := m.Deref(m.Arg(c, 0)); n.Tag() == code.Int {
			return m.team.engines[int(n.Int())]
		}
	}
	return nil
}

// engineArg returns the engine that an argument stands for.
func (m *Machine) engineArg(c cell) (*engineState, error) {
	c = m.Deref(c)
	switch e := m.findEngine(c); {
	case e != nil:
		return e, nil
	case stacks.IsVar(c):
		return nil, m.InstantiationError()
	case c.Tag() == code.Atom || c.Tag() == code.Str && m.Functor(c) == fnEngine:
		return nil, m.ExistenceError("engine", c)
	}
	return nil, m.TypeError("engine", c)
}

// engineCreate runs '$engine_create'(Module:(Template-Goal), Alias, Engine).
func engineCreate(m *Machine, a []cell) (bool, error) {
	plain, mod := m.StripModule(a[0])
	if plain.Tag() != code.Str || m.Functor(plain) != fnPair {
		return false, m.TypeError("pair", plain)
	}
	alias := ""
	if c := m.Deref(a[1]); c != code.ANil {
		name, err := m.AtomArg(c)
		if err != nil {
			return false, err
		}
		if m.findEngine(c) != nil {
			return false, m.PermissionError("create", "engine", c)
		}
		alias = name
	}
	e, err := m.newEngine(m.Arg(plain, 0), m.qualify(m.Arg(plain, 1), mod))
	if err != nil {
		return false, err
	}
	if e.alias = alias; alias != "" {
		m.team.aliases[alias] = e
	}
	return m.Unify(a[2], m.engineHandle(e)), nil
}

// newEngine makes an engine that will call a goal. The engine gets a copy of the goal and of the template.
func (m *Machine) newEngine(template, goal cell) (*engineState, error) {
	query := m.FreezeWith(m.NewCompound(code.FComma, []cell{template, goal}), true)
	if err := m.Hold(engineBytes + stacks.CellBytes*len(query.Cells)); err != nil {
		return nil, err
	}
	m.ensureTeam()
	m.team.last++
	child := New(m.program, m.builtins, m.compile, m.arith, m.sharedTables)
	e := &engineState{m: child, number: m.team.last, held: engineBytes + stacks.CellBytes*len(query.Cells)}
	child.team, child.self = m.team, e
	child.OwnAtoms, child.tx, child.IO, child.Commit, child.Random = m.OwnAtoms, m.runTx(), m.IO, m.Commit, m.Random
	child.Given, child.Began = m.Given, m.Began
	child.UnderflowError = m.UnderflowError
	child.flagged, child.Loading, child.module, child.first = m.flagged, m.Loading, m.module, m.first
	child.ops, child.flags, child.Stress = m.ops, m.flags, m.Stress
	child.setNative(m.mode, m.hot == 1)
	child.tables.memory, child.rights.forGood = m.tables.memory, m.Restricted()
	child.Limits = stacks.Limits{Memory: m.LimitBytes()}
	child.prepare(query)
	m.team.engines[e.number] = e
	return e, nil
}

// ensureTeam makes the machine the root of a team, unless it belongs to one.
func (m *Machine) ensureTeam() {
	if m.team == nil {
		m.team = &team{root: m, engines: map[int]*engineState{}, aliases: map[string]*engineState{}}
	}
}

// prepare makes the machine ready to call the goal of a frozen Template, Goal.
func (m *Machine) prepare(query stacks.Frozen) {
	m.loadCode()
	m.pushBase()
	m.restOnNothing()
	both := m.Thaw(query)
	m.Envs[m.E+stacks.EnvY] = m.NewStruct("$vars", m.Arg(both, 0))
	m.X[0] = m.Arg(both, 1)
	m.Live = 1
	m.P = int(m.system("call", 1).Entry)
	m.SetSoft()
}

func engineNext(m *Machine, e *engineState, a []cell) (bool, error) {
	answer, ok, err := m.nextOf(e)
	if ok && answer == 0 {
		m.AddWaiting(m.NewStruct("engine_next", a...)) // after the goals of alarms
		return true, nil
	}
	return ok && m.Unify(a[1], answer), err
}

// nextOf runs an engine to its next answer. An engine without further answers is destroyed. The result is 0 if an alarm
// rings before there is an answer.
func (m *Machine) nextOf(e *engineState) (answer cell, ok bool, err error) {
	switch e.status {
	case engineRunning:
		return 0, false, m.PermissionError("resume", "engine", m.engineHandle(e))
	case engineWaits:
		e.m.Redo()
		if e.m.Deterministic() {
			e.status = engineDone
		}
	}
	if e.status == engineDone {
		m.destroy(e)
		return 0, false, nil
	}
	status, err := m.runEngine(e)
	m.rights.forGood = m.rights.forGood || e.m.rights.forGood
	if e.m.tainted() || e.m.tables.unsure {
		RestOnUndefined(m)
	}
	Outlasts(m, 0)
	switch {
	case err != nil:
		return 0, false, m.rethrow(err)
	case status == Suspended:
		if e.yielded != nil {
			answer = m.Restore(*e.yielded)
		}
		e.yielded, e.status = nil, enginePaused
		return answer, true, nil
	case status == True:
		answer = m.Thaw(e.m.FreezeWith(e.m.Answer()[0], true))
		e.status = engineWaits
		return answer, true, nil
	}
	m.destroy(e)
	return 0, false, nil
}

// runEngine runs an engine until it has an answer, pauses or ends, within the remaining limits of the run.
func (m *Machine) runEngine(e *engineState) (status Status, err error) {
	child := e.m
	before := child.Inferences()
	if err := m.lendLimits(child); err != nil {
		return False, err
	}
	ctx := m.Ctx
	m.inner.Store(child)
	if reason := m.Cancelled.Load(); reason != nil {
		child.Cancel(*reason)
	}
	e.status, child.waiter = engineRunning, m
	status, err = child.Run(ctx)
	child.waiter, child.pausing = nil, false
	m.inner.Store(nil)
	if err != nil || status == False {
		e.status = engineDone
	}
	grown := child.Used() + engineBytes - e.held
	e.held += grown
	m.ExtraBytes += grown
	m.emptyFuel()
	if charged := m.Charge(int(child.Inferences() - before)); charged != nil { // also what the waiting goal has set
		return False, charged
	}
	if m.Used() > m.LimitBytes() {
		return False, m.ResourceError("memory")
	}
	return status, err
}

// rethrow returns an engine's error as an error of this machine.
func (m *Machine) rethrow(err error) error {
	if ex := wrapped(err); ex != nil {
		return m.Throw(m.Thaw(ex.ball))
	}
	return err
}

// lendLimits gives the machine of an engine the remaining limits of m.
func (m *Machine) lendLimits(child *Machine) error {
	child.Spent, child.Limits.Time = 0, 0
	if end := m.FirstDeadline(); !end.IsZero() {
		child.Limits.Time = max(time.Until(end), 1)
	}
	used := m.Inferences()
	left := int64(0)
	if m.Limits.Inferences > 0 {
		left = max(m.Limits.Inferences-used, 1)
	}
	for i := range m.GoalLimits {
		if l := &m.GoalLimits[i]; l.Inferences > 0 && (left == 0 || l.Inferences-used < left) {
			left = max(l.Inferences-used, 1)
		}
	}
	if child.Limits.Inferences = 0; left > 0 {
		child.Limits.Inferences = child.Inferences() + left
	}
	child.Overtime = false
	child.emptyFuel()
	child.Limits.Memory = max(m.LimitBytes()-m.Used(), 0) + child.Used()
	return m.Charge(1)
}

// destroy removes an engine.
func (m *Machine) destroy(e *engineState) {
	delete(m.team.engines, e.number)
	if e.alias != "" {
		delete(m.team.aliases, e.alias)
	}
	m.ExtraBytes -= e.held
	m.AtomBytes += e.m.AtomBytes
	e.discard()
}

func enginePost(m *Machine, e *engineState, a []cell) (bool, error) {
	if e.post != nil {
		return false, m.PermissionError("post_to", "engine", m.engineHandle(e))
	}
	saved := Saved{m.FreezeWith(a[1], true)}
	e.post = &saved
	return true, m.Hold(saved.Bytes())
}

func engineFetch(m *Machine, a []cell) (bool, error) {
	if m.self == nil || m.self.post == nil {
		at := m.NewAtom("main")
		if m.self != nil {
			at = m.engineHandle(m.self)
		}
		return false, m.throwFormal(m.NewStruct("existence_error", m.NewAtom("term"), m.NewAtom("delivery"), at))
	}
	saved := *m.self.post
	m.self.post = nil
	return m.Unify(a[0], m.Restore(saved)), nil
}

func engineYield(m *Machine, a []cell) (bool, error) {
	if m.self == nil {
		return false, m.PermissionError("execute", "vmi", m.NewAtom("I_YIELD"))
	}
	saved := Saved{m.FreezeWith(a[0], true)}
	m.self.yielded = &saved
	m.pausing = true
	return true, nil
}

func engineSelf(m *Machine, a []cell) (bool, error) {
	return m.self != nil && m.Unify(a[0], m.engineHandle(m.self)), nil
}

func engineDestroy(m *Machine, e *engineState, a []cell) (bool, error) {
	if e.status == engineRunning {
		return false, m.PermissionError("destroy", "engine", m.engineHandle(e))
	}
	var err error
	if e.status == engineWaits || e.status == enginePaused {
		err = m.lendLimits(e.m)
		if err == nil {
			err = e.m.Cut(m.Ctx)
		}
		err = m.rethrow(err)
	}
	m.destroy(e)
	return err == nil, err
}

func isEngine(m *Machine, a []cell) (bool, error) { return m.findEngine(a[0]) != nil, nil }

// listEngines runs '$engines'(List).
func listEngines(m *Machine, a []cell) (bool, error) {
	var list []cell
	if m.team != nil {
		for n := range m.team.last + 1 {
			if e := m.team.engines[n]; e != nil {
				list = append(list, m.engineHandle(e))
			}
		}
	}
	return m.Unify(a[0], m.List(list, code.ANil)), nil
}

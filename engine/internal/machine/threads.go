package machine

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
)

// This file defines the threads of a run. A thread is an engine that runs by itself: the threads of a run take turns on
// its goroutine. The thread main is the machine of the run. The others run while main waits for a message, a mutex or
// the end of a thread, and for a while each time main has made some thousand calls.

var threadTable = []Builtin{
	{Name: "thread_self", Arity: 1, Func: threadSelf, Modes: "-thread", Doc: "Thread is the one that calls this."},
	{Name: "$thread_create", Arity: 4, Func: threadCreate, Meta: ":++-", Modes: ":goal, +alias, +detached, -thread",
		Doc: "Makes a thread for a goal; alias is [] for none."},
	{Name: "$threads", Arity: 1, Func: listThreads, Modes: "-list",
		Doc: "Lists the threads as thread(Thread, Number, Status, Detached)."},
	{Name: "$thread_forget", Arity: 1, Func: threadForget, Modes: "+thread", Doc: "Removes a thread that has ended."},
	{Name: "$thread_detach", Arity: 1, Func: threadDetach, Modes: "+thread",
		Doc: "Makes a thread go when it has ended."},
	{Name: "$thread_signal", Arity: 2, Func: threadSignal, Modes: "+thread, +goal",
		Doc: "Makes a thread call a goal before its next call."},
	{Name: "$thread_wait", Arity: 1, Func: threadWait, Modes: "+until",
		Doc: "Lets other threads run; until is in milliseconds, or inf. It fails if none can."},
	{Name: "$queue_create", Arity: 2, Func: queueCreate, Modes: "+name, +size", Doc: "Makes a queue; size 0 is any."},
	{Name: "$queue_destroy", Arity: 1, Func: queueDestroy, Modes: "+queue", Doc: "Removes a queue."},
	{Name: "$queue_limit", Arity: 2, Func: queueLimit, Modes: "+queue, +size",
		Doc: "A queue has room for so many messages."},
	{Name: "$queue_info", Arity: 3, Func: queueInfo, Modes: "+queue, -count, -size", Doc: "A queue holds count messages."},
	{Name: "$queue_send", Arity: 2, Func: queueSend, Modes: "+queue, +message",
		Doc: "Adds a message to a queue that is not full."},
	{Name: "$queue_get", Arity: 3, Func: queueGet, Modes: "+queue, ?message, +take",
		Doc: "The first message of a queue that unifies; take is true or false."},
	{Name: "$mutex", Arity: 2, Func: mutexChange, Modes: "+operation, +mutex",
		Doc: "Does create, destroy, lock, unlock, exists or release."},
	{Name: "$mutex_owner", Arity: 3, Func: mutexOwner, Modes: "+mutex, -thread, -count",
		Doc: "Thread has locked a mutex count times."},
}

// threads is what the threads of a run share.
type threads struct {
	queues  map[string]*messageQueue
	mutexes map[string]*mutex
	changes int  // messages sent, mutexes unlocked, threads ended
	stale   bool // threads have had turns while main did not wait for them
}

// thread is an engine's part as a thread.
type thread struct {
	ended    bool
	status   Saved // when it has ended: true, false, exception(Ball), exited(Term)
	detached bool
	swap     func()    // exchanges its current streams and those of the run
	waits    bool      // for a change
	seen     int       // changes when it began to wait
	until    time.Time // it waits no longer than that, unless this is zero
	slice    int       // batches of calls left of its turn
	// preds maps thread_local predicates to those with the clauses of this thread, and the latter to themselves.
	preds map[*database.Pred]*database.Pred
	// stale is set when its turn has ended elsewhere than in a wait: what it has looked at before may have changed.
	stale bool
}

// messageQueue is a queue of messages.
type messageQueue struct {
	messages []Saved
	size     int // the most messages, 0 for any number
}

// mutex says which thread has locked it, and how often.
type mutex struct{ owner, count int }

// mainThread is the number of the thread main; the others have the numbers of their engines.
const mainThread = 0

// sliceBatches is how many batches of calls a thread makes in one turn.
const sliceBatches = 4

var fnThread = code.Functor("$thread", 1)

// endSlice makes Run of a thread come back when its turn is over.
func (m *Machine) endSlice() {
	if m.self == nil || m.self.thread == nil {
		return
	}
	if m.self.thread.slice--; m.self.thread.slice < 0 {
		m.pausing, m.self.thread.stale = true, true
	}
}

// threadNumber returns the number of the thread that calls.
func (m *Machine) threadNumber() int {
	if m.self == nil {
		return mainThread
	}
	return m.self.number
}

// threadHandle returns the term that stands for a thread.
func (m *Machine) threadHandle(number int) cell {
	if number == mainThread {
		return m.NewAtom("main")
	}
	if e := m.team.engines[number]; e != nil && e.alias != "" {
		return m.NewAtom(e.alias)
	}
	return m.NewCompound(fnThread, []cell{code.MakeInt(int64(number))})
}

// findThread returns the number of the thread that a term stands for.
func (m *Machine) findThread(c cell) (number int, ok bool) {
	c = m.Deref(c)
	switch {
	case c.Tag() == code.Atom && AtomText(c) == "main":
		return mainThread, true
	case m.team == nil:
		return 0, false
	case c.Tag() == code.Atom:
		for _, e := range m.team.engines {
			if e.thread != nil && e.alias != "" && e.alias == AtomText(c) {
				return e.number, true
			}
		}
		return 0, false
	case c.Tag() == code.Str && m.Functor(c) == fnThread:
		c = m.Deref(m.Arg(c, 0))
	}
	if c.Tag() != code.Int {
		return 0, false
	}
	e := m.team.engines[int(c.Int())]
	return int(c.Int()), e != nil && e.thread != nil
}

// threadArg returns the thread that an argument stands for, other than main.
func (m *Machine) threadArg(c cell) (*engineState, error) {
	number, ok := m.findThread(c)
	switch {
	case !ok && IsVar(m.Deref(c)):
		return nil, m.InstantiationError()
	case !ok:
		return nil, m.ExistenceError("thread", c)
	case number == mainThread:
		return nil, m.PermissionError("join", "thread", c)
	}
	return m.team.engines[number], nil
}

// threadSelf is thread_self/1.
func threadSelf(m *Machine, a []cell) (bool, error) {
	number := m.threadNumber()
	if m.self != nil && m.self.thread == nil { // an engine belongs to the thread that asks it
		number = mainThread
	}
	return m.Unify(a[0], m.threadHandle(number)), nil
}

// threadCreate runs '$thread_create'(Goal, Alias, Detached, Thread).
func threadCreate(m *Machine, a []cell) (bool, error) {
	goal, mod := m.StripModule(a[0])
	alias := ""
	if c := m.Deref(a[1]); c != code.ANil {
		name, err := m.AtomArg(c)
		if err != nil {
			return false, err
		}
		if _, ok := m.findThread(c); ok {
			return false, m.PermissionError("create", "thread", c)
		}
		alias = name
	}
	e, err := m.newEngine(code.ATrue, m.qualify(goal, mod))
	if err != nil {
		return false, err
	}
	e.alias, e.thread = alias, &thread{detached: m.Deref(a[2]) == code.ATrue}
	e.within = e.thread
	e.m.globals = nil
	m.team.threads.changes++
	return m.Unify(a[3], m.threadHandle(e.number)), nil
}

// listThreads runs '$threads'(List).
func listThreads(m *Machine, a []cell) (bool, error) {
	row := func(number int, status cell, detached bool) cell {
		is := m.NewAtom("false")
		if detached {
			is = code.ATrue
		}
		return m.NewStruct("thread", m.threadHandle(number), code.MakeInt(int64(number)), status, is)
	}
	list := []cell{row(mainThread, m.NewAtom("running"), false)}
	if m.team != nil {
		for _, n := range slices.Sorted(maps.Keys(m.team.engines)) {
			e := m.team.engines[n]
			if e.thread == nil {
				continue
			}
			status := m.NewAtom("running")
			if e.thread.ended {
				status = m.Restore(e.thread.status)
			}
			list = append(list, row(n, status, e.thread.detached))
		}
	}
	return m.Unify(a[0], m.List(list, code.ANil)), nil
}

// threadForget runs '$thread_forget'(Thread).
func threadForget(m *Machine, a []cell) (bool, error) {
	e, err := m.threadArg(a[0])
	if err == nil && e.thread.ended {
		m.forgetThread(e)
	}
	return err == nil, err
}

// forgetThread removes a thread, with the queue of messages for it.
func (m *Machine) forgetThread(e *engineState) {
	if q := m.team.threads.queues[threadQueue(e.number)]; q != nil {
		m.dropQueue(threadQueue(e.number), q)
	}
	m.destroy(e)
}

// threadDetach runs '$thread_detach'(Thread).
func threadDetach(m *Machine, a []cell) (bool, error) {
	e, err := m.threadArg(a[0])
	if err != nil {
		return false, err
	}
	if e.thread.detached = true; e.thread.ended {
		m.forgetThread(e)
	}
	return true, nil
}

// threadSignal runs '$thread_signal'(Thread, Goal).
func threadSignal(m *Machine, a []cell) (bool, error) {
	m.ensureTeam()
	target := m.team.root
	if number, ok := m.findThread(a[0]); !ok || number != mainThread {
		e, err := m.threadArg(a[0])
		if err != nil {
			return false, err
		}
		if e.thread.ended {
			return false, m.ExistenceError("thread", a[0])
		}
		target = e.m
	}
	goal := m.share(a[1])
	target.signal(goal.term)
	m.team.threads.changes++
	return true, m.Charge(goal.Bytes() / cellBytes)
}

// threadWait runs '$thread_wait'(Until). A thread other than main comes back to the machine that gave it the turn.
func threadWait(m *Machine, a []cell) (bool, error) {
	until := time.Time{}
	if c := m.Deref(a[0]); c.Tag() != code.Atom {
		milliseconds, err := m.IntArg(c)
		if err != nil {
			return false, err
		}
		until = time.UnixMilli(int64(milliseconds))
	}
	if m.self != nil && m.self.thread != nil {
		t := m.self.thread
		if t.stale { // it has to look again before it waits
			t.stale = false
			return true, nil
		}
		t.waits, t.seen, t.until = true, m.team.threads.changes, until
		m.pausing = true
		return true, nil
	}
	if m.team != nil {
		ran, err := m.runThreads()
		stale := m.team.threads.stale
		m.team.threads.stale = false
		if err != nil || ran || stale {
			return err == nil, err
		}
	}
	return m.sleepUntil(until)
}

// sleepUntil waits, when no thread can run, for the first moment at which one can, or the caller has waited enough.
func (m *Machine) sleepUntil(until time.Time) (bool, error) {
	sooner := func(at time.Time) {
		if !at.IsZero() && (until.IsZero() || at.Before(until)) {
			until = at
		}
	}
	sooner(m.nextAlarm())
	if m.team != nil {
		for _, e := range m.team.engines {
			if t := e.thread; t != nil && !t.ended {
				sooner(t.until)
				sooner(e.m.nextAlarm())
			}
		}
	}
	if until.IsZero() {
		return false, nil
	}
	if !m.deadline.IsZero() && m.deadline.Before(until) {
		until = m.deadline
	}
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-m.Context().Done():
	}
	m.emptyFuel()
	return true, m.Charge(1)
}

// runThreads gives each thread that can run a turn. ran is false if none could.
func (m *Machine) runThreads() (ran bool, err error) {
	numbers := slices.Sorted(maps.Keys(m.team.engines))
	for _, n := range numbers {
		e := m.team.engines[n]
		if e == nil || e.thread == nil || e.thread.ended || e.status == engineRunning || !m.canRun(e) {
			continue
		}
		ran = true
		if err := m.runThread(e); err != nil {
			return ran, err
		}
	}
	return ran, nil
}

// canRun reports whether a thread does not wait, or what it waits for may have come.
func (m *Machine) canRun(e *engineState) bool {
	t := e.thread
	due := func(at time.Time) bool { return !at.IsZero() && !time.Now().Before(at) }
	return !t.waits || t.seen != m.team.threads.changes || due(t.until) || due(e.m.nextAlarm())
}

// threadStreams returns what exchanges the streams of a new thread and those of the run.
func (m *Machine) threadStreams() (swap func()) {
	if m.IO == nil {
		return func() {}
	}
	return m.IO.ThreadStreams()
}

// runThread gives a thread a turn. The error is one that ends the run or is due to its limits.
func (m *Machine) runThread(e *engineState) error {
	t := e.thread
	t.waits, t.slice = false, sliceBatches
	if t.swap == nil {
		t.swap = m.threadStreams()
	}
	t.swap()
	status, err := m.runEngine(e)
	if err == nil && status == True {
		err = e.m.Cut(m.ctx)
	}
	t.swap()
	ex := wrapped(err)
	switch {
	case ex != nil && ex.final || ex == nil && err != nil:
		return m.rethrow(err)
	case ex != nil:
		m.endThread(e, m.NewStruct("exception", m.thaw(ex.ball)))
	case status == True:
		m.endThread(e, code.ATrue)
	case status == False:
		m.endThread(e, m.NewAtom("false"))
	default:
		e.status = enginePaused
	}
	return nil
}

// endThread notes how a thread has ended.
func (m *Machine) endThread(e *engineState, status cell) {
	if m.Deref(status).Tag() == code.Str {
		ball := m.Deref(m.Arg(status, 0))
		if ball.Tag() == code.Str && m.Functor(ball) == fnThreadExit {
			status = m.NewStruct("exited", m.Arg(ball, 0))
		}
	}
	e.thread.ended, e.thread.status = true, m.share(status)
	m.dropOwnClauses(e.thread)
	e.status = engineDone
	m.team.threads.changes++
	for _, x := range m.team.threads.mutexes {
		if x.count > 0 && x.owner == e.number {
			x.count = 0
		}
	}
	if e.thread.detached {
		m.forgetThread(e)
	}
}

var fnThreadExit = code.Functor("$thread_exit", 1)

// share copies a term that threads pass to each other. The machine of the run keeps its atoms.
func (m *Machine) share(c cell) Saved {
	f := m.freezeWith(c, true)
	m.team.root.holdAtoms(f)
	return Saved{f}
}

// threadQueue is the key of the queue of a thread.
func threadQueue(number int) string { return "t" + strconv.Itoa(number) }

// queueKey returns the key of a queue, which may be that of a thread.
func (m *Machine) queueKey(c cell) (string, error) {
	m.ensureTeam()
	if number, ok := m.findThread(c); ok {
		return threadQueue(number), nil
	}
	c = m.Deref(c)
	if IsVar(c) {
		return "", m.InstantiationError()
	}
	if c.Tag() != code.Atom {
		return "", m.ExistenceError("message_queue", c)
	}
	return "q" + AtomText(c), nil
}

// queueArg returns the queue that an argument stands for. That of a thread is made when it is asked for.
func (m *Machine) queueArg(c cell) (*messageQueue, string, error) {
	key, err := m.queueKey(c)
	if err != nil {
		return nil, "", err
	}
	q := m.team.threads.queues[key]
	if q == nil && key[0] == 't' {
		q = m.makeQueue(key, 0)
	}
	if q == nil {
		return nil, "", m.ExistenceError("message_queue", c)
	}
	return q, key, nil
}

// makeQueue makes a queue for so many messages, 0 for any number. The queue counts as memory of the run.
func (m *Machine) makeQueue(key string, size int) *messageQueue {
	t := &m.team.threads
	if t.queues == nil {
		t.queues = map[string]*messageQueue{}
	}
	t.queues[key] = &messageQueue{size: size}
	m.holdEntry(key, 0)
	return t.queues[key]
}

// queueCreate runs '$queue_create'(Name, Size).
func queueCreate(m *Machine, a []cell) (bool, error) {
	key, err := m.queueKey(a[0])
	if err != nil {
		return false, err
	}
	size, err := m.IntArg(a[1])
	if err != nil {
		return false, err
	}
	if key[0] == 't' || m.team.threads.queues[key] != nil {
		return false, m.PermissionError("create", "message_queue", a[0])
	}
	m.makeQueue(key, size)
	return true, nil
}

// queueDestroy runs '$queue_destroy'(Queue).
func queueDestroy(m *Machine, a []cell) (bool, error) {
	q, key, err := m.queueArg(a[0])
	if err != nil {
		return false, err
	}
	m.dropQueue(key, q)
	m.team.threads.changes++
	return true, nil
}

// dropQueue removes a queue and gives back what its messages take.
func (m *Machine) dropQueue(key string, q *messageQueue) {
	for _, message := range q.messages {
		m.team.root.extraBytes -= message.Bytes()
	}
	delete(m.team.threads.queues, key)
}

// queueLimit runs '$queue_limit'(Queue, Size).
func queueLimit(m *Machine, a []cell) (bool, error) {
	q, _, err := m.queueArg(a[0])
	if err != nil {
		return false, err
	}
	q.size, err = m.IntArg(a[1])
	m.team.threads.changes++ // who waits to send looks again
	return err == nil, err
}

// queueInfo runs '$queue_info'(Queue, Count, Size).
func queueInfo(m *Machine, a []cell) (bool, error) {
	q, _, err := m.queueArg(a[0])
	if err != nil {
		return false, err
	}
	return m.Unify(a[1], code.MakeInt(int64(len(q.messages)))) && m.Unify(a[2], code.MakeInt(int64(q.size))), nil
}

// queueSend runs '$queue_send'(Queue, Message).
func queueSend(m *Machine, a []cell) (bool, error) {
	q, _, err := m.queueArg(a[0])
	if err != nil || q.size > 0 && len(q.messages) >= q.size {
		return false, err
	}
	message := m.share(a[1])
	if err := m.chargeRoot(message.Bytes()); err != nil { // it stays when the thread that has sent it is gone
		return false, err
	}
	q.messages = append(q.messages, message)
	m.team.threads.changes++
	return true, nil
}

// queueGet runs '$queue_get'(Queue, Message, Take).
func queueGet(m *Machine, a []cell) (bool, error) {
	q, _, err := m.queueArg(a[0])
	if err != nil {
		return false, err
	}
	for i, message := range q.messages {
		if err := m.Charge(1); err != nil {
			return false, err
		}
		if ok, wakes := m.UnifyOrUndo(a[1], m.Restore(message)); !ok && !wakes {
			continue
		} else if wakes && !m.Unify(a[1], m.Restore(message)) {
			return false, nil
		}
		if m.Deref(a[2]) == code.ATrue {
			q.messages = slices.Delete(q.messages, i, i+1)
			m.team.root.extraBytes -= message.Bytes()
			m.team.threads.changes++
		}
		return true, nil
	}
	return false, nil
}

// mutexChange runs '$mutex'(Operation, Mutex). Locking fails while another thread has the mutex.
func mutexChange(m *Machine, a []cell) (bool, error) {
	name, err := m.AtomArg(a[1])
	if err != nil {
		return false, err
	}
	operation, err := m.AtomArg(a[0])
	if err != nil {
		return false, err
	}
	m.ensureTeam()
	t, self := &m.team.threads, m.threadNumber()
	x := t.mutexes[name]
	switch {
	case operation == "exists":
		return x != nil, nil
	case x == nil && (operation == "create" || operation == "lock"):
		if t.mutexes == nil {
			t.mutexes = map[string]*mutex{}
		}
		m.holdEntry(name, 0)
		x = &mutex{}
		if t.mutexes[name] = x; operation == "create" {
			return true, nil
		}
	case operation == "create":
		return false, m.PermissionError("create", "mutex", a[1])
	case operation == "release":
		for _, x := range t.mutexes {
			if x.owner == self {
				x.count = 0
			}
		}
		t.changes++
		return true, nil
	case x == nil:
		return false, m.ExistenceError("mutex", a[1])
	case operation == "destroy":
		delete(t.mutexes, name)
		return true, nil
	case operation == "unlock":
		if x.count == 0 || x.owner != self {
			return false, m.PermissionError("unlock", "mutex", a[1])
		}
		x.count--
		t.changes++
		return true, nil
	}
	if x.count > 0 && x.owner != self {
		return false, nil
	}
	x.owner = self
	x.count++
	return true, nil
}

// mutexOwner runs '$mutex_owner'(Mutex, Thread, Count).
func mutexOwner(m *Machine, a []cell) (bool, error) {
	name, err := m.AtomArg(a[0])
	if err != nil || m.team == nil || m.team.threads.mutexes[name] == nil {
		return false, err
	}
	x := m.team.threads.mutexes[name]
	return m.Unify(a[1], m.threadHandle(x.owner)) && m.Unify(a[2], code.MakeInt(int64(x.count))), nil
}

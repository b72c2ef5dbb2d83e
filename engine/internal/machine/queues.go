package machine

import (
	"slices"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines the message queues and mutexes of a run, which its engines share. A run has one thread, main. It
// sends messages to queues and takes them again, and has each mutex that it locks.

var queueTable = []Builtin{
	{Name: "thread_self", Arity: 1, Func: threadSelf, Modes: "-thread", Doc: "Thread is main."},
	{Name: "$wait_for_alarm", Arity: 1, Func: waitForAlarm, Modes: "+until",
		Doc: "Waits for the next alarm, but not after until, in milliseconds, or inf. It fails if neither will come."},
	{Name: "$queue_create", Arity: 2, Func: queueCreate, Modes: "+name, +size", Doc: "Makes a queue; size 0 is any."},
	{Name: "$queue_destroy", Arity: 1, Func: taking((*Machine).queueArg, queueDestroy), Modes: "+queue",
		Doc: "Removes a queue."},
	{Name: "$queue_limit", Arity: 2, Func: taking((*Machine).queueArg, queueLimit), Modes: "+queue, +size",
		Doc: "A queue has room for so many messages."},
	{Name: "$queue_info", Arity: 3, Func: taking((*Machine).queueArg, queueInfo), Modes: "+queue, -count, -size",
		Doc: "A queue holds count messages."},
	{Name: "$queue_send", Arity: 2, Func: taking((*Machine).queueArg, queueSend), Modes: "+queue, +message",
		Doc: "Adds a message to a queue that is not full."},
	{Name: "$queue_get", Arity: 3, Func: taking((*Machine).queueArg, queueGet), Modes: "+queue, ?message, +take",
		Doc: "The first message of a queue that unifies; take is true or false."},
	{Name: "$mutex", Arity: 2, Func: mutexChange, Modes: "+operation, +mutex",
		Doc: "Does create, destroy, lock, unlock, exists or release."},
	{Name: "$mutex_count", Arity: 2, Func: mutexCount, Modes: "+mutex, -count", Doc: "A mutex is locked count times."},
}

// messageQueue is a queue of messages.
type messageQueue struct {
	messages []Saved
	size     int // the most messages, 0 for any number
}

// ownQueue is the key of the queue of the thread main. The keys of other queues begin with q.
const ownQueue = "main"

func threadSelf(m *Machine, a []cell) (bool, error) { return m.Unify(a[0], m.NewAtom("main")), nil }

// waitForAlarm runs '$wait_for_alarm'(Until). A blocked goal can only continue when the goal of an alarm has run. If an
// alarm has rung and its goal is to be called, waiting is over.
func waitForAlarm(m *Machine, a []cell) (bool, error) {
	at := m.nextAlarm()
	if c := m.Deref(a[0]); c.Tag() != code.Atom {
		milliseconds, err := m.IntArg(c)
		if err != nil {
			return false, err
		}
		if until := time.UnixMilli(int64(milliseconds)); at.IsZero() || until.Before(at) {
			at = until
		}
	}
	if at.IsZero() || m.Signalled() {
		return m.Signalled(), nil
	}
	return true, m.Pause(time.Until(at), false)
}

// share copies a term that engines pass to each other. The machine of the run keeps its atoms.
func (m *Machine) share(c cell) Saved {
	f := m.FreezeWith(c, true)
	m.team.root.HoldAtoms(f)
	return Saved{f}
}

// queueKey returns the key of a queue.
func (m *Machine) queueKey(c cell) (string, error) {
	m.ensureTeam()
	c = m.Deref(c)
	switch {
	case stacks.IsVar(c):
		return "", m.InstantiationError()
	case c.Tag() != code.Atom:
		return "", m.ExistenceError("message_queue", c)
	case stacks.AtomText(c) == ownQueue:
		return ownQueue, nil
	}
	return "q" + stacks.AtomText(c), nil
}

// queueArg returns the queue that an argument stands for. The queue of the thread main is made on first use.
func (m *Machine) queueArg(c cell) (*messageQueue, error) {
	key, err := m.queueKey(c)
	if err != nil {
		return nil, err
	}
	q := m.team.queues[key]
	if q == nil && key == ownQueue {
		q = m.makeQueue(key, 0)
	}
	if q == nil {
		return nil, m.ExistenceError("message_queue", c)
	}
	return q, nil
}

// makeQueue makes a queue for at most the given number of messages, 0 for any number. The queue counts as memory of the
// run.
func (m *Machine) makeQueue(key string, size int) *messageQueue {
	if m.team.queues == nil {
		m.team.queues = map[string]*messageQueue{}
	}
	m.team.queues[key] = &messageQueue{size: size}
	m.holdEntry(key, 0)
	return m.team.queues[key]
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
	if key == ownQueue || m.team.queues[key] != nil {
		return false, m.PermissionError("create", "message_queue", a[0])
	}
	m.makeQueue(key, size)
	Outlasts(m, 0)
	return true, nil
}

// queueDestroy runs '$queue_destroy'(Queue). It releases the memory of the messages.
func queueDestroy(m *Machine, q *messageQueue, a []cell) (bool, error) {
	key, err := m.queueKey(a[0])
	for _, message := range q.messages {
		m.team.root.ExtraBytes -= message.Bytes()
	}
	delete(m.team.queues, key)
	Outlasts(m, 0)
	return true, err
}

// queueLimit runs '$queue_limit'(Queue, Size).
func queueLimit(m *Machine, q *messageQueue, a []cell) (bool, error) {
	size, err := m.IntArg(a[1])
	if err == nil {
		q.size = size
	}
	return err == nil, err
}

// queueInfo runs '$queue_info'(Queue, Count, Size).
func queueInfo(m *Machine, q *messageQueue, a []cell) (bool, error) {
	return m.Unify(a[1], code.MakeInt(int64(len(q.messages)))) && m.Unify(a[2], code.MakeInt(int64(q.size))), nil
}

// queueSend runs '$queue_send'(Queue, Message).
func queueSend(m *Machine, q *messageQueue, a []cell) (bool, error) {
	if q.size > 0 && len(q.messages) >= q.size {
		return false, nil
	}
	message := m.share(a[1])
	if err := m.chargeRoot(message.Bytes()); err != nil { // it remains after the sending engine is gone
		return false, err
	}
	q.messages = append(q.messages, message)
	Outlasts(m, 0)
	return true, nil
}

// queueGet runs '$queue_get'(Queue, Message, Take).
func queueGet(m *Machine, q *messageQueue, a []cell) (bool, error) {
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
			m.team.root.ExtraBytes -= message.Bytes()
			Outlasts(m, 0)
		}
		return true, nil
	}
	return false, nil
}

// mutexChange runs '$mutex'(Operation, Mutex).
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
	count, exists := m.team.mutexes[name]
	switch operation {
	case "exists":
		return exists, nil
	case "release":
		for name := range m.team.mutexes {
			m.team.mutexes[name] = 0
		}
		return true, nil
	case "create", "lock":
		if operation == "create" && exists {
			return false, m.PermissionError("create", "mutex", a[1])
		}
		if !exists {
			m.holdEntry(name, 0)
		}
		if operation == "lock" {
			count++
		}
		if m.team.mutexes == nil {
			m.team.mutexes = map[string]int{}
		}
		m.team.mutexes[name] = count
		return true, nil
	}
	switch {
	case !exists:
		return false, m.ExistenceError("mutex", a[1])
	case operation == "destroy":
		delete(m.team.mutexes, name)
	case count == 0:
		return false, m.PermissionError("unlock", "mutex", a[1])
	default:
		m.team.mutexes[name] = count - 1
	}
	return true, nil
}

// mutexCount runs '$mutex_count'(Mutex, Count).
func mutexCount(m *Machine, a []cell) (bool, error) {
	name, err := m.AtomArg(a[0])
	if err != nil || m.team == nil {
		return false, err
	}
	count, exists := m.team.mutexes[name]
	return exists && m.Unify(a[1], code.MakeInt(int64(count))), nil
}

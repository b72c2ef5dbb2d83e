package machine

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines the suspension of readers. A reader that comes to the end of the answers of an incomplete table
// leaves a consumer behind. The consumer holds the continuation of the reader, up to the clause body of the table that
// is being evaluated. The leader of the component resumes consumers as answers come, so that no answer is combined with
// the same continuation twice (SLG resolution: Chen and Warren 1996; continuations copied as by Demoen and Sagonas,
// "CHAT: the Copy-Hybrid Approach to Tabling", 1999).
//
// Not every continuation can be copied: a continuation through a bag, a catch frame or a cut needs stacks that are gone
// when it is resumed. The table of such a reader is evaluated again instead, see noteEnd.

// consumer is a reader at the end of the answers of an incomplete table.
type consumer struct {
	owner   *table // the table whose evaluation it belongs to
	source  *table // the table whose answers it reads
	round   int    // of the owner, when it was made
	seen    int    // how many answers it has read
	returns []*resumption
	term    stacks.Frozen // list of the tuple and the needed slots
	taint   int
	next    *consumer // in the queue
}

// resumption says how a clause goes on at a return address.
type resumption struct {
	at     int   // the return address
	size   int   // the live slots
	slots  []int // the slots that the rest of the clause needs
	copies bool  // no slot holds a choice point or an object
}

// consumerQueue holds the consumers with answers to read, in the order in which these came.
type consumerQueue struct{ first, last *consumer }

// push adds a consumer at the end.
func (q *consumerQueue) push(c *consumer) {
	c.next = nil
	if q.first == nil {
		q.first = c
	} else {
		q.last.next = c
	}
	q.last = c
}

// take moves all consumers of another queue to the end of this one.
func (q *consumerQueue) take(other *consumerQueue) {
	switch {
	case other.first == nil:
		return
	case q.first == nil:
		q.first = other.first
	default:
		q.last.next = other.first
	}
	q.last = other.last
	*other = consumerQueue{}
}

// pop returns the first consumer, or nil.
func (q *consumerQueue) pop() *consumer {
	c := q.first
	if c != nil {
		q.first, c.next = c.next, nil
	}
	return c
}

// isAlive reports whether answers still matter to a consumer.
func (m *Machine) isAlive(c *consumer) bool {
	t := c.owner
	return m.tables.list[t.number] == t && t.round == c.round && !t.complete && !t.settled()
}

// settled reports whether a ground goal is known to be true and needs no other proof.
func (t *table) settled() bool { return t.answers.width == 0 && t.answers.sure > 0 }

// wakeConsumers queues the consumers that have seen all answers of a table but the newest.
func (m *Machine) wakeConsumers(t *table) {
	f := m.tables.frame()
	if f == nil {
		return
	}
	for _, c := range t.idle {
		if m.isAlive(c) {
			f.queue.push(c)
		}
	}
	clear(t.idle)
	t.idle = t.idle[:0]
}

// park registers a consumer to be woken by the next answer.
func (m *Machine) park(c *consumer) {
	if c.seen < c.source.answers.len() {
		m.tables.frame().queue.push(c)
		return
	}
	c.source.idle = append(c.source.idle, c)
}

// suspend leaves a consumer behind for the reader with the machine's current continuation. ok is false if that cannot
// be copied.
func (m *Machine) suspend(t *table, seen int, tuple cell) (ok bool, err error) {
	f := m.tables.frame()
	if f.env == 0 || m.hasBag(f.obj) {
		return false, nil
	}
	values := []cell{tuple}
	var returns []*resumption
	for e, cp := m.E, m.CP; ; e, cp = int(m.Envs[e+stacks.EnvE]), int(m.Envs[e+stacks.EnvCP]) {
		r := m.resumptionAt(cp)
		if e == 0 || r == nil || !r.copies && e != f.env {
			return false, nil
		}
		returns = append(returns, r)
		for _, s := range r.slots {
			values = append(values, m.Envs[e+stacks.EnvY+s])
		}
		if e == f.env {
			break
		}
		m.NoteWork(1)
	}
	c := &consumer{owner: f.table, source: t, round: f.table.round, seen: seen, returns: returns, taint: m.taint()}
	c.term = m.FreezeWith(m.List(values, code.ANil), true)
	m.HoldAtoms(c.term)
	n := consumerBytes + 8*len(returns) + stacks.CellBytes*len(c.term.Cells)
	if err := m.hold(f.table, n); err != nil {
		return false, err
	}
	f.table.suspended += n
	m.park(c)
	m.RestrictRest()
	return true, nil
}

// consumerBytes is the approximate size of a consumer beside its cells.
const consumerBytes = 160

// hasBag reports whether findall/3 or a similar goal is collecting above a height of the object stack.
func (m *Machine) hasBag(height int) bool {
	return slices.ContainsFunc(m.Objs[height:], func(o any) bool {
		_, is := o.(*bag)
		return is
	})
}

// resume lays down the environments of a consumer's continuation and sends the machine to read the answers that have
// come. It begins an evaluation of the consumer's table.
func (m *Machine) resume(c *consumer) error {
	f := m.begin(c.owner)
	m.barrier()
	m.tables.frames[len(m.tables.frames)-2].work, f.level = f, m.B
	slots := m.tables.slots[:0]
	for list := m.Thaw(c.term); list != code.ANil; list = m.Deref(m.Arg(list, 1)) {
		slots = append(slots, stacks.Keep(m.Deref(m.Arg(list, 0))))
	}
	m.tables.slots = slots
	end := len(slots)
	for i := len(c.returns) - 1; i >= 0; i-- {
		r := c.returns[i]
		m.pushFrame(r.size)
		if f.env == 0 {
			f.env = m.E
		}
		end -= len(r.slots)
		for j, s := range r.slots {
			m.Envs[m.E+stacks.EnvY+s] = slots[end+j]
		}
		m.CP = r.at
	}
	m.setTaint(c.taint)
	f.consumer = c
	m.X[0], m.X[1] = code.MakeInt(int64(c.source.number)), slots[0]
	m.P, m.B0, m.Live = int(m.program.System().Lookup(fnMore).Entry), m.B, 2
	return m.Charge(len(c.returns))
}

// tblMore gives the answers of a table that the consumer at work has not seen.
func tblMore(m *Machine, t *table, a []cell) (bool, error) {
	f := m.tables.frame()
	if f == nil || f.consumer == nil || f.consumer.source != t {
		return false, m.TypeError("table", a[0])
	}
	c := f.consumer
	f.consumer = nil
	return m.Alternatives(func(m *Machine, a []cell) (ok, more bool, err error) {
		i := t.answers.nextAfter(c.seen)
		if i >= t.answers.len() {
			c.seen = i
			m.dropDeadFrames()
			if m.isAlive(c) {
				c.source.idle = append(c.source.idle, c)
			}
			return false, false, nil
		}
		c.seen = i + 1
		return m.giveAnswer(t, i, a[1]), true, m.chargeAnswer(c.seen)
	})
}

// nextAfter returns the index of the first answer that was not dropped, from an index on.
func (s *answerSet) nextAfter(i int) int {
	for i < s.len() && s.dropped(i) {
		i++
	}
	return i
}

// resumptionAt returns how the clause at a return address continues, or nil if that is unknown.
func (m *Machine) resumptionAt(cp int) *resumption {
	s := &m.tables
	if r, ok := s.returns[cp]; ok {
		return r
	}
	if s.returns == nil {
		s.returns = map[int]*resumption{}
	}
	r := m.readResumption(cp)
	s.returns[cp] = r
	return r
}

// readResumption reads from the code between the entry of a clause and its end what a continuation at cp needs: the
// size of its environment, and the slots that the rest reads. It returns nil for an address outside of clauses.
func (m *Machine) readResumption(cp int) *resumption {
	c := m.program.ClauseAt(uint32(cp - 1))
	if c == nil {
		return nil
	}
	r := &resumption{at: cp, copies: !c.Pred.Module.Library && c.Pred.Module != m.program.System()}
	start := int(c.Start())
	end := start + c.CodeSize()
	for at := start; at < cp; at += m.Code[at].Words() {
		switch w := m.Code[at]; w.Op() {
		case code.OpAllocate, code.OpNeckAllocate, code.OpAllocateLevel:
			r.size = w.Imm()
		}
	}
	set := map[int]bool{}
	for at := cp; at < end; at += m.Code[at].Words() {
		w := m.Code[at]
		if w.Op() == code.OpLive {
			break
		}
		r.copies = r.copies && !m.needsStacks(w, set)
		code.EachSlot(m.Code[at:], func(slot int, written bool) {
			if !written && !set[slot] {
				r.slots = append(r.slots, slot)
			}
			set[slot] = true
		})
	}
	return r
}

// needsStacks reports whether an instruction uses an earlier choice point or bag, or changes a term destructively. set
// has the slots that are known to hold other values.
func (m *Machine) needsStacks(w code.Instr, set map[int]bool) bool {
	switch w.Op() {
	case code.OpCutTo, code.OpSoftCut:
		return !set[w.Imm()]
	case code.OpBuiltin:
		b := &m.builtins[w.Imm()]
		functor := code.Functor(b.Name, b.Arity)
		return internals[functor] || functor == fnNbSetarg
	case code.OpCall, code.OpExecute, code.OpDeallocateExecute, code.OpNeckExecute:
		return m.isInternalEntry(w.Imm())
	}
	return false
}

var (
	fnNbSetarg = code.Functor("nb_setarg", 3)
	fnMore     = code.Functor("$tbl_more", 2)
)

// isInternalEntry reports whether an address is the entry of an internal predicate.
func (m *Machine) isInternalEntry(at int) bool {
	if m.tables.internal == nil {
		m.tables.internal = map[int]bool{}
		for functor := range internals {
			if p := m.program.System().Find(functor); p != nil {
				m.tables.internal[int(p.Entry)] = true
			}
		}
	}
	return m.tables.internal[at]
}

// addReturns adds the addresses to which consumers return.
func (s *tabling) addReturns(set database.CodeSet) {
	for at := range s.returns {
		set.Add(uint64(at))
	}
}

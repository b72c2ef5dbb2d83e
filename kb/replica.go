package kb

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/kb/internal/sharedlog"
)

// This file defines a store that several servers share: a log in PostgreSQL. The program of each server is what the
// records up to some number lead to. A change is appended when the program has all records before, and still has no
// conflicts; the program commits it in its place among the records.

// patience is how long a change is tried to be stored while the database does not answer.
const patience = 15 * time.Second

// replica follows a log and appends to it.
type replica struct {
	log    *sharedlog.Log
	store  *Store
	ctx    context.Context // ends with the store
	cancel context.CancelFunc
	leader sync.WaitGroup // who appends the queue
	follow sync.WaitGroup // the other goroutines

	queueing sync.Mutex // guards what follows
	queue    []*sharedChange
	leads    bool // somebody appends the queue
	closed   bool

	mu     sync.Mutex // held while program and log are brought together; guards what follows
	last   sharedlog.Record
	flight map[string]*sharedChange // changes that may be in the log, by the ids of their records
	lost   bool                     // the database could not be reached, and this has been told

	waiting  sync.Mutex // guards what follows
	sequence uint64     // the number of last
	newer    chan struct{}
}

// sharedChange is a change that waits to be in the log.
type sharedChange struct {
	id             string
	change         engine.FactChange
	removed, added []string // texts
	size           int
	number         uint64     // of its record, once it is known
	told           bool       // the verdict; guarded by the lock of the replica
	verdict        chan error // nil: the program is to commit it now
	done           chan struct{}
}

// tell ends the wait of a change that is not in the log, or not known to be. The lock must be held.
func (r *replica) tell(c *sharedChange, err error) {
	if !c.told {
		c.told = true
		delete(r.flight, c.id)
		c.verdict <- err
	}
}

// accept has the program commit a change that is the next record of the log. The lock must be held.
func (r *replica) accept(c *sharedChange) {
	c.number = r.last.Number + 1
	r.tell(c, nil)
	<-c.done
	r.reached(sharedlog.Record{Number: c.number, ID: c.id})
	r.keepForeign(c)
}

// keepForeign notes the part of a change by a call on an earlier program that the present one has no predicates for.
func (r *replica) keepForeign(c *sharedChange) {
	program := r.store.program.Load()
	isOwn := func(f engine.Fact) bool {
		name, arity, _ := term.Indicator(f.Head)
		return program.IsPersistent(f.Module, string(name), arity)
	}
	for i, f := range c.change.Removed {
		if !isOwn(f) {
			r.store.changeForeign('-', f.Nth, c.removed[i])
		}
	}
	for i, f := range c.change.Added {
		switch {
		case isOwn(f):
		case f.Front:
			r.store.changeForeign('^', 0, c.added[i])
		default:
			r.store.changeForeign('+', 0, c.added[i])
		}
	}
}

// untold returns the changes that still wait. The lock must be held.
func untold(batch []*sharedChange) []*sharedChange {
	return slices.DeleteFunc(slices.Clone(batch), func(c *sharedChange) bool { return c.told })
}

// openReplica opens the log at an address and returns the facts that it leads to.
func openReplica(s *Store, address string) (*replica, []string, error) {
	ctx, cancel := context.WithCancel(context.Background())
	log, err := sharedlog.Open(ctx, address)
	if err != nil {
		cancel()
		return nil, nil, err
	}
	r := &replica{log: log, store: s, ctx: ctx, cancel: cancel, flight: map[string]*sharedChange{},
		newer: make(chan struct{})}
	texts, err := r.load()
	if err != nil {
		r.close()
		return nil, nil, err
	}
	return r, texts, nil
}

// load reads the facts that the log leads to.
func (r *replica) load() ([]string, error) {
	state := newFactState()
	last, err := r.log.Load(r.ctx, func(text string) error {
		for line := range strings.Lines(text) {
			if err := state.part([]byte(strings.TrimSuffix(line, "\n"))); err != nil {
				return err
			}
		}
		return nil
	}, func(record sharedlog.Record) error { return state.change([]byte(record.Text)) })
	if err != nil {
		return nil, err
	}
	r.reached(last)
	return state.alive(), nil
}

// reached notes that the program has all records up to one. The lock must be held.
func (r *replica) reached(last sharedlog.Record) {
	r.last = sharedlog.Record{Number: last.Number, ID: last.ID}
	r.advance(last.Number)
}

// advance tells those who wait how far the program is.
func (r *replica) advance(number uint64) {
	r.waiting.Lock()
	r.sequence = number
	close(r.newer)
	r.newer = make(chan struct{})
	r.waiting.Unlock()
}

// close waits for changes that are being stored and ends the store.
func (r *replica) close() error {
	r.queueing.Lock()
	r.closed = true
	r.queueing.Unlock()
	r.leader.Wait()
	r.cancel()
	r.follow.Wait()
	r.log.Close()
	return nil
}

// errStoreClosed is the error of a change after the store has been closed.
var errStoreClosed = errors.New("the store is closed")

// append stores a change; see [engine.Journal].
func (r *replica) append(change engine.FactChange) (done func(), err error) {
	c := &sharedChange{id: rand.Text(), change: change, verdict: make(chan error, 1), done: make(chan struct{})}
	if c.removed, err = factTexts(change.Removed); err != nil {
		return nil, err
	}
	if c.added, err = factTexts(change.Added); err != nil {
		return nil, err
	}
	for _, text := range slices.Concat(c.removed, c.added) {
		c.size += len(text)
	}
	r.queueing.Lock()
	if r.closed {
		r.queueing.Unlock()
		return nil, errStoreClosed
	}
	r.queue = append(r.queue, c)
	if !r.leads {
		r.leads = true
		r.leader.Go(r.appendQueue)
	}
	r.queueing.Unlock()
	if err := <-c.verdict; err != nil {
		return nil, err
	}
	return func() {
		r.advance(c.number) // the replica, which waits for done, is not ahead of it
		close(c.done)
	}, nil
}

// factTexts returns the texts of facts.
func factTexts(facts []engine.Fact) ([]string, error) {
	list := make([]string, len(facts))
	for i, f := range facts {
		text, err := factText(f)
		if err != nil {
			return nil, err
		}
		list[i] = text
	}
	return list, nil
}

// appendQueue appends what waits until nothing does. The changes that come meanwhile are appended together.
func (r *replica) appendQueue() {
	for {
		batch := r.nextBatch()
		if batch == nil {
			return
		}
		r.appendBatch(batch)
	}
}

// nextBatch takes changes from the queue that are to be appended together, or ends the lead.
func (r *replica) nextBatch() []*sharedChange {
	const most, mostBytes = 256, 4 << 20
	r.queueing.Lock()
	defer r.queueing.Unlock()
	touched := map[string]bool{}
	size, n := 0, 0
	for n < len(r.queue) && n < most && size < mostBytes {
		c := r.queue[n]
		// Which of the facts with the same text is removed depends on the changes before.
		if slices.ContainsFunc(c.removed, func(text string) bool { return touched[text] }) {
			break
		}
		for _, text := range slices.Concat(c.removed, c.added) {
			touched[text] = true
		}
		size, n = size+c.size, n+1
	}
	if n == 0 {
		r.leads = false
		return nil
	}
	batch := slices.Clone(r.queue[:n])
	r.queue = slices.Delete(r.queue, 0, n)
	return batch
}

// appendBatch appends changes together, or tells those that wait for them why not.
func (r *replica) appendBatch(batch []*sharedChange) {
	until := time.Now().Add(patience)
	for try := 0; len(batch) > 0; try++ {
		var err error
		if batch, err = r.tryAppend(batch, try); err == nil {
			continue
		}
		var told *sharedlog.Error
		lasts := errors.As(err, &told) && told.Lasts()
		switch {
		case lasts && len(batch) > 1: // one of them may be to blame
			for _, c := range batch {
				r.appendBatch([]*sharedChange{c})
			}
			return
		case lasts, r.ctx.Err() != nil, time.Now().After(until):
			r.giveUp(batch, err)
			return
		}
		const most = 500 * time.Millisecond
		pause(r.ctx, min(most, time.Duration(try+1)*20*time.Millisecond))
	}
}

// pause waits for a time.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// errUnknown says of a change what is not known.
var errUnknown = errors.New("it is not known whether the changes were stored")

// giveUp ends the wait of changes that could not be stored.
func (r *replica) giveUp(batch []*sharedChange, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range batch {
		if r.flight[c.id] != nil {
			r.tell(c, fmt.Errorf("%w: %w", errUnknown, err))
			continue
		}
		r.tell(c, err)
	}
}

// tryAppend appends those of some changes that have no conflicts and returns those that still wait. At first it
// supposes that nobody else has appended something; if that is not so again and again it keeps the others out.
func (r *replica) tryAppend(batch []*sharedChange, try int) (left []*sharedChange, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var sent []*sharedChange
	const hopeful = 2
	if try < hopeful {
		if try > 0 {
			if err := r.catchUp(); err != nil {
				return untold(batch), err
			}
		}
		var records []sharedlog.Record
		if sent, records = r.settled(batch); len(sent) == 0 {
			return nil, nil
		}
		head, ok, err := r.log.Append(r.ctx, r.last.Number, records)
		if err == nil && !ok {
			return sent, nil
		}
		return r.appended(batch, sent, head, err)
	}
	head, err := r.log.AppendNext(r.ctx, r.last, func(later []sharedlog.Record) ([]sharedlog.Record, error) {
		if err := r.apply(later); err != nil {
			return nil, err
		}
		var records []sharedlog.Record
		sent, records = r.settled(batch)
		return records, nil
	})
	return r.appended(batch, sent, head, err)
}

// appended goes on after an attempt to append changes.
func (r *replica) appended(batch, sent []*sharedChange, head sharedlog.Head, err error) ([]*sharedChange, error) {
	var told *sharedlog.Error
	switch {
	case err == nil:
		for _, c := range sent {
			r.accept(c)
		}
		r.compactIfWorth(head)
		return nil, nil
	case errors.Is(err, sharedlog.ErrForked), errors.Is(err, errDiverged), errors.Is(err, sharedlog.ErrBehind):
		return untold(batch), r.catchUp()
	case errors.As(err, &told) && told.Unknown:
		for _, c := range sent {
			r.flight[c.id] = c
		}
	}
	return untold(batch), err
}

// settled returns those of some changes that have no conflicts with what the program has, and their records. The others
// are told. The lock must be held.
func (r *replica) settled(batch []*sharedChange) (sent []*sharedChange, records []sharedlog.Record) {
	for _, c := range untold(batch) {
		if !c.change.Settle() {
			r.tell(c, engine.ErrConflict)
			continue
		}
		sent = append(sent, c)
		records = append(records, sharedlog.Record{ID: c.id, Text: c.record(time.Now())})
	}
	return sent, records
}

// record is the text of a change in the log.
func (c *sharedChange) record(now time.Time) string {
	var b strings.Builder
	b.WriteString(changeHead(c.change.By, now))
	for i, text := range c.removed {
		if n := c.change.Removed[i].Nth; n > 0 {
			fmt.Fprintf(&b, "~%d ", n)
		} else {
			b.WriteByte('-')
		}
		b.WriteString(text + "\n")
	}
	for i, text := range c.added {
		sign := byte('+')
		if c.change.Added[i].Front {
			sign = '^'
		}
		b.WriteByte(sign)
		b.WriteString(text + "\n")
	}
	return b.String()
}

// catchUp applies what others have appended. The lock must be held.
func (r *replica) catchUp() error {
	for more := true; more; {
		var list []sharedlog.Record
		var err error
		if list, more, err = r.log.After(r.ctx, r.last); err == nil {
			err = r.apply(list)
		}
		if errors.Is(err, sharedlog.ErrForked) || errors.Is(err, errDiverged) {
			return r.begin(err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// errDiverged is the error of a record that does not fit what the program has.
var errDiverged = errors.New("the facts here differ from those of the log")

// apply has the program make the changes of records. The lock must be held.
func (r *replica) apply(list []sharedlog.Record) error {
	for _, record := range list {
		if c := r.flight[record.ID]; c != nil {
			r.accept(c)
			continue
		}
		if err := r.applyText(record.Text); err != nil {
			return fmt.Errorf("%w: record %d: %w", errDiverged, record.Number, err)
		}
		r.reached(record)
	}
	return nil
}

// applyText has the program make the change of a record of another server.
func (r *replica) applyText(text string) error {
	program := r.store.program.Load()
	var change engine.FactChange
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if i == 0 {
			continue
		}
		sign, nth, text, err := splitChange(line)
		if err != nil {
			return err
		}
		f, err := parseFact(text)
		if err != nil {
			return err
		}
		name, arity, _ := term.Indicator(f.Head)
		f.Nth, f.Front = nth, sign == '^'
		switch own := program != nil && program.IsPersistent(f.Module, string(name), arity); {
		case own && sign == '-':
			change.Removed = append(change.Removed, f)
		case own:
			change.Added = append(change.Added, f)
		default:
			r.store.changeForeign(sign, nth, text)
		}
	}
	if program == nil {
		return nil
	}
	return program.Apply(change)
}

// begin makes the facts of the program those of the log, from its beginning. The lock must be held.
func (r *replica) begin(why error) error {
	texts, err := r.load()
	if err != nil {
		return err
	}
	for _, c := range r.flight {
		r.tell(c, errUnknown)
	}
	r.store.warn("the facts are read anew: " + why.Error())
	r.store.foreign = texts
	program := r.store.program.Load()
	if program == nil {
		return nil
	}
	var kept []string
	err = program.Replace(r.store.waiting(program, &kept))
	r.store.foreign = kept
	return err
}

// watch follows the log until the store is closed.
func (r *replica) watch() {
	for r.ctx.Err() == nil {
		err := r.log.Wait(r.ctx)
		r.mu.Lock()
		if caught := r.catchUp(); caught != nil {
			err = caught
		}
		r.tellLost(err)
		r.mu.Unlock()
		if err != nil {
			pause(r.ctx, 200*time.Millisecond)
		}
	}
}

// tellLost warns when the database cannot be reached, and when it can again.
func (r *replica) tellLost(err error) {
	switch {
	case r.ctx.Err() != nil, (err != nil) == r.lost:
		return
	case err != nil:
		r.store.warn(fmt.Sprintf("%s: %s; until it can be followed again facts may be old, and nothing is stored",
			r.store.name, err))
	default:
		r.store.warn(r.store.name + " is followed again")
	}
	r.lost = err != nil
}

// waitFor waits until the program has the records up to a number.
func (r *replica) waitFor(ctx context.Context, number uint64) error {
	for {
		r.waiting.Lock()
		reached, newer := r.sequence, r.newer
		r.waiting.Unlock()
		if reached >= number {
			return nil
		}
		select {
		case <-newer:
		case <-ctx.Done():
			return ctx.Err()
		case <-r.ctx.Done():
			return errStoreClosed
		}
	}
}

// adopt gives a program the facts that wait, see [Store.adopt].
func (r *replica) adopt(old, next *engine.Program, swap func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if old != nil && slices.Equal(old.Persistent(), next.Persistent()) {
		r.store.program.Store(next)
		swap()
		return
	}
	unlogged := r.takeUnlogged(old, next)
	r.store.exchange(old, next)
	r.store.program.Store(next)
	swap()
	if old == nil {
		r.follow.Go(r.watch)
		return
	}
	if len(unlogged) > 0 {
		r.follow.Go(func() { r.addUnlogged(next, unlogged) })
	}
}

// takeUnlogged removes the facts of predicates that have become persistent from a program, and returns them.
func (r *replica) takeUnlogged(old, next *engine.Program) (list []engine.Fact) {
	if old == nil {
		return nil
	}
	facts, end := next.PersistentFacts()
	defer end()
	for f := range facts {
		name, arity, _ := term.Indicator(f.Head)
		if !old.IsPersistent(f.Module, string(name), arity) {
			list = append(list, f)
		}
	}
	if err := next.Apply(engine.FactChange{Removed: list}); err != nil {
		r.store.warn(err.Error())
	}
	return list
}

// addUnlogged stores the facts of a predicate that has become persistent.
func (r *replica) addUnlogged(p *engine.Program, facts []engine.Fact) {
	_, err := p.AssertAll(func(yield func(engine.Term, error) bool) {
		for _, f := range facts {
			if !yield(term.New(":", term.Atom(f.Module), f.Head), nil) {
				return
			}
		}
	})
	if err != nil {
		r.store.warn(fmt.Sprintf("%d facts of predicates that have become persistent are lost: %s", len(facts), err))
	}
}

// compactIfWorth writes a snapshot in the background if the log has become long. The lock must be held.
func (r *replica) compactIfWorth(head sharedlog.Head) {
	if !head.Worth() || !r.store.compacting.CompareAndSwap(false, true) {
		return
	}
	number := r.last.Number
	facts, end := r.store.program.Load().PersistentFacts()
	foreign := slices.Clone(r.store.foreign)
	r.follow.Go(func() {
		defer r.store.compacting.Store(false)
		defer end()
		err := r.log.Snapshot(r.ctx, number, func(put func(text string) error) error {
			return eachPart(foreign, facts, put)
		})
		if err != nil && r.ctx.Err() == nil {
			r.store.warn(fmt.Sprintf("no snapshot of %s: %s", r.store.name, err))
		}
	})
}

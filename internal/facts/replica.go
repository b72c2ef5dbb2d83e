package facts

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// This file defines a replica: the facts of a program are those that the records up to some number lead to. A change is
// appended when the program has all records before, and still has no conflicts; the program commits it in its place
// among the records.

// patience is how long a change is tried to be stored while the database does not answer.
const patience = 15 * time.Second

// Program is a program whose facts a replica keeps. The replica calls one method at a time.
type Program interface {
	// Apply makes a change that others have appended. An error says that the facts here do not fit it.
	Apply(edits []Edit) error
	// Replace replaces the facts by those of a state.
	Replace(*State) error
	// Facts returns a function that passes on the facts, as they are now, in parts of a snapshot. It is called once,
	// from any goroutine.
	Facts() func(put func(part string) error) error
}

// Pending is a change of the program that waits to be in the log.
type Pending struct {
	By    string
	Edits []Edit
	// Settle reports whether the change has no conflicts with what the program has, and sets Nth of the edits.
	Settle func() bool
	// Commit has the program make the change, which is the record with a number, and calls [Replica.Reached].
	Commit func(number uint64)
	// Lasts is called after Commit, when no crash takes the change any more. err says that this is not known.
	Lasts func(err error)
	// Refuse says why the change is not in the log, or not known to be. nil stands for a conflict.
	Refuse func(err error)

	id   string
	told bool // Commit or Refuse has been called; guarded by the lock of the replica
}

// Clock is the time.
type Clock interface {
	Now() time.Time
	Sleep(ctx context.Context, d time.Duration)
}

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

func (systemClock) Sleep(ctx context.Context, d time.Duration) { _ = pause(ctx, d) }

// Replica keeps the facts of a program equal to those that a log leads to.
type Replica struct {
	log     Log
	program Program
	clock   Clock
	warn    func(message string)
	source  Source
	ctx     context.Context // ends with the replica
	cancel  context.CancelFunc
	leader  sync.WaitGroup // who appends the queue
	follow  sync.WaitGroup // the other goroutines

	queueing sync.Mutex // guards what follows
	queue    []*Pending
	leads    bool // somebody appends the queue
	closed   bool

	lasting sync.Mutex  // guards what follows
	newest  Record      // that the program has
	lasts   Record      // the last one that is known to last
	late    []latecomer // who waits for newest to last
	flushes bool        // somebody sees to that
	ended   bool        // nobody will

	mu      sync.Mutex // held while program and log are brought together; guards what follows
	last    Record
	flight  map[string]*Pending // changes that may be in the log, by the ids of their records
	lost    bool                // the log could not be reached, and this has been told
	futile  atomic.Int64        // the bytes of the log when a snapshot failed
	compact atomic.Bool         // a snapshot is being written
	rivaled time.Time           // when others have appended a record last
	writer  string              // of the changes of this replica since it loaded the log

	naming  sync.Mutex // guards what follows
	mark    Mark       // of the state that calls see
	writers writers    // of the changes up to there
}

// Open opens a log and gives a program its facts. warn is called with what a person should know, from any goroutine.
func Open(source Source, program Program, warn func(string)) (*Replica, error) {
	log, err := source.open(context.Background(), false, warn)
	if err != nil {
		return nil, err
	}
	r := newReplica(log, program, systemClock{})
	r.source, r.warn = source, warn
	if err := r.load(); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

func newReplica(log Log, program Program, clock Clock) *Replica {
	r := &Replica{log: log, program: program, clock: clock, warn: func(string) {}, flight: map[string]*Pending{},
		writer: newWriter(), writers: writers{}}
	r.ctx, r.cancel = context.WithCancel(context.Background())
	return r
}

// load gives the program the facts that the log leads to.
func (r *Replica) load() error {
	state := &State{}
	last, err := r.log.Load(r.ctx, state.addLines, state.record)
	if err != nil {
		return err
	}
	r.last, r.writer = Record{Number: last.Number, ID: last.ID}, newWriter()
	r.lose(r.last)
	mark := Mark{Number: last.Number}
	for name, number := range state.writers {
		if number == last.Number {
			mark.Writer = name
		}
	}
	r.naming.Lock()
	r.writers = state.wrote()
	r.naming.Unlock()
	r.see(mark)
	return r.program.Replace(state)
}

// reached notes that the program has all records up to one of a writer. The lock must be held.
func (r *Replica) reached(last Record, writer string) {
	r.last = Record{Number: last.Number, ID: last.ID}
	r.lasting.Lock()
	r.newest = r.last
	r.lasting.Unlock()
	r.see(Mark{last.Number, writer})
}

// see notes the state that calls of the program see which begin now.
func (r *Replica) see(m Mark) {
	r.naming.Lock()
	defer r.naming.Unlock()
	r.mark, r.writers[m.Writer] = m, m.Number
}

// Reached notes that calls of the program which begin now see a record of this replica. It is called within Commit.
func (r *Replica) Reached(number uint64) { r.see(Mark{number, r.writer}) }

// Sequence returns the mark of the last record that the program has.
func (r *Replica) Sequence() Mark {
	r.naming.Lock()
	defer r.naming.Unlock()
	return r.mark
}

// has reports whether the state has the change that a mark names.
func (r *Replica) has(m Mark) bool {
	r.naming.Lock()
	defer r.naming.Unlock()
	number, known := r.writers[m.Writer]
	return m.Number == 0 || known && m.Number <= number
}

// Close waits for changes that are being stored and ends the replica.
func (r *Replica) Close() error {
	r.queueing.Lock()
	r.closed = true
	r.queueing.Unlock()
	r.leader.Wait()
	r.endLasting()
	r.cancel()
	r.follow.Wait()
	return r.log.Close()
}

// Hold calls f while the facts and the log do not change.
func (r *Replica) Hold(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
}

// Append stores a change: Commit or Refuse of it is called.
func (r *Replica) Append(c *Pending) error {
	c.id = rand.Text()
	r.queueing.Lock()
	defer r.queueing.Unlock()
	if r.closed {
		return ErrClosed
	}
	r.queue = append(r.queue, c)
	if !r.leads {
		r.leads = true
		r.leader.Go(r.appendQueue)
	}
	return nil
}

// appendQueue appends what waits until nothing does. The changes that come meanwhile are appended together. The log is
// flushed when nothing waits, since callers that were answered together come again one after the other. It is also
// flushed now and then.
func (r *Replica) appendQueue() {
	const often = 4
	for n := 1; ; n++ {
		batch := r.nextBatch()
		if batch == nil {
			return
		}
		r.appendBatch(batch)
		if n%often == 0 {
			r.hurry()
		}
	}
}

// nextBatch takes changes from the queue that are to be appended together, or ends the lead.
func (r *Replica) nextBatch() []*Pending {
	r.queueing.Lock()
	defer r.queueing.Unlock()
	n := together(r.queue)
	if n == 0 {
		r.leads = false
		r.hurry()
		return nil
	}
	batch := slices.Clone(r.queue[:n])
	r.queue = slices.Delete(r.queue, 0, n)
	return batch
}

// together returns how many of some changes may be appended together. Which of equal facts one removes depends on the
// changes before.
func together(queue []*Pending) int {
	const most, mostBytes = 256, 4 << 20
	touched, size := map[string]bool{}, 0
	for n, c := range queue {
		if n == most || size > mostBytes ||
			slices.ContainsFunc(c.Edits, func(e Edit) bool { return e.Sign == '-' && touched[e.Fact] }) {
			return n
		}
		for _, e := range c.Edits {
			touched[e.Fact] = true
			size += len(e.Fact)
		}
	}
	return len(queue)
}

// appendBatch appends changes together, or tells those that wait for them why not.
func (r *Replica) appendBatch(batch []*Pending) {
	until := r.clock.Now().Add(patience)
	for try := 0; len(batch) > 0; try++ {
		var err error
		if batch, err = r.tryAppend(batch, try); err == nil {
			continue
		}
		var told *Error
		lasts := errors.As(err, &told) && told.Lasts
		switch {
		case lasts && len(batch) > 1: // one of them may be to blame
			for _, c := range batch {
				r.appendBatch([]*Pending{c})
			}
			return
		case lasts, r.ctx.Err() != nil, r.clock.Now().After(until):
			r.giveUp(batch, err)
			return
		}
		const most = 500 * time.Millisecond
		r.clock.Sleep(r.ctx, min(most, time.Duration(try+1)*20*time.Millisecond))
	}
}

// errUnknown is the error of a change that may or may not have been stored.
var errUnknown = errors.New("it is not known whether the changes were stored")

// giveUp ends the wait of changes that could not be stored.
func (r *Replica) giveUp(batch []*Pending, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range batch {
		if r.flight[c.id] != nil {
			r.refuse(c, fmt.Errorf("%w: %w", errUnknown, err))
			continue
		}
		r.refuse(c, err)
	}
}

// refuse ends the wait of a change that is not in the log, or not known to be. The lock must be held.
func (r *Replica) refuse(c *Pending, err error) {
	delete(r.flight, c.id)
	if !c.told {
		c.told = true
		c.Refuse(err)
	}
}

// accept has the program commit a change that is the next record of the log. The lock must be held.
func (r *Replica) accept(c *Pending) {
	number := r.last.Number + 1
	delete(r.flight, c.id)
	c.told = true
	c.Commit(number)
	r.reached(Record{Number: number, ID: c.id}, r.writer)
	r.await(latecomer{c.Lasts, true})
}

// untold returns the changes that still wait. The lock must be held.
func untold(batch []*Pending) []*Pending {
	return slices.DeleteFunc(slices.Clone(batch), func(c *Pending) bool { return c.told })
}

// tryAppend appends the changes that have no conflicts, and returns the changes that still wait. At first it supposes
// that nobody else has appended something, unless others have done so of late. If the attempts are too late again and
// again it keeps the others out.
func (r *Replica) tryAppend(batch []*Pending, try int) (left []*Pending, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var sent []*Pending
	const hopeful = 2
	if try < hopeful {
		if try > 0 || r.rivals() {
			if err := r.catchUp(); err != nil {
				return untold(batch), err
			}
		}
		var list []Record
		if sent, list = r.settled(batch); len(sent) == 0 {
			return nil, nil
		}
		head, ok, err := r.log.Append(r.ctx, r.last, list)
		if err == nil && !ok {
			return sent, nil
		}
		return r.appended(batch, sent, head, err)
	}
	head, err := r.log.AppendNext(r.ctx, r.last, func(later []Record) ([]Record, error) {
		if err := r.apply(later); err != nil {
			return nil, err
		}
		var list []Record
		sent, list = r.settled(batch)
		return list, nil
	})
	return r.appended(batch, sent, head, err)
}

// appended continues after an attempt to append changes.
func (r *Replica) appended(batch, sent []*Pending, head Head, err error) ([]*Pending, error) {
	var told *Error
	switch {
	case err == nil:
		for _, c := range sent {
			r.accept(c)
		}
		if len(sent) > 0 {
			r.compactIfWorth(head)
		}
		return nil, nil
	case errors.Is(err, ErrForked), errors.Is(err, errDiverged), errors.Is(err, ErrBehind):
		return untold(batch), r.catchUp()
	case errors.As(err, &told) && told.Unknown:
		for _, c := range sent {
			r.flight[c.id] = c
		}
	}
	return untold(batch), err
}

// settled returns the changes that have no conflicts with the facts of the program, and their records. It refuses the
// other changes. The lock must be held.
func (r *Replica) settled(batch []*Pending) (sent []*Pending, list []Record) {
	for _, c := range untold(batch) {
		if !c.Settle() {
			r.refuse(c, nil)
			continue
		}
		sent = append(sent, c)
		list = append(list, Record{ID: c.id, Text: changeText(c.By, r.writer, r.clock.Now(), c.Edits)})
	}
	return sent, list
}

// rivals reports whether others have appended of late. The lock must be held.
func (r *Replica) rivals() bool {
	const late = time.Second
	return r.clock.Now().Sub(r.rivaled) <= late
}

// Turn waits until no other replica has its turn, and has the program make the changes of the turns before. It does not
// wait if no other has appended of late, the log cannot be reached, or the replica is closed. Close ends the wait.
func (r *Replica) Turn(ctx context.Context) (end func(), err error) {
	r.queueing.Lock()
	closed := r.closed
	if !closed {
		r.follow.Add(1)
	}
	r.queueing.Unlock()
	if closed {
		return func() {}, nil
	}
	defer r.follow.Done()
	r.mu.Lock()
	alone := !r.rivals()
	r.mu.Unlock()
	if alone {
		return func() {}, nil
	}
	waiting, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(r.ctx, cancel)()
	if end = r.log.Turn(waiting); ctx.Err() != nil {
		end()
		return nil, context.Cause(ctx)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	_ = r.catchUp() // else the commit tells
	return end, nil
}

// catchUp applies what others have appended. The lock must be held.
func (r *Replica) catchUp() error {
	for more := true; more; {
		var list []Record
		var err error
		if list, more, err = r.log.After(r.ctx, r.last); err == nil {
			err = r.apply(list)
		}
		if errors.Is(err, ErrForked) || errors.Is(err, errDiverged) {
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
func (r *Replica) apply(list []Record) error {
	for _, record := range list {
		if c := r.flight[record.ID]; c != nil {
			r.accept(c)
			continue
		}
		r.rivaled = r.clock.Now()
		edits, err := parseEdits(record.Text)
		if err == nil {
			err = r.program.Apply(edits)
		}
		if err != nil {
			return fmt.Errorf("%w: record %d: %w", errDiverged, record.Number, err)
		}
		r.reached(record, writerOf(record.Text))
	}
	return nil
}

// begin replaces the facts of the program by those of the log, which it reads from the beginning. The lock must be
// held.
func (r *Replica) begin(why error) error {
	if err := r.load(); err != nil {
		return err
	}
	for _, c := range r.flight {
		r.refuse(c, errUnknown)
	}
	r.warn("the facts are read anew: " + why.Error())
	return nil
}

// Follow follows the log until the replica is closed.
func (r *Replica) Follow() {
	r.follow.Go(func() {
		for r.ctx.Err() == nil {
			err := r.log.Wait(r.ctx)
			r.mu.Lock()
			if caught := r.catchUp(); caught != nil {
				err = caught
			}
			r.tellLost(err)
			r.mu.Unlock()
			if err != nil {
				r.clock.Sleep(r.ctx, retryTime)
			}
		}
	})
}

// retryTime is how long a replica waits that cannot reach the log.
const retryTime = 200 * time.Millisecond

// tellLost warns when the database cannot be reached, and when it can again.
func (r *Replica) tellLost(err error) {
	switch {
	case r.ctx.Err() != nil, (err != nil) == r.lost:
		return
	case err != nil:
		r.warn(fmt.Sprintf("%s: %s; until it can be followed again facts may be old, and nothing is stored", r.source, err))
	default:
		r.warn(r.source.String() + " is followed again")
	}
	r.lost = err != nil
}

// WaitFor waits until the program has the records up to the one that a mark names. It fails at once if the log has no
// such record.
func (r *Replica) WaitFor(ctx context.Context, m Mark) error {
	for !r.has(m) {
		caught := make(chan error, 1)
		go func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			caught <- r.catchUp()
		}()
		select {
		case err := <-caught:
			switch last := r.Sequence().Number; {
			case r.ctx.Err() != nil:
				return ErrClosed
			case err != nil:
				r.clock.Sleep(ctx, retryTime)
			case !r.has(m):
				return fmt.Errorf("the store ends with change %d and has lost change %s or never had it: it may have been "+
					"restored from an older copy", last, m)
			}
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// compactIfWorth writes a snapshot in the background if the log has become long: if the records behind the last one
// take more than four times its size. After a failure it waits until the log is twice as long. The lock must be held.
func (r *Replica) compactIfWorth(head Head) {
	const least = 1 << 20
	futile := r.futile.Load()
	if head.Bytes <= max(4*head.BaseBytes, least) || futile <= head.Bytes && head.Bytes < 2*futile ||
		!r.compact.CompareAndSwap(false, true) {
		return
	}
	write := r.snapshot()
	r.follow.Go(func() {
		defer r.compact.Store(false)
		r.futile.Store(0)
		if err := write(); err != nil && r.ctx.Err() == nil {
			r.futile.Store(head.Bytes)
			r.warn(fmt.Sprintf("no snapshot of %s: %s", r.source, err))
		}
	})
}

// snapshot returns a function that writes a snapshot of the facts as they are now. The lock must be held.
func (r *Replica) snapshot() func() error {
	facts, names := r.program.Facts(), r.writers.line(r.clock.Now())
	parts := func(put func(string) error) error {
		if err := facts(put); err != nil {
			return err
		}
		return put(names)
	}
	write, err := r.log.Snapshot(r.last.Number)
	return func() error {
		if err != nil {
			_ = parts(func(string) error { return err })
			return err
		}
		return write(r.ctx, parts)
	}
}

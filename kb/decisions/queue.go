package decisions

import (
	"math"
	"slices"
	"sync/atomic"
	"time"

	"github.com/mcplogic/mcplogic/internal/facts"
)

// This file defines the queue between the callers and the goroutine that writes their lines. Callers share no lock.

// mostTogether bounds the entries of one group.
const mostTogether = 1024

// A group waits for the expected callers at most as long as fewWrites writes take, and at most mostPatience.
const (
	fewWrites    = 4
	mostPatience = 5 * time.Millisecond
)

// written is a line with its newline, and the values that it can be looked up by.
type written struct {
	id, tool string
	time     time.Time
	text     []byte
}

// entry is a caller's lines with the function that learns whether they are durable. before is the previous entry.
type entry struct {
	lines  []written
	done   func(error)
	before *entry
}

// queue has one goroutine that writes for all callers. Lines that arrive during a write are written together in the
// next one. An fsync, with the processors that fall idle meanwhile, costs as much processor time as some small calls. A
// caller that has just got an answer is likely to call again, so a group waits a moment until it has as many entries as
// the last one. A single caller does not wait.
type queue struct {
	append func(lines []written) error // writes all of them durably, or none
	wake   chan struct{}               // holds one signal: the wanted number of entries waits, or the queue is closed
	ended  chan struct{}               // closed after the last write
	end    *entry                      // the last one of a queue that is closed

	last   atomic.Pointer[entry] // of the waiting entries
	waits  atomic.Int64          // the number of waiting entries
	wanted atomic.Int64          // how many have to wait before the writer is roused
}

func newQueue(write func(lines []written) error) *queue {
	q := &queue{append: write, wake: make(chan struct{}, 1), ended: make(chan struct{}), end: &entry{}}
	go q.run()
	return q
}

// write returns at once.
func (q *queue) write(lines []written, done func(error)) {
	if !q.push(&entry{lines: lines, done: done}) {
		done(facts.ErrClosed)
	} else if q.waits.Add(1) >= q.wanted.Load() {
		q.rouse()
	}
}

// push reports whether the queue has taken an entry.
func (q *queue) push(e *entry) bool {
	for {
		if e.before = q.last.Load(); e.before == q.end {
			return false
		}
		if q.last.CompareAndSwap(e.before, e) {
			return true
		}
	}
}

func (q *queue) rouse() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// run writes the entries of the queue until it is closed.
func (q *queue) run() {
	defer close(q.ended)
	expected, took := 0, time.Duration(0)
	for {
		if q.await(1, nil); expected > 1 {
			over := time.NewTimer(min(fewWrites*took, mostPatience))
			q.await(expected, over.C)
			over.Stop()
		}
		group, closed := q.take()
		for some := range slices.Chunk(group, mostTogether) {
			began := time.Now()
			q.together(some)
			took = time.Since(began)
		}
		if closed {
			return
		}
		expected = len(group) + int(q.waits.Load())
	}
}

// await returns when a number of entries wait, when a time is over, or when the queue is closed.
func (q *queue) await(number int, over <-chan time.Time) {
	q.wanted.Store(int64(number))
	defer q.wanted.Store(math.MaxInt64)
	for q.waits.Load() < int64(number) && q.last.Load() != q.end {
		select {
		case <-q.wake:
		case <-over:
			return
		}
	}
}

// take returns the entries that wait, the earliest first.
func (q *queue) take() (group []*entry, closed bool) {
	e := q.last.Load()
	for e != q.end && !q.last.CompareAndSwap(e, nil) {
		e = q.last.Load()
	}
	if closed = e == q.end; closed {
		e = e.before
	}
	for ; e != nil; e = e.before {
		group = append(group, e)
	}
	slices.Reverse(group)
	q.waits.Add(-int64(len(group)))
	return group, closed
}

// together writes some entries.
func (q *queue) together(group []*entry) {
	var lines []written
	for _, e := range group {
		lines = append(lines, e.lines...)
	}
	var err error
	if len(lines) > 0 {
		err = q.append(lines)
	}
	for _, e := range group {
		e.done(err)
	}
}

// close waits until the queued lines are written.
func (q *queue) close() {
	if q.push(q.end) {
		q.rouse()
	}
	<-q.ended
}

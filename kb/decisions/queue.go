package decisions

import (
	"sync"
	"time"

	"github.com/mcplogic/mcplogic/kb/internal/facts"
)

// This file defines how the lines of all callers come to the one that writes.

// mostTogether bounds the entries of one group.
const mostTogether = 1024

// written is a line with its end, and what it is found by.
type written struct {
	id, tool string
	time     time.Time
	text     []byte
}

// entry is some lines, and who is told whether they are durable.
type entry struct {
	lines []written
	done  func(error)
}

// queue has one goroutine write for all callers: the lines that have come while it wrote are written together.
type queue struct {
	append func(lines []written) error // writes all of them durably, or none
	wake   chan struct{}               // somebody waits
	ended  chan struct{}               // closed when nothing more is written

	mu     sync.Mutex // guards what follows
	waits  []entry
	closed bool
}

func newQueue(write func(lines []written) error) *queue {
	q := &queue{append: write, wake: make(chan struct{}, 1), ended: make(chan struct{})}
	go func() {
		defer close(q.ended)
		for range q.wake {
			for q.together() {
			}
		}
	}()
	return q
}

// write returns at once.
func (q *queue) write(lines []written, done func(error)) {
	q.mu.Lock()
	closed := q.closed
	if !closed {
		q.waits = append(q.waits, entry{lines, done})
		select {
		case q.wake <- struct{}{}:
		default:
		}
	}
	q.mu.Unlock()
	if closed {
		done(facts.ErrClosed)
	}
}

// together writes what waits, unless nothing does.
func (q *queue) together() bool {
	q.mu.Lock()
	n := min(len(q.waits), mostTogether)
	group := q.waits[:n:n]
	if q.waits = q.waits[n:]; len(q.waits) == 0 {
		q.waits = nil
	}
	q.mu.Unlock()
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
	return n > 0
}

// close waits for the lines that have come.
func (q *queue) close() {
	q.mu.Lock()
	q.closed = true
	close(q.wake)
	q.mu.Unlock()
	<-q.ended
}

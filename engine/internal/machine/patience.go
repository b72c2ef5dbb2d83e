package machine

import (
	"context"
	"sync"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// Patience is the context of Go code that a run calls and may have to wait for. While the code runs, the context ends
// with the run's context, when the run is cancelled, or at the first time limit. Between the calls of a sequence it
// does not end, and a run may get more time meanwhile. No watcher runs until somebody calls Done. Any goroutine may use
// its methods as a context.
type Patience struct {
	mu      sync.Mutex
	values  context.Context // has the values, and the cause of its end
	run     context.Context // of the call at work, or nil
	until   time.Time       // when its time is over, the zero time for never
	err     error           // why it has ended, or nil
	done    chan struct{}   // of Done, or nil while nobody has asked for it
	unwatch []func() bool   // stops the watching of run and until for done
}

// NewPatience returns a Patience with the values of the run's context. The caller must call End.
func NewPatience(m *Machine) *Patience {
	return &Patience{values: context.WithoutCancel(m.context())}
}

// begin sets when the context ends from now on.
func (p *Patience) begin(run context.Context, until time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.run, p.until = run, until
	if p.done != nil {
		p.watch()
	}
}

// pause undoes begin.
func (p *Patience) pause() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, end := range p.unwatch {
		end()
	}
	p.run, p.unwatch = nil, nil
}

// watch closes done when the end set by begin comes. The lock must be held.
func (p *Patience) watch() {
	if run := p.run; run != nil {
		p.unwatch = append(p.unwatch, context.AfterFunc(run, func() { p.end(run.Err(), context.Cause(run)) }))
		if !p.until.IsZero() {
			late := time.AfterFunc(time.Until(p.until), func() { p.end(context.DeadlineExceeded, nil) })
			p.unwatch = append(p.unwatch, late.Stop)
		}
	}
}

// End ends the context for good. Its creator must call this.
func (p *Patience) End() { p.end(context.Canceled, nil) }

func (p *Patience) end(err, cause error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err != nil {
		return
	}
	p.err = err
	if cause != nil {
		ended, end := context.WithCancelCause(p.values)
		end(cause)
		p.values = ended
	}
	if p.done != nil {
		close(p.done)
	}
}

// Deadline returns the time limit of the running code.
func (p *Patience) Deadline() (at time.Time, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.run != nil {
		at, ok = p.run.Deadline()
	}
	if !p.until.IsZero() && (!ok || p.until.Before(at)) {
		return p.until, true
	}
	return at, ok
}

// Done returns the channel that is closed at the end.
func (p *Patience) Done() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done == nil {
		p.done = make(chan struct{})
		if p.err != nil {
			close(p.done)
		} else {
			p.watch()
		}
	}
	return p.done
}

// Err returns why the context has ended, or nil.
func (p *Patience) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.err != nil:
		return p.err
	case p.run != nil && p.run.Err() != nil:
		return p.run.Err()
	case p.run != nil && stacks.HasPassed(p.until):
		return context.DeadlineExceeded
	}
	return nil
}

// Value returns a value of the run's context.
func (p *Patience) Value(key any) any {
	p.mu.Lock()
	values := p.values
	p.mu.Unlock()
	return values.Value(key)
}

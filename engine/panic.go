package engine

import (
	"context"
	"fmt"
	"runtime/debug"
)

// This file defines how a run ends in which Go code panics.

// Panic is the error of a run in which Go code panicked: a predicate written in Go, or the engine itself,
// which is a bug. It ends that run only, as no catch/3 catches it; the program can go on.
type Panic struct {
	// Value is what the code panicked with.
	Value any
	// Predicate is the name/arity of the predicate written in Go that was at work, or "" when there was none.
	Predicate string
	// Stack is the stack of the goroutine, as [runtime/debug.Stack] shows it.
	Stack []byte
}

// Error names the predicate and shows the value.
func (e *Panic) Error() string {
	if e.Predicate == "" {
		return fmt.Sprintf("panic in the engine: %v", e.Value)
	}
	return fmt.Sprintf("panic in %s: %v", e.Predicate, e.Value)
}

// Unwrap returns the value if it is an error.
func (e *Panic) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// recovered is deferred by what runs Go code of predicates. It turns a panic into an error; the run is over.
func (r *Run) recovered(err *error) {
	value := recover()
	if value == nil {
		return
	}
	e := &Panic{Value: value, Stack: debug.Stack()}
	if b := r.m.Running(); b != nil {
		e.Predicate = fmt.Sprintf("%s/%d", b.Name, b.Arity)
	}
	r.state, r.failed, r.panicked = NoMore, true, e
	*err = e
}

// within calls what puts terms into the machine, under the limits of the run.
func (r *Run) within(ctx context.Context, f func()) (err error) {
	defer r.recovered(&err)
	return r.m.Within(ctx, f)
}

// discard gives back what the machine of a run that has panicked holds. The machine is not used again.
func (r *Run) discard() {
	defer func() { _ = recover() }() // it may be in any state
	r.m.Reset()
}

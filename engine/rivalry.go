package engine

import "github.com/mcplogic/mcplogic/engine/internal/database"

// Rivalry is what a goal has lost to other transactions in the runs whose Commit returned [ErrConflict]. It is used by one
// goroutine; the zero value is for a goal that has lost nothing.
type Rivalry struct{ preds map[*database.Pred]bool }

// Note remembers what a run has just lost, which must not have been closed.
func (v *Rivalry) Note(r *Run) {
	for _, p := range r.m.Tx().Lost() {
		if v.preds == nil {
			v.preds = map[*database.Pred]bool{}
		}
		v.preds[p] = true
	}
}

// Prefer gives a transaction precedence where the goal has lost before: what others retract there waits
// until the run ends; see [Run.Obstacle]. A nil rivalry ends that. One run of a program has precedence at a time; for a
// second one Prefer does nothing.
func (r *Run) Prefer(v *Rivalry) {
	if v == nil {
		v = &Rivalry{}
	}
	r.m.Tx().Guard(v.preds)
}

// Obstacle returns a channel that is closed when a run that has precedence over this one has ended. Commit should wait for it, or
// it takes away again what that run needs. It is nil when there is no such run.
func (r *Run) Obstacle() <-chan struct{} { return r.m.Tx().Obstacle() }

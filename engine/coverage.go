package engine

import (
	"sync"
	"sync/atomic"

	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines coverage: which clauses and branches of a program its goals have reached.

// The kinds of points.
const (
	PointEntered = load.PointEntered
	PointLeft    = load.PointLeft
	PointBranch  = load.PointBranch
)

// CoveragePoint is a place in a clause that is counted.
type CoveragePoint = load.Point

// Coverage counts how often clauses are entered and left, and branches of disjunctions and conditionals entered. The
// zero value is ready to be used in [Options.Coverage] of one program. Clauses of dynamic and tabled predicates and
// of tests are not counted. Any number of goroutines may run the program meanwhile.
type Coverage struct {
	mu     sync.Mutex
	points []CoveragePoint
	counts []int64
	paused atomic.Bool
}

// maxPoints bounds the points of a program. Clauses behind them are not counted.
const maxPoints = 1 << 19

// Pause stops the counting, or goes on with it: what looks into a program is not to be counted.
func (c *Coverage) Pause(pause bool) { c.paused.Store(pause) }

// Each calls f for each point with its count, in the order of loading.
func (c *Coverage) Each(f func(p CoveragePoint, count int64)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, p := range c.points {
		f(p, c.counts[i])
	}
}

// add makes a point and returns its number, -1 if there are too many.
func (c *Coverage) add(p CoveragePoint) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.points) == maxPoints {
		return -1
	}
	c.points, c.counts = append(c.points, p), append(c.counts, 0)
	return len(c.points) - 1
}

// predicate counts a point.
func (c *Coverage) predicate() Predicate {
	return Predicate{Name: load.CoveredPredicate, Arity: 1, Call: func(call *Call) (bool, error) {
		n, ok := call.Arg(0).(term.Int)
		c.mu.Lock()
		defer c.mu.Unlock()
		if ok && n >= 0 && int(n) < len(c.counts) && !c.paused.Load() {
			c.counts[n]++
		}
		return true, nil
	}}
}

package datalog

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// This file defines how a join that finds the same rows many times runs on several processors: the new rows of its
// first atom are cut into shards. After a wave of shards their results are added shard by shard, so the order of rows
// does not depend on the number of processors.

const (
	shardRows = 256 // of the first atom
	waveSize  = 32  // shards
	// A join is cut if it has taken many steps, and at least `repeats` steps for each new row. Other joins spend their
	// time on adding rows, which is sequential.
	manySteps = 1 << 16
	repeats   = 8
)

// wave is a set of shards of a join that run at once.
type wave struct {
	e        *evaluation
	j        *join
	from, to int // rows of the first atom
	found    [waveSize]*Relation
	next     atomic.Int64 // the next shard
	steps    atomic.Int64 // of other runners, not accounted for yet
	bytes    atomic.Int64 // the results
	ended    atomic.Bool  // the evaluation must end
	panicked atomic.Pointer[any]
	helpers  []*runner
}

// isCut reports whether a join runs in shards.
func (j *join) isCut() bool {
	return j.delta && j.alone && j.to-j.from >= 2*shardRows && j.work >= manySteps && j.work >= repeats*j.made
}

// runShards runs a join in shards.
func (e *evaluation) runShards(j *join) {
	v := &e.wave
	v.e, v.j = e, j
	for v.from = j.from; v.from < j.to && e.err == nil; v.from = v.to {
		v.to = min(j.to, v.from+waveSize*shardRows)
		v.run()
	}
}

// run runs the shards of a wave and adds what they have found. A panic of another goroutine is raised again in this
// one.
func (v *wave) run() {
	shards := (v.to - v.from + shardRows - 1) / shardRows
	helpers := min(runtime.GOMAXPROCS(0), shards) - 1
	for len(v.helpers) < helpers {
		v.helpers = append(v.helpers, &runner{e: v.e})
	}
	v.next.Store(0)
	var wait sync.WaitGroup
	for _, w := range v.helpers[:helpers] {
		wait.Go(func() { v.help(w) })
	}
	v.e.runner.wave = v
	v.work(&v.e.runner)
	if helpers > 0 {
		v.wait(&wait)
	}
	v.e.runner.wave = nil
	if p := v.panicked.Swap(nil); p != nil {
		panic(*p)
	}
	if v.e.err != nil {
		return
	}
	for _, found := range v.found[:shards] {
		for i := range found.n {
			v.j.head.Add(found.Row(i))
		}
		v.e.note(found.n)
		found.empty()
	}
}

// help runs shards on a processor other than the one that accounts for the steps.
func (v *wave) help(w *runner) {
	w.wave, w.helps = v, true
	v.work(w)
}

// work runs the remaining shards.
func (v *wave) work(w *runner) {
	defer func() {
		if p := recover(); p != nil {
			v.panicked.Store(&p)
		}
	}()
	for {
		at := int(v.next.Add(1)) - 1
		from := v.from + at*shardRows
		if from >= v.to || !w.note(0) {
			return
		}
		if v.found[at] == nil {
			v.found[at] = &Relation{hashed: true}
		}
		w.found = v.found[at]
		w.found.Arity = v.j.head.Arity
		w.run(v.j, from, min(from+shardRows, v.to))
		w.found = nil
	}
}

// wait accounts for the steps of the other runners until they are done.
func (v *wave) wait(others *sync.WaitGroup) {
	done := make(chan struct{})
	go func() {
		others.Wait()
		close(done)
	}()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-done:
			v.e.runner.note(0)
			return
		case <-tick.C:
			v.e.runner.note(0)
		}
	}
}

// note accounts for steps; ok is false if the run must end.
func (w *runner) note(n int) (ok bool) {
	v := w.wave
	if v == nil {
		w.j.work += n
		return w.e.note(n)
	}
	if w.helps {
		v.steps.Add(int64(n))
		return !v.ended.Load()
	}
	ok = w.e.note(n + int(v.steps.Swap(0)))
	v.ended.Store(!ok)
	return ok
}

// keepNew keeps the rows of the head that the relation does not contain.
func (w *runner) keepNew(l *stage) {
	w.find(w.j.head, w.j.headArgs, l)
	found := w.found
	for i, is := range w.keep[:l.n] {
		if !is {
			found.Add(w.values(l, w.j.headArgs, i))
		}
	}
	bytes := 4 * (cap(found.rows) + len(found.slots))
	w.wave.bytes.Add(int64(bytes - found.held))
	found.held = bytes
}

// empty drops the rows of a relation with a hash index.
func (r *Relation) empty() {
	r.rows, r.n = r.rows[:0], 0
	if clear(r.slots); len(r.slots) > 1<<12 {
		r.slots = nil
	}
}

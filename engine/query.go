package engine

import (
	"context"
	"errors"
	"iter"
	"maps"
	"slices"

	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines queries, which are read once and asked often, and goals given as text.

// Args are the values of variables of a goal by their names: terms, and Go values by [TermOf]. A string becomes a
// string and not an atom. A value is data and is never read as part of the goal's text. A name that is not a variable
// of the goal is an error.
type Args map[string]any

// Query is a goal that is read once and asked often. Goroutines may share it.
//
// The error of asking is an *[Exception], *[Halt], *[Aborted] or *[Panic]. [Solution.Scan] stores an answer in the
// value that dest points to. dest may also be a *[Solution], or nil to drop the answer.
type Query struct {
	p    *Program
	text string
	goal source.Goal
	o    RunOptions
}

// Prepare reads a goal with the operators of the program. The options apply to each of its runs. The error is an
// *[Exception] for text that does not parse.
func (p *Program) Prepare(goal string, o *RunOptions) (*Query, error) {
	if p.zero() {
		return nil, errZeroProgram
	}
	module := p.moduleOf(o)
	read, err := readIn(module, goal)
	if err != nil {
		return nil, err
	}
	q := &Query{p: p, text: goal, goal: newGoal(read, module)}
	if o != nil {
		q.o = *o
	}
	return q, nil
}

// With returns the query with additional facts that only its runs see. A fact is a term, or a Go value that [TermOf]
// converts. Its predicate has to be dynamic or undefined; a name that the program does not mention is not an error. The
// changes of the runs are taken back, too.
func (q *Query) With(facts ...any) *Query {
	var own Query
	if q != nil {
		own = *q
	}
	own.o.Assume = append(slices.Clip(own.o.Assume), facts...)
	return &own
}

// Start prepares a run of the goal. If args and [RunOptions.Bind] name the same variable, args take precedence.
func (q *Query) Start(args Args) (*Run, error) {
	r, err := q.start(args)
	if err != nil {
		return nil, err
	}
	return guarded(r, nil, term.Atom(q.text))
}

// valid returns an error for a zero Query.
func (q *Query) valid() error {
	if q == nil || q.p == nil {
		return errors.New("the query is nil or a zero Query, and not one of Prepare")
	}
	return nil
}

// start is Start for a run that the engine itself closes.
func (q *Query) start(args Args) (*Run, error) {
	if err := q.valid(); err != nil {
		return nil, err
	}
	if q.o.Bind != nil && args != nil {
		given := maps.Clone(q.o.Bind)
		maps.Copy(given, args)
		args = given
	} else if args == nil {
		args = q.o.Bind
	}
	return q.p.startBound(q.goal.Term, q.goal.Vars, args, &q.o)
}

// Holds reports whether the goal has an answer.
func (q *Query) Holds(ctx context.Context, args Args) (bool, error) {
	err := q.One(ctx, args, nil)
	if err == ErrNoSolution {
		return false, nil
	}
	return err == nil, err
}

// One stores the first answer in dest. The error is [ErrNoSolution] if there is no answer. If the options make the run
// a transaction, One commits it.
func (q *Query) One(ctx context.Context, args Args, dest any) error {
	return q.first(ctx, args, dest, nil)
}

// Update runs the goal as a transaction and stores its first answer in dest. It repeats the goal as long as another
// transaction has meanwhile removed a fact that the goal removes. The error is [ErrNoSolution] if the goal fails. After
// any error nothing is changed. The options Assume, Without, Stored and At are an error, since runs with them are never
// committed.
func (q *Query) Update(ctx context.Context, args Args, dest any) error {
	if err := q.valid(); err != nil {
		return err
	}
	if q.o.scratch() {
		return errScratch
	}
	own, lost := *q, &Rivalry{}
	own.o.Transaction = true
	defer lost.End()
	for {
		if err := own.first(ctx, args, dest, lost); err != ErrConflict {
			return err
		}
		if err := lost.Wait(ctx); err != nil {
			return err
		}
	}
}

// first runs the goal for its first answer. lost remembers the conflicts of earlier runs, and may be nil.
func (q *Query) first(ctx context.Context, args Args, dest any, lost *Rivalry) error {
	r, err := q.start(args)
	if err != nil {
		return err
	}
	defer r.Close()
	r.unread = dest == nil
	if lost != nil {
		r.Prefer(lost)
	}
	found, err := r.nextAsking(ctx, nil, giveUp)
	if err == nil && !found {
		err = ErrNoSolution
	}
	if err == nil {
		err = r.found.store(dest)
	}
	if err == nil {
		err = r.Cut(ctx)
	}
	if wait := r.Obstacle(); err == nil && lost != nil && wait != nil {
		err = wait(ctx)
	}
	if err != nil || r.scratch {
		return err
	}
	if err = r.Commit(); err == ErrConflict && lost != nil {
		lost.Note(r)
	}
	return err
}

// store scans the answer into dest.
func (s Solution) store(dest any) error {
	switch d := dest.(type) {
	case nil:
		return nil
	case *Solution:
		*d = s
		return nil
	}
	return s.Scan(dest)
}

// All iterates over the answers of a query, each as a T: a struct or a map by [Solution.Scan], or a [Solution]. An
// error is the last element. Stop iterating to stop the search. If the options make the run a transaction, it is
// committed after the last answer, and rolled back if the loop ends before.
func All[T any](ctx context.Context, q *Query, args Args) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		for s, err := range q.answers(ctx, args) {
			var row T
			if err == nil {
				err = s.store(&row)
			}
			if err != nil {
				yield(none, err)
				return
			}
			if !yield(row, nil) {
				return
			}
		}
	}
}

// answers is All for solutions.
func (q *Query) answers(ctx context.Context, args Args) iter.Seq2[Solution, error] {
	return func(yield func(Solution, error) bool) {
		r, err := q.start(args)
		if err != nil {
			yield(Solution{}, err)
			return
		}
		defer r.Close()
		for {
			found, err := r.nextAsking(ctx, nil, giveUp)
			if err == nil && !found && !r.scratch {
				err = r.Commit()
			}
			if err != nil {
				yield(Solution{}, err)
			}
			if err != nil || !found {
				return
			}
			if !yield(r.found, nil) {
				_ = r.Cut(ctx) // the caller has left the loop
				return
			}
		}
	}
}

// Query runs a goal given as text and iterates over its answers, as [All] does.
func (p *Program) Query(ctx context.Context, goal string, o *RunOptions) iter.Seq2[Solution, error] {
	return func(yield func(Solution, error) bool) {
		q, err := p.Prepare(goal, o)
		if err != nil {
			yield(Solution{}, err)
			return
		}
		q.answers(ctx, nil)(yield)
	}
}

// Once returns the first answer of a goal given as text, as [Query.One] does.
func (p *Program) Once(ctx context.Context, goal string, o *RunOptions) (s Solution, err error) {
	q, err := p.Prepare(goal, o)
	if err == nil {
		err = q.One(ctx, nil, &s)
	}
	if err != nil {
		return Solution{}, err
	}
	return s, nil
}

// Update runs a goal given as text as a transaction and returns its first answer, as [Query.Update] does.
func (p *Program) Update(ctx context.Context, goal string, o *RunOptions) (s Solution, err error) {
	q, err := p.Prepare(goal, o)
	if err == nil {
		err = q.Update(ctx, nil, &s)
	}
	if err != nil {
		return Solution{}, err
	}
	return s, nil
}

// Start prepares to run a goal given as text, as [Query.Start] does.
func (p *Program) Start(goal string, o *RunOptions) (*Run, error) {
	q, err := p.Prepare(goal, o)
	if err != nil {
		return nil, err
	}
	return q.Start(nil)
}

// zero reports whether p is a zero Program.
func (p *Program) zero() bool { return p == nil || p.db == nil }

// errZeroProgram is the error of a zero Program.
var errZeroProgram = errors.New("the program is nil or a zero Program, and not one of New or of a load")

// errScratch is the error of committing a run that is never committed.
var errScratch = errors.New("a run at a moment, or with facts of its own, is never committed")

// errClosed is the error of using a closed run.
var errClosed = errors.New("the run is closed")

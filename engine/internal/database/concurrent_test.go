package database

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the test of readers that take no locks while others write. Run it under the race detector.

// coins is a predicate coin(Owner, Number): transactions hand coins over, so that each view sees each coin once.
type coins struct {
	p    *Program
	pred *Pred
}

const owners, coinCount = 20, 60

func (b coins) clause(owner, coin int) *Clause {
	return clauseOf(b.pred, term.New("coin", term.Atom(fmt.Sprintf("o%d", owner)), term.Int(coin)))
}

// found returns the coins of an owner, of all owners when that is negative, as a view sees them.
func (b coins) found(tx *Tx, owner int) (list []*Clause) {
	goal := term.New("coin", term.NewVar("O"), term.NewVar("N")).(*term.Compound)
	if owner >= 0 {
		goal.Args[0] = term.Atom(fmt.Sprintf("o%d", owner))
	}
	probe := probeOf(goal)
	view, all, one := tx.Candidates(b.pred, probe)
	if one != nil {
		all = []*Clause{one}
	}
	for _, c := range all {
		if tx.Sees(c, view) && probe.Matches(c) {
			list = append(list, c)
		}
	}
	return list
}

// coinOf returns which coin a clause is.
func coinOf(c *Clause) int { return int(c.HeadArg(1).Int()) }

// handOver moves a coin of one owner to another; it returns false when that was not possible or somebody else was
// faster.
func (b coins) handOver(r *rand.Rand) (bool, error) {
	tx := b.p.Begin(false)
	list := b.found(tx, r.IntN(owners))
	if len(list) == 0 || r.IntN(8) == 0 {
		tx.Rollback()
		return false, nil
	}
	c := list[r.IntN(len(list))]
	if !tx.Erase(c) {
		tx.Rollback()
		return false, errors.New("a clause that the transaction sees cannot be erased")
	}
	tx.Add(b.clause(r.IntN(owners), coinOf(c)), r.IntN(2) == 0)
	err := tx.Commit()
	if errors.Is(err, ErrConflict) {
		return false, nil
	}
	return err == nil, err
}

// audit counts the coins of a view in two ways and returns what is wrong. A direct view counts them in one: its calls
// see different moments.
func (b coins) audit(direct bool) error {
	tx := b.p.Begin(direct)
	defer tx.Rollback()
	var whole, parts []int
	for _, c := range b.found(tx, -1) {
		whole = append(whole, coinOf(c))
	}
	for owner := range owners {
		if direct {
			parts = slices.Clone(whole)
			break
		}
		for _, c := range b.found(tx, owner) {
			parts = append(parts, coinOf(c))
		}
	}
	slices.Sort(whole)
	slices.Sort(parts)
	if len(whole) != coinCount || len(slices.Compact(slices.Clone(whole))) != coinCount || !slices.Equal(whole, parts) {
		return fmt.Errorf("a view sees the coins %v, by their owners %v", whole, parts)
	}
	return nil
}

func TestConcurrentViews(t *testing.T) {
	p := New()
	b := coins{p, p.User().Lookup(code.Functor("coin", 2))}
	direct := p.Begin(true)
	for i := range coinCount {
		direct.Add(b.clause(i%owners, i), false)
	}
	moves := 4000
	if testing.Short() {
		moves = 800
	}
	var moved atomic.Int64
	var failure atomic.Pointer[error]
	var group sync.WaitGroup
	start := func(step func(r *rand.Rand) error) {
		for i := range 3 {
			group.Go(func() {
				r := rand.New(rand.NewPCG(uint64(i), 2))
				for moved.Load() < int64(moves) && failure.Load() == nil {
					if err := step(r); err != nil {
						failure.Store(&err)
					}
				}
			})
		}
	}
	start(func(r *rand.Rand) error {
		ok, err := b.handOver(r)
		if ok {
			moved.Add(1)
		}
		return err
	})
	start(func(r *rand.Rand) error { return b.audit(r.IntN(2) == 0) })
	group.Wait()
	if err := failure.Load(); err != nil {
		require.NoError(t, *err)
	}
	require.NoError(t, b.audit(false))
	direct.Rollback()
}

// TestConcurrentReplacement replaces all coins again and again while direct views count them. There is no isolated view
// that would keep the old ones.
func TestConcurrentReplacement(t *testing.T) {
	p := New()
	b := coins{p, p.User().Lookup(code.Functor("coin", 2))}
	first := p.Begin(true)
	for i := range coinCount {
		first.Add(b.clause(0, i), false)
	}
	first.Rollback()
	var over atomic.Bool
	var failure atomic.Pointer[error]
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for !over.Load() {
				if err := b.audit(true); err != nil {
					failure.Store(&err)
					return
				}
			}
		})
	}
	for round := 0; round < 3000 && failure.Load() == nil; round++ {
		tx := p.Begin(false)
		for _, c := range b.found(tx, -1) {
			require.True(t, tx.Erase(c))
		}
		for i := range coinCount {
			tx.Add(b.clause(round%owners, i), false)
		}
		require.NoError(t, tx.Commit())
	}
	over.Store(true)
	readers.Wait()
	if err := failure.Load(); err != nil {
		require.NoError(t, *err)
	}
}

package database

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// Readers find what a table had when they began, whatever is added and removed meanwhile.
func TestPredTable(t *testing.T) {
	const n = 2000
	preds := make([]*Pred, n)
	for i := range preds {
		preds[i] = &Pred{Functor: code.Functor(fmt.Sprintf("p%d", i), i%4)}
	}
	var table predTable
	require.Nil(t, table.get(preds[0].Functor))
	for _, p := range preds[:n/2] {
		table.put(p)
	}
	var readers sync.WaitGroup
	stop := make(chan struct{})
	for range 2 {
		readers.Go(func() {
			for {
				for i := 1; i < n/2; i += 2 {
					if table.get(preds[i].Functor) != preds[i] {
						t.Errorf("predicate %d is not found", i)
						return
					}
				}
				select {
				case <-stop:
					return
				default:
				}
			}
		})
	}
	for round := range 3 {
		for i, p := range preds[n/2:] {
			table.put(p)
			if round == 0 && 2*i < n/2 {
				table.remove(preds[2*i].Functor)
			}
		}
		for _, p := range preds[n/2:] {
			table.remove(p.Functor)
			table.remove(p.Functor)
		}
	}
	close(stop)
	readers.Wait()
	found := map[*Pred]bool{}
	for p := range table.all() {
		require.False(t, found[p])
		found[p] = true
	}
	require.Len(t, found, n/4)
	require.Equal(t, n/4, table.count)
	require.LessOrEqual(t, len(*table.slots.Load()), 4*n, "removed predicates take no room for ever")
	for i := 0; i < n/2; i++ {
		require.Equal(t, i%2 == 1, table.get(preds[i].Functor) != nil, i)
	}
}

package waiting

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// noted is a call that notes its end.
type noted struct{ ended bool }

func (c *noted) Close() { c.ended = true }

// TestGoneIsBounded repeats itself: the server does not remember each call for ever.
func TestGoneIsBounded(t *testing.T) {
	r := New[*noted](time.Minute, 10)
	for i := range 3 * maxGone {
		_, how := r.Take(fmt.Sprint(i))
		require.Equal(t, Unknown, how)
	}
	require.Len(t, r.gone, maxGone)
	_, how := r.Take(fmt.Sprint(3*maxGone - 1))
	require.Equal(t, Gone, how)
}

// TestWaiting lets calls wait, too many of them, and for too long.
func TestWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := New[*noted](time.Minute, 2)
		a, b, c := &noted{}, &noted{}, &noted{}
		for i, call := range []*noted{a, b, c} {
			r.Put(fmt.Sprint(i), call)
			time.Sleep(time.Second)
		}
		require.Equal(t, []bool{true, false, false}, []bool{a.ended, b.ended, c.ended}, "the one that has waited longest")
		require.Equal(t, 2, r.Count())
		require.True(t, r.Has(func(call *noted) bool { return call == c }))
		taken, how := r.Take("1")
		require.Equal(t, Taken, how)
		require.Same(t, b, taken)
		_, how = r.Take("1")
		require.Equal(t, Gone, how, "its client repeats itself")
		r.Put("1", b)
		time.Sleep(30 * time.Second)
		_, how = r.Take("1")
		require.Equal(t, Taken, how, "it waits again")
		time.Sleep(time.Minute)
		synctest.Wait()
		require.True(t, c.ended)
		require.False(t, b.ended)
		require.Zero(t, r.Count())
		r.Put("3", b)
		r.Close()
		require.True(t, b.ended)
	})
}

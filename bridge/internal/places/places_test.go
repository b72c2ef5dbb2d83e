package places

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// has reports whether a call has its place.
func (t *Ticket) has() bool {
	select {
	case <-t.ready:
		return true
	default:
		return false
	}
}

// ask is enter without waiting.
func (p *Places) ask(client, session string) *Ticket {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.join(client, session)
	p.grant()
	return t
}

// TestPlacesAreShared has one client ask for all: another gets the place that is left, and then the next one.
func TestPlacesAreShared(t *testing.T) {
	p := New(4, 3)
	var greedy []*Ticket
	for i := range 50 {
		greedy = append(greedy, p.ask("greedy", fmt.Sprint("session ", i)))
	}
	require.True(t, greedy[2].has())
	require.False(t, greedy[3].has(), "it may have three")
	first, second, third := p.ask("other", ""), p.ask("other", ""), p.ask("third", "")
	require.True(t, first.has(), "one place is left")
	p.Leave(greedy[0])
	require.True(t, third.has(), "it has none yet")
	p.Leave(greedy[1])
	require.True(t, second.has(), "greedy has one, other has one and has used less")
	for _, have := range []*Ticket{greedy[2], first, second, third} {
		p.Leave(have)
	}
	require.True(t, greedy[5].has(), "now nobody else wants any")
	require.False(t, greedy[6].has())
}

// TestPlacesOfSessions has sessions of one client share its places: one that has used none comes before those that
// have.
func TestPlacesOfSessions(t *testing.T) {
	p := New(2, 2)
	var running, waiting []*Ticket
	for i := range 2 {
		running = append(running, p.ask("", fmt.Sprint(i)))
	}
	for i := range 2 {
		waiting = append(waiting, p.ask("", fmt.Sprint(i)))
	}
	ping := p.ask("", "ping")
	p.Leave(running[0])
	require.True(t, ping.has())
	p.Leave(running[1])
	require.NotEqual(t, waiting[0].has(), waiting[1].has(), "one of the others")
	p.Leave(ping)
	require.True(t, waiting[0].has() && waiting[1].has())
}

// TestPlacesGivenUp has calls end their waiting at any time: no place is lost.
func TestPlacesGivenUp(t *testing.T) {
	const most, calls = 3, 2000
	p := New(most, 2)
	var all sync.WaitGroup
	for i := range calls {
		all.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), time.Duration(i%7)*time.Millisecond)
			defer cancel()
			if place, err := p.Enter(ctx, fmt.Sprint("client ", i%5), fmt.Sprint(i%11)); err == nil {
				p.Leave(place)
			}
		})
	}
	all.Wait()
	require.Equal(t, most, p.free)
	require.Zero(t, p.root.running)
	require.Zero(t, p.root.waiting)
}

// TestPlacesForget has ever new clients: those that do nothing are forgotten.
func TestPlacesForget(t *testing.T) {
	p := New(1, 1)
	for i := range 10 * fewShares {
		p.Leave(p.ask(fmt.Sprint("client ", i), ""))
	}
	require.LessOrEqual(t, len(p.root.parts), fewShares)
}

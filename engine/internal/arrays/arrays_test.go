package arrays

import (
	"bytes"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAppend(t *testing.T) {
	var got, want []int
	for n := 1; len(want) < 5*pieceBytes; n = n*2 + 1 {
		more := make([]int, n)
		for i := range more {
			more[i] = len(want) + i
		}
		got, want = Append(got, more...), append(want, more...)
		require.Equal(t, want, got)
	}
	shared := got[:10:10]
	require.Equal(t, append(append([]int{}, want[:10]...), 7), Append(shared, 7))
	require.Equal(t, want, got, "the array that had no room is as before")
	require.Nil(t, Append[int](nil))
	require.Len(t, Append(make([]struct{}, pieceBytes+1), struct{}{}), pieceBytes+2)
}

func TestCopy(t *testing.T) {
	for _, n := range []int{0, 1, pieceBytes - 1, pieceBytes, pieceBytes + 1, 3*pieceBytes + 5} {
		from := make([]byte, n)
		for i := range from {
			from[i] = byte(i % 251)
		}
		to := make([]byte, n+1)
		Copy(to, from)
		require.Equal(t, append(from, 0), to)
	}
	wide := make([][2 * pieceBytes]byte, 3)
	wide[2][5] = 1
	to := make([][2 * pieceBytes]byte, 3)
	Copy(to, wide)
	require.Equal(t, wide, to)
}

func TestRoom(t *testing.T) {
	s := make([]int, 3, 10)
	require.Same(t, &s[0], &Room(s, 10)[0])
	require.Len(t, Room(s, 11), 11)
	require.Len(t, Room(s, 0), 0)
}

// TestStops stops the world again and again while arrays are copied, and wants the copying to go on
// only a piece further: what is left of a copy of 64 MiB is still to be done at nearly every stop.
func TestStops(t *testing.T) {
	from, to := make([]byte, 64<<20), make([]byte, 64<<20)
	var copies atomic.Int32
	var end atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		for !end.Load() {
			Copy(to, from)
			copies.Add(1)
		}
	}()
	stops := 0
	var stats runtime.MemStats
	for limit := time.Now().Add(10 * time.Second); copies.Load() < 3 && time.Now().Before(limit); {
		runtime.ReadMemStats(&stats) // stops the world
		stops++
	}
	end.Store(true)
	<-done
	require.Greater(t, stops, 2*int(copies.Load()), "a stop waits for a whole copy")
}

func TestText(t *testing.T) {
	for _, n := range []int{0, 1, pieceBytes, 3*pieceBytes + 1} {
		b := bytes.Repeat([]byte("äb"), n)
		want := string(b)
		text := Text(b)
		require.Equal(t, want, text)
		require.Equal(t, b, append([]byte{}, Bytes(text)...))
		require.Equal(t, want, Clone(text))
		clear(b)
		require.Equal(t, want, text, "a copy")
	}
}

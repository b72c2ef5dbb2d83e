package main

import (
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestBoundedListener opens more connections than there are places.
func TestBoundedListener(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	l := newBoundedListener(inner, 2)
	accepted, ended := make(chan net.Conn, 10), make(chan error, 1)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				ended <- err
				return
			}
			accepted <- c
		}
	}()
	for range 3 {
		c, err := net.Dial("tcp", inner.Addr().String())
		require.NoError(t, err)
		defer c.Close()
	}
	first := <-accepted
	defer (<-accepted).Close()
	select {
	case <-accepted:
		t.Fatal("one too many")
	case <-time.After(100 * time.Millisecond):
	}
	require.NoError(t, first.Close())
	require.Error(t, first.Close())
	defer (<-accepted).Close()
	require.NoError(t, l.Close())
	require.ErrorIs(t, <-ended, net.ErrClosed)
	require.Equal(t, []int{960, 192, 12}, []int{maxConnections(1024), maxConnections(256), maxConnections(16)})
}

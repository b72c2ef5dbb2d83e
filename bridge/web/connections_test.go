package web

import (
	"io"
	"net"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestIdleConnectionsMakeRoom opens one connection more than the limit. Only the connection that has been idle
// longest is closed, even if another becomes idle before it has closed.
func TestIdleConnectionsMakeRoom(t *testing.T) {
	system, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	l := newBoundedListener(system, 2)
	defer l.Close()
	dial := func() net.Conn {
		client, err := net.Dial("tcp", system.Addr().String())
		require.NoError(t, err)
		t.Cleanup(func() { client.Close() })
		return client
	}
	accepted := make(chan net.Conn)
	accept := func() {
		server, err := l.Accept()
		assert.NoError(t, err)
		accepted <- server
	}
	open := func(client net.Conn) {
		require.NoError(t, client.SetDeadline(time.Now().Add(100*time.Millisecond)))
		_, err := client.Read(make([]byte, 1))
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	}
	first := dial()
	go accept()
	firstServer := <-accepted
	second := dial()
	go accept()
	secondServer := <-accepted
	l.note(firstServer, http.StateIdle)
	l.note(secondServer, http.StateIdle)

	go accept()
	open(first) // no other connection needs its place
	dial()
	require.NoError(t, first.SetDeadline(time.Now().Add(time.Minute)))
	_, err = first.Read(make([]byte, 1))
	require.ErrorIs(t, err, io.EOF)
	l.note(secondServer, http.StateActive)
	l.note(secondServer, http.StateIdle)
	open(second)

	l.note(firstServer, http.StateClosed)
	<-accepted
	open(second)
}

package main

import (
	"net"
	"sync"
)

// This file defines how many connections a server takes, so that files are left to be opened for reloads and goals.

// maxConnections is how many connections there may be in a process that may have so many files open.
func maxConnections(files int) int {
	const reserved = 64
	return files - min(reserved, files/4)
}

// boundedListener accepts no connection as long as there are too many; those that wait do so in the queue
// of the system.
type boundedListener struct {
	net.Listener
	places chan struct{} // one in it for each connection
	once   sync.Once
	closed chan struct{}
}

func newBoundedListener(l net.Listener, most int) *boundedListener {
	return &boundedListener{Listener: l, places: make(chan struct{}, most), closed: make(chan struct{})}
}

// Accept waits for a place, then for a connection.
func (l *boundedListener) Accept() (net.Conn, error) {
	select {
	case l.places <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.places
		return nil, err
	}
	return &boundedConn{Conn: c, leave: sync.OnceFunc(func() { <-l.places })}, nil
}

// Close ends those that wait too.
func (l *boundedListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// boundedConn gives its place back when it is closed.
type boundedConn struct {
	net.Conn
	leave func()
}

// Close may be called again.
func (c *boundedConn) Close() error {
	err := c.Conn.Close()
	c.leave()
	return err
}

package main

import (
	"errors"
	"io"
)

// This file defines the standard input of a server that is still loading.

// eagerInput reads the first bytes of an input before it is asked for them. A server that is still loading
// learns by it that its client has gone, and need not finish for nobody.
type eagerInput struct {
	in    io.Reader
	ready chan struct{} // closed when the first bytes are there
	// data and err belong to the goroutine that reads ahead until ready is closed, and to Read from then on.
	data []byte
	err  error
}

// errNoClient is why a load ends for which nobody waits.
var errNoClient = errors.New("the input has ended")

// newEagerInput begins to read. It calls gone when the input ends without a byte, at once and from another
// goroutine. It never calls gone later: then the server itself sees the end.
func newEagerInput(in io.Reader, gone func()) *eagerInput {
	e := &eagerInput{in: in, ready: make(chan struct{})}
	go func() {
		defer close(e.ready)
		buf := make([]byte, 4096)
		n, err := in.Read(buf)
		if e.data, e.err = buf[:n], err; n == 0 && err != nil {
			gone()
		}
	}()
	return e
}

// Read returns the bytes that were read ahead, then those of the input. It waits for the former, so that
// the input is never read by two goroutines.
func (e *eagerInput) Read(p []byte) (int, error) {
	<-e.ready
	if n := copy(p, e.data); n > 0 {
		e.data = e.data[n:]
		return n, nil
	}
	if e.err != nil {
		return 0, e.err
	}
	return e.in.Read(p)
}

package main

import (
	"context"
	"io"
	"os"
	"time"
)

// typing is standard input while a goal runs. It ends with the context, so that a goal that waits for input can be
// stopped.
type typing struct{ ctx context.Context }

// pollTime is the longest time until the end of a context is noticed.
const pollTime = 50 * time.Millisecond

// Read polls the input and checks the context in between, because a blocking read could not be ended.
func (t *typing) Read(p []byte) (int, error) {
	for !readable(os.Stdin, pollTime) {
		if err := t.ctx.Err(); err != nil {
			return 0, err
		}
	}
	return os.Stdin.Read(p)
}

// endingWith makes reads of standard input end with a context, until the function that it returns is called. Other
// readers are as before.
func endingWith(ctx context.Context, r io.Reader) (end func()) {
	t, is := r.(*typing)
	if !is {
		return func() {}
	}
	before := t.ctx
	t.ctx = ctx
	return func() { t.ctx = before }
}

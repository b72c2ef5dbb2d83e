package main

import (
	"context"
	"os"
	"time"
)

// typing is what a person types while a goal runs. It ends with the context, so that a goal that waits for input can
// be stopped.
type typing struct{ ctx context.Context }

// pollTime is the longest time until the end of a context is noticed.
const pollTime = 50 * time.Millisecond

// Read polls the terminal and checks the context in between, because a blocking read could not be ended.
func (t *typing) Read(p []byte) (int, error) {
	for !readable(os.Stdin, pollTime) {
		if err := t.ctx.Err(); err != nil {
			return 0, err
		}
	}
	return os.Stdin.Read(p)
}

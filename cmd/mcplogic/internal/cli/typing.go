package cli

import (
	"context"
	"io"
	"os"
	"time"
)

// Typing is standard input while a goal runs. It ends with the context, so that a goal that waits for input can be
// stopped.
type Typing struct{ Ctx context.Context }

// pollTime is the longest time until the end of a context is noticed.
const pollTime = 50 * time.Millisecond

// Read polls the input and checks the context in between, because a blocking read could not be ended.
func (t *Typing) Read(p []byte) (int, error) {
	for !readable(os.Stdin, pollTime) {
		if err := t.Ctx.Err(); err != nil {
			return 0, err
		}
	}
	return os.Stdin.Read(p)
}

// EndingWith makes reads of standard input end with a context, until the function that it returns is called. Other
// readers are as before.
func EndingWith(ctx context.Context, r io.Reader) (end func()) {
	t, is := r.(*Typing)
	if !is {
		return func() {}
	}
	before := t.Ctx
	t.Ctx = ctx
	return func() { t.Ctx = before }
}

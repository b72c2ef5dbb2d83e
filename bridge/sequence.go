package bridge

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// This file defines how a client of several servers with one store sees at each what it has seen at another.

// MetaSequence is the member of _meta that has the number of the last change of the store which a result may have seen.
// In a request it is the number of a change that the call has to see.
const MetaSequence = "mcplogic/sequence"

// sequenceTime is how long a call waits for the changes that it has to see.
const sequenceTime = 10 * time.Second

// sequence is the number of the last change of the store that calls see, 0 if no other server has the store.
func (s *Server) sequence() uint64 {
	if s.opts.Store == nil {
		return 0
	}
	return s.opts.Store.Sequence()
}

// demanded is the number of the change that a request has to see.
func (cr *clientRequest) demanded() uint64 {
	n, ok := cr.peer.meta[MetaSequence].(float64)
	if !ok || n < 0 || n >= math.MaxInt64 {
		return 0
	}
	return uint64(n)
}

// awaitChanges waits until a call sees the changes that it has to.
func (c *call) awaitChanges(ctx context.Context, cr *clientRequest) error {
	number := max(c.seen, cr.demanded())
	if number <= c.server.sequence() || c.server.opts.Store == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, sequenceTime)
	defer cancel()
	err := c.server.opts.Store.WaitFor(ctx, number)
	if err != nil && ctx.Err() == context.DeadlineExceeded {
		err = fmt.Errorf("this server has the changes up to %d and not yet those up to %d; try again",
			c.server.sequence(), number)
	}
	return err
}

// noteSequence puts the number of the last change into a result.
func (s *Server) noteSequence(r mcp.Result) {
	if n := s.sequence(); n > 0 {
		meta := r.GetMeta()
		if meta == nil {
			meta = map[string]any{}
		}
		meta[MetaSequence] = n
		r.SetMeta(meta)
	}
}

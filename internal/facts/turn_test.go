package facts

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// turnDatabase is a database that knows the statements of a turn and no others.
type turnDatabase struct {
	dialled atomic.Int64
	asked   chan bool // a turn is asked for
	other   bool      // another process has its turn, and does not end it
}

func (d *turnDatabase) dial(context.Context) (connection, error) {
	d.dialled.Add(1)
	return &turnConn{db: d}, nil
}

type turnConn struct {
	db     *turnDatabase
	closed atomic.Bool
}

func (c *turnConn) exec(ctx context.Context, text string, _ []string) ([][][]byte, error) {
	switch {
	case text == "rollback":
		return nil, nil
	case text != takingTurn:
		return nil, io.ErrUnexpectedEOF
	}
	c.db.asked <- true
	if c.db.other {
		<-ctx.Done()
		c.closed.Store(true)
		return nil, ctx.Err()
	}
	return nil, nil
}

func (c *turnConn) IsClosed() bool { return c.closed.Load() }

func (c *turnConn) PID() uint32 { return 1 }

func (c *turnConn) Close(context.Context) error {
	c.closed.Store(true)
	return nil
}

// TestCloseInTurn closes a replica in a turn, and while one is waited for. Close waits for neither, and nothing is
// connected to after it.
func TestCloseInTurn(t *testing.T) {
	for name, other := range map[string]bool{"begun": false, "waiting": true} {
		t.Run(name, func(t *testing.T) {
			d := &turnDatabase{asked: make(chan bool, 1), other: other}
			r := newReplica(&postgres{Database: Database{dial: d.dial}}, &model{}, systemClock{})
			r.rivaled = time.Now().Add(time.Hour)
			ends := make(chan func(), 1)
			go func() {
				end, err := r.Turn(context.Background())
				assert.NoError(t, err)
				ends <- end
			}()
			<-d.asked
			var end func()
			if !other {
				end = <-ends
			}
			closed := make(chan error, 1)
			go func() { closed <- r.Close() }()
			select {
			case err := <-closed:
				require.NoError(t, err)
			case <-time.After(statementTime / 2):
				require.NoError(t, errors.New("Close waits for the turn"))
			}
			if other {
				end = <-ends
			}
			before := d.dialled.Load()
			end()
			end, err := r.Turn(t.Context())
			require.NoError(t, err)
			end()
			require.Equal(t, before, d.dialled.Load())
		})
	}
}

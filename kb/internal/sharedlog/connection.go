package sharedlog

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// This file defines the two connections of a log, one for statements and one that waits, and their errors.

// query runs a statement on the log's connection, which is made if there is none.
func (l *Log) query(ctx context.Context, text string, args ...string) ([][][]byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.run(ctx, text, args...)
}

// run does so with the lock held.
func (l *Log) run(ctx context.Context, text string, args ...string) ([][][]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, statementTime)
	defer cancel()
	if l.conn == nil || l.conn.IsClosed() {
		conn, err := pgconn.ConnectConfig(ctx, l.config)
		if err != nil {
			l.conn = nil
			return nil, problem(err, false)
		}
		l.conn = conn
		l.pid.Store(conn.PID())
	}
	values := make([][]byte, len(args))
	for i, arg := range args {
		values[i] = []byte(arg)
	}
	result := l.conn.ExecParams(ctx, text, values, nil, nil, nil).Read()
	if result.Err != nil {
		if l.conn.IsClosed() {
			l.conn = nil
		}
		return nil, problem(result.Err, true)
	}
	return result.Rows, nil
}

// Wait returns when there may be records that were not there at the last call, at the latest after the time that the
// log was opened with, or after a while when the database tells of new records. An error says that the database cannot
// be reached.
func (l *Log) Wait(ctx context.Context) error {
	l.listening.Lock()
	defer l.listening.Unlock()
	if !l.listen {
		return pause(ctx, l.poll)
	}
	if l.listener == nil || l.listener.IsClosed() {
		return l.startListening(ctx)
	}
	const while = 2 * time.Second
	ctx, cancel := context.WithTimeout(ctx, while)
	defer cancel()
	for !l.told {
		if err := l.listener.WaitForNotification(ctx); err != nil {
			if ctx.Err() != nil && !l.listener.IsClosed() {
				break
			}
			return problem(err, true)
		}
	}
	l.told = false
	return nil
}

// startListening makes the connection that waits. A database without LISTEN is asked now and then.
func (l *Log) startListening(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	config := l.config.Copy()
	config.OnNotification = func(_ *pgconn.PgConn, n *pgconn.Notification) {
		l.told = l.told || n.PID != l.pid.Load() // what this process has appended it knows
	}
	conn, err := pgconn.ConnectConfig(ctx, config)
	if err != nil {
		return problem(err, false)
	}
	if _, err := conn.Exec(ctx, "listen "+channel).ReadAll(); err != nil {
		closeNow(conn)
		var told *pgconn.PgError
		if errors.As(err, &told) {
			l.listen = false
			return nil
		}
		return problem(err, false)
	}
	l.listener = conn
	return nil
}

// channel is where servers tell each other of new records.
const channel = "mcplogic_log"

// pause waits for a time.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
	return nil
}

// closeNow closes a connection without waiting for the server.
func closeNow(c *pgconn.PgConn) {
	if c == nil {
		return
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	_ = c.Close(ended)
}

// Close closes the connections. A [Log.Wait] must have ended.
func (l *Log) Close() {
	l.mu.Lock()
	closeNow(l.conn)
	l.conn = nil
	l.mu.Unlock()
	l.listening.Lock()
	closeNow(l.listener)
	l.listener = nil
	l.listening.Unlock()
}

// Error is an error of the database. No address and no password is in it.
type Error struct {
	// Code is that of PostgreSQL, "" when it has said nothing.
	Code    string
	Message string
	// Unknown says that what was asked for may have been done.
	Unknown bool
}

func (e *Error) Error() string { return e.Message }

// Lasts reports whether there is no use in trying again soon.
func (e *Error) Lasts() bool {
	if len(e.Code) != 5 {
		return false
	}
	switch e.Code[:2] {
	case "40", "57", "08", "55", "25": // conflicts, shutdowns, connections, locks, a transaction that was ended
		return false
	}
	return true
}

// problem words an error. sent says that the database may have got the statement.
func problem(err error, sent bool) error {
	var told *pgconn.PgError
	switch {
	case errors.As(err, &told):
		const ended = "57"
		return &Error{Code: told.Code, Message: "PostgreSQL says: " + told.Message,
			Unknown: sent && told.Code[:2] == ended}
	case errors.Is(err, context.DeadlineExceeded), pgconn.Timeout(err):
		return &Error{Message: "PostgreSQL does not answer in time", Unknown: sent && !pgconn.SafeToRetry(err)}
	}
	return &Error{Message: "PostgreSQL cannot be reached", Unknown: sent && !pgconn.SafeToRetry(err)}
}

// hasCode reports whether an error is one of PostgreSQL with one of some codes.
func hasCode(err error, codes ...string) bool {
	var e *Error
	if errors.As(err, &e) {
		for _, code := range codes {
			if e.Code == code {
				return true
			}
		}
	}
	return false
}

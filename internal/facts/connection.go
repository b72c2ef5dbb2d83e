package facts

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// This file defines the two connections of a log in PostgreSQL, for statements and for waiting, and their errors.

// connection is a connection for statements.
type connection interface {
	// exec runs a statement with parameters, or several without, and returns the rows of the last.
	exec(ctx context.Context, text string, args []string) ([][][]byte, error)
	IsClosed() bool
	Close(ctx context.Context) error
	PID() uint32
}

// pgConnection is a connection to PostgreSQL.
type pgConnection struct{ *pgconn.PgConn }

func (c pgConnection) exec(ctx context.Context, text string, args []string) ([][][]byte, error) {
	if len(args) == 0 {
		list, err := c.Exec(ctx, text).ReadAll()
		if err != nil || len(list) == 0 {
			return nil, err
		}
		return list[len(list)-1].Rows, nil
	}
	values := make([][]byte, len(args))
	for i, arg := range args {
		values[i] = []byte(arg)
	}
	result := c.ExecParams(ctx, text, values, nil, nil, nil).Read()
	return result.Rows, result.Err
}

// Database is a database of PostgreSQL. Goroutines share it.
type Database struct {
	dial   func(context.Context) (connection, error)
	config *pgconn.Config

	mu   sync.Mutex // held while a statement runs; guards what follows
	conn connection

	pid atomic.Uint32 // of the connection
}

// OpenDatabase returns the database at an address, which it does not connect to yet. What the address has for stores
// alone is passed over.
func OpenDatabase(address string) (*Database, error) {
	address, err := new(postgres).ownParameters(address)
	d := &Database{}
	if err == nil {
		err = d.setAddress(address)
	}
	return d, err
}

func (l *Database) setAddress(address string) (err error) {
	if l.config, err = pgconn.ParseConfig(address); err != nil {
		return errors.New("the address of PostgreSQL is not right; want postgres://user@host:port/database")
	}
	l.config.ConnectTimeout = cmp.Or(l.config.ConnectTimeout, connectTime)
	l.config.RuntimeParams["client_encoding"], l.config.RuntimeParams["application_name"] = "UTF8", "mcplogic"
	l.dial = func(ctx context.Context) (connection, error) {
		conn, err := pgconn.ConnectConfig(ctx, l.config)
		return pgConnection{conn}, err
	}
	return nil
}

// Prepare returns the rows of a statement on tables. While there are none it makes the tables, unless missing says in
// words that they have to be there.
func (l *Database) Prepare(ctx context.Context, look string, tables []string, missing string) ([][][]byte, error) {
	const tries = 5
	for i := 0; ; i++ {
		rows, err := l.Query(ctx, look)
		switch {
		case err == nil && len(rows) > 0, err != nil && !hasCode(err, "42P01"), i == tries-1:
			return rows, err
		case missing != "":
			return nil, errors.New(missing)
		}
		for _, text := range tables {
			// Two that make the tables at the same time may hinder each other; then both look again.
			if _, err := l.Query(ctx, text); err != nil && !hasCode(err, "23505", "42P07", "42710", "40001", "XX000") {
				return nil, err
			}
		}
	}
}

// Query runs a statement on the connection. It connects first if necessary.
func (l *Database) Query(ctx context.Context, text string, args ...string) ([][][]byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.run(ctx, text, args...)
}

// run does so with the lock held.
func (l *Database) run(ctx context.Context, text string, args ...string) ([][][]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, statementTime)
	defer cancel()
	if l.conn == nil || l.conn.IsClosed() {
		conn, err := l.dial(ctx)
		if err != nil {
			l.conn = nil
			return nil, problem(err, false)
		}
		l.conn = conn
		l.pid.Store(conn.PID())
	}
	rows, err := l.conn.exec(ctx, text, args)
	if err != nil {
		if l.conn.IsClosed() {
			l.conn = nil
		}
		return nil, problem(err, true)
	}
	return rows, nil
}

// Wait returns when there may be new records since the last call. If the database notifies of new records, it returns
// after a while at the latest, and otherwise after the time that the log was opened with. An error says that the
// database cannot be reached.
func (l *postgres) Wait(ctx context.Context) error {
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
func (l *postgres) startListening(ctx context.Context) error {
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
func closeNow(c interface{ Close(context.Context) error }) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	_ = c.Close(ended)
}

// Close closes the connection.
func (l *Database) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn != nil {
		closeNow(l.conn)
		l.conn = nil
	}
}

// Close closes the connections.
func (l *postgres) Close() error {
	l.Database.Close()
	l.turns.Close()
	l.flushes.Close()
	l.listening.Lock()
	if l.listener != nil {
		closeNow(l.listener)
		l.listener = nil
	}
	l.listening.Unlock()
	return nil
}

// lastsWith reports whether there is no use in trying again soon after an error with a code.
func lastsWith(code string) bool {
	if len(code) != 5 {
		return false
	}
	switch code[:2] {
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
			Unknown: sent && strings.HasPrefix(told.Code, ended), Lasts: lastsWith(told.Code)}
	case errors.Is(err, context.DeadlineExceeded), pgconn.Timeout(err):
		return &Error{Message: "PostgreSQL does not answer in time", Unknown: sent && !pgconn.SafeToRetry(err)}
	}
	return &Error{Message: "PostgreSQL cannot be reached", Unknown: sent && !pgconn.SafeToRetry(err)}
}

func hasCode(err error, codes ...string) bool {
	var e *Error
	return errors.As(err, &e) && slices.Contains(codes, e.Code)
}

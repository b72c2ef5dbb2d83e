package sqltables

import (
	"context"
	"database/sql"
	sqldriver "database/sql/driver"
	"errors"
	"os"
	"sync"
	"time"

	"github.com/mcplogic/mcplogic/engine/relation"
)

// This file defines databases behind handles of database/sql: all of SQLite, and those of PostgreSQL that the program
// around the rules has opened.

// handle is a database behind a handle.
type handle struct {
	dialect
	name string
	mu   sync.Mutex
	db   *sql.DB
	own  bool        // it is closed with the set
	file string      // of SQLite, if own
	seen os.FileInfo // the file that db has connections to, nil before the first
}

// dialect is what a handle needs to know of a kind of databases.
type dialect interface {
	syntax
	// catalogue returns the columns of a table, or nil if the table does not exist.
	catalogue(ctx context.Context, conn *sql.Conn, table string) ([]tableColumn, error)
	// opening are the statements that begin a transaction and set a savepoint. No question may take longer than left.
	opening(left time.Duration) string
	// isSingle reports whether a connection has one open query at a time.
	isSingle() bool
	// isLost reports whether an error may mean that the other side has closed a connection that was not used.
	isLost(err error) bool
	// add adds a row that has been read. The error names a wrong value.
	add(st *statement, rows *relation.Rows, values []any) *errValue
	problem(err error) error
}

// current returns the handle that connections come from. A file that was replaced is opened anew; open transactions
// continue with the old file.
func (h *handle) current() (*sql.DB, error) {
	if h.file == "" {
		return h.db, nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	info, err := os.Stat(h.file)
	if err != nil {
		return nil, err
	}
	if h.seen != nil && !os.SameFile(h.seen, info) {
		db, err := sqliteFile(h.file)
		if err != nil {
			return nil, err
		}
		go h.db.Close() // waits for statements that run
		h.db = db
	}
	h.seen = info
	return h.db, nil
}

func (h *handle) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.own {
		_ = h.db.Close()
	}
}

func (h *handle) begin(left time.Duration) session { return &handleSession{h: h, left: left} }

// within returns the transaction of the run, if it has one: the handle may have no other connection.
func (h *handle) within(open session) (t *handleSession, end func()) {
	if t, _ := open.(*handleSession); t != nil && t.failed == nil {
		return t, func() {}
	}
	t = &handleSession{h: h}
	return t, t.close
}

func (h *handle) columns(ctx context.Context, open session, table string) (list []tableColumn, err error) {
	t, end := h.within(open)
	defer end()
	err = t.do(ctx, nil, func() (err error) {
		list, err = h.catalogue(t.ctx, t.conn, table)
		return err
	})
	return list, err
}

func (h *handle) first(ctx context.Context, open session, text string) (value string, err error) {
	t, end := h.within(open)
	defer end()
	err = t.do(ctx, nil, func() error { return t.conn.QueryRowContext(t.ctx, text).Scan(&value) })
	return value, err
}

// handleSession is a transaction.
type handleSession struct {
	h          *handle
	left       time.Duration
	conn       *sql.Conn // nil before the first question
	ctx        context.Context
	stop       context.CancelCauseFunc // cancels ctx
	statements map[string][]*sql.Stmt  // statements that no open query uses
	open       map[*handleRest]bool    // queries that are not at their end
	kept       int                     // about how many bytes of rows were read ahead
	failed     error
}

// do runs f in the transaction, on behalf of query r if r is not nil. The transaction ends when ctx ends, and after an
// error from which it cannot recover.
func (t *handleSession) do(ctx context.Context, r *handleRest, f func() error) error {
	if t.failed != nil {
		return t.failed
	}
	if t.ctx == nil {
		t.ctx, t.stop = context.WithCancelCause(context.Background())
	}
	defer context.AfterFunc(ctx, func() { t.stop(nil) })()
	err := t.start()
	if err == nil {
		err = t.settle(r)
	}
	if err == nil {
		err = f()
	}
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	err = t.problem(err)
	if r != nil {
		r.Close()
	}
	if t.h.isSingle() { // the connection takes no statement while a query is open
		t.closeOpen()
	}
	if ctx.Err() != nil {
		t.end(&relation.Error{Database: t.h.name, Code: "connection",
			Message: "the transaction of this call has ended, since a limit or a cancellation ended a question in it"})
	} else if t.conn == nil {
		t.end(err)
	} else if t.recover() != nil {
		t.end(err)
	}
	return err
}

// recover returns to the state before a statement that the database refused.
func (t *handleSession) recover() error {
	_, err := t.conn.ExecContext(t.ctx, "rollback to savepoint "+savepoint)
	return err
}

func (t *handleSession) problem(err error) error {
	var known *relation.Error
	if errors.As(err, &known) {
		return err
	}
	return t.h.problem(err)
}

// start opens the transaction if it is not open. A connection that has been closed meanwhile is replaced.
func (t *handleSession) start() (err error) {
	const tries = 3
	for i := 1; t.conn == nil; i++ {
		if err = t.connect(); err == nil {
			_, err = t.conn.ExecContext(t.ctx, t.h.opening(t.left))
		}
		if err == nil {
			t.statements, t.open = map[string][]*sql.Stmt{}, map[*handleRest]bool{}
			return nil
		}
		t.drop()
		if i == tries || t.ctx.Err() != nil || !t.h.isLost(err) {
			return err
		}
	}
	return nil
}

// connect takes a connection of the handle. A run inside another run may wait for a connection that the outer run
// holds.
func (t *handleSession) connect() (err error) {
	late := &relation.Error{Database: t.h.name, Code: "connection", Message: "the handle had no connection for " +
		connectTime.String() + "; calls that are made at the same time, or within each other, need one each"}
	timer := time.AfterFunc(connectTime, func() { t.stop(late) })
	defer timer.Stop()
	db, err := t.h.current()
	if err != nil {
		return err
	}
	if t.conn, err = db.Conn(t.ctx); err != nil && context.Cause(t.ctx) == error(late) {
		err = late
	}
	return err
}

// drop closes the connection.
func (t *handleSession) drop() {
	if t.conn != nil { // the driver closes a connection whose Raw function returns this
		_ = t.conn.Raw(func(any) error { return sqldriver.ErrBadConn })
		_ = t.conn.Close()
		t.conn = nil
	}
}

// maxAhead is about how many bytes of rows are kept of queries that were interrupted by another query.
const maxAhead = 64 << 20

// settle reads the rows of all open queries other than one, if the connection has one query at a time. An error of the
// database is kept for the Fetch that asks for the rows.
func (t *handleSession) settle(but *handleRest) error {
	if !t.h.isSingle() {
		return nil
	}
	for r := range t.open {
		for more := r != but && r.rows != nil; more; {
			rows := &relation.Rows{}
			var err error
			if more, err = r.readOn(rows, laterBatch); err != nil {
				if r.finish(); t.recover() != nil {
					return err
				}
				r.refused = t.problem(err)
				break
			}
			more = more && r.refused == nil
			r.ahead = append(r.ahead, rows)
			if t.kept += rows.Bytes(); t.kept > maxAhead {
				return &relation.Error{Database: t.h.name, Code: "memory", Message: "a query has more than 64 MiB of rows " +
					"to come while another is put, and the handle has one query at a time; a database at an address has no " +
					"such limit"}
			}
		}
	}
	return nil
}

func (t *handleSession) ask(ctx context.Context, st *statement, params []any) (*relation.Rows, relation.Rest, error) {
	r, rows, more := &handleRest{t: t, st: st}, &relation.Rows{}, false
	put := func() (err error) {
		if err = r.put(params); err == nil {
			more, err = r.readOn(rows, firstBatch)
		}
		return err
	}
	err := t.do(ctx, r, put)
	var told *relation.Error
	if errors.As(err, &told) && told.Code == planChanged { // the driver has prepared it before its table changed
		err = t.do(ctx, r, put)
	}
	if err != nil || !more {
		return rows, nil, err
	}
	return rows, r, nil
}

// guess needs no savepoint of its own. If a connection has one query at a time, the rows of its open queries have been
// read. Open queries of SQLite survive a return to the savepoint.
func (t *handleSession) guess(_ context.Context, f func() error) error { return f() }

// close ends the transaction. Queries are closed first: the connection waits for them.
func (t *handleSession) close() {
	t.end(&relation.Error{Database: t.h.name, Code: "closed", Message: "the call has ended"})
}

func (t *handleSession) closeOpen() {
	for r := range t.open {
		r.Close()
	}
}

func (t *handleSession) end(err error) {
	t.failed = err
	if t.conn != nil {
		t.closeOpen()
		for _, idle := range t.statements {
			for _, prepared := range idle {
				_ = prepared.Close()
			}
		}
		if _, err := t.conn.ExecContext(context.Background(), "rollback"); err != nil {
			t.drop()
		} else {
			_ = t.conn.Close()
			t.conn = nil
		}
	}
	if t.stop != nil {
		t.stop(nil)
	}
}

// handleRest is an open query.
type handleRest struct {
	t        *handleSession
	st       *statement
	rows     *sql.Rows // nil after the last row
	prepared *sql.Stmt // nil if the driver keeps the statements
	values   []any
	to       []any            // the targets of Scan
	ahead    []*relation.Rows // read when another query was put
	refused  error            // the error of the rows after these
}

// put puts the query. Two open queries do not share a prepared statement, as they would share its position.
func (r *handleRest) put(params []any) (err error) {
	t, text := r.t, r.st.text
	if idle := t.statements[text]; len(idle) > 0 {
		r.prepared, t.statements[text] = idle[len(idle)-1], idle[:len(idle)-1]
	} else if !t.h.isSingle() {
		if r.prepared, err = t.conn.PrepareContext(t.ctx, text); err != nil {
			return err
		}
	}
	if r.prepared != nil {
		r.rows, err = r.prepared.QueryContext(t.ctx, params...)
	} else {
		r.rows, err = t.conn.QueryContext(t.ctx, text, params...)
	}
	if err != nil {
		return err
	}
	r.values, r.to = make([]any, max(len(r.st.selected), 1)), nil
	for i := range r.values {
		r.to = append(r.to, &r.values[i])
	}
	t.open[r] = true
	return nil
}

// Fetch reads the next rows.
func (r *handleRest) Fetch(ctx context.Context, rows *relation.Rows) (more bool, err error) {
	if r.t.failed == nil && len(r.ahead) > 0 {
		*rows, r.ahead = *r.ahead[0], r.ahead[1:]
		r.t.kept -= rows.Bytes()
		return len(r.ahead) > 0 || r.rows != nil || r.refused != nil, nil
	}
	if r.t.failed == nil && r.refused != nil {
		return false, r.refused
	}
	const batch = 2048
	err = r.t.do(ctx, r, func() (err error) {
		if r.rows == nil {
			return &relation.Error{Database: r.t.h.name, Code: "closed", Message: "the query has ended"}
		}
		more, err = r.readOn(rows, batch)
		return err
	})
	return more, err
}

// Close closes the query.
func (r *handleRest) Close() {
	for _, rows := range r.ahead {
		r.t.kept -= rows.Bytes()
	}
	r.ahead = nil
	r.finish()
}

// finish ends the query and leaves the rows that have been read.
func (r *handleRest) finish() {
	if r.rows != nil {
		_ = r.rows.Close()
	}
	if r.prepared != nil {
		r.t.statements[r.st.text] = append(r.t.statements[r.st.text], r.prepared)
	}
	r.rows, r.prepared = nil, nil
	delete(r.t.open, r)
}

// readOn reads some rows. If a row after the first is an error, the error is kept for the Fetch that asks for that row.
func (r *handleRest) readOn(rows *relation.Rows, most int) (more bool, err error) {
	more, err = r.read(rows, most)
	if err == nil || rows.Len() == 0 || r.t.ctx.Err() != nil {
		return more, err
	}
	if r.finish(); r.t.recover() != nil {
		return false, err
	}
	r.refused = r.t.problem(err)
	return true, nil
}

// read reads some rows.
func (r *handleRest) read(rows *relation.Rows, most int) (more bool, err error) {
	rows.Reset(len(r.st.columns))
	defer rows.Seal()
	for rows.Len() < most && r.rows.Next() {
		if err := r.rows.Scan(r.to...); err != nil {
			return false, err
		}
		if wrong := r.t.h.add(r.st, rows, r.values); wrong != nil {
			return false, wrong.of(r.t.h.name)
		}
	}
	if rows.Len() == most {
		return true, nil
	}
	err = r.rows.Err()
	r.finish()
	return false, err
}

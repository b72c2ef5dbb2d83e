package facts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// This file defines a simulated network and a database at its end, which knows the statements of a log.

// tables is what the database has.
type tables struct {
	number, bytes, base, baseBytes int
	snapshot                       string
	log                            []Record
	parts                          map[string][]string
}

func (t tables) clone() tables {
	t.log = slices.Clone(t.log)
	parts := map[string][]string{}
	for id, list := range t.parts {
		parts[id] = slices.Clone(list)
	}
	t.parts = parts
	return t
}

// simDatabase is a simulated database.
type simDatabase struct {
	*trouble
	tables
	// disk is what a crash leaves: all up to the last transaction that waited for the disk. lost is told of a crash.
	disk   tables
	lost   func(last uint64)
	holder *simConn // who has locked the head
	conns  []*simConn
	// between is called before each statement: other servers may do something.
	between func()
}

// simConn is a connection to it. It has the changes of its transaction for itself.
type simConn struct {
	db      *simDatabase
	closed  bool
	begun   bool
	aborted bool
	view    *tables // what it reads, within a transaction that reads at one moment
	changes []func(*tables)
	hurried bool // its transaction does not wait for the disk
}

func newSimDatabase(t *trouble) *simDatabase {
	empty := tables{parts: map[string][]string{}}
	return &simDatabase{trouble: t, tables: empty, disk: empty.clone()}
}

func (d *simDatabase) dial(context.Context) (connection, error) {
	if err, after := d.step(); err != nil || after {
		if after {
			panic(crashed{})
		}
		return nil, err
	}
	c := &simConn{db: d}
	d.conns = append(d.conns, c)
	return c, nil
}

func (c *simConn) IsClosed() bool { return c.closed }

func (c *simConn) PID() uint32 { return 1 }

// Close ends the connection, and its transaction with it.
func (c *simConn) Close(context.Context) error {
	c.closed, c.changes, c.begun = true, nil, false
	if c.db.holder == c {
		c.db.holder = nil
	}
	return nil
}

// exec does a statement, if the network and the database want.
func (c *simConn) exec(_ context.Context, text string, args []string) (rows [][][]byte, err error) {
	if c.db.between != nil {
		c.db.between()
	}
	if c.closed {
		return nil, io.ErrClosedPipe
	}
	failed, after := c.db.step()
	if failed == nil {
		rows, err = c.run(text, args)
	} else {
		switch c.db.random.IntN(6) {
		case 0: // the statement is lost
			c.Close(context.Background())
			return nil, io.ErrUnexpectedEOF
		case 1: // the answer is lost
			_, _ = c.run(text, args)
			c.Close(context.Background())
			return nil, io.ErrUnexpectedEOF
		case 5: // the database crashes, and begins anew
			c.db.tables = c.db.disk.clone()
			c.db.lost(uint64(c.db.number))
			fallthrough
		case 2: // the database ends all connections
			for _, each := range c.db.conns {
				each.Close(context.Background())
			}
			err = &pgconn.PgError{Code: "57P01", Message: "terminating connection"}
		case 3:
			err = &pgconn.PgError{Code: "40001", Message: "restart transaction"}
		case 4:
			err = &pgconn.PgError{Code: "53100", Message: "No space left on device"}
		}
	}
	if err != nil && c.begun {
		c.aborted = true
	}
	if after {
		panic(crashed{})
	}
	return rows, err
}

// run does a statement.
func (c *simConn) run(text string, args []string) ([][][]byte, error) {
	switch {
	case text == "rollback", text == "commit":
		if text == "commit" && !c.aborted {
			for _, change := range c.changes {
				change(&c.db.tables)
			}
			c.end()
		}
		c.begun, c.aborted, c.changes, c.view, c.hurried = false, false, nil, nil, false
		if c.db.holder == c {
			c.db.holder = nil
		}
		return nil, nil
	case c.aborted:
		return nil, &pgconn.PgError{Code: "25P02", Message: "current transaction is aborted"}
	case text == beginChanging, text == beginReading:
		c.begun = true
		if text == beginReading {
			view := c.db.tables.clone()
			c.view = &view
		}
		return nil, nil
	}
	t := &c.db.tables
	if c.view != nil {
		t = c.view
	}
	return c.statement(t, text, args)
}

// statement does a statement on tables.
func (c *simConn) statement(t *tables, text string, args []string) ([][][]byte, error) {
	number := func(i int) int {
		n, _ := strconv.Atoi(args[i])
		return n
	}
	if plain := strings.Replace(text, ", "+unhurried, "", 1); plain != text {
		text, c.hurried = plain, true
	}
	switch text {
	case flushing:
		c.db.disk = c.db.tables.clone()
		there := slices.ContainsFunc(t.log, func(r Record) bool { return r.Number == uint64(number(0)) && r.ID == args[1] })
		return rowsOf([]any{fmt.Sprint(there)[:1]}), nil
	case selectHead:
		return rowsOf(t.head()), nil
	case selectHead + " for update":
		if err := c.lock(); err != nil {
			return nil, err
		}
		return rowsOf(t.head()), nil
	case "select text from mcplogic_snapshot where id = $1 and part = $2::int8":
		if n := number(1); n < len(t.parts[args[0]]) {
			return rowsOf([]any{t.parts[args[0]][n]}), nil
		}
		return nil, nil
	case countParts:
		return rowsOf([]any{len(t.parts[args[0]])}), nil
	case appending:
		if err := c.lock(); err != nil {
			return nil, err
		}
		if !c.begun {
			defer func() { c.db.holder = nil }()
		}
		last := Record{Number: uint64(number(0)), ID: args[5]}
		isLast := func(r Record) bool { return r.Number == last.Number && r.ID == last.ID }
		if t.number != number(0) || t.number > 0 && !slices.ContainsFunc(t.log, isLast) {
			return nil, nil
		}
		head := t.clone()
		add := func(t *tables) {
			t.number, t.bytes = t.number+number(1), t.bytes+number(2)
			ids, texts := elements(args[3]), elements(args[4])
			for i := range ids {
				t.log = append(t.log, Record{uint64(number(0) + i + 1), ids[i], texts[i]})
			}
		}
		add(&head)
		c.do(add)
		return rowsOf(head.head()), nil
	case insertPart:
		c.do(func(t *tables) { t.parts[args[0]] = append(t.parts[args[0]], args[2]) })
	case dropPart:
		c.do(func(t *tables) { delete(t.parts, args[0]) })
	case dropParts:
		c.do(func(t *tables) { t.parts = map[string][]string{args[0]: t.parts[args[0]]} })
	case dropLog:
		c.do(func(t *tables) {
			t.log = slices.DeleteFunc(t.log, func(r Record) bool { return r.Number < uint64(number(0)) })
		})
	case pointHead:
		c.do(func(t *tables) {
			t.snapshot, t.base, t.baseBytes, t.bytes = args[0], number(1), number(2), 0
			for _, r := range t.log {
				if r.Number > uint64(t.base) {
					t.bytes += len(r.Text)
				}
			}
		})
	default:
		return c.records(t, text)
	}
	return nil, nil
}

// records answers the statements that read records.
func (c *simConn) records(t *tables, text string) (rows [][][]byte, err error) {
	var known, from, limit int
	if _, err := fmt.Sscanf(text, selectRecords, &known, &from, &limit); err != nil {
		return nil, errors.Join(errors.New(text), err)
	}
	for _, r := range t.log {
		if r.Number < uint64(from) || len(rows) == limit {
			continue
		}
		if r.Number <= uint64(known) {
			r.Text = ""
		}
		rows = append(rows, rowsOf([]any{r.Number, r.ID, r.Text})...)
	}
	return rows, nil
}

// lock locks the head, or fails as after a wait that was too long.
func (c *simConn) lock() error {
	if c.db.holder != nil && c.db.holder != c {
		return &pgconn.PgError{Code: "55P03", Message: "lock not available"}
	}
	c.db.holder = c
	return nil
}

// do makes a change, at once or when the transaction is committed.
func (c *simConn) do(change func(*tables)) {
	if c.begun {
		c.changes = append(c.changes, change)
		return
	}
	change(&c.db.tables)
	c.end()
	c.hurried = false
}

// end ends a transaction, which waits for the disk unless it is hurried.
func (c *simConn) end() {
	if !c.hurried {
		c.db.disk = c.db.tables.clone()
	}
}

func (t *tables) head() []any { return []any{t.number, t.base, t.bytes, t.baseBytes, t.snapshot} }

// rowsOf makes the one row of a result.
func rowsOf(values []any) [][][]byte {
	row := make([][]byte, len(values))
	for i, v := range values {
		row[i] = []byte(fmt.Sprint(v))
	}
	return [][][]byte{row}
}

// elements reads an array of PostgreSQL.
func elements(text string) (list []string) {
	quoted := false
	var b strings.Builder
	for i := 1; i < len(text)-1; i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
			b.WriteByte(text[i])
		case c == '"':
			if quoted {
				list = append(list, b.String())
				b.Reset()
			}
			quoted = !quoted
		case quoted:
			b.WriteByte(c)
		}
	}
	return list
}

// Package sharedlog keeps a sequence of records in a PostgreSQL database, for any number of processes.
//
// [Open] makes the tables if they are not there. [Log.Load] reads the snapshot and the records behind it, [Log.After]
// the records after one. [Log.Append] adds records if nobody else has since the caller looked. [Log.AppendNext]
// excludes the others while the caller looks. [Log.Snapshot] writes what stands for all records up to one. [Log.Wait]
// returns when there may be more records. The methods of a Log may be called from any goroutine.
//
// There are three tables in the first schema of the search path: mcplogic_head has one row, with the number of the last
// record. Who appends changes this row, so that the database lets one do so at a time. mcplogic_log has the records,
// numbered from 1 without a gap, and mcplogic_snapshot the parts of snapshots. Nothing but plain statements is used, so
// that other databases with the protocol of PostgreSQL serve too; those without LISTEN are asked now and then.
package sharedlog

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// This file defines the log: its tables, and what is read and written in them.

// Record is a record of the log.
type Record struct {
	// Number counts records from 1. Append ignores it.
	Number uint64
	// ID is a text that no other record has.
	ID string
	// Text is what the record says.
	Text string
}

// version is that of the tables.
const version = 1

// The times that things may take. A statement that takes longer is as one that failed.
const (
	connectTime   = 5 * time.Second
	statementTime = 8 * time.Second
	// idleTime is when the database ends a transaction whose client has gone without a word, as its row is locked.
	idleTime = 5 * time.Second
)

// Log is a log in a database.
type Log struct {
	config *pgconn.Config
	notify bool          // the database has NOTIFY; fixed once open
	poll   time.Duration // how often to look, for want of LISTEN

	mu   sync.Mutex // held while a statement runs; guards what follows
	conn *pgconn.PgConn

	listening sync.Mutex // guards what follows
	listen    bool       // the database has LISTEN, as far as is known
	told      bool       // of records that others have appended
	listener  *pgconn.PgConn

	pid atomic.Uint32 // of the connection that appends
}

// Schema are the statements that make the tables.
var schema = []string{
	`create table if not exists mcplogic_head (only_one int primary key, version int not null, number bigint not null,
		bytes bigint not null, base bigint not null, base_bytes bigint not null, snapshot text not null)`,
	`create table if not exists mcplogic_log (number bigint primary key, id text not null unique, text text not null)`,
	`create table if not exists mcplogic_snapshot (id text, part bigint, text text not null, primary key (id, part))`,
	`insert into mcplogic_head values (1, ` + strconv.Itoa(version) + `, 0, 0, 0, 0, '') on conflict do nothing`,
}

// Open opens the log at the address of a database. The parameter poll of the address says how often to look for
// records where LISTEN does not work, and listen=off that it does not.
func Open(ctx context.Context, address string) (*Log, error) {
	const poll = 200 * time.Millisecond
	l := &Log{listen: true, poll: poll}
	address, err := l.ownParameters(address)
	if err != nil {
		return nil, err
	}
	if l.config, err = pgconn.ParseConfig(address); err != nil {
		return nil, errors.New("the address of PostgreSQL is not right; want postgres://user@host:port/database")
	}
	l.config.ConnectTimeout = cmp.Or(l.config.ConnectTimeout, connectTime)
	for key, value := range map[string]string{"client_encoding": "UTF8", "application_name": "mcplogic",
		"idle_in_transaction_session_timeout": strconv.FormatInt(idleTime.Milliseconds(), 10)} {
		l.config.RuntimeParams[key] = value
	}
	if err := l.prepare(ctx); err != nil {
		l.Close()
		return nil, err
	}
	if l.listen {
		_, err := l.query(ctx, "select "+notification)
		l.notify, l.listen = err == nil, err == nil
	}
	return l, nil
}

// ownParameters takes from an address what is not meant for the database.
func (l *Log) ownParameters(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return "", errors.New("the address of PostgreSQL is not right; want postgres://user@host:port/database")
	}
	q := u.Query()
	if text := q.Get("poll"); text != "" {
		if l.poll, err = time.ParseDuration(text); err != nil || l.poll <= 0 {
			return "", fmt.Errorf("the parameter poll of the store is %q, want a time such as 200ms", text)
		}
	}
	switch text := q.Get("listen"); text {
	case "", "on":
	case "off":
		l.listen = false
	default:
		return "", fmt.Errorf("the parameter listen of the store is %q, want on or off", text)
	}
	q.Del("poll")
	q.Del("listen")
	u.RawQuery = q.Encode()
	return u.String(), nil
}

// prepare makes the tables if they are not there, and looks at their version.
func (l *Log) prepare(ctx context.Context) error {
	const tries = 5
	for i := range tries {
		rows, err := l.query(ctx, "select version from mcplogic_head")
		switch {
		case err == nil && len(rows) == 1:
			if got := string(rows[0][0]); got != strconv.Itoa(version) {
				return fmt.Errorf("the tables have the format of another version, %s; this is version %d", got, version)
			}
			return nil
		case err != nil && !hasCode(err, "42P01"), i == tries-1:
			return cmp.Or(err, errNoHead)
		}
		for _, text := range schema {
			// Two that make the tables at the same time may hinder each other; then both look again.
			if _, err := l.query(ctx, text); err != nil && !hasCode(err, "23505", "42P07", "42710", "40001", "XX000") {
				return err
			}
		}
	}
	return nil
}

var errNoHead = errors.New("mcplogic_head must have one row")

// Head says how long a log is.
type Head struct {
	Number uint64 // of the last record
	Base   uint64 // of the last record that the snapshot stands for
	// Bytes is the size of the records behind the snapshot, and BaseBytes that of the snapshot.
	Bytes, BaseBytes int64
	snapshot         string
}

// Worth reports whether a snapshot is worth while: the records since the last one take more than four times its size.
func (h Head) Worth() bool {
	const least = 1 << 20
	return h.Bytes > max(4*h.BaseBytes, least)
}

const selectHead = "select number, base, bytes, base_bytes, snapshot from mcplogic_head where only_one = 1"

func readHead(rows [][][]byte) (Head, error) {
	if len(rows) != 1 {
		return Head{}, errNoHead
	}
	var numbers [4]int64
	for i := range numbers {
		n, err := strconv.ParseInt(string(rows[0][i]), 10, 64)
		if err != nil {
			return Head{}, err
		}
		numbers[i] = n
	}
	return Head{uint64(numbers[0]), uint64(numbers[1]), numbers[2], numbers[3], string(rows[0][4])}, nil
}

// Head returns how long the log is.
func (l *Log) Head(ctx context.Context) (Head, error) {
	rows, err := l.query(ctx, selectHead)
	if err != nil {
		return Head{}, err
	}
	return readHead(rows)
}

// batch is how many records are read at once.
const batch = 1000

// ErrForked is the error of a log that does not go on from a record: it has been replaced by another one, or its
// records up to there have been removed after a snapshot. What stands in it has to be loaded anew.
var ErrForked = errors.New("the log does not go on from there")

// After returns some records after one that was read or appended, which is the zero value for none. more says that
// there may be others.
func (l *Log) After(ctx context.Context, last Record) (list []Record, more bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.after(ctx, last)
}

func (l *Log) after(ctx context.Context, last Record) (list []Record, more bool, err error) {
	rows, err := l.run(ctx, selectFrom(last.Number, fmt.Sprintf("case when number > %d then text else '' end",
		last.Number)))
	if err != nil {
		return nil, false, err
	}
	if list, err = readRecords(rows); err != nil {
		return nil, false, err
	}
	more = len(list) == batch
	if last.Number > 0 {
		if len(list) == 0 || list[0].Number != last.Number || list[0].ID != last.ID {
			return nil, false, ErrForked
		}
		list = list[1:]
	}
	for i, r := range list {
		if r.Number != last.Number+uint64(i)+1 {
			return nil, false, ErrForked
		}
	}
	return list, more, nil
}

func selectFrom(number uint64, text string) string {
	return fmt.Sprintf("select number, id, %s from mcplogic_log where number >= %d order by number limit %d", text,
		number, batch)
}

func readRecords(rows [][][]byte) ([]Record, error) {
	list := make([]Record, len(rows))
	for i, row := range rows {
		n, err := strconv.ParseUint(string(row[0]), 10, 64)
		if err != nil {
			return nil, err
		}
		list[i] = Record{n, string(row[1]), string(row[2])}
	}
	return list, nil
}

// Load reads the snapshot, if there is one, and the records behind it, as they are at one moment. It returns the last
// record, which has the number 0 if there is none.
func (l *Log) Load(
	ctx context.Context, part func(text string) error, record func(Record) error,
) (last Record, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, err := l.run(ctx, "begin isolation level repeatable read read only"); err != nil {
		return Record{}, err
	}
	defer func() {
		if l.conn != nil {
			_, _ = l.run(ctx, "rollback")
		}
	}()
	rows, err := l.run(ctx, selectHead)
	if err != nil {
		return Record{}, err
	}
	head, err := readHead(rows)
	if err != nil {
		return Record{}, err
	}
	if err := l.eachPart(ctx, head, part); err != nil {
		return Record{}, err
	}
	last, err = eachSince(max(head.Base, 1), func(number uint64) ([]Record, bool, error) {
		return l.from(ctx, number)
	}, func(r Record) error {
		if r.Number <= head.Base {
			return nil
		}
		return record(r)
	})
	if err == nil && last.Number != head.Number {
		err = errMissing(last.Number + 1)
	}
	return last, err
}

// from reads records from a number on.
func (l *Log) from(ctx context.Context, number uint64) (list []Record, more bool, err error) {
	rows, err := l.run(ctx, selectFrom(number, "text"))
	if err != nil {
		return nil, false, err
	}
	list, err = readRecords(rows)
	return list, len(list) == batch, err
}

// eachPart calls f for the parts of the snapshot.
func (l *Log) eachPart(ctx context.Context, head Head, f func(text string) error) error {
	if head.snapshot == "" {
		return nil
	}
	for i := 0; ; i++ {
		rows, err := l.run(ctx, "select text from mcplogic_snapshot where id = $1 and part = $2::int8", head.snapshot,
			strconv.Itoa(i))
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			return fmt.Errorf("the snapshot of record %d is not whole; restore the database from a copy", head.Base)
		}
		text := string(rows[0][0])
		if text == "" { // the last part
			return nil
		}
		if err := f(text); err != nil {
			return err
		}
	}
}

// Each calls f for the records that are there.
func (l *Log) Each(ctx context.Context, f func(Record) error) error {
	_, err := eachSince(1, func(number uint64) ([]Record, bool, error) {
		l.mu.Lock()
		defer l.mu.Unlock()
		return l.from(ctx, number)
	}, f)
	return err
}

// errMissing is the error of a log with a gap.
func errMissing(number uint64) error {
	return fmt.Errorf("record %d is missing; restore the database from a copy", number)
}

// eachSince calls f for the records from a number on that read finds. The first of those may have another number.
func eachSince(
	number uint64, read func(number uint64) ([]Record, bool, error), f func(Record) error,
) (last Record, err error) {
	for more := true; more; {
		var list []Record
		if list, more, err = read(max(number, last.Number+1)); err != nil {
			return last, err
		}
		for _, r := range list {
			if last.Number > 0 && r.Number != last.Number+1 {
				return last, errMissing(last.Number + 1)
			}
			if err := f(r); err != nil {
				return last, fmt.Errorf("record %d: %w", r.Number, err)
			}
			last = Record{Number: r.Number, ID: r.ID}
		}
	}
	return last, nil
}

// appending is the statement that adds records after a number, in one step. It returns the head, or nothing if the log
// does not end there. Who waits for records is woken.
const appending = `with head as (update mcplogic_head set number = number + $2::int8, bytes = bytes + $3::int8
		where only_one = 1 and number = $1::int8 returning number, base, bytes, base_bytes, snapshot),
	added as (insert into mcplogic_log select $1::int8 + n, ids[n::int], texts[n::int]
		from (select $4::text[] as ids, $5::text[] as texts) as given, generate_series(1, $2::int8) as n
		where exists (select 1 from head) returning number)
	select head.* from head`

// notification wakes the other servers, as a part of the same statement.
const notification = "pg_notify('" + channel + "', '')"

// Append adds records after the record with a number. ok is false if others have added some since; nothing is added
// then. After an error that [Unknown] reports the records may be there or not, and Append may be called again with the
// same records: at most one of both adds them.
func (l *Log) Append(ctx context.Context, after uint64, list []Record) (head Head, ok bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.append(ctx, after, list)
}

func (l *Log) append(ctx context.Context, after uint64, list []Record) (head Head, ok bool, err error) {
	ids, texts, bytes := make([]string, len(list)), make([]string, len(list)), 0
	for i, r := range list {
		ids[i], texts[i] = r.ID, r.Text
		bytes += len(r.Text)
	}
	text := appending
	if l.notify {
		text = strings.Replace(text, "select head.* from", "select head.*, "+notification+" from", 1)
	}
	rows, err := l.run(ctx, text, strconv.FormatUint(after, 10), strconv.Itoa(len(list)), strconv.Itoa(bytes),
		array(ids), array(texts))
	if err != nil || len(rows) == 0 {
		return Head{}, false, err
	}
	head, err = readHead(rows)
	return head, err == nil, err
}

// AppendNext locks the head, so that nobody else adds records, passes the records after one to f, and adds those that
// it returns. The log ends with those when AppendNext has returned nil.
func (l *Log) AppendNext(
	ctx context.Context, last Record, f func(later []Record) ([]Record, error),
) (head Head, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, err := l.run(ctx, "begin"); err != nil {
		return Head{}, err
	}
	defer func() {
		if err != nil && l.conn != nil {
			_, _ = l.run(ctx, "rollback")
		}
	}()
	rows, err := l.run(ctx, selectHead+" for update")
	if err != nil {
		return Head{}, err
	}
	if head, err = readHead(rows); err != nil {
		return Head{}, err
	}
	later, more, err := l.after(ctx, last)
	if more {
		err = ErrBehind
	}
	if err != nil {
		return Head{}, err
	}
	list, err := f(later)
	if err != nil {
		return Head{}, err
	}
	if len(list) > 0 {
		if head, _, err = l.append(ctx, head.Number, list); err != nil {
			return Head{}, err
		}
	}
	_, err = l.run(ctx, "commit")
	return head, err
}

// ErrBehind is the error of [Log.AppendNext] when there are more records than it reads at once.
var ErrBehind = errors.New("there are more records")

// Snapshot writes what stands for all records up to a number, and removes the records that the snapshot before it stood
// for. write passes each part of it to its argument; a part is not empty.
func (l *Log) Snapshot(ctx context.Context, number uint64, write func(part func(text string) error) error) error {
	id, n, bytes := rand.Text(), 0, 0
	put := func(text string) error {
		const insert = "insert into mcplogic_snapshot values ($1, $2, $3)"
		_, err := l.query(ctx, insert, id, strconv.Itoa(n), text)
		n, bytes = n+1, bytes+len(text)
		return err
	}
	err := write(put)
	if err == nil {
		err = put("")
	}
	if err != nil {
		return err
	}
	const point = `update mcplogic_head set snapshot = $1, base = $2::int8, base_bytes = $3::int8, bytes =
		(select coalesce(sum(length(text)), 0) from mcplogic_log where number > $2::int8)
		where only_one = 1 and base < $2::int8 returning 1`
	old, err := l.Head(ctx)
	if err != nil {
		return err
	}
	rows, err := l.query(ctx, point, id, strconv.FormatUint(number, 10), strconv.Itoa(bytes))
	if err != nil {
		return err
	}
	if len(rows) == 0 { // another server was faster
		_, err = l.query(ctx, "delete from mcplogic_snapshot where id = $1", id)
		return err
	}
	const drop = "delete from mcplogic_log where number < $1::int8"
	if _, err = l.query(ctx, drop, strconv.FormatUint(old.Base, 10)); err != nil {
		return err
	}
	_, err = l.query(ctx, "delete from mcplogic_snapshot where id = $1", old.snapshot)
	return err
}

// array writes texts as an array of PostgreSQL.
func array(texts []string) string {
	var b strings.Builder
	b.WriteByte('{')
	for i, text := range texts {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('"')
		for _, c := range []byte(text) {
			if c == '"' || c == '\\' {
				b.WriteByte('\\')
			}
			b.WriteByte(c)
		}
		b.WriteByte('"')
	}
	b.WriteByte('}')
	return b.String()
}

package facts

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

// This file defines a log in PostgreSQL: its tables, and what is read and written in them.
//
// There are three tables in the first schema of the search path: mcplogic_head has one row, with the number of the last
// record. Who appends changes this row, so that the database lets one do so at a time. mcplogic_log has the records,
// numbered from 1 without a gap, and mcplogic_snapshot the parts of snapshots. Nothing but plain statements is used, so
// that other databases with the protocol of PostgreSQL serve too; those without LISTEN are asked now and then.

// version is that of the tables.
const version = 1

// The times that things may take. A statement that takes longer is as one that failed.
const (
	connectTime   = 5 * time.Second
	statementTime = 8 * time.Second
)

// The statements that begin a transaction. The database ends one whose client has gone without a word, since its row is
// locked. Each transaction sets that time itself, because a pooler takes no such parameters for a session.
const (
	beginChanging = "begin" + idle
	beginReading  = "begin isolation level repeatable read read only" + idle
	idle          = "; set local idle_in_transaction_session_timeout = 5000"
)

// postgres is a log in a database.
type postgres struct {
	Database               // its connection appends
	notify   bool          // the database has NOTIFY; fixed once open
	late     bool          // Flush makes records last, and not Append; fixed once open
	poll     time.Duration // how often to look, for want of LISTEN
	turns    Database      // its connection has the lock of a turn
	flushes  Database      // its connection makes records last
	taken    atomic.Bool   // this process has a turn, or waits for one

	listening sync.Mutex // guards what follows
	listen    bool       // the database has LISTEN, as far as is known
	insists   bool       // the address says so
	told      bool       // of records that others have appended
	listener  *pgconn.PgConn
}

// Schema are the statements that make the tables.
var schema = []string{
	`create table if not exists mcplogic_head (only_one int primary key, version int not null, number bigint not null,
		bytes bigint not null, base bigint not null, base_bytes bigint not null, snapshot text not null)`,
	`create table if not exists mcplogic_log (number bigint primary key, id text not null unique, text text not null)`,
	`create table if not exists mcplogic_snapshot (id text, part bigint, text text not null, primary key (id, part))`,
	`insert into mcplogic_head values (1, ` + strconv.Itoa(version) + `, 0, 0, 0, 0, '') on conflict do nothing`,
}

// openPostgres opens the log at the address of a database. The parameter poll of the address says how often to look for
// records where LISTEN does not work, and listen=off that it does not. A pooler, which tells clients another process
// than that of the server, may give each statement another session, so that LISTEN works only if listen=on says so. The
// tables are not made if the log is only read.
func openPostgres(ctx context.Context, address string, reads bool) (*postgres, error) {
	const poll = 200 * time.Millisecond
	l := &postgres{listen: true, poll: poll}
	address, err := l.ownParameters(address)
	if err != nil {
		return nil, err
	}
	if err := l.setAddress(address); err != nil {
		return nil, err
	}
	if err := l.prepare(ctx, reads); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	_, err = l.Query(ctx, "select "+message)
	l.late = err == nil
	if l.listen {
		rows, err := l.Query(ctx, "select pg_backend_pid(), "+notification)
		l.notify = err == nil
		l.listen = l.notify && (l.insists || string(rows[0][0]) == fmt.Sprint(l.pid.Load()))
	}
	return l, nil
}

// ownParameters removes from an address the parameters that are not meant for the database, and returns them.
func (l *postgres) ownParameters(address string) (string, error) {
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
	case "":
	case "on", "off":
		l.insists, l.listen = text == "on", text == "on"
	default:
		return "", fmt.Errorf("the parameter listen of the store is %q, want on or off", text)
	}
	q.Del("poll")
	q.Del("listen")
	u.RawQuery = q.Encode()
	return u.String(), nil
}

// prepare makes the tables if they are not there, and looks at their version.
func (l *postgres) prepare(ctx context.Context, reads bool) error {
	missing := ""
	if reads {
		missing = "there is no store in this database"
	}
	rows, err := l.Prepare(ctx, "select version from mcplogic_head", schema, missing)
	switch {
	case err != nil:
		return err
	case len(rows) != 1:
		return errNoHead
	}
	if got := string(rows[0][0]); got != strconv.Itoa(version) {
		return fmt.Errorf("the tables have the format of another version, %s; this is version %d", got, version)
	}
	return nil
}

var errNoHead = errors.New("mcplogic_head must have one row")

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

// atOnce is how many records are read at once.
const atOnce = 1000

// After reads some records.
func (l *postgres) After(ctx context.Context, last Record) (list []Record, more bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.after(ctx, last)
}

func (l *postgres) after(ctx context.Context, last Record) (list []Record, more bool, err error) {
	if list, more, err = l.from(ctx, last.Number, last.Number); err != nil {
		return nil, false, err
	}
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

// from reads records from a number on. Texts of records up to known are left out.
func (l *postgres) from(ctx context.Context, number, known uint64) (list []Record, more bool, err error) {
	rows, err := l.run(ctx, fmt.Sprintf(selectRecords, known, number, atOnce))
	for _, row := range rows {
		n, failed := strconv.ParseUint(string(row[0]), 10, 64)
		list, err = append(list, Record{n, string(row[1]), string(row[2])}), cmp.Or(err, failed)
	}
	return list, len(rows) == atOnce, err
}

const selectRecords = `select number, id, case when number > %d then text else '' end from mcplogic_log
	where number >= %d order by number limit %d`

// Load reads all in one transaction.
func (l *postgres) Load(
	ctx context.Context, part func(text string) error, record func(Record) error,
) (last Record, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	over := errors.New("it is read")
	defer l.rollback(ctx, &over)
	if _, err := l.run(ctx, beginReading); err != nil {
		return Record{}, err
	}
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
	for number, more := max(head.Base, 1), true; more; number = last.Number + 1 {
		var list []Record
		if list, more, err = l.from(ctx, number, head.Base); err != nil {
			return last, err
		}
		for _, r := range list {
			if last.Number > 0 && r.Number != last.Number+1 {
				return last, errGap(last.Number + 1)
			}
			if r.Number > head.Base {
				if err := record(r); err != nil {
					return last, fmt.Errorf("record %d: %w", r.Number, err)
				}
			}
			last = Record{Number: r.Number, ID: r.ID}
		}
	}
	if last.Number != head.Number {
		err = errGap(last.Number + 1)
	}
	return last, err
}

// eachPart calls f for the parts of the snapshot.
func (l *postgres) eachPart(ctx context.Context, head Head, f func(text string) error) error {
	if head.snapshot == "" || f == nil {
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

func errGap(number uint64) error {
	return fmt.Errorf("record %d is missing; restore the database from a copy", number)
}

// appending is the statement that adds records after one, in one step. It returns the head, or nothing if the log does
// not end there: after a restore another record may have the number. Waiting readers are woken.
const appending = `with head as (update mcplogic_head set number = number + $2::int8, bytes = bytes + $3::int8
		where only_one = 1 and number = $1::int8
			and ($1::int8 = 0 or exists (select 1 from mcplogic_log where number = $1::int8 and id = $6))
		returning number, base, bytes, base_bytes, snapshot),
	added as (insert into mcplogic_log select $1::int8 + n, ids[n::int], texts[n::int]
		from (select $4::text[] as ids, $5::text[] as texts) as given, generate_series(1, $2::int8) as n
		where exists (select 1 from head) returning number)
	select head.* from head`

// notification wakes the other servers, as a part of the same statement.
const notification = "pg_notify('" + channel + "', '')"

// unhurried lets a transaction end before it lasts, so that the lock of the head does not wait for the disk. What is
// committed later lasts later: the database writes its transactions to the disk in the order in which they ended.
const unhurried = "set_config('synchronous_commit', 'off', true)"

// message is a change of no table. When its transaction has ended, all that ended before lasts.
const message = "pg_logical_emit_message(true, 'mcplogic', '')"

// with has the statement that appends do something more.
func with(text, more string) string {
	return strings.Replace(text, "select head.*", "select head.*, "+more, 1)
}

// flushing makes a record last, and says whether it is there.
const flushing = "select exists (select 1 from mcplogic_log where number = $1::int8 and id = $2), " + message

// Flush has a connection of its own, so that records are appended meanwhile. The record may have been lost with a
// connection, so that the log is asked for it.
func (l *postgres) Flush(ctx context.Context, last Record) error {
	if !l.late || last.Number == 0 {
		return nil
	}
	l.flushes.mu.Lock()
	defer l.flushes.mu.Unlock()
	l.flushes.dial = l.dial
	rows, err := l.flushes.run(ctx, flushing, strconv.FormatUint(last.Number, 10), last.ID)
	if err == nil && (len(rows) != 1 || string(rows[0][0]) != "t") {
		err = ErrForked
	}
	return err
}

// Append adds records by one statement.
func (l *postgres) Append(ctx context.Context, last Record, list []Record) (head Head, ok bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.append(ctx, last, list)
}

func (l *postgres) append(ctx context.Context, last Record, list []Record) (head Head, ok bool, err error) {
	ids, texts, bytes := make([]string, len(list)), make([]string, len(list)), 0
	for i, r := range list {
		ids[i], texts[i] = r.ID, r.Text
		bytes += len(r.Text)
	}
	text := appending
	if l.notify {
		text = with(text, notification)
	}
	if l.late {
		text = with(text, unhurried)
	}
	rows, err := l.run(ctx, text, strconv.FormatUint(last.Number, 10), strconv.Itoa(len(list)), strconv.Itoa(bytes),
		Array(ids), Array(texts), last.ID)
	if err != nil || len(rows) == 0 {
		return Head{}, false, err
	}
	head, err = readHead(rows)
	return head, err == nil, err
}

// takingTurn takes the lock of a turn, which ends with the transaction.
const takingTurn = beginChanging + "; select pg_advisory_xact_lock('mcplogic_head'::regclass::oid::int8)"

// Turn has a connection of its own, so that changes without a turn are appended meanwhile.
func (l *postgres) Turn(ctx context.Context) (end func()) {
	if l.taken.Swap(true) { // a call on rules that were replaced has it
		return func() {}
	}
	leave := func(why error) {
		l.turns.mu.Lock()
		defer l.turns.mu.Unlock()
		l.turns.rollback(context.WithoutCancel(ctx), &why)
		l.taken.Store(false)
	}
	l.turns.mu.Lock()
	l.turns.dial = l.dial
	_, err := l.turns.run(ctx, takingTurn)
	l.turns.mu.Unlock()
	if err != nil {
		leave(err)
		return func() {}
	}
	return func() { leave(ErrClosed) }
}

// AppendNext locks the head.
func (l *postgres) AppendNext(
	ctx context.Context, last Record, f func(later []Record) ([]Record, error),
) (head Head, err error) {
	err = l.locked(ctx, func(now Head) error {
		later, more, err := l.after(ctx, last)
		if more {
			err = ErrBehind
		}
		if err != nil {
			return err
		}
		list, err := f(later)
		if head = now; err != nil || len(list) == 0 {
			return err
		}
		if len(later) > 0 {
			last = later[len(later)-1]
		}
		head, _, err = l.append(ctx, last, list)
		return err
	})
	return head, err
}

// locked calls f in a transaction that has locked the head.
func (l *postgres) locked(ctx context.Context, f func(head Head) error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	head, err := l.begin(ctx)
	if err != nil {
		return err
	}
	defer l.rollback(ctx, &err)
	if err = f(head); err == nil {
		_, err = l.run(ctx, "commit")
	}
	return err
}

// begin begins a transaction and locks the head.
func (l *postgres) begin(ctx context.Context) (head Head, err error) {
	defer l.rollback(ctx, &err)
	if _, err = l.run(ctx, beginChanging); err != nil {
		return head, err
	}
	rows, err := l.run(ctx, selectHead+" for update")
	if err == nil {
		head, err = readHead(rows)
	}
	return head, err
}

// rollback ends a transaction if there is an error. If that fails too, the connection ends, and so the transaction.
func (l *Database) rollback(ctx context.Context, err *error) {
	if *err == nil || l.conn == nil {
		return
	}
	if _, failed := l.run(ctx, "rollback"); failed != nil && l.conn != nil {
		closeNow(l.conn)
		l.conn = nil
	}
}

// Snapshot has nothing to do at once: the records have their numbers.
func (l *postgres) Snapshot(number uint64) (func(context.Context, func(func(string) error) error) error, error) {
	return func(ctx context.Context, parts func(func(string) error) error) error {
		id, n, bytes := rand.Text(), 0, 0
		put := func(text string) error {
			_, err := l.Query(ctx, insertPart, id, strconv.Itoa(n), text)
			n, bytes = n+1, bytes+len(text)
			return err
		}
		err := parts(put)
		if err == nil {
			err = put("")
		}
		if err == nil {
			err = l.point(ctx, id, number, n, bytes)
		}
		if err == nil {
			return nil
		}
		l.discard(ctx, id)
		if errors.Is(err, errOvertaken) {
			return nil
		}
		return err
	}, nil
}

// discard removes the parts of a snapshot that was not finished, unless it is the one that counts: the answer to the
// statement that made it so may have been lost. The next snapshot removes what is left.
func (l *postgres) discard(ctx context.Context, id string) {
	const while = 2 * time.Second
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), while) // the server may be about to end
	defer cancel()
	_ = l.locked(ctx, func(head Head) (err error) {
		if head.snapshot != id {
			_, err = l.run(ctx, dropPart, id)
		}
		return err
	})
}

const (
	insertPart = "insert into mcplogic_snapshot values ($1, $2, $3)"
	dropPart   = "delete from mcplogic_snapshot where id = $1"
	dropParts  = "delete from mcplogic_snapshot where id <> $1"
	countParts = "select count(*) from mcplogic_snapshot where id = $1"
	dropLog    = "delete from mcplogic_log where number < $1::int8"
	pointHead  = `update mcplogic_head set snapshot = $1, base = $2::int8, base_bytes = $3::int8, bytes =
		(select coalesce(sum(octet_length(text)), 0) from mcplogic_log where number > $2::int8)
		where only_one = 1`
)

// errOvertaken is the error of a snapshot that another server has made useless by one of its own.
var errOvertaken = errors.New("another server was faster")

// point makes a snapshot the current one, and removes all others: older ones, unfinished ones, and ones that a server
// is just writing. That server then finds that parts are missing. It also removes the records that the snapshot before
// stood for.
func (l *postgres) point(ctx context.Context, id string, number uint64, parts, bytes int) error {
	var base uint64
	err := l.locked(ctx, func(old Head) error {
		base = old.Base
		rows, err := l.run(ctx, countParts, id)
		if err != nil {
			return err
		}
		if base >= number || len(rows) != 1 || string(rows[0][0]) != strconv.Itoa(parts) {
			return errOvertaken
		}
		if _, err = l.run(ctx, pointHead, id, strconv.FormatUint(number, 10), strconv.Itoa(bytes)); err == nil {
			_, err = l.run(ctx, dropParts, id)
		}
		return err
	})
	if err == nil {
		_, _ = l.Query(ctx, dropLog, strconv.FormatUint(base, 10)) // else the next snapshot does
	}
	return err
}

// Array writes texts as an array of PostgreSQL.
func Array(texts []string) string {
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

package sqltables

import (
	"bufio"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"runtime"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines PostgreSQL: connections, transactions and portals. A portal is a query whose rows are fetched in
// batches. Many can be open in a transaction.

// postgres is a database of PostgreSQL.
type postgres struct {
	name   string
	config *pgconn.Config

	mu   sync.Mutex
	idle []*pgConnection
	done bool
}

// pgConnection is a connection with what has been prepared on it.
type pgConnection struct {
	*pgconn.PgConn
	prepared map[string]string // the names of statements
}

// readBytes is how much is read from a connection at once. The driver's own 8 KiB are many system calls for many rows.
const readBytes = 1 << 16

// connectTime is how long making a connection may take.
const connectTime = 10 * time.Second

func openPostgres(name, address string) (driver, error) {
	config, err := pgconn.ParseConfig(address)
	if err != nil {
		return nil, errors.New("the address of PostgreSQL is not right; want postgres://user@host:port/database")
	}
	config.ConnectTimeout = cmp.Or(config.ConnectTimeout, connectTime)
	for key, value := range map[string]string{"timezone": "UTC", "datestyle": "ISO",
		"client_encoding": "UTF8", "application_name": "mcplogic"} {
		config.RuntimeParams[key] = value
	}
	config.BuildFrontend = func(r io.Reader, w io.Writer) *pgproto3.Frontend {
		return pgproto3.NewFrontend(bufio.NewReaderSize(r, readBytes), w)
	}
	return &postgres{name: name, config: config}, nil
}

// connection returns an unused connection. fresh says that it has just been made.
func (p *postgres) connection(ctx context.Context) (c *pgConnection, fresh bool, err error) {
	p.mu.Lock()
	for n := len(p.idle); n > 0 && c == nil; n = len(p.idle) {
		c, p.idle = p.idle[n-1], p.idle[:n-1]
		if c.IsClosed() {
			c = nil
		}
	}
	p.mu.Unlock()
	if c != nil {
		return c, false, nil
	}
	made, err := pgconn.ConnectConfig(ctx, p.config)
	if err != nil {
		return nil, false, p.problem(err)
	}
	return &pgConnection{PgConn: made, prepared: map[string]string{}}, true, nil
}

// release returns a connection to the idle ones.
func (p *postgres) release(c *pgConnection) {
	most := 2*runtime.GOMAXPROCS(0) + 2
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done || c.IsClosed() || len(p.idle) >= most || len(c.prepared) >= maxKept {
		drop(c)
		return
	}
	p.idle = append(p.idle, c)
}

// drop closes a connection without waiting for the server.
func drop(c *pgConnection) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	_ = c.Close(ended)
}

func (p *postgres) close() {
	p.mu.Lock()
	p.done = true
	p.mu.Unlock()
	p.dropIdle()
}

// dropIdle closes the unused connections.
func (p *postgres) dropIdle() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.idle {
		drop(c)
	}
	p.idle = nil
}

// problem returns an error of a server or a connection with a message that holds no address and no password.
func (p *postgres) problem(err error) error {
	var known *relation.Error
	if errors.As(err, &known) {
		return err
	}
	e := &relation.Error{Database: p.name, Code: "connection", Message: "the server cannot be reached"}
	var told sqlState
	switch {
	case errors.As(err, &told):
		e.Code, e.Message = told.SQLState(), told.Error()
		if own, ok := told.(*pgconn.PgError); ok {
			e.Message = own.Message
		}
		switch e.Code {
		case "42P01":
			e.Code, e.Wrong = codeTable, true
		case "42703":
			e.Code, e.Wrong = codeColumn, true
		}
	case errors.Is(err, context.DeadlineExceeded):
		e.Message = "the server did not answer in time"
	case errors.Is(err, context.Canceled):
		e.Code, e.Message = "cancelled", "the query was cancelled"
	case pgconn.Timeout(err):
		e.Message = "the server did not answer in time"
	}
	return e
}

// sqlState is implemented by the server errors of all drivers.
type sqlState interface {
	error
	SQLState() string
}

// catalogue asks for the columns of a table. For a domain it returns the underlying type, for an array the type of the
// elements.
var catalogue = `select a.attname, t.oid::int8, coalesce(e.oid, 0)::int8, a.attnotnull::int4,
	coalesce(to_jsonb(l) ->> 'collisdeterministic', 'true'), (t.mod - 4)::int4,
	(a.attcollation not in (0, 'pg_catalog."default"'::regcollation))::int4, (exists (select 1 from pg_catalog.pg_index i
		join pg_catalog.pg_class n on n.oid = i.indexrelid join pg_catalog.pg_am m on m.oid = n.relam
		where i.indrelid = a.attrelid and i.indisvalid and i.indpred is null and i.indkey[0] = a.attnum
		and m.amname in ('btree', 'hash')))::int4
	from pg_catalog.pg_attribute a cross join lateral (` + typeBelow("a.atttypid", "a.atttypmod") + `) t
	left join lateral (` + typeBelow("t.element", "-1") + `) e on t.category = 'A'
	left join pg_catalog.pg_collation l on l.oid = a.attcollation
	where a.attrelid = to_regclass($1) and a.attnum > 0 and not a.attisdropped order by a.attnum`

// typeBelow asks for the type under a domain. A domain may be defined over another domain.
func typeBelow(oid, modifier string) string {
	const of, from = "b.oid, b.typbasetype, b.typelem, b.typcategory", "pg_catalog.pg_type b"
	return "with recursive d(oid, below, element, category, mod) as (select " + of + ", coalesce(nullif(" + modifier +
		", -1), b.typtypmod) from " + from + " where b.oid = " + oid + " union all select " + of +
		", coalesce(nullif(d.mod, -1), b.typtypmod) from d join " + from + " on b.oid = d.below) " +
		"select * from d where below = 0"
}

func (p *postgres) columns(ctx context.Context, _ session, table string) (list []tableColumn, err error) {
	c, err := p.connected(ctx, func(c *pgConnection) (err error) {
		list, err = readCatalogue(ctx, c, table)
		return err
	})
	if err == nil {
		p.release(c)
	}
	return list, err
}

func (p *postgres) first(ctx context.Context, _ session, text string) (value string, err error) {
	c, err := p.connected(ctx, func(c *pgConnection) error {
		result := c.ExecParams(ctx, text, nil, nil, nil, nil).Read()
		if len(result.Rows) > 0 {
			value = string(result.Rows[0][0])
		}
		return result.Err
	})
	if err == nil {
		p.release(c)
	}
	return value, err
}

// sizes asks for the estimate of the server. It also has one for views and for tables that were never analyzed.
func (p *postgres) sizes(table string) []string {
	return []string{"explain (format json) select 1 from " + quotedName(table)}
}

// connected returns a connection that f has used. A connection that the server has closed is replaced.
func (p *postgres) connected(ctx context.Context, f func(*pgConnection) error) (*pgConnection, error) {
	for {
		c, fresh, err := p.connection(ctx)
		if err != nil {
			return nil, err
		}
		if err = f(c); err == nil {
			return c, nil
		}
		drop(c)
		if fresh || ctx.Err() != nil || !isLost(err) {
			return nil, p.problem(err)
		}
	}
}

// isLost reports whether an error means that a connection has been closed by the other side.
func isLost(err error) bool {
	var told sqlState
	if !errors.As(err, &told) {
		return true
	}
	code := told.SQLState()
	return len(code) == 5 && (code[:2] == "57" || code[:2] == "08")
}

func readCatalogue(ctx context.Context, c *pgConnection, table string) (list []tableColumn, err error) {
	result := c.ExecParams(ctx, catalogue, [][]byte{[]byte(quotedName(table))}, nil, nil, nil).Read()
	for _, row := range result.Rows {
		oid, _ := strconv.ParseUint(string(row[1]), 10, 32)
		element, _ := strconv.ParseUint(string(row[2]), 10, 32)
		modifier, _ := strconv.ParseInt(string(row[5]), 10, 32)
		list = append(list, tableColumn{name: string(row[0]), oid: uint32(oid), notNull: string(row[3]) == "1",
			loose: string(row[4]) != "true", modifier: int32(modifier), collated: string(row[6]) == "1",
			indexed: string(row[7]) == "1"}.of(uint32(element)))
	}
	return list, result.Err
}

// of returns a column with its kind, given the type of its elements.
func (c tableColumn) of(element uint32) tableColumn {
	c.kind = pgKind(c.oid)
	if element != 0 && c.kind == kindOther {
		c.kind, c.oid = kindArray, element
	}
	return c
}

// joined compares columns of one kind, whose equal terms are equal values.
func (p *postgres) joined(a, b *column) (condition string, ok bool) {
	if a.kind != b.kind || !sameTypes(p, a, b) || (a.oid == oidOID) != (b.oid == oidOID) {
		return "", false
	}
	switch a.kind {
	case kindText, kindPadded:
		return coalesced(a) + " = " + coalesced(b), true
	case kindFloat, kindTime, kindTimestamp, kindInstant:
		if a.oid != b.oid {
			return "", false
		}
	case kindInteger, kindNumeric, kindBoolean, kindBytes, kindUUID, kindDate:
	default:
		return "", false
	}
	if a.notNull || b.notNull {
		return columnText(a) + " = " + columnText(b), true
	}
	return columnText(a) + " is not distinct from " + columnText(b), true
}

// tested compares numbers. Rows whose value is not known to be a number pass, and the goal decides.
func (p *postgres) tested(c *column, t relation.Test, n int) (condition string, ok bool) {
	types := map[kind]string{kindInteger: "int8", kindFloat: "float8", kindNumeric: "numeric"}
	typ := types[c.kind]
	if native := p.isNative(c); native && t.Standard == (c.asked.Type != "decimal") {
		typ = pgTypes[c.kind]
	} else if typ == "" || !c.isPlain() || t.Standard || t.Integers && c.kind != kindInteger {
		return "", false
	}
	condition = asNumber(c) + " " + t.Op + " " + p.placeholder(n) + "::" + typ
	if doubt := p.raises(c, t); doubt != "" {
		condition = "(" + condition + " or " + doubt + ")"
	}
	return condition, true
}

// asNumber is the SQL of a column as the number of its term. The term of a short float is the number with the same
// digits. Other numbers are not compared as an oid.
func asNumber(c *column) string {
	switch {
	case c.kind == kindFloat && c.oid != oidFloat8:
		return columnText(c) + "::text::float8"
	case c.oid == oidOID:
		return columnText(c) + "::int8"
	}
	return columnText(c)
}

// compared compares columns of one kind. Integers would be rounded to floats.
func (p *postgres) compared(a, b *column, t relation.Test) (condition string, ok bool) {
	native := p.isNative(a) && sameTypes(p, a, b) && t.Standard == (a.asked.Type != "decimal")
	plain := !t.Standard && (a.kind == kindInteger || a.kind == kindFloat) && a.isPlain() && b.isPlain()
	if a.kind != b.kind || !native && !plain {
		return "", false
	}
	condition = either(either(asNumber(a)+" "+t.Op+" "+asNumber(b), isNull(a)), isNull(b))
	return "(" + condition + ")", true
}

func (p *postgres) number(c *column, v term.Term) (param any, ok bool) {
	const exact = 1 << 53
	if typ, of := c.exact(); of {
		return exactParam(typ, v)
	}
	switch v := v.(type) {
	case term.Int:
		return numberText(v), c.kind == kindInteger || v < exact && v > -exact
	case term.Float:
		return numberText(v), c.kind != kindInteger && !math.IsNaN(float64(v)) && !math.IsInf(float64(v), 0)
	}
	return nil, false
}

func (p *postgres) placeholder(n int) string { return "$" + strconv.Itoa(n) }

func (p *postgres) selected(_ *column, text string) string { return text }

func (p *postgres) begin(left time.Duration) session {
	return &pgSession{p: p, left: left, portals: map[string]bool{}}
}

// pgSession is a transaction.
type pgSession struct {
	p       *postgres
	left    time.Duration
	c       *pgConnection // nil before the first question
	failed  error
	portals map[string]bool // the open portals
	unused  []string        // portals to be closed
	named   int
	// inFlight is the query whose next rows have been asked for and not been read, or nil. The server makes them while
	// the rows before are used.
	inFlight *pgRest
	outer    map[string]bool // the portals that were open before a guess, or nil
}

// opening are the statements that begin a transaction.
func opening(left time.Duration) string {
	text := "begin transaction isolation level repeatable read, read only; set local bytea_output = 'hex'; " +
		"set local intervalstyle = 'iso_8601'"
	if left > 0 {
		text += fmt.Sprintf("; set local statement_timeout = %d", max(left.Milliseconds(), 1))
	}
	return text + "; savepoint " + savepoint
}

// start opens the transaction.
func (s *pgSession) start(ctx context.Context) (err error) {
	s.c, err = s.p.connected(ctx, func(c *pgConnection) error {
		_, err := c.Exec(ctx, opening(s.left)).ReadAll()
		return err
	})
	return err
}

// The codes of errors about a statement that was prepared before its table changed, or that is not prepared.
const planChanged, notPrepared = "0A000", "26000"

// savepoint is where the transaction goes back to after a statement that has failed, guessed after one of a guess.
const savepoint, guessed = "mcplogic", "guessed"

// recover returns to the state before a statement that the server refused, and reports whether this was possible. The
// open portals are lost, except those that were open before a guess.
func (s *pgSession) recover(ctx context.Context, err error) bool {
	var known *relation.Error
	if errors.As(err, &known) && known.Code == codeValue {
		return true // the server knows of no error
	}
	var told *pgconn.PgError
	if s.c == nil || s.c.IsClosed() || !errors.As(err, &told) || isLost(err) || ctx.Err() != nil {
		return false
	}
	s.inFlight = nil
	maps.DeleteFunc(s.portals, func(name string, _ bool) bool { return !s.outer[name] })
	if s.outer != nil {
		return s.exec(ctx, "rollback to savepoint "+guessed) == nil
	}
	s.unused = nil
	return s.exec(ctx, "rollback to savepoint "+savepoint) == nil
}

func (s *pgSession) exec(ctx context.Context, text string) error {
	_, err := s.c.Exec(ctx, text).ReadAll()
	return err
}

// guess sets a savepoint if portals are open.
func (s *pgSession) guess(ctx context.Context, f func() error) error {
	if s.c != nil && s.failed == nil {
		err := s.settle(ctx)
		if err == nil && len(s.portals) > 0 {
			if err = s.exec(ctx, "savepoint "+guessed); err == nil {
				s.outer = maps.Clone(s.portals)
			}
		}
		if err != nil {
			return s.fail(ctx, err)
		}
	}
	err := f()
	if s.c == nil || s.failed != nil {
		return err
	}
	unsettled := s.settle(ctx)
	if unsettled == nil && s.outer != nil {
		unsettled = s.exec(ctx, "release savepoint "+guessed)
	}
	s.outer = nil
	if unsettled != nil {
		return s.fail(ctx, unsettled)
	}
	return err
}

// prepare returns the name of a prepared statement. Behind a pooler other processes share the connection to the server,
// so the name is random.
func (s *pgSession) prepare(ctx context.Context, text string) (string, error) {
	name, ok := s.c.prepared[text]
	if ok {
		return name, nil
	}
	name = "m" + rand.Text()
	if _, err := s.c.Prepare(ctx, name, text, nil); err != nil {
		return "", err
	}
	s.c.prepared[text] = name
	return name, nil
}

// The rows of the first batch, the most of another, and about how many bytes a batch has.
const (
	firstBatch = 128
	laterBatch = 1 << 14
	batchBytes = 1 << 20
)

// ask opens a portal and fetches the first rows. A statement that was prepared before its table changed is prepared
// again if it is the first of the transaction. A later one cannot be, as a new transaction would see another state.
func (s *pgSession) ask(
	ctx context.Context, st *statement, params []any,
) (rows *relation.Rows, rest relation.Rest, err error) {
	if s.failed != nil {
		return nil, nil, s.failed
	}
	first := s.c == nil
	rows, rest, err = s.tryAsk(ctx, st, params)
	var told *pgconn.PgError
	switch {
	case !errors.As(err, &told):
	case first && told.Code == planChanged:
		drop(s.c)
		s.p.dropIdle() // their prepared statements are as old
		s.c = nil
		rows, rest, err = s.tryAsk(ctx, st, params)
	case told.Code == notPrepared && s.recover(ctx, err): // a pooler has given the transaction another connection
		delete(s.c.prepared, st.text)
		rows, rest, err = s.tryAsk(ctx, st, params)
	}
	if err == nil {
		return rows, rest, nil
	}
	return nil, nil, s.fail(ctx, err)
}

// fail returns the error of a statement. It ends the transaction if recover fails.
func (s *pgSession) fail(ctx context.Context, err error) error {
	recovered := s.recover(ctx, err)
	if err = s.p.problem(err); !recovered {
		s.failed = err
	}
	return err
}

func (s *pgSession) tryAsk(ctx context.Context, st *statement, params []any) (*relation.Rows, relation.Rest, error) {
	if s.c == nil {
		if err := s.start(ctx); err != nil {
			return nil, nil, err
		}
	}
	if err := s.settle(ctx); err != nil {
		return nil, nil, err
	}
	prepared, err := s.prepare(ctx, st.text)
	if err != nil {
		return nil, nil, err
	}
	r := &pgRest{s: s, st: st, portal: s.portal()}
	bind := pgproto3.Bind{DestinationPortal: r.portal, PreparedStatement: prepared, ResultFormatCodes: formats(st)}
	for _, param := range params {
		bind.Parameters = append(bind.Parameters, []byte(param.(string)))
	}
	s.closeUnused()
	s.c.Frontend().SendBind(&bind)
	if err := r.send(ctx, firstBatch); err != nil {
		return nil, nil, err
	}
	rows := &relation.Rows{}
	more, err := r.receive(ctx, rows)
	if err != nil || !more {
		return rows, nil, err
	}
	return rows, r, nil
}

// portal returns a name for a portal.
func (s *pgSession) portal() string {
	s.named++
	name := "p" + strconv.Itoa(s.named)
	s.portals[name] = true
	return name
}

// closeUnused closes portals with the next batch of messages.
func (s *pgSession) closeUnused() {
	for _, name := range s.unused {
		s.c.Frontend().SendClose(&pgproto3.Close{ObjectType: 'P', Name: name})
	}
	s.unused = s.unused[:0]
}

// settle reads the rows that are in flight, so that the connection can be used for something else. An error of the
// server is kept for the Fetch that asks for the rows.
func (s *pgSession) settle(ctx context.Context) (err error) {
	r := s.inFlight
	if r == nil {
		return nil
	}
	s.inFlight, r.ahead = nil, &relation.Rows{}
	if r.moreAhead, err = r.receive(ctx, r.ahead); err != nil && s.recover(ctx, err) {
		r.refused, err = s.p.problem(err), nil
	}
	return err
}

// close ends the transaction.
func (s *pgSession) close() {
	if s.c == nil {
		return
	}
	const patience = time.Second
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c, unsettled := s.c, s.settle(ctx)
	s.c, s.failed = nil, &relation.Error{Database: s.p.name, Code: "closed", Message: "the call has ended"}
	if unsettled != nil {
		drop(c)
		return
	}
	if _, err := c.Exec(ctx, "rollback").ReadAll(); err != nil {
		drop(c)
		return
	}
	s.p.release(c)
}

// pgRest is an open portal.
type pgRest struct {
	s      *pgSession
	st     *statement
	portal string
	// ahead are rows that were read when the connection was wanted for something else, or nil.
	ahead     *relation.Rows
	moreAhead bool
	refused   error // the error of the rows in ahead
	// batch is how many rows to ask for next, size about how many bytes of values they have.
	batch uint32
	size  int
}

// Fetch reads the next rows.
func (r *pgRest) Fetch(ctx context.Context, rows *relation.Rows) (more bool, err error) {
	switch {
	case r.s.failed != nil:
		return false, r.s.failed
	case r.refused != nil:
		return false, r.refused
	case !r.s.portals[r.portal] && r.ahead == nil:
		return false, &relation.Error{Database: r.s.p.name, Code: "25P02",
			Message: "the database has ended the query, as another one of the call has failed"}
	}
	more, err = r.fetch(ctx, rows)
	if err == nil && more {
		err = r.send(ctx, r.batch)
		r.s.inFlight = r
	}
	if err != nil {
		err = r.s.fail(ctx, err)
		r.s.inFlight = nil
		return false, err
	}
	return more, nil
}

// fetch reads the next rows, which may have been asked for or even read.
func (r *pgRest) fetch(ctx context.Context, rows *relation.Rows) (more bool, err error) {
	if r.s.inFlight == r {
		r.s.inFlight = nil
		return r.receive(ctx, rows)
	}
	if err := r.s.settle(ctx); err != nil {
		return false, err
	}
	if r.ahead != nil {
		*rows = *r.ahead
		r.ahead = nil
		return r.moreAhead, nil
	}
	if err := r.send(ctx, r.batch); err != nil {
		return false, err
	}
	return r.receive(ctx, rows)
}

// adapt sets how many rows to ask for next, given the number and the bytes of the last ones.
func (r *pgRest) adapt(rows, size int) {
	const growth = 8
	each := max(size/max(rows, 1), 1)
	r.batch = uint32(min(max(batchBytes/each, 1), growth*max(rows, 1), laterBatch))
	r.size = int(r.batch) * each
}

// Close closes the portal.
func (r *pgRest) Close() {
	if r.s.portals[r.portal] {
		delete(r.s.portals, r.portal)
		r.s.unused = append(r.s.unused, r.portal)
	}
}

// send asks for some rows of the portal.
func (r *pgRest) send(ctx context.Context, most uint32) error {
	f := r.s.c.Frontend()
	f.SendExecute(&pgproto3.Execute{Portal: r.portal, MaxRows: most})
	f.SendSync(&pgproto3.Sync{})
	if err := f.Flush(); err != nil {
		return r.lost(ctx, err)
	}
	return nil
}

// receive reads the rows that have been asked for. When the context ends, the connection is dropped and the server is
// told to stop.
func (r *pgRest) receive(ctx context.Context, rows *relation.Rows) (more bool, err error) {
	rows.Reset(len(r.st.columns))
	rows.Reserve(int(r.batch), r.size)
	defer rows.Seal()
	c := r.s.c
	stop := context.AfterFunc(ctx, func() {
		_ = c.Conn().SetDeadline(time.Unix(1, 0))
	})
	defer func() {
		if stop() || err == nil && c.Conn().SetDeadline(time.Time{}) == nil {
			return
		}
		go func() {
			const patience = time.Second
			late, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			_ = c.CancelRequest(late)
		}()
		drop(c)
	}()
	size := 0
	for {
		message, received := c.Frontend().Receive()
		if received != nil {
			return false, r.lost(ctx, received)
		}
		switch message := message.(type) {
		case *pgproto3.DataRow:
			if wrong := r.st.addRow(rows, message.Values, true); err == nil && wrong != nil {
				err = wrong.of(r.s.p.name)
			}
			for _, value := range message.Values {
				size += len(value)
			}
		case *pgproto3.PortalSuspended:
			more = true
		case *pgproto3.ErrorResponse:
			err = pgconn.ErrorResponseToPgError(message)
		case *pgproto3.ReadyForQuery:
			if !more || err != nil {
				r.Close()
			}
			r.adapt(rows.Len(), size)
			return more && err == nil, err
		}
	}
}

// lost drops a broken connection and returns its error.
func (r *pgRest) lost(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	drop(r.s.c)
	return &relation.Error{Database: r.s.p.name, Code: "connection", Message: "the connection was lost: " + err.Error()}
}

package decisions

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"io"
	"io/fs"
	"strconv"
	"time"

	"github.com/mcplogic/mcplogic/internal/facts"
)

// This file defines how lines are written to and read from a PostgreSQL database.
//
// The table mcplogic_decision has a row for each line, numbered within its process, and mcplogic_decision_file has what
// a folder keeps in separate files: the rules by digest, and the facts that each process began with. seen is when the
// process was last known to run.

var tables = []string{
	`create table if not exists mcplogic_decision (process text, number bigint, id text not null,
		time timestamptz not null, tool text not null, line text not null, primary key (process, number))`,
	`create index if not exists mcplogic_decision_time on mcplogic_decision (time, tool)`,
	`create index if not exists mcplogic_decision_id on mcplogic_decision (id)`,
	`create table if not exists mcplogic_decision_file (name text primary key, seen timestamptz not null,
		content text not null)`,
}

// lookTables fails if one of the tables does not exist.
const lookTables = "select (select count(*) from mcplogic_decision_file where name = ''), " +
	"(select count(*) from mcplogic_decision where process = '')"

// The prefixes of the file names in mcplogic_decision_file.
const (
	factsStart = "facts/"
	rulesStart = "rules/"
)

// database is a record in a database. When it writes, it is the record of one process.
type database struct {
	*queue
	*facts.Database
	process string
	number  int // of the last line; used by the writing goroutine only
}

func connect(address, missing string) (*database, error) {
	db, err := facts.OpenDatabase(address)
	if err != nil {
		return nil, err
	}
	if _, err := db.Prepare(context.Background(), lookTables, tables, missing); err != nil {
		db.Close()
		return nil, err
	}
	return &database{Database: db}, nil
}

func openDatabase(address string) (*database, error) {
	d, err := connect(address, "")
	if err != nil {
		return nil, err
	}
	d.process = newProcess() + "-" + rand.Text()[:8] // processes of several machines share the database
	if err := d.put(factsStart+d.process, nil); err != nil {
		d.Close()
		return nil, err
	}
	d.queue = newQueue(d.append)
	return d, nil
}

const insertLines = `insert into mcplogic_decision
	select $1, $2::int8 + n, ids[n::int], times[n::int]::timestamptz, tools[n::int], lines[n::int]
	from (select $3::text[] as ids, $4::text[] as times, $5::text[] as tools, $6::text[] as lines) as given,
		generate_series(1, $7::int8) as n
	on conflict do nothing`

// append writes lines by one statement. After an error that may pass it repeats the statement, which does nothing if it
// succeeded before.
func (d *database) append(lines []written) error {
	var columns [4][]string
	for _, l := range lines {
		text := string(bytes.TrimSuffix(l.text, []byte("\n")))
		for i, text := range [...]string{l.id, l.time.UTC().Format(time.RFC3339Nano), l.tool, text} {
			columns[i] = append(columns[i], text)
		}
	}
	args := []string{d.process, strconv.Itoa(d.number)}
	for _, texts := range columns {
		args = append(args, facts.Array(texts))
	}
	d.number += len(lines) // also if it fails: the lines may be there, and others must not take their numbers
	const patience, often = 5 * time.Second, 50 * time.Millisecond
	for began := time.Now(); ; time.Sleep(often) {
		_, err := d.Query(context.Background(), insertLines, append(args, strconv.Itoa(len(lines)))...)
		var told *facts.Error
		if err == nil || errors.As(err, &told) && told.Lasts || time.Since(began) > patience {
			return err
		}
	}
}

func (d *database) put(name string, content []byte) error {
	_, err := d.Query(context.Background(), `insert into mcplogic_decision_file values ($1, now(), $2)
		on conflict (name) do update set content = excluded.content, seen = excluded.seen`,
		name, base64.StdEncoding.EncodeToString(content))
	return err
}

func (d *database) file(name string) ([]byte, error) {
	rows, err := d.Query(context.Background(), "select content from mcplogic_decision_file where name = $1", name)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, fs.ErrNotExist
	}
	return base64.StdEncoding.DecodeString(string(rows[0][0]))
}

func (d *database) facts(all func(put func(part string) error) error) error {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	err := all(func(part string) error { _, err := io.WriteString(z, part); return err })
	if err = errors.Join(err, z.Close()); err == nil {
		err = d.put(factsStart+d.process, b.Bytes())
	}
	return err
}

func (d *database) archive(digest string, write func(w io.Writer) error) error {
	rows, err := d.Query(context.Background(), "select 1 from mcplogic_decision_file where name = $1", rulesStart+digest)
	if err != nil || len(rows) > 0 {
		return err
	}
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	return d.put(rulesStart+digest, b.Bytes())
}

// dropOlder keeps the changes of facts in dropped lines until their process has ended.
func (d *database) dropOlder(than time.Time) error {
	before := than.UTC().Format(time.RFC3339Nano)
	ctx := context.Background()
	for more := true; more; {
		rows, err := d.Query(ctx, `select process, number, line from mcplogic_decision
			where time < $1::timestamptz and tool <> '' order by time limit 1000`, before)
		if err != nil {
			return err
		}
		more = len(rows) > 0
		for _, row := range rows {
			process, number := string(row[0]), string(row[1])
			if kept := condensed(append(row[2], '\n')); kept != nil {
				_, err = d.Query(ctx, "update mcplogic_decision set tool = '', line = $3 where process = $1 and number = $2::int8",
					process, number, string(bytes.TrimSuffix(kept, []byte("\n"))))
			} else {
				_, err = d.Query(ctx, "delete from mcplogic_decision where process = $1 and number = $2::int8", process, number)
			}
			if err != nil {
				return err
			}
		}
	}
	if _, err := d.Query(ctx, "update mcplogic_decision_file set seen = now() where name = $1",
		factsStart+d.process); err != nil {
		return err
	}
	_, err := d.Query(ctx, `with gone as (delete from mcplogic_decision_file
			where name like 'facts/%' and seen < $1::timestamptz
				and not exists (select 1 from mcplogic_decision where process = substr(name, 7) and tool <> '') returning name)
		delete from mcplogic_decision where process in (select substr(name, 7) from gone)`, before)
	return err
}

func (d *database) close() error {
	if d.queue != nil {
		d.queue.close()
	}
	d.Database.Close()
	return nil
}

// This part defines how a record is read.

// processes returns the processes with a call that the filter may choose.
func (d *database) processes(f *Filter) (list []string, err error) {
	since := "-infinity"
	if !f.Since.IsZero() {
		since = f.Since.UTC().Format(time.RFC3339Nano)
	}
	rows, err := d.Query(context.Background(), `select distinct process from mcplogic_decision
		where ($1 = '' or id = $1) and time >= $2::timestamptz order by process`, f.ID, since)
	for _, row := range rows {
		list = append(list, string(row[0]))
	}
	return list, err
}

func (d *database) lines(process string, f func(line []byte, at place, number int) error) error {
	for last, more := 0, true; more; {
		const most = 1000
		rows, err := d.Query(context.Background(), `select number, line from mcplogic_decision
			where process = $1 and number > $2::int8 order by number limit `+strconv.Itoa(most), process, strconv.Itoa(last))
		if err != nil {
			return err
		}
		for _, row := range rows {
			if last, err = strconv.Atoi(string(row[0])); err != nil {
				return err
			}
			if err := f(append(row[1], '\n'), place{at: int64(last)}, last); err != nil {
				return err
			}
		}
		more = len(rows) == most
	}
	return nil
}

func (d *database) again(process string, places []place) ([][]byte, error) {
	numbers := make([]string, len(places))
	for i, p := range places {
		numbers[i] = strconv.FormatInt(p.at, 10)
	}
	rows, err := d.Query(context.Background(), `select number, line from mcplogic_decision
		where process = $1 and number = any($2::int8[])`, process, facts.Array(numbers))
	found := map[string][]byte{}
	for _, row := range rows {
		found[string(row[0])] = append(row[1], '\n')
	}
	list := make([][]byte, len(places))
	for i, number := range numbers {
		list[i] = found[number]
	}
	return list, err
}

func (d *database) name(process string, _ place) string { return "process " + process }

func (d *database) begun(process string) (io.ReadCloser, error) {
	content, err := d.file(factsStart + process)
	if err == nil && len(content) == 0 {
		err = fs.ErrNotExist
	}
	return io.NopCloser(bytes.NewReader(content)), err
}

func (d *database) rules(digest string) (*zip.Reader, error) {
	content, err := d.file(rulesStart + digest)
	if err != nil {
		return nil, err
	}
	return zip.NewReader(bytes.NewReader(content), int64(len(content)))
}

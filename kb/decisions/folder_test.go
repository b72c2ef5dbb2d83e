package decisions

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/internal/facts"
	"github.com/mcplogic/mcplogic/kb"
)

// This file tests what is recorded in a folder when calls of the disk fail.

// faults says which system calls fail: the nth one, and all later ones if more is set. A failing write writes half of
// its data.
type faults struct {
	calls, nth atomic.Int64
	more       bool
}

func (f *faults) fail() error {
	n, nth := f.calls.Add(1), f.nth.Load()
	if nth > 0 && (n == nth || f.more && n > nth) {
		return syscall.ENOSPC
	}
	return nil
}

// faultyDisk is a folder whose calls fail as its faults say.
type faultyDisk struct {
	facts.Disk
	*faults
}

func (d faultyDisk) Append(name string) (facts.File, error) {
	if err := d.fail(); err != nil {
		return nil, err
	}
	f, err := d.Disk.Append(name)
	return faultyFile{f, d.faults}, err
}

func (d faultyDisk) Sync() error {
	if err := d.fail(); err != nil {
		return err
	}
	return d.Disk.Sync()
}

type faultyFile struct {
	facts.File
	*faults
}

func (f faultyFile) Write(p []byte) (int, error) {
	if err := f.fail(); err != nil {
		n, _ := f.File.Write(p[:len(p)/2])
		return n, err
	}
	return f.File.Write(p)
}

func (f faultyFile) Sync() error {
	if err := f.fail(); err != nil {
		return err
	}
	return f.File.Sync()
}

func (f faultyFile) Truncate(size int64) error {
	if err := f.fail(); err != nil {
		return err
	}
	return f.File.Truncate(size)
}

// open opens a recorder on a disk that fails as f says.
func open(t *testing.T, dir string, f *faults, o Options) *Recorder {
	o.disk = faultyDisk{facts.FolderDisk(filepath.Join(dir, "process")), f}
	r, err := Open(dir, &o)
	require.NoError(t, err)
	return r
}

// ids returns the calls that are read in a folder.
func ids(t *testing.T, dir string) (list []string, l *Log) {
	l, err := Read(dir, &Filter{})
	require.NoError(t, err)
	defer l.Close()
	require.NoError(t, l.Steps(func(s *Step) error {
		if s.Call != nil {
			list = append(list, s.Call.ID)
		}
		return nil
	}))
	return list, l
}

// TestFaults has each call of the system fail in turn, once or for good. A caller gets an error exactly if its record
// is missing, and all records that exist can be read.
func TestFaults(t *testing.T) {
	for _, more := range []bool{false, true} {
		for nth := range 20 {
			dir := t.TempDir()
			f := &faults{more: more}
			f.nth.Store(int64(nth + 1))
			r := open(t, dir, f, Options{Required: true, Rotate: 300})
			var want []string
			for i := range 6 {
				id := fmt.Sprint(i)
				err := r.Record(&Record{ID: id, Tool: "t", State: 1})
				if err == nil {
					want = append(want, id)
				} else {
					require.ErrorIs(t, err, ErrNotRecorded)
				}
			}
			require.NoError(t, r.Close())
			require.Equal(t, f.calls.Load() >= int64(nth+1), len(want) < 6, "call %d", nth+1)
			got, l := ids(t, dir)
			if !more {
				require.Equal(t, want, got, "call %d", nth+1)
			} else { // a record that could not be cut off again is recognized as torn, or is complete
				require.Subset(t, got, want, "call %d", nth+1)
			}
			require.Empty(t, l.Damaged, "call %d", nth+1)
		}
	}
}

// TestLatest finds the last calls of all processes that contain a text. Calls that were not committed do not count.
func TestLatest(t *testing.T) {
	dir, at := t.TempDir(), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for process := range 2 {
		r, err := Open(dir, &Options{})
		require.NoError(t, err)
		for i := range 100 {
			when := at.Add(time.Duration(2*i+process) * time.Minute) // both run at the same time
			arguments := fmt.Appendf(nil, `{"name":"Müller %d"}`, i)
			id := fmt.Sprintf("%d-%d", process, i)
			require.NoError(t, r.Record(&Record{ID: id, Time: when, Tool: "t", Arguments: arguments}))
		}
		write := &Record{ID: fmt.Sprint("write", process), Time: at.Add(time.Hour * 24), Tool: "w", Pending: true}
		require.NoError(t, r.Record(write))
		if process == 0 {
			r.TakeBack(write)
		} else {
			r.Confirm(write, 2, "")
		}
		require.NoError(t, r.Close())
	}
	list := func(text string, most int) (ids []string, count int) {
		found, count, err := Latest(dir, text, most)
		require.NoError(t, err)
		for _, r := range found {
			ids = append(ids, r.ID)
		}
		return ids, count
	}
	got, count := list("", 4)
	require.Equal(t, []string{"write1", "1-99", "0-99", "1-98"}, got)
	require.Equal(t, 201, count)
	got, count = list("MÜLLER 7", 4)
	require.Equal(t, []string{"1-79", "0-79", "1-78", "0-78"}, got)
	require.Equal(t, 22, count)
	got, count = list("nobody", 4)
	require.Empty(t, got)
	require.Zero(t, count)
}

// TestLatestFinds finds texts however a client has escaped them, and calls that speak of something pending.
func TestLatestFinds(t *testing.T) {
	dir := t.TempDir()
	r, err := Open(dir, &Options{})
	require.NoError(t, err)
	for i, arguments := range []string{`{"pending":true}`, `{"of":{"pending":null}}`, `{"x":"a<b & \u00c9 \ud83d\ude00"}`,
		`{"x":"A\u003cB \u0026 É 😀"}`, `{"x":"say \"no\"\nC:\\new"}`} {
		require.NoError(t, r.Record(&Record{ID: fmt.Sprint(i), Time: time.Unix(int64(i), 0), Tool: "t",
			Arguments: []byte(arguments)}))
	}
	write := &Record{ID: "w", Time: time.Unix(9, 0), Tool: "t", Arguments: []byte(`{"pending":false}`), Pending: true}
	require.NoError(t, r.Record(write))
	r.TakeBack(write)
	require.NoError(t, r.Close())
	for text, want := range map[string][]string{"": {"4", "3", "2", "1", "0"}, "pending": {"1", "0"}, "A<b": {"3", "2"},
		"b & é 😀": {"3", "2"}, `say "no"`: {"4"}, "no\"\nc": {"4"}, `C:\new`: {"4"}, "u003c": nil, "nc:": nil} {
		found, count, err := Latest(dir, text, 9)
		require.NoError(t, err)
		var got []string
		for _, r := range found {
			got = append(got, r.ID)
		}
		require.Equal(t, want, got, text)
		require.Len(t, want, count, text)
	}
}

// TestNotRequired goes on without records on a full disk. It warns once, and once more when records are written again.
func TestNotRequired(t *testing.T) {
	dir, f := t.TempDir(), &faults{more: true}
	var told []string
	r := open(t, dir, f, Options{Warn: func(m string) { told = append(told, m) }})
	f.nth.Store(1)
	for range 3 {
		require.NoError(t, r.Record(&Record{ID: "lost", Tool: "t"}))
	}
	f.nth.Store(0)
	require.NoError(t, r.Record(&Record{ID: "kept", Tool: "t"}))
	require.NoError(t, r.Close())
	got, _ := ids(t, dir)
	require.Equal(t, []string{"kept"}, got)
	require.Equal(t, []string{"decisions are not recorded: no space left on device", "decisions are recorded again"}, told)
	require.ErrorIs(t, func() error { r.o.Required = true; return r.Record(&Record{ID: "late"}) }(), ErrNotRecorded)
}

// TestTogether records calls of many callers: they share fsyncs, each call has its record, and the files rotate.
func TestTogether(t *testing.T) {
	dir, f := t.TempDir(), &faults{}
	r := open(t, dir, f, Options{Required: true, Rotate: 4096})
	var all sync.WaitGroup
	for caller := range 16 {
		all.Go(func() {
			for i := range 20 {
				if err := r.Record(&Record{ID: fmt.Sprintf("%d-%d", caller, i), Tool: "t"}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	require.NoError(t, r.Close())
	got, _ := ids(t, dir)
	require.Len(t, got, 320)
	files, err := lineFiles(filepath.Join(dir, "process"))
	require.NoError(t, err)
	require.Greater(t, len(files), 3)
}

// TestOrder reads calls, and the changes between them, in the order of the states that the calls saw, whatever the
// order of their lines and times. A change whose commit is unknown makes a gap. A call that ran again counts once.
func TestOrder(t *testing.T) {
	dir := t.TempDir()
	r := open(t, dir, &faults{}, Options{})
	clock := time.Now()
	put := func(one Record) {
		clock = clock.Add(-time.Minute) // the clock runs backwards
		one.Tool, one.Time = "t", clock
		require.NoError(t, r.Record(&one))
	}
	change := Record{ID: "a", Load: 1, State: 1, Pending: true, Changes: []string{"+user:p(1)."}}
	put(Record{ID: "late", Load: 2, State: 1})
	put(Record{ID: "sees", Load: 1, State: 2})
	put(change)
	r.Confirm(&change, 2, "")
	put(Record{ID: "before", Load: 1, State: 1})
	lost := Record{ID: "b", Load: 1, State: 2, Pending: true, Changes: []string{"+user:p(2)."}}
	put(lost)
	lost.State = 3
	put(lost)
	r.Confirm(&lost, 4, "")
	put(Record{ID: "c", Load: 1, State: 4, Pending: true, Changes: []string{"+user:p(3)."}})
	require.NoError(t, r.Close())
	for _, runLength = range []int{2, 1 << 14} { // in a temporary file, and in memory
		got, l := stepsOf(t, dir)
		require.Equal(t, "begins a before +user:p(1). sees b +user:p(2). late gap", got)
		require.Equal(t, []string{"c"}, l.Unconfirmed)
	}
}

// stepsOf returns the steps of a record in words.
func stepsOf(t *testing.T, dir string) (string, *Log) {
	l, err := Read(dir, &Filter{})
	require.NoError(t, err)
	defer l.Close()
	var steps []string
	require.NoError(t, l.Steps(func(s *Step) error {
		switch {
		case s.Begins:
			steps = append(steps, "begins")
		case s.Gap:
			steps = append(steps, "gap")
		case s.Call != nil:
			steps = append(steps, s.Call.ID)
		default:
			steps = append(steps, s.Changes...)
		}
		return nil
	}))
	return strings.Join(steps, " "), l
}

// TestFlat reads many records: the memory in use does not grow with their number.
func TestFlat(t *testing.T) {
	const calls, most = 50_000, 3 << 19 // two thirds of it for 2^14 events
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "process"), 0o700))
	var text []byte
	for i := range calls {
		one, err := (&Record{Version: Version, ID: fmt.Sprint(i), Tool: "t", Load: 1, State: uint64(calls - i)}).line()
		require.NoError(t, err)
		text = append(text, one...)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "process", "000001.jsonl"), text, 0o600))
	held := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := held()
	l, err := Read(dir, &Filter{})
	require.NoError(t, err)
	defer l.Close()
	require.Less(t, held()-before, int64(most))
	next := calls
	require.NoError(t, l.Steps(func(s *Step) error {
		if s.Begins {
			return nil
		}
		if next--; s.Call.ID != fmt.Sprint(next) {
			return fmt.Errorf("got %s, want %d", s.Call.ID, next)
		}
		if next == calls/2 {
			require.Less(t, held()-before, int64(most))
		}
		return nil
	}))
	require.Zero(t, next)
}

// TestGaps checks where the reader reports changes of facts that the record lacks: a store that was read anew, changes
// that were left out, and a change whose record is gone.
func TestGaps(t *testing.T) {
	record := func(o Options, f func(r *Recorder)) string {
		dir := t.TempDir()
		r := open(t, dir, &faults{}, o)
		require.NoError(t, r.Record(&Record{ID: "before", Tool: "t", Load: 1, State: 1}))
		f(r)
		require.NoError(t, r.Record(&Record{ID: "after", Tool: "t", Load: 1, State: 2}))
		require.NoError(t, r.Close())
		got, _ := stepsOf(t, dir)
		return got
	}
	change := Record{ID: "a", Tool: "t", Load: 1, State: 1, Pending: true, Changes: []string{"+user:p(1)."}}
	others := func(c kb.Others) func(r *Recorder) {
		return func(r *Recorder) { r.other(func() *kb.Others { return &c }) }
	}
	require.Equal(t, "begins before +user:p(2). after",
		record(Options{}, others(kb.Others{Load: 1, State: 2, Changes: []string{"+user:p(2)."}})))
	require.Equal(t, "begins before gap after", record(Options{}, others(kb.Others{Load: 1, State: 2, Anew: true})))
	require.Equal(t, "begins before gap after", record(Options{Omit: []string{"changes"}},
		others(kb.Others{Load: 1, State: 2, Changes: []string{"+user:p(2)."}})))
	require.Equal(t, "begins before a gap after", record(Options{Omit: []string{"changes"}}, func(r *Recorder) {
		require.NoError(t, r.Record(&change))
		r.Confirm(&change, 2, "")
	}))
	require.Equal(t, "begins before gap after", record(Options{}, func(r *Recorder) { r.Confirm(&change, 2, "") }))
}

// TestDamagedChange reads records in which the line of a change, or of its commit, is damaged or gone. Later calls
// depend on unknown facts and are not replayed. Earlier calls are replayed, and so are calls after a damaged call.
func TestDamagedChange(t *testing.T) {
	dir := t.TempDir()
	r := open(t, dir, &faults{}, Options{})
	for i := range uint64(3) {
		one := Record{ID: fmt.Sprint("put", i), Tool: "t", Load: 1, State: i, Pending: true,
			Changes: []string{fmt.Sprintf("+user:p(%d).", i)}}
		require.NoError(t, r.Record(&one))
		r.Confirm(&one, i+1, "")
		require.NoError(t, r.Record(&Record{ID: fmt.Sprint("get", i), Tool: "t", Load: 1, State: i + 1}))
	}
	require.NoError(t, r.Close())
	files, err := lineFiles(filepath.Join(dir, "process"))
	require.NoError(t, err)
	text, err := os.ReadFile(files[0])
	require.NoError(t, err)
	const all = "begins put0 +user:p(0). get0 put1 +user:p(1). get1 put2 +user:p(2). get2"
	got, _ := stepsOf(t, dir)
	require.Equal(t, all, got)
	lines := slices.Collect(bytes.Lines(text))
	for at, line := range lines {
		edited := []byte(strings.Replace(string(line), `"load":1`, `"load":7`, 1))
		for _, instead := range [][]byte{nil, line[:5], edited} {
			changed := slices.Clone(lines)
			if changed[at] = instead; len(instead) == 5 {
				changed[at] = []byte("{\"v\":1,\n")
			}
			require.NoError(t, os.WriteFile(files[0], bytes.Join(changed, nil), 0o600))
			got, l := stepsOf(t, dir)
			require.Equal(t, instead != nil, len(l.Damaged) > 0)
			call, known := at/3, got
			switch at % 3 {
			case 0, 1: // the change, or its commit
				known, _, _ = strings.Cut(got, " gap")
				require.Equal(t, strings.TrimSpace(all[:strings.Index(all, fmt.Sprint("put", call))]), known)
			case 2: // a call
				if len(instead) != 5 {
					require.Equal(t, strings.Replace(all, fmt.Sprint(" get", call), "", 1), got)
				}
			}
		}
	}
}

// TestTakenBack records changes that are not committed: of a call that runs again and changes nothing, of a call that
// runs again and commits, and of no call. Such changes make no gap, even if their line is written late or old lines are
// condensed.
func TestTakenBack(t *testing.T) {
	dir, f := t.TempDir(), &faults{more: true}
	r := open(t, dir, f, Options{})
	put := func(one Record) *Record {
		one.Load = 1
		require.NoError(t, r.Record(&one))
		return &one
	}
	added := []string{"+user:p(1)."}
	lost := put(Record{ID: "lost", Tool: "t", State: 1, Pending: true, Changes: added})
	again := put(Record{ID: "again", Tool: "t", State: 1, Pending: true, Changes: []string{"+user:p(2)."}})
	quiet := put(Record{ID: "quiet", State: 1, Pending: true, Changes: added})
	won := put(Record{ID: "won", Tool: "t", State: 1, Pending: true, Changes: added})
	r.Confirm(won, 2, "")
	r.TakeBack(lost)
	r.TakeBack(again)
	require.NoError(t, r.write())
	f.nth.Store(f.calls.Load() + 1)
	r.TakeBack(quiet)
	require.Error(t, r.write())
	f.nth.Store(0)
	put(Record{ID: "lost", Tool: "t", State: 2})
	again.State = 2
	r.Confirm(put(*again), 3, "")
	put(Record{ID: "late", Tool: "t", State: 3})
	require.NoError(t, r.Close())
	got, l := stepsOf(t, dir)
	require.Empty(t, l.Unconfirmed)
	require.Equal(t, "begins won +user:p(1). lost again +user:p(2). late", got)
	own := filepath.Join(dir, "process")
	require.NoError(t, dropIn(own, time.Now().Add(time.Hour), true))
	files, err := lineFiles(own)
	require.NoError(t, err)
	require.NoError(t, condense(files[len(files)-1], filepath.Join(own, oldestFile)))
	text, err := (&Record{Version: Version, ID: "new", Tool: "t", Load: 1, State: 3}).line()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(own, "000009.jsonl"), text, 0o600))
	got, _ = stepsOf(t, dir)
	require.Equal(t, "begins +user:p(1). +user:p(2). new", got)
}

// TestOwed writes the changes of other servers with the next record, also if the disk was full in between.
func TestOwed(t *testing.T) {
	dir, f := t.TempDir(), &faults{more: true}
	r := open(t, dir, f, Options{})
	f.nth.Store(1)
	change := Record{ID: "a", Tool: "t", Load: 1, State: 2, Pending: true, Changes: []string{"+user:p(2)."}}
	r.other(func() *kb.Others { return &kb.Others{Load: 1, State: 2, Changes: []string{"+user:p(1)."}} })
	require.NoError(t, r.Record(&change)) // it is not required
	r.Confirm(&change, 3, "")
	require.NoError(t, r.Record(&Record{ID: "lost", Tool: "t", Load: 1, State: 3}))
	f.nth.Store(0)
	require.NoError(t, r.Record(&Record{ID: "sees", Tool: "t", Load: 1, State: 3}))
	require.NoError(t, r.Close())
	got, _ := stepsOf(t, dir)
	require.Equal(t, "begins +user:p(1). gap sees", got)
}

// TestKeep drops old calls, but keeps the changes that later calls depend on. A running process keeps its newest file.
func TestKeep(t *testing.T) {
	dir := t.TempDir()
	r := open(t, dir, &faults{}, Options{Rotate: 200})
	change := Record{ID: "a", Tool: "t", Load: 1, State: 1, Pending: true, Arguments: []byte(`{"x":"private"}`),
		Changes: []string{"+user:p(1)."}}
	require.NoError(t, r.Record(&change))
	r.Confirm(&change, 2, "")
	require.NoError(t, r.Record(&Record{ID: "old", Tool: "t", Load: 1, State: 2, Arguments: []byte(`{"x":"private"}`)}))
	require.NoError(t, r.Record(&Record{ID: "new", Tool: "t", Load: 1, State: 2}))
	process := filepath.Join(dir, "process")
	files, err := lineFiles(process)
	require.NoError(t, err)
	for _, name := range files[:len(files)-1] {
		require.NoError(t, os.Chtimes(name, time.Time{}, time.Now().Add(-time.Hour)))
	}
	require.NoError(t, r.sink.(*folder).dropOlder(time.Now().Add(-time.Minute)))
	require.NoError(t, r.Close())
	got, l := ids(t, dir)
	require.Equal(t, []string{"new"}, got)
	require.Empty(t, l.Unconfirmed)
	changes := 0
	require.NoError(t, l.Steps(func(s *Step) error { changes += len(s.Changes); return nil }))
	require.Equal(t, 1, changes)
	text, err := os.ReadFile(filepath.Join(process, oldestFile))
	require.NoError(t, err)
	require.NotContains(t, string(text), "private")
	require.NoError(t, dropIn(process, time.Now().Add(time.Hour), false))
	require.NoDirExists(t, process)
}

// TestLine compares the lines of records with those of encoding/json: an empty record, a full one, and a record with
// each single member.
func TestLine(t *testing.T) {
	raw := json.RawMessage(`{"a":["x<y",1.50,null]}`)
	now := time.Date(2026, 11, 28, 1, 2, 3, 4000, time.FixedZone("", 3600))
	full := Record{User: "k\"im\xff",
		Client: &Client{Name: "ä<", Version: "1", Protocol: "p", Capabilities: raw, Meta: raw},
		Tool:   "t", Arguments: raw, Assume: raw, Without: raw, Skip: 3, Given: &Given{Assume: []string{"p(<)."}},
		Answers: []Answer{{Key: "q1", Action: "accept", Content: raw, Final: true}}, Now: now, Seed: "s",
		Limits: &Limits{Inferences: 1 << 60}, Rules: "r", Load: 1, State: math.MaxUint64, Sequence: "q",
		Changes: []string{"+user:p(1)."}, Pending: true, Commit: 7, Gap: true, Outcome: "ok", Result: raw,
		Error: &Error{Code: -1, Message: "m\n", Data: raw}, Took: 0.001, Statements: 2, Omitted: []string{"user"}}
	all := []Record{{}, full, {Client: &Client{}, Given: &Given{}, Limits: &Limits{}, Took: 123456789.125},
		{Arguments: json.RawMessage("{\r\n\"a\" :\n1}")}}
	for i := range reflect.TypeFor[Record]().NumField() {
		one := Record{}
		reflect.ValueOf(&one).Elem().Field(i).Set(reflect.ValueOf(full).Field(i))
		all = append(all, one)
	}
	for _, one := range all {
		one.Version, one.ID, one.Time = Version, "x", now
		var want bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		require.NoError(t, enc.Encode(&one))
		got, err := one.line()
		require.NoError(t, err)
		body, _, _ := strings.Cut(string(got), sumStart)
		require.Equal(t, want.String(), body+"}\n")
		var again Record
		require.NoError(t, parse(got, &again))
	}
}

// TestEdited changes each byte of a line in turn; the reader finds each change.
func TestEdited(t *testing.T) {
	line, err := (&Record{Version: 1, ID: "x", Tool: "t", Arguments: []byte(`{"a":1}`)}).line()
	require.NoError(t, err)
	var r Record
	require.NoError(t, parse(line, &r))
	for at := range len(line) - 1 {
		changed := []byte(string(line))
		changed[at]++
		require.Error(t, parse(changed, &r), "%s", changed)
		require.Error(t, parse(line[:at], &r), "%s", line[:at])
	}
	require.ErrorIs(t, parse([]byte(`{"v":2}`), &r), errLater)
}

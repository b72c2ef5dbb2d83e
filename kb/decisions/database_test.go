package decisions

import (
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/pgtest"
)

// TestDatabase records in PostgreSQL, which fails in between, drops old calls, and reads the rest.
func TestDatabase(t *testing.T) {
	pg := pgtest.Start(t)
	_, err := Read(pg.Address, &Filter{})
	require.EqualError(t, err, "decisions: there is no record in this database")
	r, err := Open(pg.Address, &Options{Required: true})
	require.NoError(t, err)
	d := r.sink.(*database)
	require.NoError(t, d.facts(func(put func(string) error) error { return put("user:p(0).\n") }))
	for range 2 { // once is enough
		require.NoError(t, d.archive("abc", func(w io.Writer) error { _, err := io.WriteString(w, "no zip"); return err }))
	}
	old := time.Now().Add(-time.Hour)
	change := Record{ID: "a", Tool: "t", Time: old, Load: 1, State: 1, Pending: true,
		Arguments: []byte(`{"x":"'\\\\\"{,ü\\u0000"}`), Changes: []string{"+user:p(1)."}}
	require.NoError(t, r.Record(&change))
	r.Confirm(&change, 2, "")
	require.NoError(t, r.Record(&Record{ID: "old", Tool: "t", Time: old, Load: 1, State: 2}))
	lost := Record{ID: "lost", Tool: "t", Time: old, Load: 1, State: 1, Pending: true, Changes: []string{"+user:p(2)."}}
	require.NoError(t, r.Record(&lost))
	r.TakeBack(&lost)
	pg.Kill(t)
	pg.Run(t)
	require.NoError(t, r.Record(&Record{ID: "new", Tool: "t", Time: time.Now(), Load: 1, State: 2}))
	got, l := stepsOf(t, pg.Address)
	require.Equal(t, "begins a +user:p(1). old new", got)
	require.Empty(t, l.Damaged)
	require.NoError(t, d.dropOlder(time.Now().Add(-time.Minute)))
	require.NoError(t, r.Close())
	got, _ = stepsOf(t, pg.Address)
	require.Equal(t, "begins +user:p(1). new", got)

	l, err = Read(pg.Address, &Filter{ID: "new"})
	require.NoError(t, err)
	defer l.Close()
	require.Len(t, l.processes, 1)
	list, err := l.readFacts(l.processes[0])
	require.NoError(t, err)
	require.Equal(t, []string{"user:p(0)."}, list)
	_, err = l.Rules("abc")
	require.ErrorContains(t, err, "zip")
	pg.SQL(t, "update mcplogic_decision set line = replace(line, '\"new\"', '\"edited\"')")
	_, l = stepsOf(t, pg.Address)
	require.Len(t, l.Damaged, 1)
	require.Contains(t, l.Damaged[0], "it is not as it was written")

	other, err := Open(pg.Address, nil)
	require.NoError(t, err)
	defer other.Close()
	require.NoError(t, other.sink.dropOlder(time.Now().Add(time.Hour)))
	got, _ = stepsOf(t, pg.Address)
	require.Empty(t, got, "the process is over and all that it recorded is old")
}

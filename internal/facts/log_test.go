package facts

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/pgtest"
)

// eachLog runs a test with each implementation of a log: in a folder, in PostgreSQL, and in the simulated database, so
// that this is known to answer as PostgreSQL does. open opens the same log again.
func eachLog(t *testing.T, test func(t *testing.T, open func() Log)) {
	opened := func(t *testing.T, l Log, err error) Log {
		require.NoError(t, err)
		t.Cleanup(func() { l.Close() })
		return l
	}
	t.Run("folder", func(t *testing.T) {
		dir := t.TempDir()
		test(t, func() Log {
			l, err := Source("file:"+dir).open(t.Context(), false, func(text string) { t.Error(text) })
			return opened(t, l, err)
		})
	})
	t.Run("simulated", func(t *testing.T) {
		db := newSimDatabase(&trouble{random: rand.New(rand.NewPCG(1, 1))})
		test(t, func() Log { return &postgres{Database: Database{dial: db.dial}} })
	})
	for name, address := range map[string]func(*pgtest.Server, *testing.T) string{
		"PostgreSQL": func(s *pgtest.Server, _ *testing.T) string { return s.Address },
		"pooler":     (*pgtest.Server).Pooler,
	} {
		t.Run(name, func(t *testing.T) {
			address := address(pgtest.Start(t), t)
			test(t, func() Log {
				l, err := Source(address).open(t.Context(), false, nil)
				return opened(t, l, err)
			})
		})
	}
}

// TestLog appends records, writes snapshots, and opens the log again.
func TestLog(t *testing.T) {
	eachLog(t, func(t *testing.T, open func() Log) {
		ctx := t.Context()
		l := open()
		got, err := read(l)
		require.NoError(t, err)
		require.Empty(t, got)
		odd := "commit.\n+user:n('{\"\\\\,Grüße').\n"
		head, ok, err := l.Append(ctx, Record{}, []Record{{ID: "a", Text: "one"}, {ID: "b", Text: odd}})
		require.NoError(t, err)
		require.True(t, ok)
		require.EqualValues(t, 2, head.Number)
		require.GreaterOrEqual(t, head.Bytes, int64(len("one"+odd)))
		head, err = l.AppendNext(ctx, Record{Number: 2, ID: "b"}, func(later []Record) ([]Record, error) {
			require.Empty(t, later)
			return []Record{{ID: "c", Text: "three"}}, nil
		})
		require.NoError(t, err)
		require.EqualValues(t, 3, head.Number)
		_, err = l.AppendNext(ctx, Record{Number: 3, ID: "c"}, func([]Record) ([]Record, error) {
			return nil, context.Canceled
		})
		require.ErrorIs(t, err, context.Canceled)
		list, more, err := l.After(ctx, Record{Number: 3, ID: "c"})
		require.NoError(t, err)
		require.False(t, more)
		require.Empty(t, list)
		require.NoError(t, l.Close())

		l = open()
		got, err = read(l)
		require.NoError(t, err)
		require.Equal(t, content{records: []string{"one", odd, "three"}}, got)
		id := "c"
		snapshot := func(number uint64, parts ...string) error {
			write, err := l.Snapshot(number)
			require.NoError(t, err)
			next := []Record{{ID: "d" + parts[0], Text: parts[0]}}
			_, ok, err := l.Append(ctx, Record{Number: number, ID: "another"}, next)
			if _, inDatabase := l.(*postgres); inDatabase {
				require.True(t, err == nil && !ok, "another record has the number")
				_, ok, err = l.Append(ctx, Record{Number: number, ID: id}, next)
			}
			require.NoError(t, err)
			require.True(t, ok)
			id = next[0].ID
			return write(ctx, func(put func(string) error) error {
				for _, p := range parts {
					if err := put(p); err != nil {
						return err
					}
				}
				if strings.HasPrefix(parts[0], "bad") {
					return context.Canceled
				}
				return nil
			})
		}
		require.ErrorIs(t, snapshot(3, "bad"), context.Canceled)
		require.NoError(t, snapshot(4, "four\n", odd))
		require.NoError(t, snapshot(5, "five\n", odd))
		require.NoError(t, l.Close())
		l = open()
		got, err = read(l)
		require.NoError(t, err)
		require.Equal(t, content{[]string{"five\n", odd}, []string{"five\n"}}, got)
		require.NoError(t, l.Close())
	})
}

// TestCheckDatabase has parts of snapshots that no server has finished.
func TestCheckDatabase(t *testing.T) {
	address := pgtest.Start(t).Address
	_, err := Check(t.Context(), Source(address))
	require.EqualError(t, err, "there is no store in this database")
	l, err := openPostgres(t.Context(), address, false)
	require.NoError(t, err)
	defer l.Close()
	_, _, err = l.Append(t.Context(), Record{}, []Record{{ID: "a", Text: "commit.\n+user:n(1).\n+user:n(.\n"}})
	require.NoError(t, err)
	for _, id := range []string{"lost", "lost2"} {
		_, err = l.Query(t.Context(), insertPart, id, "0", "user:n(2).\n")
		require.NoError(t, err)
	}
	for _, mended := range [][]string{{"2 snapshots that nobody needs: the parts are removed"}, nil} {
		c, err := Check(t.Context(), Source(address))
		require.NoError(t, err)
		require.Equal(t, mended, c.Mended)
		require.EqualValues(t, 1, c.Last)
		require.Len(t, c.Wrong, 1)
		require.Contains(t, c.Wrong[0], "user:n(. is not a fact")
	}
	_, err = l.Query(t.Context(), "update mcplogic_head set number = 7")
	require.NoError(t, err)
	c, err := Check(t.Context(), Source(address))
	require.NoError(t, err)
	require.Equal(t, []string{"record 2 is missing; restore the database from a copy"}, c.Wrong)
	_, err = Check(t.Context(), "postgres://nobody@127.0.0.1:1/nothing")
	require.ErrorContains(t, err, "cannot be reached")
}

// TestUnfinishedSnapshots leaves no parts of snapshots in the database that were not finished or do not count any more.
func TestUnfinishedSnapshots(t *testing.T) {
	l, err := openPostgres(t.Context(), pgtest.Start(t).Address, false)
	require.NoError(t, err)
	defer l.Close()
	ids := func() (list []string) {
		rows, err := l.Query(t.Context(), "select distinct id from mcplogic_snapshot")
		require.NoError(t, err)
		for _, row := range rows {
			list = append(list, string(row[0]))
		}
		return list
	}
	_, _, err = l.Append(t.Context(), Record{}, []Record{{ID: "a", Text: "é"}, {ID: "b", Text: "é"}})
	require.NoError(t, err)
	ended, cancel := context.WithCancel(t.Context())
	write, err := l.Snapshot(2)
	require.NoError(t, err)
	require.Error(t, write(ended, func(put func(string) error) error { // the server ends
		defer cancel()
		return put("part")
	}))
	require.Empty(t, ids())
	_, err = l.Query(t.Context(), insertPart, "of a server that died", "0", "part")
	require.NoError(t, err)
	overtaken, err := l.Snapshot(1)
	require.NoError(t, err)
	require.NoError(t, overtaken(t.Context(), func(func(string) error) error {
		return write(t.Context(), func(put func(string) error) error { return put("newer") })
	}), "another one was faster")
	head, err := l.begin(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 2, head.Base)
	require.Equal(t, []string{head.snapshot}, ids())
	_, err = l.Query(t.Context(), "commit")
	require.NoError(t, err)
	head, _, err = l.Append(t.Context(), Record{Number: 2, ID: "b"}, []Record{{ID: "c", Text: "é"}})
	require.NoError(t, err)
	require.EqualValues(t, len("é"), head.Bytes, "bytes are counted, not characters")
}

// TestListen listens where a session is that of the server, or the address says that it is.
func TestListen(t *testing.T) {
	server := pgtest.Start(t)
	pooled := server.Pooler(t)
	for _, c := range []struct {
		address string
		listens bool
	}{{server.Address, true}, {server.Address + "?listen=off", false}, {pooled, false}, {pooled + "&listen=on", true}} {
		l, err := openPostgres(t.Context(), c.address, false)
		require.NoError(t, err)
		require.Equal(t, c.listens, l.listen, c.address)
		require.NoError(t, l.Wait(t.Context()))
		_, err = l.begin(t.Context())
		require.NoError(t, err)
		for _, want := range []string{"5s", "0"} {
			rows, err := l.Query(t.Context(), "show idle_in_transaction_session_timeout")
			require.NoError(t, err)
			require.Equal(t, want, string(rows[0][0]), "only within transactions")
			_, err = l.Query(t.Context(), "rollback")
			require.NoError(t, err)
		}
		require.NoError(t, l.Close())
	}
}

package kb_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/internal/facts"
	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/tools/pgtest"
)

// replicas are knowledge bases of the same rules on one store.
type replicas struct {
	*testing.T
	dir     string
	address string
	stores  []*kb.Store
	bases   []*kb.Base
	told    sync.Map
}

func openReplicas(t *testing.T, n int, address, rules string) *replicas {
	r := &replicas{T: t, dir: t.TempDir(), address: address}
	save(t, filepath.Join(r.dir, "shop.pl"), rules)
	for range n {
		r.open()
	}
	return r
}

func (r *replicas) open() {
	r.Helper()
	store, err := kb.OpenStore(r.address, func(message string) { r.told.Store(message, true) })
	require.NoError(r, err)
	r.Cleanup(func() { store.Close() })
	base, err := kb.Open(r.Context(), []string{r.dir}, &kb.Options{Store: store})
	require.NoError(r, err)
	r.stores, r.bases = append(r.stores, store), append(r.bases, base)
}

// transact runs a goal in a transaction at a server.
func (r *replicas) transact(server int, goal string) error {
	_, err := r.bases[server].Snapshot().Program.Once(r.Context(), goal, &engine.RunOptions{Transaction: true, By: "ann"})
	return err
}

// state returns the facts of a server, in their order.
func (r *replicas) state(server int) []string { return factsOf(r.bases[server].Snapshot().Program) }

// factsOf returns the persistent facts of a program.
func factsOf(p *engine.Program) (list []string) {
	facts, end := p.PersistentFacts()
	defer end()
	for f := range facts {
		list = append(list, engine.FormatTerm(f.Head))
	}
	return list
}

// same waits until all servers have the records of the first. It requires that they and a newly started server have the
// same facts.
func (r *replicas) same() []string {
	r.Helper()
	for _, s := range r.stores {
		for _, other := range r.stores {
			require.NoError(r, s.WaitFor(r.Context(), other.Sequence()))
		}
	}
	r.open()
	want := r.state(0)
	for i := range r.bases {
		require.Equal(r, want, r.state(i), "server %d", i)
	}
	return want
}

func TestReplicas(t *testing.T) { testReplicas(t, pgtest.Start(t).Address) }

// TestReplicasPooler puts a pooler in front of the database, which does not pass LISTEN.
func TestReplicasPooler(t *testing.T) { testReplicas(t, pgtest.Start(t).Pooler(t)) }

func isClosed(c chan bool) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func testReplicas(t *testing.T, address string) {
	r := openReplicas(t, 2, address, ":- persistent([order/2, n/1]).\n:- persistent(key/2, [key([1])]).\n")
	require.NoError(t, r.transact(0, "assertz(order(1, pear)), assertz(order(2, f(X, Y, X, \"a\nb\", '\\0\\')))"))
	require.NoError(t, r.stores[1].WaitFor(t.Context(), r.stores[0].Sequence()))
	require.NoError(t, r.transact(1, "retract(order(1, _)), assertz(order(3, 'Grüße')), asserta(order(0, \"{\\\"\\\\\"))"))
	require.NoError(t, r.stores[0].WaitFor(t.Context(), r.stores[1].Sequence()))
	require.Len(t, r.same(), 3)

	t.Run("conflict", func(t *testing.T) {
		first, err := r.bases[0].Snapshot().Program.Start("retract(order(3, _))", &engine.RunOptions{Transaction: true})
		require.NoError(t, err)
		defer first.Close()
		_, err = first.Next(t.Context())
		require.NoError(t, err)
		require.NoError(t, r.transact(1, "retract(order(3, _)), assertz(order(3, x))"))
		require.ErrorIs(t, first.Commit(), engine.ErrConflict)
		require.NoError(t, r.transact(0, "retract(order(3, x))"), "the conflict has brought the newer state")
		r.same()
	})
	t.Run("turns", func(t *testing.T) {
		require.NoError(t, r.transact(0, "assertz(order(4, x))"))
		require.NoError(t, r.stores[1].WaitFor(t.Context(), r.stores[0].Sequence()))
		end, err := r.stores[1].Turn(t.Context()) // it has seen the change of the other
		require.NoError(t, err)
		require.NoError(t, r.transact(1, "retract(order(4, x)), assertz(order(4, y))"))
		require.NoError(t, r.stores[0].WaitFor(t.Context(), r.stores[1].Sequence()))
		require.NoError(t, r.transact(0, "assertz(order(5, z))"), "changes without a turn do not wait")
		begun := make(chan bool)
		go func() {
			next, err := r.stores[0].Turn(t.Context())
			assert.NoError(t, err)
			close(begun)
			next()
		}()
		require.Never(t, func() bool { return isClosed(begun) }, 50*time.Millisecond, 5*time.Millisecond)
		end()
		<-begun
		require.NoError(t, r.transact(0, "retract(order(4, y)), retract(order(5, z))"))
		r.same()
	})
	t.Run("keys", func(t *testing.T) {
		first, err := r.bases[0].Snapshot().Program.Start("assertz(key(9, first))", &engine.RunOptions{Transaction: true})
		require.NoError(t, err)
		defer first.Close()
		_, err = first.Next(t.Context())
		require.NoError(t, err)
		require.NoError(t, r.transact(1, "assertz(key(9, second))"))
		require.ErrorIs(t, first.Commit(), engine.ErrConflict)
		require.ErrorContains(t, r.transact(0, "assertz(key(9, third))"), "unique_key")
		require.NoError(t, r.transact(0, "retract(key(9, _)), assertz(key(9, third))"))
		r.same()
	})
	t.Run("absent", func(t *testing.T) {
		const count = "( retract(key(count, M)) -> true ; M = 0 ), N is M+1, assertz(key(count, N))"
		const mark = "\\+ n(_), assertz(n(first))"
		for _, goal := range []string{count, mark} {
			first, err := r.bases[0].Snapshot().Program.Start(goal, &engine.RunOptions{Transaction: true})
			require.NoError(t, err)
			defer first.Close()
			_, err = first.Next(t.Context())
			require.NoError(t, err)
			require.NoError(t, r.transact(1, goal))
			require.ErrorIs(t, first.Commit(), engine.ErrConflict)
		}
		require.NoError(t, r.transact(0, count))
		require.Contains(t, r.same(), "key(count,2)")
		require.NoError(t, r.transact(0, "retract(n(first))"))
	})
	t.Run("order", func(t *testing.T) { // one of several equal facts
		require.NoError(t, r.transact(0, "forall(member(X, [a, b, a, c, a]), assertz(n(X)))"))
		late, err := r.bases[0].Snapshot().Program.Start("assertz(n(late)), asserta(n(early))",
			&engine.RunOptions{Transaction: true})
		require.NoError(t, err)
		defer late.Close()
		_, err = late.Next(t.Context())
		require.NoError(t, err)
		require.NoError(t, r.stores[1].WaitFor(t.Context(), r.stores[0].Sequence()))
		require.NoError(t, r.transact(1, "clause(n(a), true, R), clause(n(b), true, B), R @> B, erase(R), "+
			"asserta(n(z)), assertz(n(y))"))
		require.NoError(t, late.Commit())
		require.NoError(t, r.stores[1].WaitFor(t.Context(), r.stores[0].Sequence()))
		want := "n(early) n(z) n(a) n(b) n(c) n(a) n(y) n(late)"
		got := ""
		for _, f := range r.same() {
			if f[:2] == "n(" {
				got += " " + f
			}
		}
		require.Equal(t, " "+want, got)
	})
}

// TestReplicasConcurrent commits at several servers at once, with conflicts, while files are reloaded.
func TestReplicasConcurrent(t *testing.T) {
	pg := pgtest.Start(t)
	for name, o := range map[string]struct {
		servers int
		suffix  string
	}{"two": {2, ""}, "three, without LISTEN": {3, "?listen=off&poll=20ms"}} {
		t.Run(name, func(t *testing.T) {
			pg.SQL(t, "drop table if exists mcplogic_head, mcplogic_log, mcplogic_snapshot;")
			r := openReplicas(t, o.servers, pg.Address+o.suffix, ":- persistent([n/1, log/2]).\n")
			require.NoError(t, r.transact(0, "assertz(n(0))"))
			for i := range r.stores {
				require.NoError(t, r.stores[i].WaitFor(t.Context(), r.stores[0].Sequence()))
			}
			const callers, each = 4, 40
			var all sync.WaitGroup
			for server := range o.servers {
				for c := range callers {
					all.Go(func() {
						for i := 0; i < each; {
							goal := "retract(n(N)), M is N+1, assertz(n(M)), assertz(log(M, counted))"
							if i%2 == 0 {
								goal = fmt.Sprintf("assertz(log(%d, %d))", server*callers+c, i)
							}
							switch err := r.transact(server, goal); {
							case err == nil:
								i++
							case !errors.Is(err, engine.ErrConflict):
								t.Error(err)
								return
							default:
								time.Sleep(time.Duration(rand.IntN(3)) * time.Millisecond)
							}
						}
					})
				}
			}
			for i := range 5 {
				save(t, filepath.Join(r.dir, "other.pl"), fmt.Sprintf("version(%d).\n", i))
				require.NoError(t, r.bases[i%o.servers].Reload(t.Context()).Err)
			}
			all.Wait()
			facts := r.same()
			require.Contains(t, facts, fmt.Sprintf("n(%d)", o.servers*callers*each/2))
			require.Len(t, facts, 1+o.servers*callers*each)
		})
	}
}

// TestReplicasTrouble uses a database that refuses statements, is slow, loses records, or comes from another version.
func TestReplicasTrouble(t *testing.T) {
	pg := pgtest.Start(t)
	const rules = ":- persistent([order/2]).\n"
	reset := func(t *testing.T) {
		pg.SQL(t, "drop table if exists mcplogic_head, mcplogic_log, mcplogic_snapshot cascade;")
	}
	t.Run("refuses", func(t *testing.T) {
		reset(t)
		r := openReplicas(t, 1, pg.Address, rules)
		pg.SQL(t, `create or replace function full_disk() returns trigger language plpgsql as
			$$ begin if new.text like '%bad%' then raise exception 'No space left on device' using errcode = '53100';
			end if; return new; end $$;
			create trigger full_disk before insert on mcplogic_log for each row execute function full_disk();`)
		var all sync.WaitGroup
		for i := range 8 { // they are appended together
			all.Go(func() {
				err := r.transact(0, fmt.Sprintf("assertz(order(%d, %s))", i, []string{"good", "bad"}[i%2]))
				if i%2 == 0 {
					require.NoError(t, err)
					return
				}
				require.ErrorIs(t, err, host.ErrNotStored)
				require.ErrorContains(t, err, "PostgreSQL says: No space left on device")
			})
		}
		all.Wait()
		require.Len(t, r.same(), 4)
	})
	t.Run("aborts", func(t *testing.T) { // as databases with serializable transactions do, at any step
		reset(t)
		const rules = ":- persistent(n/1).\n"
		r := openReplicas(t, 2, pg.Address+"?listen=off&poll=20ms", rules)
		require.NoError(t, r.transact(0, "assertz(n(0))"))
		require.NoError(t, r.stores[1].WaitFor(t.Context(), r.stores[0].Sequence()))
		pg.SQL(t, `create or replace function abort() returns trigger language plpgsql as
			$$ begin if random() < 0.3 then raise exception 'restart transaction' using errcode = '40001';
			end if; return new; end $$;
			create trigger abort before insert on mcplogic_log for each row execute function abort();
			create trigger abort before update on mcplogic_head for each row execute function abort();
			create constraint trigger late after insert on mcplogic_log deferrable initially deferred
			for each row execute function abort();`)
		var all sync.WaitGroup
		for i := range 4 {
			all.Go(func() {
				for range 5 {
					err := engine.ErrConflict
					for errors.Is(err, engine.ErrConflict) {
						err = r.transact(i%2, "retract(n(N)), M is N+1, assertz(n(M))")
					}
					assert.NoError(t, err)
				}
			})
		}
		all.Wait()
		pg.SQL(t, "drop function abort cascade")
		require.Equal(t, []string{"n(20)"}, r.same())
	})
	t.Run("slow", func(t *testing.T) {
		reset(t)
		r := openReplicas(t, 2, pg.Address, rules)
		done := make(chan struct{})
		go func() {
			defer close(done)
			pg.SQL(t, "begin; select * from mcplogic_head for update; select pg_sleep(1); commit;")
		}()
		for i := range 10 {
			require.NoError(t, r.transact(i%2, fmt.Sprintf("assertz(order(%d, x))", i)))
		}
		<-done
		require.Len(t, r.same(), 10)
	})
	t.Run("newer", func(t *testing.T) {
		reset(t)
		openReplicas(t, 1, pg.Address, rules)
		pg.SQL(t, "update mcplogic_head set version = 2;")
		_, err := kb.OpenStore(pg.Address, nil)
		require.EqualError(t, err,
			"the store in PostgreSQL: the tables have the format of another version, 2; this is version 1")
	})
	t.Run("older", func(t *testing.T) { // it was restored from a copy
		reset(t)
		r := openReplicas(t, 2, pg.Address, rules)
		require.NoError(t, r.transact(0, "assertz(order(1, x))"))
		kept := r.stores[0].Sequence()
		require.NoError(t, r.transact(0, "assertz(order(2, x))"))
		lost := r.stores[0].Sequence()
		pg.SQL(t, "delete from mcplogic_log where number = 2; update mcplogic_head set number = 1;")
		require.NoError(t, r.transact(1, "assertz(order(3, x))"))
		require.Eventually(t, func() bool { return len(r.state(0)) == 2 && r.state(0)[1] == "order(3,x)" },
			2*time.Minute, 10*time.Millisecond)
		for i := range r.stores {
			require.NoError(t, r.stores[i].WaitFor(t.Context(), kept))
			require.ErrorContains(t, r.stores[i].WaitFor(t.Context(), lost),
				"the store ends with change 2 and has lost change "+lost)
		}
		require.Equal(t, []string{"order(1,x)", "order(3,x)"}, r.same())
	})
	t.Run("older, unseen", func(t *testing.T) { // a server appends before it sees that it was restored
		reset(t)
		r := openReplicas(t, 2, pg.Address+"?listen=off&poll=1h", rules)
		require.NoError(t, r.transact(0, "assertz(order(1, x))"))
		require.NoError(t, r.transact(0, "assertz(order(2, x))"))
		lost := r.stores[0].Sequence()
		pg.SQL(t, "delete from mcplogic_log where number = 2; update mcplogic_head set number = 1;")
		require.NoError(t, r.transact(1, "assertz(order(3, x))"))
		require.NoError(t, r.transact(0, "assertz(order(4, x))"))
		require.Error(t, r.stores[0].WaitFor(t.Context(), lost))
		require.Equal(t, []string{"order(1,x)", "order(3,x)", "order(4,x)"}, r.same())
	})
	t.Run("snapshots", func(t *testing.T) {
		reset(t)
		r := openReplicas(t, 2, pg.Address, ":- persistent([order/2, other/1]).\n")
		filler := strings.Repeat("x", 60_000)
		for i := range 120 {
			require.NoError(t, r.transact(i%2, fmt.Sprintf("assertz(order(%d, %s)), (retract(order(%d, _)) -> true ; true)",
				i, filler, i-2)))
		}
		require.LessOrEqual(t, len(r.same()), 4)
		var log strings.Builder
		require.NoError(t, facts.WriteLog(&log, pg.Address, nil))
		require.Less(t, strings.Count(log.String(), "ann\n"), 120, "old records are removed")
		require.NotContains(t, log.String(), "\n1 20")
	})
	t.Run("rules", func(t *testing.T) { // the answers differ between servers, and change
		reset(t)
		r := openReplicas(t, 1, pg.Address, ":- persistent([a/1, b/1]).\n:- dynamic(c/1).\n")
		require.NoError(t, r.transact(0, "assertz(a(1)), assertz(b(1)), assertz(c(1))"))
		own := r.dir
		r.dir = t.TempDir()
		save(t, filepath.Join(r.dir, "shop.pl"), ":- persistent([b/1]).\n")
		r.open()
		require.Equal(t, []string{"b(1)"}, r.state(1))
		require.NoError(t, r.transact(0, "retract(a(1)), assertz(a(2)), asserta(a(0))"))
		require.NoError(t, r.stores[1].WaitFor(t.Context(), r.stores[0].Sequence()))
		save(t, filepath.Join(r.dir, "shop.pl"), ":- persistent([a/1]).\n")
		require.NoError(t, r.bases[1].Reload(t.Context()).Err)
		require.Equal(t, []string{"a(0)", "a(2)"}, r.state(1))
		save(t, filepath.Join(own, "shop.pl"), ":- persistent([a/1, b/1, c/1]).\n")
		require.NoError(t, r.bases[0].Reload(t.Context()).Err)
		isThird := func() bool { return strings.HasPrefix(r.stores[0].Sequence(), "3-") }
		require.Eventually(t, isThird, time.Minute, time.Millisecond)
		save(t, filepath.Join(r.dir, "shop.pl"), ":- persistent([a/1, b/1, c/1]).\n")
		require.NoError(t, r.stores[1].WaitFor(t.Context(), r.stores[0].Sequence()))
		require.NoError(t, r.bases[1].Reload(t.Context()).Err)
		require.Equal(t, []string{"a(0)", "a(2)", "b(1)", "c(1)"}, r.same())
	})
	t.Run("gone", func(t *testing.T) {
		reset(t)
		r := openReplicas(t, 1, pg.Address, rules)
		require.NoError(t, r.transact(0, "assertz(order(1, x))"))
		pg.Kill(t)
		failed := make(chan error)
		go func() { failed <- r.transact(0, "assertz(order(2, x))") }()
		require.Equal(t, []string{"order(1,x)"}, r.state(0), "what is there is answered")
		time.Sleep(100 * time.Millisecond)
		pg.Run(t)
		require.NoError(t, <-failed, "it was tried again")
		require.Len(t, r.same(), 2)
	})
}

// TestStoreCredentials checks that no error reveals the password of an address.
func TestStoreCredentials(t *testing.T) {
	for _, address := range []string{"postgres://ann:secret@127.0.0.1:1/shop", "postgres://ann:secret@127.0.0.1:port/shop",
		"postgres://ann:secret@127.0.0.1:1/shop?poll=secret%zz", "postgres://ann:secret@127.0.0.1:1/shop?sslmode=secret",
		"postgresql://ann:secret@[::1/shop", "postgres://ann:secret@127.0.0.1:1/shop?listen=perhaps"} {
		_, err := kb.OpenStore(address, nil)
		require.Error(t, err)
		require.NotContains(t, err.Error(), "secret")
		require.Contains(t, err.Error(), "the store in PostgreSQL: ")
	}
}

// TestAsOf reads the facts as they were after each change, by the change's name, its number and the time, in both kinds
// of stores. Changes that a snapshot has replaced, and changes that never existed, are errors.
func TestAsOf(t *testing.T) {
	for _, address := range []string{"file:" + filepath.Join(t.TempDir(), "store"), pgtest.Start(t).Address} {
		r := openReplicas(t, 1, address, ":- persistent(n/1).\n")
		asOf := func(sequence string, at time.Time) (string, error) {
			store, err := kb.ReadStore(t.Context(), address, sequence, at, nil)
			if err != nil {
				return "", err
			}
			snapshot, err := kb.Load(t.Context(), []string{r.dir}, &kb.Options{Store: store})
			require.NoError(t, err)
			return strings.Join(factsOf(snapshot.Program), " "), nil
		}
		before := time.Now()
		for i, goal := range []string{"assertz(n(1))", "asserta(n(2))", "retract(n(1))", "assertz(n(3)), assertz(n(4))"} {
			require.NoError(t, r.transact(0, goal))
			want, sequence, now := strings.Join(r.state(0), " "), r.stores[0].Sequence(), time.Now()
			for range 2 { // a later change makes no difference
				for _, name := range []string{sequence, fmt.Sprint(i + 1), ""} {
					got, err := asOf(name, now)
					require.NoError(t, err)
					require.Equal(t, want, got, "%s as of %q", goal, name)
				}
				if i == 0 {
					require.NoError(t, r.transact(0, "assertz(n(9)), retract(n(9))")) // changes nothing
				}
			}
		}
		got, err := asOf("", before)
		require.NoError(t, err)
		require.Empty(t, got)
		_, err = asOf("5", before)
		require.ErrorContains(t, err, "the store ends with change 4")
		_, err = asOf("2-wother", before)
		require.ErrorContains(t, err, "the store has lost change 2-wother or never had it")
		_, err = asOf("x", before)
		require.Error(t, err)
		for range 3 {
			require.NoError(t, r.transact(0, "length(L, 600000), maplist(=(0'a), L), atom_codes(A, L), assertz(n(A))"))
		}
		for _, name := range []string{"2", ""} {
			require.Eventually(t, func() bool {
				_, err := asOf(name, before)
				return err != nil && strings.Contains(err.Error(), "the log does not reach back to that: a snapshot stands for")
			}, time.Minute, 20*time.Millisecond)
		}
		for sequence, at := range map[string]time.Time{r.stores[0].Sequence(): before, "": time.Now()} {
			got, err = asOf(sequence, at)
			require.NoError(t, err, "%q", sequence)
			require.Len(t, strings.Fields(got), 6)
		}
	}
}

package kb_test

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/kb"
)

// This file measures how long calls take while the files are loaded again and again.

// manyFacts is the text of a file of facts.
func manyFacts(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "fact(k%d, %d, 'text %d').\n", i, i%1000, i%7)
	}
	return b.String()
}

// callUntil calls a goal of the current snapshot and commits, again and again, until ended is closed. It returns how
// long each call took from the moment when it was due.
func callUntil(b *testing.B, base *kb.Base, goal string, ended <-chan bool) (took []time.Duration) {
	const pause = 200 * time.Microsecond
	for {
		due := time.Now().Add(pause)
		select {
		case <-ended:
			return took
		case <-time.After(pause):
		}
		r, err := base.Snapshot().Program.Start(goal, &engine.RunOptions{Transaction: true})
		if err == nil {
			var state engine.State
			if state, err = r.Next(context.Background()); err == nil && state == engine.Answer {
				err = r.Commit()
			}
			r.Close()
		}
		if err != nil {
			b.Error(err)
			return took
		}
		took = append(took, time.Since(due))
	}
}

// waitedForLocks is how long all goroutines have waited for locks so far, in seconds.
func waitedForLocks() float64 {
	sample := []metrics.Sample{{Name: "/sync/mutex/wait/total:seconds"}}
	metrics.Read(sample)
	return sample[0].Value.Float64()
}

// BenchmarkPause reloads while two goroutines call; one of them changes the database in each call. It reports the times
// of the calls in milliseconds: the median, the 99.9th percentile and the maximum, and how long all calls together
// waited for locks. One operation is a reload after a change of one file. The case idle has no reloads and shows the
// times of the machine itself.
func BenchmarkPause(b *testing.B) {
	modules := map[string]string{}
	for i := range 100 {
		modules[fmt.Sprintf("part%02d.pl", i)] = module(i)
	}
	const tool = ":- dynamic(added/2).\nv(1).\ncount(N) :- added(count, M), !, retract(added(count, M)), N is M + 1, " +
		"assertz(added(count, N)).\n" +
		"count(1) :- assertz(added(count, 1)).\n"
	for _, c := range []struct {
		name, facts, setup, goal string
		files                    map[string]string
	}{
		{name: "files", goal: "v(X)", files: modules},
		{name: "facts", facts: manyFacts(100_000), goal: "fact(k777, X, _)"},
		{name: "asserted", setup: "forall(between(1, 100000, I), assertz(added(I, I)))", goal: "added(777, X)"},
		{name: "idle", goal: "v(X)"},
	} {
		b.Run(c.name, func(b *testing.B) {
			dir := b.TempDir()
			write := func(name, text string) {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
					b.Fatal(err)
				}
			}
			for name, text := range c.files {
				write(name, text)
			}
			write("facts.pl", c.facts)
			write("tool.pl", tool)
			base, err := kb.Open(b.Context(), []string{dir}, nil)
			if err != nil {
				b.Fatal(err)
			}
			for _, goal := range []string{cmp.Or(c.setup, "true"), c.goal} { // the first call makes indexes
				if _, err := base.Snapshot().Program.Once(b.Context(), goal, nil); err != nil {
					b.Fatal(err)
				}
			}
			waited := waitedForLocks()
			var calls sync.WaitGroup
			ended := make(chan bool)
			took := make([][]time.Duration, 2)
			for i, goal := range []string{c.goal, "count(_)"} {
				calls.Go(func() { took[i] = callUntil(b, base, goal, ended) })
			}
			b.ResetTimer()
			for i := range b.N {
				if c.name == "idle" {
					time.Sleep(100 * time.Millisecond)
					continue
				}
				write("tool.pl", fmt.Sprintf("%sextra(%d).\n", tool, i))
				if c := base.Reload(b.Context()); c.Err != nil {
					b.Fatal(c.Err)
				}
			}
			b.StopTimer()
			close(ended)
			calls.Wait()
			all := slices.Sorted(slices.Values(slices.Concat(took...)))
			for _, at := range []struct {
				name string
				n    int
			}{{"median-ms", len(all) / 2}, {"99.9%-ms", len(all) - 1 - len(all)/1000}, {"longest-ms", len(all) - 1}} {
				b.ReportMetric(float64(all[at.n].Microseconds())/1000, at.name)
			}
			b.ReportMetric(float64(len(all)), "calls")
			b.ReportMetric(1000*(waitedForLocks()-waited), "locked-ms")
		})
	}
}

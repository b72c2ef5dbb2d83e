// This file defines the measurement of servers that share a store in PostgreSQL: how many changes a second they commit
// together, changes that have nothing to do with each other and such that all conflict.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/mcplogic/mcplogic/kb"
)

const (
	replicaSchema  = "mcplogic_bench"
	replicaCallers = 8  // of each server
	hotCallers     = 64 // of each server, who all change one fact
	replicaRules   = ":- persistent(order/2).\n:- persistent(count/2, [key([1])]).\n"
	replicaAdds    = "assertz(order(%d, pear))"
	replicaCounts  = "( retract(count(all, M)) -> true ; M = 0 ), N is M+1, assertz(count(all, N))"
)

// A replicaResult is the rate of one number of servers.
type replicaResult struct {
	Servers   int     `json:"servers"`
	Apart     float64 `json:"apart_per_second"`
	Conflicts float64 `json:"conflicting_per_second"`
	Hot       float64 `json:"hot_per_second"` // conflicts of hotCallers
	Late      float64 `json:"hot_p99_ms"`     // 99 of 100 of their calls take less
}

// A replicaReport has all of them.
type replicaReport struct {
	Results []replicaResult `json:"results"`
}

// Table prints the report.
func (r *replicaReport) Table(w io.Writer) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(out, "servers\tchanges apart, %d callers each\tof one fact\tof one fact, %d callers each\tp99 ms\t\n",
		replicaCallers, hotCallers)
	for _, l := range r.Results {
		fmt.Fprintf(out, "%d\t%.0f\t%.0f\t%.0f\t%.0f\t\n", l.Servers, l.Apart, l.Conflicts, l.Hot, l.Late)
	}
	return out.Flush()
}

// measureReplicas measures one server and three in this process, on a schema of their own, which goes away
// afterwards.
func measureReplicas(ctx context.Context, address string) (*replicaReport, error) {
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return nil, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	defer func() { _, _ = conn.Exec(context.WithoutCancel(ctx), "drop schema "+replicaSchema+" cascade") }()
	dir, err := os.MkdirTemp("", "mcplogic-bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "rules.pl"), []byte(replicaRules), 0o666); err != nil {
		return nil, err
	}
	report := &replicaReport{}
	for _, servers := range []int{1, 3} {
		again := "drop schema if exists " + replicaSchema + " cascade; create schema " + replicaSchema
		if _, err := conn.Exec(ctx, again); err != nil {
			return nil, err
		}
		r, err := measureServers(ctx, address+"?search_path="+replicaSchema, dir, servers)
		if err != nil {
			return nil, err
		}
		report.Results = append(report.Results, r)
	}
	return report, nil
}

// measureServers measures a number of servers.
func measureServers(ctx context.Context, address, dir string, servers int) (r replicaResult, err error) {
	var bases []*kb.Base
	for range servers {
		store, err := kb.OpenStore(address, nil)
		if err != nil {
			return r, err
		}
		defer store.Close()
		base, err := kb.Open(ctx, []string{dir}, &kb.Options{Store: store})
		if err != nil {
			return r, err
		}
		bases = append(bases, base)
	}
	const apart, conflicting = 3000, 1000
	adds, _, err := commitAll(ctx, bases, replicaCallers, apart, func(n int) string { return fmt.Sprintf(replicaAdds, n) })
	if err != nil {
		return r, err
	}
	count := func(int) string { return replicaCounts }
	counts, _, err := commitAll(ctx, bases, replicaCallers, conflicting, count)
	if err != nil {
		return r, err
	}
	hot, late, err := commitAll(ctx, bases, hotCallers, conflicting, count)
	return replicaResult{servers, apart / adds.Seconds(), conflicting / counts.Seconds(), conflicting / hot.Seconds(),
		milliseconds(late)}, err
}

// commitAll commits a number of changes at servers with so many callers each. It returns the time of all of them, and
// the time in which 99 of 100 changes were committed.
func commitAll(
	ctx context.Context, bases []*kb.Base, each, changes int, goal func(n int) string,
) (took, late time.Duration, err error) {
	work := make(chan int, changes)
	for n := range changes {
		work <- n
	}
	close(work)
	began := time.Now()
	var callers sync.WaitGroup
	var mu sync.Mutex
	var waits []time.Duration
	for i := range each * len(bases) {
		callers.Go(func() {
			for n := range work {
				asked := time.Now()
				_, failed := bases[i%len(bases)].Snapshot().Program.Update(ctx, goal(n), nil)
				mu.Lock()
				waits, err = append(waits, time.Since(asked)), errors.Join(err, failed)
				mu.Unlock()
			}
		})
	}
	callers.Wait()
	slices.Sort(waits)
	return time.Since(began), waits[len(waits)*99/100], err
}

// This file defines the measurement of the record of decisions: what recording costs calls, how many calls are replayed
// a minute, and what the digest of rules costs a load.
package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/kb/decisions"
)

// decisionRules are small rules, as those of decisions are.
const decisionRules = `tools([eligible/2]).
:- mode(eligible(+atom, -integer), zero_or_one).
:- info(eligible/2, [comment is 'What a person can borrow.', argnames is [person, limit]]).
eligible(P, L) :- income(P, I), I >= 900, L is I*3.
income(ann, 1000).
`

// decisionCalls is how many calls a round makes. The last one is replayed.
const decisionCalls = 10_000

// decisionRounds is how often plain and recorded calls take turns, so that whatever else the machine does hits both.
const decisionRounds = 9

// A recordResult is what a call takes with a number of callers, in microseconds: the medians of the rounds. Cost and
// CostCPU are the medians of the ratios of each round. The processor time is the server's, with its start.
type recordResult struct {
	Callers  int     `json:"callers"`
	Plain    float64 `json:"plain_us"`
	Recorded float64 `json:"recorded_us"`
	Cost     float64 `json:"cost"`
	PlainCPU float64 `json:"plain_cpu_us"`
	CPU      float64 `json:"recorded_cpu_us"`
	CostCPU  float64 `json:"cost_cpu"`
}

// A decisionReport has all of it.
type decisionReport struct {
	Results []recordResult `json:"results"`
	// Replayed is how many calls are replayed in a minute of processor time.
	Replayed float64 `json:"replayed_a_minute"`
	// Digest is the share of hashing in the processor time of a load.
	Digest float64 `json:"digest_share"`
}

// Table prints the report.
func (r *decisionReport) Table(w io.Writer) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "callers\ta call\trecorded\tcost\tprocessor\trecorded\tcost\t")
	for _, l := range r.Results {
		fmt.Fprintf(out, "%d\t%.0f µs\t%.0f µs\t%+.0f %%\t%.0f µs\t%.0f µs\t%+.0f %%\t\n", l.Callers, l.Plain, l.Recorded,
			100*(l.Cost-1), l.PlainCPU, l.CPU, 100*(l.CostCPU-1))
	}
	if err := out.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%.0f calls are replayed in a minute of processor time, the digest takes %.2f %% of a load\n",
		r.Replayed, 100*r.Digest)
	return err
}

// measureDecisions records calls below a folder and replays them.
func measureDecisions(ctx context.Context, dir string) (*decisionReport, error) {
	rules := filepath.Join(dir, "rules.pl")
	if err := os.WriteFile(rules, []byte(decisionRules), 0o666); err != nil {
		return nil, err
	}
	snapshot, err := kb.Load(ctx, []string{rules}, &kb.Options{Predicates: bridge.Predicates()})
	if err != nil {
		return nil, err
	}
	command := filepath.Join(dir, "mcplogic")
	if err := goBuild(ctx, command, "cmd/mcplogic"); err != nil {
		return nil, err
	}
	r := &decisionReport{}
	record := ""
	for _, callers := range []int{1, 32} {
		var rounds [6][]float64
		for round := range decisionRounds {
			plain, plainCPU, err := callRate(ctx, command, rules, "", callers)
			if err != nil {
				return nil, err
			}
			record = filepath.Join(dir, fmt.Sprintf("record%d-%d", callers, round))
			recorded, cpu, err := callRate(ctx, command, rules, record, callers)
			if err != nil {
				return nil, err
			}
			for i, x := range []float64{plain, recorded, recorded / plain, plainCPU, cpu, cpu / plainCPU} {
				rounds[i] = append(rounds[i], x)
			}
		}
		r.Results = append(r.Results, recordResult{callers, median(rounds[0]), median(rounds[1]), median(rounds[2]),
			median(rounds[3]), median(rounds[4]), median(rounds[5])})
	}
	if r.Replayed, err = replayRate(ctx, snapshot, record); err == nil {
		r.Digest, err = digestShare(ctx, dir)
	}
	return r, err
}

// callRate makes calls of the command, which records them in a folder unless that is "". It returns how long a call
// takes and the processor time that it costs the server, in microseconds.
func callRate(ctx context.Context, command, rules, record string, callers int) (wall, cpu float64, err error) {
	server := exec.CommandContext(ctx, command, "serve", rules)
	if record != "" {
		server.Args = append(server.Args, "--decisions", record)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil).Connect(ctx,
		&mcp.CommandTransport{Command: server}, nil)
	if err != nil {
		return 0, 0, err
	}
	call := &mcp.CallToolParams{Name: "eligible", Arguments: map[string]any{"person": "ann"}}
	began := time.Now()
	var all sync.WaitGroup
	failed := make([]error, callers)
	for i := range callers {
		all.Go(func() {
			for range decisionCalls / callers {
				if _, err := session.CallTool(ctx, call); err != nil {
					failed[i] = err
					return
				}
			}
		})
	}
	all.Wait()
	wall = micros(time.Since(began)) / decisionCalls
	if err := errors.Join(append(failed, session.Close())...); err != nil {
		return 0, 0, err
	}
	return wall, micros(server.ProcessState.UserTime()+server.ProcessState.SystemTime()) / decisionCalls, nil
}

// connect makes a client of a server in this process.
func connect(ctx context.Context, server *bridge.Server) (*mcp.ClientSession, error) {
	here, there := mcp.NewInMemoryTransports()
	if _, err := server.MCP().Connect(ctx, there, nil); err != nil {
		return nil, err
	}
	return mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil).Connect(ctx, here, nil)
}

// replayRate replays a record, and returns how many calls that are in a minute of processor time.
func replayRate(ctx context.Context, s *kb.Snapshot, record string) (float64, error) {
	server := bridge.NewServer(s, nil)
	defer server.Close()
	used, calls := ownTime(), 0
	l, err := decisions.Read(record, &decisions.Filter{})
	if err != nil {
		return 0, err
	}
	defer l.Close()
	err = l.Steps(func(step *decisions.Step) error {
		if step.Call == nil {
			return nil
		}
		calls++
		if now, _ := server.Replay(ctx, step.Call, nil); !decisions.Same(step.Call, now) {
			return fmt.Errorf("%s became %s", step.Call.Text(), now.Text())
		}
		return nil
	})
	return float64(calls) / (ownTime() - used).Minutes(), err
}

// digestShare is the share of hashing the text in the processor time of a load.
func digestShare(ctx context.Context, dir string) (float64, error) {
	var b strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&b, "fact(%s).\n", shapes[0].args(i, 100_000))
	}
	file := filepath.Join(dir, "facts.pl")
	if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
		return 0, err
	}
	used := ownTime()
	if _, err := kb.Load(ctx, []string{file}, nil); err != nil {
		return 0, err
	}
	load := ownTime() - used
	const often = 20
	used = ownTime()
	for range often {
		sha256.Sum256([]byte(b.String()))
	}
	return float64(ownTime()-used) / often / float64(load), nil
}

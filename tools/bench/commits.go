// This file defines the measurement of a store in a folder: how many changes a second callers commit together, each
// durable when its call returns. One caller waits for an fsync of each.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/mcplogic/mcplogic/kb"
)

// A commitResult is the rate of a number of callers.
type commitResult struct {
	Callers int     `json:"callers"`
	Rate    float64 `json:"per_second"`
	Ratio   float64 `json:"ratio"` // to that of one caller
}

// A commitReport has all of them.
type commitReport struct {
	Changes int            `json:"changes"`
	Results []commitResult `json:"results"`
}

// Table prints the report.
func (r *commitReport) Table(w io.Writer) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(out, "callers\t%d changes, a second\tto one caller\t\n", r.Changes)
	for _, l := range r.Results {
		fmt.Fprintf(out, "%d\t%.0f\t%.1f\t\n", l.Callers, l.Rate, l.Ratio)
	}
	return out.Flush()
}

// measureCommits commits changes to stores below a folder.
func measureCommits(ctx context.Context, dir string, changes int) (*commitReport, error) {
	rules := filepath.Join(dir, "rules.pl")
	if err := os.WriteFile(rules, []byte(replicaRules), 0o666); err != nil {
		return nil, err
	}
	report := &commitReport{Changes: changes}
	for _, callers := range []int{1, 4, 8, 16, 32} {
		rate, err := commitRate(ctx, rules, filepath.Join(dir, fmt.Sprintf("store%d", callers)), callers, changes)
		if err != nil {
			return nil, err
		}
		r := commitResult{Callers: callers, Rate: rate, Ratio: 1}
		if len(report.Results) > 0 {
			r.Ratio = rate / report.Results[0].Rate
		}
		report.Results = append(report.Results, r)
	}
	return report, nil
}

func commitRate(ctx context.Context, rules, dir string, callers, changes int) (rate float64, err error) {
	store, err := kb.OpenStore("file:"+dir, nil)
	if err != nil {
		return 0, err
	}
	defer store.Close()
	base, err := kb.Open(ctx, []string{rules}, &kb.Options{Store: store})
	if err != nil {
		return 0, err
	}
	add := func(n int) string { return fmt.Sprintf(replicaAdds, n) }
	took, _, err := commitAll(ctx, []*kb.Base{base}, callers, changes, add)
	return float64(changes) / took.Seconds(), err
}

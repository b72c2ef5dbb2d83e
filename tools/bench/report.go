// This file defines the report on the programs: what is computed from the samples, its JSON, and its table.
package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// floor is the shortest time a ratio is computed from; below it start-up noise rules.
const floor = time.Millisecond

// A result is one system on one program; times are without start-up.
type result struct {
	System     string  `json:"system"`
	MinSeconds float64 `json:"min_seconds,omitempty"`
	Median     float64 `json:"median_seconds,omitempty"`
	Start      float64 `json:"start_seconds,omitempty"`
	PeakKiB    int64   `json:"peak_kib,omitempty"`
	AnonKiB    int64   `json:"anonymous_kib,omitempty"`
	Checksum   string  `json:"checksum,omitempty"`
	Estimated  bool    `json:"estimated,omitempty"`
	Error      string  `json:"error,omitempty"`
}

// A row is one program; a ratio is our time or memory over that of the named system.
type row struct {
	Program string             `json:"program"`
	About   string             `json:"about"`
	Results []result           `json:"results"`
	Time    map[string]float64 `json:"time_ratios"`
	Memory  map[string]float64 `json:"memory_ratios"`
	Anon    map[string]float64 `json:"anonymous_ratios"`
	Differ  bool               `json:"answers_differ,omitempty"` // and then there is no ratio
}

// A programReport is everything one run of the command measured.
type programReport struct {
	Machine     string             `json:"machine"`
	Versions    map[string]string  `json:"versions"`
	Runs        int                `json:"runs"`
	Clock       string             `json:"clock"`
	Rows        []row              `json:"programs"`
	TimeMeans   map[string]float64 `json:"time_geometric_means"`
	MemoryMeans map[string]float64 `json:"memory_geometric_means"`
	AnonMeans   map[string]float64 `json:"anonymous_geometric_means"`
	systems     []string
}

func newProgramReport(ctx context.Context, opts options, systems []system) *programReport {
	r := &programReport{
		Machine:  fmt.Sprintf("%s/%s, %d processors, %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version()),
		Versions: map[string]string{},
		Runs:     opts.runs,
		Clock:    opts.clock,
	}
	for _, s := range systems {
		r.systems = append(r.systems, s.name)
	}
	for _, name := range []string{"swipl", "gprolog"} {
		if out, err := exec.CommandContext(ctx, name, "--version").CombinedOutput(); err == nil {
			r.Versions[name] = firstLine(string(out))
		}
	}
	return r
}

// add turns the samples of a program into a row.
func (r *programReport) add(p program, all []*series) {
	line := row{
		Program: p.name, About: p.about,
		Time: map[string]float64{}, Memory: map[string]float64{}, Anon: map[string]float64{},
	}
	for _, s := range all {
		line.Results = append(line.Results, resultOf(s, r.Clock, p.scale))
	}
	line.ratios()
	r.Rows = append(r.Rows, line)
}

func resultOf(s *series, clock string, scale float64) result {
	res := result{System: s.system.name}
	if s.err != nil {
		res.Error = s.err.Error()
		return res
	}
	start := slices.Min(times(s.start, clock))
	work := times(s.work, clock)
	if s.work[0].told > 0 {
		start = 0
	}
	factor := 1.0
	if s.system.small {
		factor, res.Estimated = scale, true
	}
	res.Start = start.Seconds()
	res.MinSeconds = factor * max(slices.Min(work)-start, floor).Seconds()
	res.Median = factor * max(median(work)-start, floor).Seconds()
	res.Checksum = s.work[0].checksum
	for _, w := range s.work {
		res.PeakKiB = max(res.PeakKiB, w.peakKiB)
		res.AnonKiB = max(res.AnonKiB, w.anonKiB)
	}
	return res
}

func times(samples []sample, clock string) []time.Duration {
	all := make([]time.Duration, len(samples))
	for i, s := range samples {
		all[i] = s.wall
		switch {
		case s.told > 0:
			all[i] = s.told
		case clock == "cpu":
			all[i] = s.cpu
		}
	}
	return all
}

// median is the middle value, the lower one of two.
func median[T cmp.Ordered](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[(len(sorted)-1)/2]
}

// ratios compares the first system, ours, with each other one that gives the same answer.
func (l *row) ratios() {
	ours := l.Results[0]
	if ours.Error != "" {
		return
	}
	for _, other := range l.Results[1:] {
		if other.Error != "" {
			continue
		}
		if other.Checksum != ours.Checksum && !other.Estimated {
			l.Differ = true
			continue
		}
		l.Time[other.System] = ours.MinSeconds / other.MinSeconds
		if other.PeakKiB > 0 && !other.Estimated {
			l.Memory[other.System] = float64(ours.PeakKiB) / float64(other.PeakKiB)
		}
		if other.AnonKiB > 0 && ours.AnonKiB > 0 && !other.Estimated {
			l.Anon[other.System] = float64(ours.AnonKiB) / float64(other.AnonKiB)
		}
	}
}

// summarize takes the geometric means over all rows that have a ratio.
func (r *programReport) summarize() {
	r.TimeMeans, r.MemoryMeans, r.AnonMeans = map[string]float64{}, map[string]float64{}, map[string]float64{}
	for _, name := range r.systems[min(1, len(r.systems)):] {
		var timeRatios, memoryRatios, anonRatios []float64
		for _, line := range r.Rows {
			timeRatios = appendRatio(timeRatios, line.Time, name)
			memoryRatios = appendRatio(memoryRatios, line.Memory, name)
			anonRatios = appendRatio(anonRatios, line.Anon, name)
		}
		setMean(r.TimeMeans, name, timeRatios)
		setMean(r.MemoryMeans, name, memoryRatios)
		setMean(r.AnonMeans, name, anonRatios)
	}
}

func appendRatio(ratios []float64, from map[string]float64, name string) []float64 {
	if ratio, ok := from[name]; ok {
		return append(ratios, ratio)
	}
	return ratios
}

func setMean(means map[string]float64, name string, ratios []float64) {
	if len(ratios) > 0 {
		means[name] = geometricMean(ratios)
	}
}

func geometricMean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += math.Log(v)
	}
	return math.Exp(sum / float64(len(values)))
}

// Table prints the report for people: seconds, then our time over theirs, then memory.
func (r *programReport) Table(w io.Writer) error {
	fmt.Fprintf(w, "%s; %d runs, least %s time without start-up; ratios are %s over the other, less is better\n",
		r.Machine, r.Runs, r.Clock, r.systems[0])
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, strings.Join(r.header(), "\t")+"\t")
	for _, line := range r.Rows {
		fmt.Fprintln(tw, strings.Join(r.cells(line), "\t")+"\t")
	}
	fmt.Fprintln(tw, strings.Join(r.means(), "\t")+"\t")
	if err := tw.Flush(); err != nil {
		return err
	}
	r.notes(w)
	return nil
}

func (r *programReport) header() []string {
	cells := []string{"program"}
	for _, s := range r.systems {
		cells = append(cells, s+" s")
	}
	for _, s := range r.systems[1:] {
		cells = append(cells, "/"+s)
	}
	cells = append(cells, "MiB")
	if r.hasBaseline() {
		cells = append(cells, baseline, "mem/"+baseline)
	}
	cells = append(cells, "anon")
	if r.hasBaseline() {
		cells = append(cells, baseline, "anon/"+baseline)
	}
	return cells
}

// hasBaseline reports whether memory is compared.
func (r *programReport) hasBaseline() bool { return slices.Contains(r.systems[1:], baseline) }

func (r *programReport) cells(line row) []string {
	cells := []string{line.Program}
	var theirs result
	for _, res := range line.Results {
		cells = append(cells, formatSeconds(res))
		if res.System == baseline {
			theirs = res
		}
	}
	for _, s := range r.systems[1:] {
		cells = append(cells, formatRatio(line.Time, s))
	}
	ours := line.Results[0]
	cells = append(cells, mebibytes(ours, ours.PeakKiB))
	if r.hasBaseline() {
		cells = append(cells, mebibytes(theirs, theirs.PeakKiB), formatRatio(line.Memory, baseline))
	}
	cells = append(cells, mebibytes(ours, ours.AnonKiB))
	if r.hasBaseline() {
		cells = append(cells, mebibytes(theirs, theirs.AnonKiB), formatRatio(line.Anon, baseline))
	}
	return cells
}

func (r *programReport) means() []string {
	cells := append([]string{"geometric mean"}, make([]string, len(r.systems))...)
	for _, s := range r.systems[1:] {
		cells = append(cells, formatRatio(r.TimeMeans, s))
	}
	cells = append(cells, "")
	if r.hasBaseline() {
		cells = append(cells, "", formatRatio(r.MemoryMeans, baseline), "", "", formatRatio(r.AnonMeans, baseline))
	}
	return cells
}

func formatSeconds(res result) string {
	switch {
	case res.Error != "":
		return "-"
	case res.Estimated:
		return fmt.Sprintf("~%.0f", res.MinSeconds)
	default:
		return fmt.Sprintf("%.3f", res.MinSeconds)
	}
}

// mebibytes prints the memory of a run, of which kib is unknown when it is 0.
func mebibytes(res result, kib int64) string {
	if res.Error != "" || kib == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f", float64(kib)/1024)
}

func formatRatio(ratios map[string]float64, name string) string {
	value, ok := ratios[name]
	switch {
	case !ok:
		return "-"
	case value < 0.095:
		return fmt.Sprintf("%.4f", value)
	default:
		return fmt.Sprintf("%.2f", value)
	}
}

// notes lists what the table cannot show: failures, and answers that differ.
func (r *programReport) notes(w io.Writer) {
	for _, line := range r.Rows {
		for _, res := range line.Results {
			if res.Error != "" {
				fmt.Fprintf(w, "%s on %s: %s\n", line.Program, res.System, res.Error)
			}
		}
		if line.Differ {
			fmt.Fprintf(w, "%s: the systems disagree on the answer:\n", line.Program)
			for _, res := range line.Results {
				fmt.Fprintf(w, "  %s: %s\n", res.System, res.Checksum)
			}
		}
	}
	for _, line := range r.Rows {
		for _, res := range line.Results {
			if res.Estimated {
				fmt.Fprintln(w, "~ is estimated from a smaller size of the same program.")
				return
			}
		}
	}
}

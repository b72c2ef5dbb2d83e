package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// This file defines the judgement of answers and the table that shows it.

// tally counts the questions of an area put to one system.
type tally struct{ asked, agreed, listed, lacks, new int }

// report is the outcome for all systems but ours.
type report struct {
	systems []system
	tallies map[string][]tally // by area, a tally a system
	news    []disagreement
	stale   []string
}

// judge compares the answers of each system with ours, which are the first.
func judge(systems []system, questions []question, answers [][]answer, list []*knownEntry) *report {
	r := &report{systems: systems[1:], tallies: map[string][]tally{}}
	for i, q := range questions {
		if r.tallies[q.Area] == nil {
			r.tallies[q.Area] = make([]tally, len(r.systems))
		}
		for j, s := range r.systems {
			d := disagreement{s.name, q, answers[0][i], answers[j+1][i]}
			r.count(&r.tallies[q.Area][j], d, list)
		}
	}
	return r
}

// count judges one answer.
func (r *report) count(t *tally, d disagreement, list []*knownEntry) {
	if d.theirs.Status == unfit {
		return
	}
	if d.ours.same(d.theirs) {
		t.asked++
		t.agreed++
		return
	}
	k := explain(list, d)
	switch {
	case k != nil && k.Lacks:
		t.lacks++
		return
	case k != nil || d.question.Differs != "" && d.system == "swipl":
		t.listed++
	default:
		t.new++
		r.news = append(r.news, d)
	}
	t.asked++
}

// findStale lists entries that no disagreement needed. Those for random goals are not missed:
// it depends on the seed whether they are needed. Nor is the key "differs" of language tests,
// which is about texts that the oracle there compares as they are written.
func (r *report) findStale(list []*knownEntry) {
	for _, k := range list {
		if !k.used && !k.Random && r.present(k) {
			r.stale = append(r.stale, k.name())
		}
	}
}

// present reports whether the systems of an entry are there.
func (r *report) present(k *knownEntry) bool {
	return slices.ContainsFunc(r.systems, func(s system) bool { return contains(k.Systems, s.name) })
}

func (r *report) clean() bool { return len(r.news)+len(r.stale) == 0 }

// print prints disagreements, unless quiet, and the table.
func (r *report) print(w io.Writer, quiet bool) error {
	if !quiet {
		for _, d := range r.news {
			setup := ""
			if d.question.Setup != "" {
				setup = "   setup " + strings.ReplaceAll(d.question.Setup, "\n", "\n         ") + "\n"
			}
			for name, text := range d.question.Texts {
				setup += "   " + name + "\n         " + strings.ReplaceAll(text, "\n", "\n         ") + "\n"
			}
			fmt.Fprintf(w, "%s: ?- %s.\n%s    ours %s\n %7s %s\n", d.question.Area, d.question.Goal, setup, d.ours, d.system,
				d.theirs)
		}
		for _, name := range r.stale {
			fmt.Fprintf(w, "listed, but there is no disagreement any more: %s\n", name)
		}
	}
	if err := r.printTable(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%d disagreements that are not listed, %d listed ones that have gone\n", len(r.news),
		len(r.stale))
	return err
}

// printTable prints for each area and system: asked, agreed, listed, new; what a system lacks is not among those asked.
func (r *report) printTable(w io.Writer) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, s := range r.systems {
		fmt.Fprintf(out, "\t%s\tagreed\tlisted\tnew\tlacks", s.name)
	}
	fmt.Fprintln(out, "\t")
	totals := make([]tally, len(r.systems))
	for _, area := range slices.Sorted(maps.Keys(r.tallies)) {
		for i, t := range r.tallies[area] {
			totals[i].add(t)
		}
		printRow(out, area, r.tallies[area])
	}
	printRow(out, "all", totals)
	return out.Flush()
}

func printRow(w io.Writer, name string, tallies []tally) {
	fmt.Fprint(w, name)
	for _, t := range tallies {
		fmt.Fprintf(w, "\t%d\t%d\t%d\t%d\t%d", t.asked, t.agreed, t.listed, t.new, t.lacks)
	}
	fmt.Fprintln(w, "\t")
}

func (t *tally) add(u tally) {
	t.asked += u.asked
	t.agreed += u.agreed
	t.listed += u.listed
	t.lacks += u.lacks
	t.new += u.new
}

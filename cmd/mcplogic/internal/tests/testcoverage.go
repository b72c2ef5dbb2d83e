package tests

import (
	"bufio"
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines what mcplogic test --coverage says. It also defines the page of mcplogic test --coverage=html.

// coverage holds the flags about coverage, and the counts of one run of the tests.
type coverage struct {
	format    string            // "", text, json, lcov or html
	file      string            // that it is written to, "" for standard output
	threshold float64           // least percentage of clauses, 0 for none
	counted   *inspect.Coverage // nil when coverage is not wanted
}

// coverageFormats are the values of --coverage.
var coverageFormats = []string{"text", "json", "lcov", "html"}

// check validates the flags and sets their defaults. --threshold and --coverage-file alone ask for coverage too.
func (c *coverage) check() error {
	if c.format == "" && c.threshold == 0 && c.file == "" {
		return nil
	}
	c.format = cmp.Or(c.format, "text")
	if !slices.Contains(coverageFormats, c.format) {
		return fmt.Errorf("got --coverage=%s, want text, json, lcov or html", c.format)
	}
	if c.threshold < 0 || c.threshold > 100 {
		return fmt.Errorf("got --threshold %g, want a percentage", c.threshold)
	}
	return nil
}

// begin returns a counter for the next load, nil when coverage is not wanted. With --watch each run has its own.
func (c *coverage) begin() *inspect.Coverage {
	c.counted = nil
	if c.format != "" {
		c.counted = new(inspect.Coverage)
	}
	return c.counted
}

// coveredClause counts for one clause how often its head matched and how often its body succeeded. Branches are those
// of its if-then-elses and disjunctions.
type coveredClause struct {
	Predicate string          `json:"predicate"`
	Label     string          `json:"label,omitempty"`
	Line      int             `json:"line"`
	Column    int             `json:"column"`
	Entered   int64           `json:"entered"`
	Left      *int64          `json:"left,omitempty"` // nil for a fact
	Branches  []coveredBranch `json:"branches,omitempty"`
}

// name is the clause in a report. table says that its file is a decision table.
func (c *coveredClause) name(table bool) string {
	switch of, row := c.rowOf(); {
	case c.Label != "":
		return "rule " + c.Label + " of " + c.Predicate
	case row || table:
		return "a row of " + of
	}
	return c.Predicate
}

// rowOf is the decision of which the clause is a row, ok if it is one of a model.
func (c *coveredClause) rowOf() (decision string, ok bool) {
	decision, _, ok = strings.Cut(strings.ReplaceAll(c.Predicate, "'", ""), " row/")
	return decision, ok
}

// coveredBranch is a branch of a control construct, with the place where it begins, both numbers from 1.
type coveredBranch struct {
	Line   int   `json:"line"`
	Column int   `json:"column"`
	Taken  int64 `json:"taken"`
}

// coveredFile is the coverage of a file. Clauses are in the order of loading.
type coveredFile struct {
	File    string          `json:"file"`
	Clauses []coveredClause `json:"clauses"`
	reached int             // clauses that were left, or facts that were found
	// branches and taken count the branches.
	branches, taken int
}

// files groups the points by file and clause, in the order of loading. The loader registers the point of a clause's
// entry first and the points of its body directly behind, so last is the clause that a point belongs to.
func (c *coverage) files() []*coveredFile {
	var list []*coveredFile
	byName := map[string]*coveredFile{}
	var last *coveredClause
	c.counted.Each(func(p inspect.CoveragePoint, count int64) {
		f := byName[p.File]
		if f == nil {
			f = &coveredFile{File: p.File}
			byName[p.File], list = f, append(list, f)
		}
		switch p.Kind {
		case inspect.PointEntered:
			f.Clauses = append(f.Clauses, coveredClause{Predicate: p.Predicate, Label: p.Label, Line: p.Line,
				Column: p.Column, Entered: count})
			last = &f.Clauses[len(f.Clauses)-1]
		case inspect.PointLeft:
			last.Left = &count
		case inspect.PointBranch:
			last.Branches = append(last.Branches, coveredBranch{p.Line, p.Column, count})
		}
	})
	for _, f := range list {
		f.count()
	}
	return list
}

// count sums up what was reached.
func (f *coveredFile) count() {
	for _, c := range f.Clauses {
		if c.held() {
			f.reached++
		}
		f.branches += len(c.Branches)
		for _, b := range c.Branches {
			if b.Taken > 0 {
				f.taken++
			}
		}
	}
}

// held reports whether the clause has had an answer. A fact has one when it is entered.
func (c *coveredClause) held() bool {
	return c.Left == nil && c.Entered > 0 || c.Left != nil && *c.Left > 0
}

// report writes the coverage in the chosen format. A share of clauses below the threshold makes the exit code 1. The
// threshold is about clauses and not about branches. Without --coverage it does nothing. A file that is there is
// replaced.
func (c *coverage) report(stdout, stderr io.Writer) error {
	if c.counted == nil {
		return nil
	}
	files := c.files()
	err := c.written(stdout, files)
	reached, clauses := 0, 0
	for _, f := range files {
		reached, clauses = reached+f.reached, clauses+len(f.Clauses)
	}
	if share := coveredShare(reached, clauses); err == nil && share < c.threshold {
		fmt.Fprintf(stderr, "coverage is %.1f%% of clauses, below %g%%\n", share, c.threshold)
		return cli.Exit(cli.ExitNo)
	}
	return err
}

// written writes the files to the file that the flags name, or to stdout.
func (c *coverage) written(stdout io.Writer, files []*coveredFile) error {
	if c.file == "" {
		return c.formatted(stdout, files)
	}
	f, err := os.Create(c.file)
	if err != nil {
		return err
	}
	return errors.Join(c.formatted(f, files), f.Close())
}

// formatted writes the files in the chosen format.
func (c *coverage) formatted(to io.Writer, files []*coveredFile) error {
	out := bufio.NewWriter(to) // which keeps the first error
	switch c.format {
	case "json":
		if err := c.json(out, files); err != nil {
			return err
		}
	case "lcov":
		c.lcov(out, files)
	case "html":
		if err := c.page(out, files); err != nil {
			return err
		}
	default:
		c.text(out, files)
	}
	return out.Flush()
}

// coveredShare returns a percentage. A file without clauses counts as reached, so that it fails no threshold.
func coveredShare(n, of int) float64 {
	if of == 0 {
		return 100
	}
	return 100 * float64(n) / float64(of)
}

// text writes a line for each file, and below it what was not reached.
func (c *coverage) text(out io.Writer, files []*coveredFile) {
	for _, f := range files {
		table := tableExtensions[path.Ext(f.File)]
		fmt.Fprintf(out, "%s: %.1f%% of %s", f.File, coveredShare(f.reached, len(f.Clauses)), f.size())
		if f.branches > 0 {
			fmt.Fprintf(out, ", %.1f%% of %s", coveredShare(f.taken, f.branches), branchCount(f.branches))
		}
		fmt.Fprintln(out)
		for i := range f.Clauses {
			one := &f.Clauses[i]
			name := one.name(table)
			switch {
			case !one.held() && strings.HasPrefix(name, "a row "):
				fmt.Fprintf(out, "    %s:%d: %s was never used\n", f.File, one.Line, name)
				continue
			case one.Entered == 0:
				fmt.Fprintf(out, "    %s:%d: %s was never entered\n", f.File, one.Line, name)
				continue
			case !one.held():
				fmt.Fprintf(out, "    %s:%d: %s never succeeded\n", f.File, one.Line, name)
			}
			for _, b := range one.Branches {
				if b.Taken == 0 {
					fmt.Fprintf(out, "    %s:%d:%d: a branch of %s was never taken\n", f.File, b.Line, b.Column, name)
				}
			}
		}
	}
}

// size says how many clauses the file has: rows if it is a decision table, and expressions besides if it is a model.
func (f *coveredFile) size() string {
	if tableExtensions[path.Ext(f.File)] {
		return spell.Count(len(f.Clauses), "row")
	}
	if path.Ext(f.File) == ".dmn" {
		rows := 0
		for i := range f.Clauses {
			if _, ok := f.Clauses[i].rowOf(); ok {
				rows++
			}
		}
		return spell.Count(rows, "row") + " and " + spell.Count(len(f.Clauses)-rows, "expression")
	}
	return spell.Count(len(f.Clauses), "clause")
}

// tableExtensions name the files of decision tables. Each clause of such a table is a row.
var tableExtensions = map[string]bool{".csv": true, ".tsv": true, ".tab": true, ".xlsx": true}

// branchCount is spell.Count for a word whose plural takes -es.
func branchCount(n int) string {
	if n == 1 {
		return "1 branch"
	}
	return fmt.Sprintf("%d branches", n)
}

// json writes one object: totals of clauses and branches, and the files with the counts of each clause.
func (c *coverage) json(out io.Writer, files []*coveredFile) error {
	type share struct {
		Reached int `json:"reached"`
		Of      int `json:"of"`
	}
	var total struct {
		Clauses  share          `json:"clauses"`
		Branches share          `json:"branches"`
		Files    []*coveredFile `json:"files"`
	}
	total.Files = files
	for _, f := range files {
		total.Clauses.Reached += f.reached
		total.Clauses.Of += len(f.Clauses)
		total.Branches.Reached += f.taken
		total.Branches.Of += f.branches
	}
	return cli.PrintJSON(out, total)
}

// lcov writes the tracefile format of lcov, which genhtml and most CI systems read. Records of a file stand between SF
// and end_of_record. DA is a line with its count, BRDA a branch by line, block and number with its count, LF and LH are
// lines found and hit, BRF and BRH the same of branches. A line counts as often as the clause or branch that begins
// there; where several begin the largest count stands. Paths are absolute, as geninfo writes them.
func (c *coverage) lcov(out io.Writer, files []*coveredFile) {
	for _, f := range files {
		name, err := filepath.Abs(filepath.FromSlash(f.File))
		if err != nil {
			name = f.File
		}
		fmt.Fprintf(out, "TN:\nSF:%s\n", name)
		lines := map[int]int64{}
		for i := range f.Clauses {
			one := &f.Clauses[i]
			lines[one.Line] = max(lines[one.Line], one.Entered)
			for k, b := range one.Branches {
				lines[b.Line] = max(lines[b.Line], b.Taken)
				// The clause is the block. A dash stands for a branch whose block was never entered, which lcov tells apart from
				// one that was not taken.
				taken := fmt.Sprint(b.Taken)
				if one.Entered == 0 {
					taken = "-"
				}
				fmt.Fprintf(out, "BRDA:%d,%d,%d,%s\n", b.Line, i, k, taken)
			}
		}
		fmt.Fprintf(out, "BRF:%d\nBRH:%d\n", f.branches, f.taken)
		hit := 0
		for _, line := range sortedLines(lines) {
			fmt.Fprintf(out, "DA:%d,%d\n", line, lines[line])
			if lines[line] > 0 {
				hit++
			}
		}
		fmt.Fprintf(out, "LF:%d\nLH:%d\nend_of_record\n", len(lines), hit)
	}
}

// sortedLines returns the numbers of the lines in ascending order, so that a report does not depend on the order of a
// map.
func sortedLines(lines map[int]int64) []int {
	list := slices.Sorted(maps.Keys(lines))
	return list
}

// coveredLine is what the page shows of one line of a text.
type coveredLine struct {
	Number int
	Class  string // s for a clause that succeeded, e for one that was entered only, n for one that was not; "" for others
	Count  string // how often the clause that begins here was entered
	// Missed is the end of the text of the line from the first branch on that was never taken.
	Text, Missed string
	// missed is the column of that branch, 0 if there is none.
	missed int
}

// coverShare is how many of some clauses or branches were reached.
type coverShare struct{ N, Of int }

// Percent is the share as a percentage.
func (s coverShare) Percent() string { return fmt.Sprintf("%.1f", coveredShare(s.N, s.Of)) }

// page writes one HTML page without scripts and without files beside it, so that a CI system can keep it as an
// artifact: a table of the files, then the text of each with its clauses coloured. A row has the id FILE:LINE, so that
// a link can point at a line. The text is read again from the disk: a file that has changed since the load has colours
// in the wrong places.
func (c *coverage) page(out io.Writer, files []*coveredFile) error {
	type shownFile struct {
		File, Unread string
		Shares       []coverShare
		Lines        []coveredLine
	}
	var list []shownFile
	for _, f := range files {
		shown := shownFile{File: f.File, Shares: []coverShare{{f.reached, len(f.Clauses)}, {f.taken, f.branches}}}
		if text, ok := cli.OpenSource(f.File); !ok {
			shown.Unread = "The file cannot be read; it has " + f.size() + "."
		} else if !utf8.ValidString(text) {
			shown.Unread = "The file is no text. " + f.unused()
		} else {
			shown.Lines = f.listing(text)
		}
		list = append(list, shown)
	}
	return cli.Pages().ExecuteTemplate(out, "coverage", list)
}

// unused names the rows of a workbook that no test has used.
func (f *coveredFile) unused() string {
	var list []string
	for i := range f.Clauses {
		if !f.Clauses[i].held() {
			list = append(list, fmt.Sprint(f.Clauses[i].Line))
		}
	}
	if len(list) == 0 {
		return "The tests have used all of its rows."
	}
	return "The tests have never used these of its rows: " + strings.Join(list, ", ") + "."
}

// listing returns the lines of the text of the file.
func (f *coveredFile) listing(text string) (list []coveredLine) {
	lines := f.lines(text)
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		at := lines[i+1]
		at.Number, at.Text = i+1, line
		if at.missed > 0 {
			before := byteOffset(line, at.missed-1)
			at.Text, at.Missed = line[:before], line[before:]
		}
		list = append(list, at)
	}
	return list
}

// lines returns what is known of the lines of the text, by their numbers from 1. A clause colours all its lines. Where
// two clauses share a line the one that was reached less counts.
func (f *coveredFile) lines(text string) map[int]coveredLine {
	// The points of coverage have only the first line of a clause. Its last line comes from reading the text again.
	ends := map[int]int{} // the last lines of clauses, by the first
	for _, c := range source.Read(f.File, text, &source.Options{Open: cli.OpenSource}).Clauses {
		ends[c.At.Line] = max(ends[c.At.Line], c.At.Line+strings.Count(text[c.Start:c.End], "\n"))
	}
	lines := map[int]coveredLine{}
	for i := range f.Clauses {
		one := &f.Clauses[i]
		class := "s"
		if one.Entered == 0 {
			class = "n"
		} else if !one.held() {
			class = "e"
		}
		for n := one.Line; n <= max(ends[one.Line], one.Line); n++ {
			at := lines[n]
			if at.Class == "" || at.Class == "s" || class == "n" {
				at.Class = class
			}
			// Clauses that begin on one line show their counts side by side.
			if n == one.Line {
				at.Count = strings.TrimPrefix(at.Count+", "+fmt.Sprint(one.Entered), ", ")
			}
			lines[n] = at
		}
		// Branches of a clause that was never entered are not marked: the clause is.
		for _, b := range one.Branches {
			if at := lines[b.Line]; b.Taken == 0 && one.Entered > 0 && (at.missed == 0 || b.Column < at.missed) {
				at.missed = b.Column
				lines[b.Line] = at
			}
		}
	}
	return lines
}

// byteOffset returns where the character with the given number begins, or the length of a line that has fewer.
func byteOffset(line string, character int) int {
	at := 0
	for ; character > 0 && at < len(line); character-- {
		_, width := utf8.DecodeRuneInString(line[at:])
		at += width
	}
	return at
}

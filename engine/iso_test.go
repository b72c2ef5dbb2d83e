package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/stretchr/testify/require"
)

// This file defines the runner of the conformance tables in testdata/iso, see the README there.

// isoCase is one line of a table: a langCase with a number.
type isoCase struct {
	Case   string `json:"case"`
	Before string `json:"before"` // a goal to run before Text is read
	Text   string `json:"text"`   // what read/1 reads; the goal is the term
	Input  string `json:"input"`  // the contents of the file named in, and of user_input
	Match  string `json:"match"`  // a regular expression for the output
	langCase
}

// knownFailure is one line of known.jsonl: a case that fails, and why.
type knownFailure struct {
	Table, Case, Reason string
}

// TestConformance runs the tables, each case as a subtest named after its line. A case that known.jsonl lists must
// fail, all others must pass.
func TestConformance(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../testdata/iso/*.jsonl")
	require.NoError(t, err)
	known := knownFailures(t)
	tables := []isoTable{readTable(t, "../testdata/iso/syntax.jsonl", "strict", "set_prolog_flag(iso, true)")}
	for _, file := range files {
		if name := strings.TrimSuffix(filepath.Base(file), ".jsonl"); name != "known" {
			tables = append(tables, readTable(t, file, name, ""))
		}
	}
	listed := maps.Clone(known)
	for _, table := range tables {
		for _, c := range table.cases {
			delete(listed, table.name+" "+c.Case)
		}
	}
	for name := range listed {
		t.Errorf("known.jsonl lists %s, which is in no table", name)
	}
	for _, table := range tables {
		t.Run(table.name, func(t *testing.T) { table.run(t, known) })
	}
}

// knownFailures returns the reasons of the cases that fail on purpose, by table and case.
func knownFailures(t *testing.T) map[string]string {
	known := map[string]string{}
	for _, line := range caseLines(t, "../testdata/iso/known.jsonl") {
		var k knownFailure
		require.NoError(t, json.Unmarshal(line, &k), "%s", line)
		require.NotEmpty(t, k.Reason, "%s", line)
		require.NotContains(t, known, k.Table+" "+k.Case)
		known[k.Table+" "+k.Case] = k.Reason
	}
	return known
}

// isoTable is a table, or a table that is run with another flag.
type isoTable struct {
	name  string
	first string // a goal to run before each case
	lines []int  // the lines of the cases in the file
	cases []isoCase
}

func readTable(t *testing.T, file, name, first string) isoTable {
	table := isoTable{name: name, first: first}
	seen := map[string]bool{}
	for n, line := range caseLines(t, file) {
		var c isoCase
		require.NoError(t, json.Unmarshal(line, &c), "%s", line)
		require.False(t, c.Case == "" || seen[c.Case], "no number, or one used twice: %s", line)
		seen[c.Case] = true
		table.lines, table.cases = append(table.lines, n), append(table.cases, c)
	}
	return table
}

// run runs the cases of a table.
func (table isoTable) run(t *testing.T, known map[string]string) {
	for i, c := range table.cases {
		t.Run(strconv.Itoa(table.lines[i]), func(t *testing.T) {
			got := c.run(t, table.first)
			_, listed := known[table.name+" "+c.Case]
			switch passed := c.accepts(got); {
			case passed && listed:
				t.Errorf("%s passes: take it out of known.jsonl", c.Case)
			case !passed && !listed:
				t.Errorf("%s\n case %s\n  got %s", c.Case, show(c), show(got))
			}
		})
	}
}

// caseLines returns the lines of a file of cases that are not empty, with their numbers.
func caseLines(t testing.TB, file string) iter.Seq2[int, []byte] {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return func(yield func(int, []byte) bool) {
		n := 0
		for line := range bytes.Lines(text) {
			n++
			if line = bytes.TrimSpace(line); len(line) > 0 && !yield(n, line) {
				return
			}
		}
	}
}

// run runs the goal, or reads the text and calls the term that it denotes.
func (c isoCase) run(t *testing.T, first string) langCase {
	dir := folder(t.TempDir())
	require.NoError(t, os.WriteFile(filepath.Join(string(dir), "in"), []byte(c.Input), 0o600))
	prog, err := engine.LoadText(t.Context(), "setup.pl", c.Setup, &engine.Options{Files: dir, OpenWrite: dir.openWrite})
	if err != nil {
		return langCase{Status: "error", Error: "load: " + err.Error()}
	}
	var out bytes.Buffer
	o := &engine.RunOptions{Input: strings.NewReader(c.Input), Output: &out, Limits: engine.Limits{Time: time.Minute}}
	if c.Text != "" {
		o.Input = strings.NewReader(c.Text + "\n")
	}
	got := langCase{Status: "false"}
	for s, err := range prog.Query(context.Background(), c.goal(first), o) {
		if err != nil {
			got.Status, got.Error = "error", errorText(prog, err)
			break
		}
		got.Status = "true"
		got.Solutions = append(got.Solutions, solutionTexts(prog, s))
		if c.Text != "" || len(got.Solutions) > len(c.Solutions) {
			break
		}
	}
	got.Output = out.String()
	return got
}

// goal returns the goal of a case, with others before it.
func (c isoCase) goal(first string) string {
	goal := c.Goal
	if c.Text != "" {
		goal = "read(_Goal), call(_Goal)"
	}
	for _, before := range []string{c.Before, first} {
		if before != "" {
			goal = "(" + before + "), " + goal
		}
	}
	return goal
}

// accepts reports whether a result is the expected one. A case that succeeds and lists no solutions accepts any
// solutions.
func (c isoCase) accepts(got langCase) bool {
	if got.Status != c.Status || !matches(c.Error, got.Error) {
		return false
	}
	if c.Match != "" {
		return regexp.MustCompile(c.Match).MatchString(got.Output)
	}
	for i, want := range c.Solutions {
		if i >= len(got.Solutions) || !sameSolution(want, got.Solutions[i]) {
			return false
		}
	}
	return got.Output == c.Output && (len(c.Solutions) == 0 || len(got.Solutions) == len(c.Solutions))
}

// sameSolution compares a solution with what a table says about it: variables that it does not
// mention must be unbound.
func sameSolution(want, got map[string]string) bool {
	for name, value := range got {
		if expected, ok := want[name]; !ok && value != "_1" || ok && !matches(expected, value) {
			return false
		}
	}
	return true
}

// matches compares texts of terms; _ in the expected text matches any text.
func matches(want, got string) bool {
	if !anything.MatchString(want) {
		return want == got
	}
	parts := anything.Split(want, -1)
	for i, part := range parts {
		parts[i] = regexp.QuoteMeta(part)
	}
	return regexp.MustCompile("^" + strings.Join(parts, "(?s:.*)") + "$").MatchString(got)
}

var anything = regexp.MustCompile(`\b_\b`)

// TestISOFlag checks that the directive makes the reader strict until the end of the file.
func TestISOFlag(t *testing.T) {
	t.Parallel()
	_, err := engine.LoadText(t.Context(), "lenient.pl", "p :- X = +, X == + .", nil)
	require.NoError(t, err)
	_, err = engine.LoadText(t.Context(), "strict.pl", ":- set_prolog_flag(iso, true).\np :- X = +, X == + .", nil)
	require.ErrorContains(t, err, "the operator + is an operand here and needs parentheses")
	prog, err := engine.LoadText(t.Context(), "strict.pl", ":- set_prolog_flag(iso, true).\np :- true.", nil)
	require.NoError(t, err)
	_, err = prog.Once(t.Context(), "X = +, current_prolog_flag(iso, false)", nil)
	require.NoError(t, err)
}

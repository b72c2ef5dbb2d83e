package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/deep"
)

var update = flag.Bool("update", false, "write what the systems answer to testdata/differential/differences.jsonl")

// difference is a case of a row of docs/differences.md.
type difference struct {
	// Row is how the row begins.
	Row string `json:"row"`
	// Unasked says why no goal shows the row.
	Unasked string `json:"unasked,omitempty"`
	question
	// Files: the goal writes and reads files, in a folder that is empty at first.
	Files bool `json:"files,omitempty"`
	// As: under --as swi the answer is that of SWI-Prolog.
	As bool `json:"as,omitempty"`
	// Theirs is left out where SWI-Prolog answers as we do.
	Ours   *answer `json:"ours,omitempty"`
	Theirs *answer `json:"theirs,omitempty"`
}

const differencesFile = "../../testdata/differential/differences.jsonl"

// TestDifferences asks the cases of the rows of docs/differences.md. Each row has one that shows the difference, but
// for those of what ISO says otherwise.
func TestDifferences(t *testing.T) {
	cases, err := readLines[difference](differencesFile)
	require.NoError(t, err)
	requireRows(t, cases)
	var asked []*difference
	var questions, asSWI []question
	var switched []*difference
	for i := range cases {
		c := &cases[i]
		if c.Unasked != "" {
			continue
		}
		asked, questions = append(asked, c), append(questions, c.question)
		if c.As {
			switched, asSWI = append(switched, c), append(asSWI, c.question)
		}
	}
	dir := t.TempDir()
	limits := []string{"--timeout=10s", "--max-memory=256MiB"}
	_, err = findSystems(t.Context(), dir, options{testdata: "../../testdata"}) // it builds mcplogic
	require.NoError(t, err)
	ours := batch("mcplogic", dir+"/mcplogic", limits...)
	answers, err := ours.ask(t.Context(), dir+"/ours", questions)
	require.NoError(t, err)
	askFiles(t, dir+"/mcplogic", asked, answers)
	for i, c := range asked {
		if *update {
			c.Ours = &answers[i]
		}
		compare(t, c, "ours", c.Ours, answers[i])
	}
	like := batch("mcplogic", dir+"/mcplogic", append(limits, "--as=swi")...)
	answers, err = like.ask(t.Context(), dir+"/as", asSWI)
	require.NoError(t, err)
	askFiles(t, dir+"/mcplogic", switched, answers, "--as=swi")
	theirs := answers
	if _, err := exec.LookPath("swipl"); err != nil {
		deep.Missing(t, "differences", "there is no swipl; on Debian: apt-get install swi-prolog-nox")
	} else {
		swi, err := swipl(t.Context(), dir)
		require.NoError(t, err)
		theirs, err = swi.ask(t.Context(), dir+"/theirs", questions)
		require.NoError(t, err)
		for i, c := range asked {
			if *update {
				c.Theirs = &theirs[i]
				if theirs[i].same(*c.Ours) {
					c.Theirs = nil
				}
			}
			compare(t, c, "SWI-Prolog's", c.theirs(), theirs[i])
		}
	}
	for i, c := range switched {
		compare(t, c, "that of --as swi", c.theirs(), answers[i])
	}
	if *update {
		writeDifferences(t, cases)
	}
}

// askFiles replaces the answers to the cases that need files: goals of a batch reach none.
func askFiles(t *testing.T, binary string, cases []*difference, answers []answer, flags ...string) {
	for i, c := range cases {
		if !c.Files {
			continue
		}
		a, err := askAlone(t.Context(), binary, t.TempDir(), c.question, flags...)
		require.NoError(t, err)
		answers[i] = a
	}
}

func (d *difference) theirs() *answer {
	if d.Theirs == nil {
		return d.Ours
	}
	return d.Theirs
}

func compare(t *testing.T, d *difference, whose string, want *answer, got answer) {
	if want == nil || !want.same(got) {
		t.Errorf("%s: %s: the answer is not %s:\n got %v\nwant %v", d.Row, d.Goal, whose, got, want)
	}
}

// requireRows compares the cases with the rows of the tables.
func requireRows(t *testing.T, cases []difference) {
	page, err := os.ReadFile("../../docs/differences.md")
	require.NoError(t, err)
	tables, _, _ := strings.Cut(string(page), "\n## Our own")
	of := map[*difference]int{}
	section := ""
	for line := range strings.SplitSeq(tables, "\n") {
		if name, ok := strings.CutPrefix(line, "## "); ok {
			section = name
		}
		row, ok := strings.CutPrefix(line, "| ")
		if !ok || strings.HasPrefix(row, "---") || strings.HasPrefix(row, "what |") {
			continue
		}
		shown := false
		for i := range cases {
			c := &cases[i]
			if strings.HasPrefix(row, c.Row) {
				of[c]++
				shown = shown || c.Unasked != "" || c.Theirs != nil || strings.HasPrefix(section, "From ISO")
			}
		}
		if !shown && !*update {
			t.Errorf("no case shows the difference of the row %s", row)
		}
	}
	for i := range cases {
		if of[&cases[i]] != 1 {
			t.Errorf("%d rows begin with %s", of[&cases[i]], cases[i].Row)
		}
	}
}

func writeDifferences(t *testing.T, cases []difference) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	for _, c := range cases {
		require.NoError(t, enc.Encode(c))
	}
	require.NoError(t, os.WriteFile(differencesFile, text.Bytes(), 0o666))
}

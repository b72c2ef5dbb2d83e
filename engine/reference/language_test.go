package reference_test

import (
	"bufio"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/reference"
)

// This file puts the goals of testdata/lang that both dialects share to the reference
// interpreter. What it says otherwise is listed, with the reason, in testdata/disagreements.jsonl.

// question is a line of testdata/lang, see the README there.
type question struct {
	Setup     string              `json:"setup"`
	Goal      string              `json:"goal"`
	Max       int                 `json:"max"`
	Status    string              `json:"status"`
	Solutions []map[string]string `json:"solutions"`
	Error     string              `json:"error"`
	Output    string              `json:"output"`
}

// disagreement is a goal to which the reference answers otherwise, or which it must not be
// asked.
type disagreement struct {
	Goal   string `json:"goal"`
	Reason string `json:"reason"`
	Never  bool   `json:"never"`
}

// foreign are areas of which the interpreter knows nothing.
var foreign = map[string]string{
	"modules":     "it has no modules",
	"tabling":     "it has no tabling",
	"clpfd":       "it has no constraints",
	"json":        "it has no JSON",
	"time":        "it has no dates",
	"flags":       "its flags are others",
	"format":      "it has no format/2",
	"determinism": "it does not tell whether an answer is the last",
}

// lacks are answers that say that the interpreter cannot do what the goal asks: it does not
// know a predicate, a function or an option, cannot read the text, has no integers of this
// size, or may not open files.
var lacks = regexp.MustCompile(`existence_error\(procedure,|type_error\(evaluable,|evaluation_error\(int_overflow\)|` +
	`"load: |"unexpected token|syntax_error|EOF|representation_error\(|permission_error\(open,source_sink,|` +
	`domain_error\((flag|stream_option|read_option|write_option|stream_property|prolog_flag)`)

// quoted are texts whose type is another there: strings, which are lists of characters.
var quoted = regexp.MustCompile("[\"`]")

func TestLanguage(t *testing.T) {
	reasons := readDisagreements(t)
	files, err := filepath.Glob("../../testdata/lang/*.jsonl")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	seen := map[string]bool{}
	for _, file := range files {
		area := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		if foreign[area] != "" {
			continue
		}
		t.Run(area, func(t *testing.T) {
			asked, agreed := 0, 0
			readLines(t, file, func(q question) {
				if reasons[q.Goal].Never || quoted.MatchString(q.Setup+q.Goal) {
					seen[q.Goal] = true
					return
				}
				got := ask(t, q)
				if q.lacking(got) {
					return
				}
				asked++
				if q.agrees(got) {
					agreed++
					return
				}
				seen[q.Goal] = true
				if reasons[q.Goal].Reason == "" {
					t.Errorf("%s\n setup %s\n  ours %s\n theirs %s", q.Goal, q.Setup, show(q.answer()), show(got))
				}
			})
			t.Logf("%d goals, agreed on %d", asked, agreed)
		})
	}
	for _, goal := range slices.Sorted(maps.Keys(reasons)) {
		if !seen[goal] {
			t.Errorf("no disagreement any more: %s", goal)
		}
	}
}

func ask(t *testing.T, q question) reference.Result {
	max := q.Max
	if max == 0 {
		max = 10
	}
	return reference.Limits{Time: 5 * time.Second, Memory: 256 << 20}.Run(t.Context(), q.Setup, q.Goal, max)
}

// agrees reports whether the answer is that of the table.
func (q question) agrees(got reference.Result) bool { return show(q.answer()) == show(got) }

// lacking reports whether the interpreter answers otherwise because it cannot do something.
func (q question) lacking(got reference.Result) bool {
	return !q.agrees(got) && lacks.MatchString(show(got))
}

// answer is what the table says, in the shape of a result.
func (q question) answer() reference.Result {
	want := reference.Result{Solutions: q.Solutions, Status: q.Status, Error: q.Error, Output: q.Output}
	if want.Solutions == nil {
		want.Solutions = []map[string]string{}
	}
	return want
}

func show(v any) string {
	data, _ := json.Marshal(v)
	return string(data)
}

// readLines decodes each line of a file.
func readLines[T any](t *testing.T, file string, each func(T)) {
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v T
		require.NoError(t, json.Unmarshal(lines.Bytes(), &v), lines.Text())
		each(v)
	}
	require.NoError(t, lines.Err())
}

// readDisagreements returns the table by goal.
func readDisagreements(t *testing.T) map[string]disagreement {
	reasons := map[string]disagreement{}
	readLines(t, "testdata/disagreements.jsonl", func(d disagreement) {
		require.NotEmpty(t, d.Reason, d.Goal)
		reasons[d.Goal] = d
	})
	return reasons
}

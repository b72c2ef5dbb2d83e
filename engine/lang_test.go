package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/debug"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/tools/deep"
	"github.com/stretchr/testify/require"
)

// langCase is one line of testdata/lang/*.jsonl, see the README there.
type langCase struct {
	Setup     string              `json:"setup,omitempty"`
	Goal      string              `json:"goal,omitempty"`
	Max       int                 `json:"max,omitempty"`
	Status    string              `json:"status"`
	Error     string              `json:"error,omitempty"`
	Output    string              `json:"output,omitempty"`
	Solutions []map[string]string `json:"solutions,omitempty"`
	Differs   string              `json:"differs,omitempty"`
	Traced    string              `json:"traced,omitempty"`
}

// TestLanguage runs the cases of testdata/lang, each as a subtest named after its file and line: the case in
// line 12 of atoms.jsonl is TestLanguage/atoms/12.
func TestLanguage(t *testing.T) {
	t.Parallel()
	testCases(t, "*", "")
}

// TestStress runs the same cases in each mode of stress: "grow" moves heap and stacks at every step, "verify" collects
// garbage at every call and checks the heap, and "check" compares native code with the loop. These modes translate code
// at once. "traced" interprets the goals, as the tracer does.
func TestStress(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"grow", "verify", "check"} {
		t.Run(mode, func(t *testing.T) {
			deep.Skip(t, "the language under stress")
			testCases(t, "*", mode)
		})
	}
	t.Run("traced", func(t *testing.T) {
		deep.Skip(t, "the language, traced")
		for _, area := range []string{"control", "dcg", "errors", "exceptions", "frames", "htmlandmore", "lambdas", "loading",
			"modules", "solutions", "ssu", "transactions"} { // the cases about control
			testCases(t, area, "traced")
		}
	})
}

// testCases runs the cases of the areas that match a pattern, in a mode of stress.
func testCases(t *testing.T, areas, stress string) {
	files, err := filepath.Glob("../testdata/lang/" + areas + ".jsonl")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".jsonl"), func(t *testing.T) {
			t.Parallel()
			for n, line := range caseLines(t, file) {
				t.Run(strconv.Itoa(n), func(t *testing.T) { testLanguage(t, line, stress) })
			}
		})
	}
}

// stressTime is how long a goal under stress may take.
const stressTime = 10 * time.Second

// testLanguage runs the case in a line.
func testLanguage(t *testing.T, line []byte, stress string) {
	var c langCase
	require.NoError(t, json.Unmarshal(line, &c), "%s", line)
	if stress == "traced" && c.Traced != "" {
		t.Skip(c.Traced)
	}
	began := time.Now()
	got := c.run(stress)
	want := c
	want.Setup, want.Goal, want.Max, want.Differs, want.Traced = "", "", 0, "", ""
	if len(want.Solutions) == 0 {
		want.Solutions = nil
	}
	if stress != "" && time.Since(began) >= stressTime { // the goal may have caught the time limit
		t.Skip("a collection at each of very many calls takes too long")
	}
	if !equalJSON(got, want) {
		t.Errorf("%s\n setup %s\n  want %s\n   got %s", c.Goal, c.Setup, show(want), show(got))
	}
}

func show(v any) string {
	data, _ := json.Marshal(v)
	return string(data)
}

func equalJSON(a, b any) bool { return show(a) == show(b) }

// run runs a case in a mode of stress and returns the result in the same shape.
func (c langCase) run(stress string) langCase {
	got := langCase{Status: "false"}
	var out bytes.Buffer
	opts := &engine.Options{Output: &out, LeaveOpen: true}
	if stress == "check" {
		opts.Native = host.NativeCheck
	}
	prog, err := engine.LoadText(context.Background(), "setup.pl", c.Setup, opts)
	if err != nil {
		return langCase{Status: "error", Error: "load: " + err.Error()}
	}
	o := &engine.RunOptions{Output: &out, Limits: engine.Limits{Time: time.Minute, Inferences: 50_000_000},
		TraceValues: true,
		Session:     &engine.Session{}}
	defer o.Session.Close()
	if stress != "" {
		o.Time = stressTime
		engine.Stressed(o, engine.Stress{Grow: stress == "grow", Verify: stress == "verify", Eager: stress != "traced"})
	}
	if stress == "traced" {
		o.Debugger = &debug.Debugger{}
		o.Debugger.Trace(true)
	}
	limit := c.Max
	if limit == 0 {
		limit = 10
	}
	for s, err := range prog.Query(context.Background(), c.Goal, o) {
		if err != nil {
			got.Status, got.Error = "error", errorText(prog, err)
			break
		}
		got.Status = "true"
		got.Solutions = append(got.Solutions, solutionTexts(prog, s))
		if len(got.Solutions) == limit {
			break
		}
	}
	got.Output = out.String()
	return got
}

// errorText is the first argument of an error term, or the ball, as text.
func errorText(p *engine.Program, err error) string {
	var ex *engine.Exception
	if !errors.As(err, &ex) {
		return err.Error()
	}
	if f := ex.Formal(); f != nil {
		return engine.Inner(p).FormatNumbered(f)
	}
	return engine.Inner(p).FormatNumbered(ex.Term)
}

func solutionTexts(p *engine.Program, s engine.Solution) map[string]string {
	texts := map[string]string{}
	for _, name := range s.Names() {
		if !strings.HasPrefix(name, "_") {
			texts[name] = engine.Inner(p).FormatNumbered(s.Get(name))
		}
	}
	return texts
}

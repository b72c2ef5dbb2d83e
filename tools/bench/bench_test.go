package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/tools/deep"
)

func TestProgramsHaveHeaders(t *testing.T) {
	all, err := programs("programs", "")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(all), len(kernels))
	for i, name := range kernels {
		require.Equal(t, name, all[i].name, "kernels come first")
	}
	for _, p := range all {
		require.NotEmpty(t, p.about)
		require.Contains(t, p.text, "\nbench :-", p.name)
		require.Contains(t, p.text, "\nsmall :-", p.name)
		require.Contains(t, p.text, "checksum(", p.name)
	}
}

func TestProgramsByName(t *testing.T) {
	some, err := programs("programs", "tak,nrev")
	require.NoError(t, err)
	require.Len(t, some, 2)
	_, err = programs("programs", "nosuch")
	require.ErrorContains(t, err, "nosuch")
}

func TestRules(t *testing.T) {
	for folder, least := range map[string]int{rulePrograms: 12, ordinaryPrograms: 8} {
		all, err := programs(folder, "")
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(all), least)
		for _, p := range all {
			require.Contains(t, p.text, "\nbench :-", p.name)
		}
	}
}

func TestRulesRun(t *testing.T) {
	deep.Skip(t, "the benchmarks of constraint rules")
	var out, errs bytes.Buffer
	code := run(t.Context(), []string{"-chr", "-only", "gcd,primes", "-runs", "1", "-systems", "mcplogic"}, &out, &errs)
	require.Equal(t, 0, code, errs.String())
	require.Regexp(t, `(?m)^ *primes +\d+\.\d+ `, out.String())
	require.NotContains(t, out.String(), " on mcplogic: ")
}

func TestLoad(t *testing.T) {
	cgo, err := exec.Command("go", "env", "CGO_ENABLED").Output()
	require.NoError(t, err)
	t.Setenv("CGO_ENABLED", strings.TrimSpace(string(cgo))) // so only the link is left to do
	var out, errs bytes.Buffer
	code := run(t.Context(), []string{"-load", "-facts", "1000", "-runs", "1", "-systems", "mcplogic"}, &out, &errs)
	require.Equal(t, 0, code, errs.String())
	for _, name := range []string{"integers", "strings", "structures", "csv", "lookup-3"} {
		require.Regexp(t, `(?m)^ *`+name+` +\d+\.\d+ `, out.String())
	}
	require.NotContains(t, out.String(), " on mcplogic: ")
}

// TestLoops compares the loops with the rules, on some of the facts.
func TestLoops(t *testing.T) {
	for _, p := range datalogPrograms {
		facts := p.generated()
		for name, list := range facts {
			for _, f := range list[:min(len(list), 30)] {
				for i := range f {
					f[i] %= 14
				}
			}
			facts[name] = list[:min(len(list), 30)]
		}
		prog, err := engine.LoadText(t.Context(), "loops.pl", p.text(facts), nil)
		require.NoError(t, err)
		var out bytes.Buffer
		_, err = prog.Once(t.Context(), "bench", &engine.RunOptions{Output: &out})
		require.NoError(t, err)
		require.Equal(t, fmt.Sprintf("checksum(%d)\n", p.loop(facts)), out.String(), p.name)
	}
}

// The benchmark of authors has the sums that the last line of judged.txt says.
func TestAuthors(t *testing.T) {
	folder := filepath.Join("..", "..", "testdata", "authors")
	report, err := measureAuthors(t.Context(), folder)
	require.NoError(t, err)
	require.Len(t, report, 12)
	text, err := os.ReadFile(filepath.Join(folder, "judged.txt"))
	require.NoError(t, err)
	require.Contains(t, string(text), "# "+report.sums()+"\n")
}

func TestCommits(t *testing.T) {
	var out, errs bytes.Buffer
	require.Equal(t, 0, run(t.Context(), []string{"-commits", "40"}, &out, &errs), errs.String())
	require.Regexp(t, `(?m)^ *32 +\d+ +\d+\.\d+ *$`, out.String())
}

func TestStatistics(t *testing.T) {
	for _, tt := range []struct {
		values []time.Duration
		want   time.Duration
	}{
		{[]time.Duration{7}, 7},
		{[]time.Duration{9, 1}, 1},
		{[]time.Duration{9, 1, 5}, 5},
	} {
		require.Equal(t, tt.want, median(tt.values))
	}
	require.InDelta(t, 2, geometricMean([]float64{1, 4}), 1e-9)
	require.InDelta(t, 0.5, geometricMean([]float64{0.5}), 1e-9)
}

func TestTake(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no sh")
	}
	ctx := context.Background()
	s, err := take(ctx, time.Minute, []string{"SUM=42"}, []string{"sh", "-c", `echo "checksum($SUM)"`})
	require.NoError(t, err)
	require.Equal(t, "42", s.checksum)
	require.Positive(t, s.wall)
	require.Positive(t, s.peakKiB)

	s, err = take(ctx, time.Minute, nil, []string{"sh", "-c", "sleep 0.2"})
	require.NoError(t, err)
	require.LessOrEqual(t, s.anonKiB, s.peakKiB)
	if runtime.GOOS == "linux" {
		require.Positive(t, s.anonKiB)
	}

	_, err = take(ctx, time.Minute, nil, []string{"sh", "-c", "echo broken >&2; exit 3"})
	require.EqualError(t, err, "broken")

	_, err = take(ctx, 50*time.Millisecond, nil, []string{"sleep", "60"})
	require.ErrorContains(t, err, "stopped after 50ms")
}

// sampleSeries is a system whose start-up takes one second.
func sampleSeries(s system, seconds int, checksum string) *series {
	return &series{
		system: s,
		start:  []sample{{wall: time.Second, cpu: time.Second}},
		work:   []sample{{wall: time.Duration(seconds) * time.Second, peakKiB: 2048, anonKiB: 512, checksum: checksum}},
	}
}

func TestReport(t *testing.T) {
	ours, theirs, slow := system{name: "mcplogic"}, system{name: "swipl"}, system{name: "ichiban", small: true}
	report := newProgramReport(context.Background(), options{runs: 1, clock: "wall"}, []system{ours, theirs, slow})
	report.add(program{name: "nrev", scale: 10}, []*series{
		sampleSeries(ours, 2, "7"), sampleSeries(theirs, 5, "7"), sampleSeries(slow, 3, "1"),
	})
	report.add(program{name: "tak", scale: 10}, []*series{
		sampleSeries(ours, 2, "7"), sampleSeries(theirs, 2, "8"), {system: slow, err: errors.New("no tak here")},
	})
	report.summarize()

	require.InDelta(t, 0.25, report.Rows[0].Time["swipl"], 1e-9)
	require.InDelta(t, 0.05, report.Rows[0].Time["ichiban"], 1e-9)
	require.False(t, report.Rows[0].Differ)
	require.True(t, report.Rows[1].Differ)
	require.NotContains(t, report.Rows[1].Time, "swipl", "a wrong answer is not compared")
	require.InDelta(t, 0.25, report.TimeMeans["swipl"], 1e-9)
	require.InDelta(t, 1, report.MemoryMeans["swipl"], 1e-9)
	require.InDelta(t, 1, report.AnonMeans["swipl"], 1e-9)

	var out bytes.Buffer
	require.NoError(t, print(&out, report, false))
	for _, part := range []string{"geometric mean", "~20", "0.25", "anon/swipl", "0.5", "tak on ichiban: no tak here",
		"disagree"} {
		require.Contains(t, out.String(), part)
	}
	out.Reset()
	require.NoError(t, print(&out, report, true))
	require.Contains(t, out.String(), `"time_geometric_means"`)
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{{"-runs", "0"}, {"-facts", "0"}, {"-mcp", "-load"}, {"-chr", "-load"},
		{"-clock", "sun"}, {"extra"}, {"-nosuch"}} {
		var out, errs bytes.Buffer
		require.Equal(t, 2, run(context.Background(), args, &out, &errs), args)
		require.NotEmpty(t, errs.String())
		require.Empty(t, out.String())
	}
}

func TestBareServer(t *testing.T) {
	deep.Skip(t, "the server that others are compared with")
	binary := filepath.Join(t.TempDir(), "bareserver.exe")
	require.NoError(t, goBuild(t.Context(), binary, "tools/bench/bareserver"))
	c, err := dial(t.Context(), []string{binary})
	require.NoError(t, err)
	took, err := c.calls(3)
	require.NoError(t, err)
	require.Len(t, took, 3)
	require.NoError(t, c.close())
}

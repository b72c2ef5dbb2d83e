package main

import (
	"bytes"
	"context"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/deep"
)

// TestDiffer runs the command on a few areas and random goals with the systems that are there.
func TestDiffer(t *testing.T) {
	deep.Skip(t, "the same goals on other Prologs")
	if _, err := exec.LookPath("swipl"); err != nil {
		deep.Missing(t, "the same goals on other Prologs", "there is no swipl; on Debian: apt-get install swi-prolog-nox")
	}
	args := []string{"-testdata", "../../testdata", "-areas", "construct|bags|random", "-count", "140"}
	var stdout, stderr bytes.Buffer
	code := run(context.Background(), args, &stdout, &stderr)
	require.Zero(t, code, "%s%s", stdout.String(), stderr.String())
	require.Contains(t, stdout.String(), "random/arith")
}

// TestRecovery asks a question that ends the process, one that comes to no end and one that can
// be answered.
func TestRecovery(t *testing.T) {
	answers := make(map[string]string)
	script := `while read -r line; do case "$line" in *die*) kill -9 $$;; ` +
		`*hang*) sleep 60;; *) echo "$line";; esac; done <`
	s := system{
		name:    "shell",
		encode:  encodeJSON,
		read:    (*pipe).readJSON,
		unfit:   func(question) string { return "" },
		command: func(file string, _ int) *exec.Cmd { return exec.Command("sh", "-c", script+file) },
	}
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("SKIP: no shell")
	}
	questions := []question{{Goal: "one"}, {Goal: "die"}, {Goal: "two"}, {Goal: "die again"}}
	got, err := s.ask(t.Context(), t.TempDir()+"/questions", questions)
	require.NoError(t, err)
	for i, q := range questions {
		answers[q.Goal] = got[i].Status
	}
	require.Equal(t, map[string]string{"one": "", "die": "died", "two": "", "die again": "died"}, answers)
}

func TestGenerate(t *testing.T) {
	first := generate(3, 200)
	require.Equal(t, first, generate(3, 200), "the same seed makes the same goals")
	require.NotEqual(t, first, generate(4, 200))
	for _, q := range first {
		if q.Area == "random/swi-read" { // {a} is a text there
			continue
		}
		require.NotContains(t, hole.ReplaceAllString(q.Goal, "\x00"), "\x00", "a hole is left open")
	}
}

func TestJudge(t *testing.T) {
	yes := answer{Status: "true", Solutions: []map[string]string{{"X": "1"}}}
	no := answer{Status: "false"}
	k := &knownEntry{Systems: "b", Goals: "^p", Reason: "because"}
	gone := &knownEntry{Systems: "b", Goal: "never asked", Reason: "because"}
	require.NoError(t, k.compile())
	require.NoError(t, gone.compile())
	questions := []question{{Area: "x", Goal: "p"}, {Area: "x", Goal: "q"}, {Area: "x", Goal: "r"}}
	systems := []system{{name: "a"}, {name: "b"}}
	list := []*knownEntry{k, gone}
	r := judge(systems, questions, [][]answer{{yes, yes, yes}, {no, no, yes}}, list)
	r.findStale(list)
	require.Equal(t, []tally{{asked: 3, agreed: 1, listed: 1, new: 1}}, r.tallies["x"])
	require.Equal(t, []string{"b: never asked"}, r.stale)
	require.Equal(t, "q", r.news[0].question.Goal)
	require.False(t, r.clean())
	var table strings.Builder
	require.NoError(t, r.print(&table, false))
	require.Contains(t, table.String(), "x: ?- q.")
	require.Contains(t, table.String(), "listed, but there is no disagreement any more: b: never asked")
}

func TestCanonical(t *testing.T) {
	a := answer{Status: "true", Output: "_G12 _345", Solutions: []map[string]string{{"X": "+(1,f(_9,_8,_9))",
		"Y": "'.'(a,[])", "Z": "<stream>(0x1234)"}}}
	require.Equal(t, answer{Status: "true", Output: "_ _", Solutions: []map[string]string{{"X": "1+f(_1,_2,_1)",
		"Y": "[a]", "Z": "<stream>"}}}, a.canonical(""))
}

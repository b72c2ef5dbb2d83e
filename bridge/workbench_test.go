package bridge

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/bridge/internal/bridgetest"
	"github.com/mcplogic/mcplogic/bridge/internal/workbench"
	"github.com/mcplogic/mcplogic/internal/wire"
	"github.com/mcplogic/mcplogic/kb"
)

func newBench(t *testing.T, version, text string, write bool) *bridgetest.Bench {
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "rules.pl"), []byte(text), 0o600))
	o := &kb.Options{Predicates: Predicates()}
	base, report, err := kb.Open(t.Context(), []string{folder}, o)
	require.NoError(t, err, "%v", report)
	s := NewServer(base.Snapshot(), &Options{Workbench: &Workbench{Folder: folder, Options: o, Write: write}})
	ctx, cancel := context.WithCancel(context.Background())
	end := s.Follow(ctx, base, nil)
	t.Cleanup(func() { cancel(); end() })
	return &bridgetest.Bench{T: t, Folder: folder, CS: connect(t, s, version, nil)}
}

// A client builds a knowledge base over a pipe in memory; package web has the same over HTTP.
func TestWorkbenchSession(t *testing.T) {
	for _, version := range []string{"2025-06-18", "2025-11-25", wire.VersionStateless} {
		newBench(t, version, bridgetest.NoRules, true).BuildRules()
	}
}

// A test that fails says what came instead, with the names that the example has.
func TestWorkbenchSaysWhatCame(t *testing.T) {
	b := newBench(t, "2025-11-25", "p(1).\n", true)
	rate := func(body string) string {
		return "rate(W, C) :- " + body + ".\n:- mode(rate(+number, -number), zero_or_more).\n" +
			":- info(rate/2, [comment is 'Cost.', argnames is ['W', 'C'], " +
			"examples is ['three' - rate(3, C) - {C = 12}]]).\ntools([rate/2]).\n"
	}
	b.Refuses("kb_save", map[string]any{"file": "rate.pl", "text": rate("C is W * 4 + 1")},
		"rate(3,C) should give C=12, and gives rate(3,13)")
	b.Refuses("kb_save", map[string]any{"file": "rate.pl", "text": rate("W > 3, C is W * 4")},
		"rate(3,C) should give C=12, and gives no answer")
}

// Nothing that a tool of the workbench is given leaves the folder, sees the environment, or runs on.
func TestWorkbenchBounds(t *testing.T) {
	t.Setenv("MCPLOGIC_SECRET", "hidden value")
	b := newBench(t, "2025-06-18", "p(1).\n", true)
	outside := filepath.Join(t.TempDir(), "secret.pl")
	require.NoError(t, os.WriteFile(outside, []byte("secret(outside).\n"), 0o600))
	require.NoError(t, os.Symlink(filepath.Dir(outside), filepath.Join(b.Folder, "link")))
	for _, name := range []string{"../x.pl", "/tmp/x.pl", "a/../../x.pl", ".hidden.pl", "x.txt", "", "link/x.pl",
		"./x.pl"} {
		b.Refuses("kb_save", map[string]any{"file": name, "text": "q(1).\n"})
	}
	entries, err := os.ReadDir(filepath.Dir(outside))
	require.NoError(t, err)
	require.Len(t, entries, 1)
	b.Says("kb_try", map[string]any{"goal": "getenv('MCPLOGIC_SECRET', X)"}, "No.")
	text, _ := b.Call("kb_try", map[string]any{"goal": "read_file_to_string('" + outside + "', X, [])"})
	require.NotContains(t, text, "secret(outside)")
	text, _ = b.Call("kb_try", map[string]any{"goal": "consult('link/secret.pl'), secret(X)"})
	require.NotContains(t, text, "outside)")
	b.Says("kb_try", map[string]any{"goal": "assertz(q(1))"}, "true")
	b.Says("kb_try", map[string]any{"goal": "X = 3, X > 4"}, "No.", "`3>4` is false")
	b.Says("kb_try", map[string]any{"goal": "between(1, inf, X)", "limit": 3}, "X = 3", "There are more.")
	b.Says("kb_try", map[string]any{"goal": "length(L, 1000000000)"}, "Error:")
	b.Says("kb_try", map[string]any{"goal": "halt"}, "Error:")
	b.Refuses("kb_try", map[string]any{"goal": "p(X)", "text": "p(2)."}, "needs the name of the file")

	readOnly := newBench(t, "2025-06-18", "p(1).\n", false)
	list, err := readOnly.CS.ListTools(t.Context(), nil)
	require.NoError(t, err)
	require.Len(t, list.Tools, len(workbench.Tools)-1)
}

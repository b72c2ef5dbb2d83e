package web

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/tools/bridgetest"
)

// TestHTTPWorkbench builds a knowledge base over HTTP, with a session and without, and mends a long one.
func TestHTTPWorkbench(t *testing.T) {
	bench := func(version, rules string) *bridgetest.Bench {
		folder := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(folder, "rules.pl"), []byte(rules), 0o600))
		o := &kb.Options{Predicates: bridge.Predicates()}
		base, err := kb.Open(t.Context(), []string{folder}, o)
		require.NoError(t, err)
		w := serveSiteOf(t, folder, &bridge.Options{Workbench: &bridge.Workbench{Folder: folder, Options: o, Write: true}},
			nil, nil)
		ctx, cancel := context.WithCancel(context.Background())
		end := w.offering.Follow(ctx, base, nil)
		t.Cleanup(func() { cancel(); end() })
		return &bridgetest.Bench{T: t, Folder: folder, CS: connectHTTP(t, w.url, version, nil, nil)}
	}
	rules, tests := bridgetest.LongRules()
	for _, version := range []string{"2025-06-18", "2025-11-25", "2026-07-28"} {
		bench(version, bridgetest.NoRules).BuildRules()
		b := bench(version, rules)
		require.NoError(t, os.WriteFile(filepath.Join(b.Folder, "rules.plt"), []byte(tests), 0o600))
		b.MendRules()
	}
}

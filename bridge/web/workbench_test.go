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

// TestHTTPWorkbench builds a knowledge base over HTTP, with a session and without.
func TestHTTPWorkbench(t *testing.T) {
	for _, version := range []string{"2025-06-18", "2025-11-25", "2026-07-28"} {
		folder := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(folder, "rules.pl"), []byte(bridgetest.NoRules), 0o600))
		o := &kb.Options{Predicates: bridge.Predicates()}
		base, err := kb.Open(t.Context(), []string{folder}, o)
		require.NoError(t, err)
		w := serveSiteOf(t, folder, &bridge.Options{Workbench: &bridge.Workbench{Folder: folder, Options: o, Write: true}},
			nil, nil)
		ctx, cancel := context.WithCancel(context.Background())
		end := w.offering.Follow(ctx, base, nil)
		t.Cleanup(func() { cancel(); end() })
		b := &bridgetest.Bench{T: t, Folder: folder, CS: connectHTTP(t, w.url, version, nil, nil)}
		b.BuildRules()
	}
}

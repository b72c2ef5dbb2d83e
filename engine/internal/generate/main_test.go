package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mcplogic/mcplogic/engine/internal/compile"
	"github.com/stretchr/testify/require"
)

// TestVersionIsFresh checks that compile.Version is that of the present compiler. Images depend on it.
func TestVersionIsFresh(t *testing.T) {
	version, err := compilerVersion("../compile")
	require.NoError(t, err)
	require.Equal(t, version, compile.Version, "run go generate ./engine")
}

// Comments and tests do not change the version. Everything else does.
func TestCompilerVersion(t *testing.T) {
	write := func(name, text string) string {
		folder := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(folder, "a.go"), []byte("package a\n"), 0o644))
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644))
		version, err := compilerVersion(folder)
		require.NoError(t, err)
		return version
	}
	plain := write("a.go", "package a\n")
	require.Equal(t, plain, write("a.go", "// Package a is a.\npackage a\n"))
	require.Equal(t, plain, write("a_test.go", "package a\n\nvar x = 1\n"))
	require.Equal(t, plain, write("version.go", "package a\n\nconst Version = 1\n"))
	require.NotEqual(t, plain, write("b.go", "package a\n\nvar x = 1\n"))
	_, err := compilerVersion(filepath.Join(t.TempDir(), "["))
	require.Error(t, err)
}

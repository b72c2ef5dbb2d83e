package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sample are tests of each kind, the last of which ends its process.
const sample = `package sample

import ("os"; "testing")

func TestGood(t *testing.T)    { t.Log("good") }
func TestFast(t *testing.T)    { t.Skip("takes long") }
func TestLacking(t *testing.T) { t.Skip("NOT TESTED: the moon (there is no rocket)") }
func TestBad(t *testing.T)     { t.Run("part", func(t *testing.T) { t.Error("bad") }) }
func TestEnd(t *testing.T)     { println("the end"); os.Exit(3) }
`

// TestReport runs the tests of two packages, one of which does not build.
func TestReport(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module sample\n\ngo 1.26.0\n", "a_test.go": sample, "broken/b.go": "package broken\n\nvar x int = y\n",
	} {
		file := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	var out strings.Builder
	r := &report{out: &out, printed: map[string]string{}, skipped: map[string]int{}}
	cmd := exec.CommandContext(t.Context(), "go", "test", "-json", "-vet=off", "./...")
	cmd.Dir = dir
	require.Error(t, r.run(cmd))
	for _, want := range []string{"--- FAIL: TestBad", "a_test.go:8: bad", "the end", "FAIL\tsample", "undefined: y",
		"\nNOT TESTED: the moon (there is no rocket)\nskipped 1: takes long\n"} {
		require.Contains(t, out.String(), want)
	}
	require.NotContains(t, out.String(), "good")
}

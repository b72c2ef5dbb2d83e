package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The tests of the examples pass, as they do on SWI-Prolog.
func TestExamples(t *testing.T) {
	suites, err := filepath.Glob("../../examples/*/*.plt")
	require.NoError(t, err)
	require.NotEmpty(t, suites)
	for _, suite := range suites {
		t.Run(filepath.Base(suite), func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			code := execute(t.Context(), []string{"test", filepath.Dir(suite)}, strings.NewReader(""), &stdout, &stderr)
			require.Zero(t, code, "%s%s", &stdout, &stderr)
			require.Regexp(t, `^\d+ passed\n$`, stdout.String())
		})
	}
}

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// lastAnswer is what mcplogic query prints of a goal without variables, with the residual program of an undefined one.
var lastAnswer = regexp.MustCompile(
	`(?m)^(true( \.|\.| ;)|false\.|(% WFS residual program\n(    .*\n)+)?undefined\.)\n`)

// TestPrograms runs the programs of testdata/programs, which SWI-Prolog has run too, as mcplogic query does.
func TestPrograms(t *testing.T) {
	mains, err := filepath.Glob("../../testdata/programs/*/main.pl")
	require.NoError(t, err)
	require.NotEmpty(t, mains)
	for _, main := range mains {
		folder, err := filepath.Abs(filepath.Dir(main))
		require.NoError(t, err)
		t.Run(filepath.Base(folder), func(t *testing.T) {
			want, err := os.ReadFile(filepath.Join(folder, "expected.txt"))
			require.NoError(t, err)
			t.Chdir(folder)
			var out, errs bytes.Buffer
			args := []string{"query", "--allow-read", ".", "--limit", "1", "main.pl", "main"}
			code := execute(t.Context(), args, bytes.NewReader(nil), &out, &errs)
			undefined := strings.HasSuffix(out.String(), "undefined.\n") // a program that looks at such answers
			require.True(t, code == 0 || undefined, errs.String())
			require.Equal(t, string(want), lastAnswer.ReplaceAllString(out.String(), ""), errs.String())
		})
	}
}

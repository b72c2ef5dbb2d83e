package main

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
)

// TestNumbersOfFlags gives all flags of all commands that take a number or a time values that mean nothing.
func TestNumbersOfFlags(t *testing.T) {
	seen := 0
	var walk func(cmd *cobra.Command, path []string)
	walk = func(cmd *cobra.Command, path []string) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			values := map[string][]string{"int": {"-1", "-2", "0"}, "int64": {"-1", "-2", "0"},
				"float64": {"-1", "-0.5", "NaN", "-Inf", "Inf", "0"}, "duration": {"-1s", "-1ns", "0", "0s"}}[f.Value.Type()]
			for _, value := range values {
				zero := strings.Trim(value, "0s") == ""
				if zero && (strings.Trim(f.DefValue, "0s") == "" || strings.Contains(f.Usage, "0: ")) {
					continue
				}
				seen++
				var stderr strings.Builder
				code := execute(t.Context(), append(path, "--"+f.Name+"="+value), strings.NewReader(""), io.Discard, &stderr)
				require.Equal(t, cli.ExitUsage, code, "%v --%s=%s", path, f.Name, value)
				require.Regexp(t, `^mcplogic: --`+f.Name+` takes (more than 0|0 or more), got `+value+"\n$", stderr.String())
			}
		})
		for _, below := range cmd.Commands() {
			walk(below, append(slices.Clip(path), below.Name()))
		}
	}
	walk(newRoot(), nil)
	require.Greater(t, seen, 100)
}

// TestFlagsThatNothingReads refuses flags whose values no PATH can ask for, and heeds the others without a PATH.
func TestFlagsThatNothingReads(t *testing.T) {
	t.Chdir("../..")
	for args, want := range map[string]string{
		"query --sql foo true":                     "--sql takes NAME=ADDRESS, such as --sql crm=sqlite:crm.db",
		"query --sql =x true":                      "--sql takes NAME=ADDRESS, such as --sql crm=sqlite:crm.db",
		"serve --sql postgres://me:secret@host kb": "--sql takes NAME=ADDRESS, such as --sql crm=sqlite:crm.db",
		"query --sql crm=sqlite:x true":            "--sql needs a PATH; see mcplogic query --help",
		"why --set a=b true":                       "--set needs a PATH; see mcplogic why --help",
		"query --strict true":                      "--strict needs a PATH; see mcplogic query --help",
		"query testdata":                           "testdata is a path; give a GOAL behind it; see mcplogic query --help",
		"why testdata":                             "testdata is a path; give a GOAL behind it; see mcplogic why --help",
		"query --native=off --table-memory=1MiB --load-timeout=0 --load-memory=1MiB true": "",
	} {
		var stderr strings.Builder
		code := execute(t.Context(), strings.Fields(args), strings.NewReader(""), io.Discard, &stderr)
		if want == "" {
			require.Equal(t, cli.ExitDone, code, "%s: %s", args, &stderr)
			continue
		}
		require.Equal(t, cli.ExitUsage, code, args)
		require.Equal(t, "mcplogic: "+want+"\n", stderr.String())
	}
}

package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/tools/deep"
)

// TestStamp wants the command to print what the release script sets. TestStampedBuild has a build set it.
func TestStamp(t *testing.T) {
	var text bytes.Buffer
	cli.ReleaseVersion, cli.ReleaseCommit = "v1.2.3", "0123456789abcdef0123"
	code := execute(t.Context(), []string{"version"}, strings.NewReader(""), &text, io.Discard)
	cli.ReleaseVersion, cli.ReleaseCommit = "", ""
	require.Equal(t, cli.ExitDone, code)
	require.Regexp(t, stamped, text.String())
	script, err := os.ReadFile("../../.ci/release")
	require.NoError(t, err)
	require.Contains(t, string(script), "cli="+cliPath+"\n")
	require.Contains(t, string(script), "-X $cli.ReleaseVersion=$version -X $cli.ReleaseCommit=$commit")
}

// cliPath is the package that has the version.
const cliPath = modulePath + "cmd/mcplogic/internal/cli"

const stamped = `^mcplogic v1\.2\.3 \(commit 0123456789ab.*\) go\S+ \w+/\w+\n(native code: .+\n)?$`

func TestStampedBuild(t *testing.T) {
	deep.Skip(t, "a build with the flags of the release script")
	binary := filepath.Join(t.TempDir(), "mcplogic.exe")
	stamp := "-X " + cliPath + ".ReleaseVersion=v1.2.3 -X " + cliPath + ".ReleaseCommit=0123456789abcdef0123"
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", binary, "-ldflags", stamp, ".")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	for _, arg := range []string{"version", "--version"} {
		out, err = exec.CommandContext(t.Context(), binary, arg).CombinedOutput()
		require.NoError(t, err)
		require.Regexp(t, stamped, string(out))
	}
}

// Each section of the text of helps is that of a command, and all commands with arguments have one.
func TestHelpText(t *testing.T) {
	root := newRoot()
	for _, section := range strings.Split(helpText, "=== ")[1:] {
		name, _, _ := strings.Cut(section, "\n")
		words := strings.Fields(strings.TrimPrefix(name, root.Name()))
		cmd, rest, err := root.Find(words)
		require.NoError(t, err)
		require.Empty(t, rest, name)
		require.NotEmpty(t, cmd.Long+cmd.Example, name)
	}
	for _, cmd := range root.Commands() {
		require.True(t, cmd.Long+cmd.Example != "" || cmd.Name() == "version" || cmd.Hidden, cmd.Name())
	}
}

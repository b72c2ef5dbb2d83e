//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/deep"
)

// TestEmptyRoots starts the command out of each package where there is nothing else.
func TestEmptyRoots(t *testing.T) {
	const what = "packages on empty systems"
	deep.Skip(t, what)
	if os.Getuid() != 0 {
		deep.Missing(t, what, "only root may change the root folder")
	}
	binary := filepath.Join(t.TempDir(), "mcplogic")
	build := exec.Command("go", "build", "-tags", "sqlite", "-trimpath", "-ldflags=-s -w", "-o", binary, "./cmd/mcplogic")
	build.Dir, build.Env = "../..", append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	r := made(t, "1.2.3", binary)
	answers := func(root, path string) {
		t.Helper()
		cmd := exec.Command(path, "query", "X is 6 * 7")
		cmd.Dir, cmd.Env = "/", []string{}
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: 65532, Gid: 65532}}
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Contains(t, string(out), "X = 42")
	}
	image := rootFolder(t)
	rootOf(t, r, image)
	answers(image, "/mcplogic")
	info, err := os.Stat(filepath.Join(r.dist, "mcplogic_1.2.3_image.tar"))
	require.NoError(t, err)
	require.Less(t, info.Size(), int64(25<<20))

	if _, err := exec.LookPath("dpkg-deb"); err == nil {
		system := rootFolder(t)
		out, err := exec.Command("dpkg-deb", "--extract", filepath.Join(r.dist, "mcplogic_1.2.3_"+runtime.GOARCH+".deb"),
			system).CombinedOutput()
		require.NoError(t, err, "%s", out)
		answers(system, "/usr/bin/mcplogic")
	}

	if _, err := exec.LookPath("npm"); err == nil {
		dir := t.TempDir()
		files, err := filepath.Glob(filepath.Join(r.dist, "npm-*.tgz"))
		require.NoError(t, err)
		run := func(name string, args ...string) string {
			cmd := exec.Command(name, args...)
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
			return string(out)
		}
		run("npm", append([]string{"install", "--offline", "--no-audit", "--no-fund"}, files...)...)
		require.Contains(t, run("node_modules/.bin/mcplogic", "query", "X is 6 * 7"), "X = 42")
	}
}

// rootFolder is an empty folder that other users may enter.
func rootFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for at := dir; at != os.TempDir(); at = filepath.Dir(at) {
		require.NoError(t, os.Chmod(at, 0o755))
	}
	return dir
}
